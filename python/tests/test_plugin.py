"""The plugin: what fails is shown and written down, and what is written down has to fail."""

import pytest

pytest_plugins = ["pytester"]

CODE = """
import numpy as np
from exactum.pytest import Conformance

class TestCasts(Conformance):
    operations = ["cast_value.encode"]
    expected = "expected-failures.txt"

    def offers(self, request):
        return request.source == "float32" and request.target == "int8" and not (
            request.settings.keys() - {"data_type"})

    def answer(self, request):
        with np.errstate(all="ignore"):
            return %s
"""
WRONG = "request.array.astype('int8')"
RIGHT = "__import__('exactum').cast(request.array, 'int8')"


@pytest.fixture
def judged(pytester):
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
    result.stdout.re_match_lines([".*has to be rejected.*", "clauses: .*cast_value.*", "exactum explain cast_value/.*"])
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
