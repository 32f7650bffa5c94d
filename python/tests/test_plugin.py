"""Tests the pytest plugin: failures are shown and recorded, and recorded failures must fail."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CODE = """
import numpy as np
from exactum.pytest import Conformance

class TestCasts(Conformance):
    operations = ["cast_value.encode"]
    expected = "expected-failures.txt"

    def offers(self, request):
        is_plain = not request.settings.keys() & {"scalar_map"}
        return request.source == "float32" and request.target == "int8" and is_plain

    def answer(self, request):
        with np.errstate(all="ignore"):
            return %s
"""
WRONG = "request.array.astype('int8')"
OPTIONS = "**{key: value for key, value in request.settings.items() if key != 'data_type'}"
RIGHT = f"__import__('exactum').cast(request.array, 'int8', {OPTIONS})"


@pytest.fixture
def judged(pytester, monkeypatch):
    # The vectors of the checkout need not be unpacked first.
    monkeypatch.setenv("EXACTUM_VECTORS", str(Path(__file__).parents[2] / "vectors"))

    def run(code, *arguments):
        pytester.makepyfile(CODE % code)
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments)

    return run


def test_a_right_library_passes(judged):
    result = judged(RIGHT)
    outcomes = result.parseoutcomes()
    assert outcomes.keys() == {"passed"}
    assert outcomes["passed"] > 10


def test_failures_show_clause_element_and_bits(judged):
    result = judged(WRONG, "-q")
    result.stdout.re_match_lines([".*must be rejected.*", "clauses: .*cast_value.*", "exactum explain cast_value/.*"])
    text = result.stdout.str()
    assert "got bits 0x" in text
    assert "element " in text


def test_expected_failures_are_written_and_have_to_fail(judged, pytester):
    assert judged(WRONG, "--exactum-update").ret == 0
    listed = (pytester.path / "expected-failures.txt").read_text()
    assert "\ncast_value/" in listed
    outcomes = judged(WRONG).parseoutcomes()
    assert outcomes["xfailed"] == listed.count("\n") - 1
    assert "failed" not in outcomes
    assert judged(RIGHT).parseoutcomes()["failed"] == listed.count("\n") - 1
    assert judged(RIGHT, "--exactum-update").ret == 0
    assert (pytester.path / "expected-failures.txt").read_text().count("\n") == 1
