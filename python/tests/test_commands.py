"""Tests the commands as functions, with documents in every form and with errors that explain what is wrong."""

import json
import subprocess
import sys

import numpy as np
import pytest

import exactum

ARRAY = {
    "zarr_format": 3,
    "node_type": "array",
    "shape": [4],
    "data_type": "float32",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
    "chunk_key_encoding": {"name": "default"},
    "fill_value": 0,
    "codecs": [
        {"name": "cast_value", "configuration": {"data_type": "int16"}},
        {"name": "bytes", "configuration": {"endian": "little"}},
    ],
}
BAD = {**ARRAY, "fill_value": "zero"}


def test_documents_are_taken_in_every_form(tmp_path):
    text = json.dumps(BAD)
    path = tmp_path / "zarr.json"
    path.write_text(text)
    for document in (BAD, text, text.encode(), path, str(path), tmp_path):
        found = exactum.validate(document)
        assert not found
        assert found.problems[0]["pointer"] == "/fill_value"
    with pytest.raises(exactum.Rejection) as caught:
        exactum.validate(tmp_path / "nothing")
    assert caught.value.reason == "not_carried_out"


def test_plans_follow_what_an_array_holds():
    values = np.array([[1.0, np.nan], [3.0, np.inf]], "float32")
    plan = exactum.plan(values, max_error=0.01)
    assert plan.document["range"] == ["1.0", "3.0"]
    assert "Infinity" in str(plan.codecs)
    plan = exactum.plan(values, max_error=0.01, drop=["Infinity"])
    assert "Infinity" not in str(plan.codecs)
    for strided in (values[::-1], values.T, values.astype(">f4")):
        assert exactum.plan(strided, max_error=0.01, drop=["Infinity"]).document == plan.document
    with pytest.raises(ValueError, match="no finite number"):
        exactum.plan(np.array([np.nan]), max_error=1)
    with pytest.raises(exactum.Rejection, match="wider type"):
        exactum.plan(values[:, 0], max_error=1e-9, target="int8")


def test_proofs_name_the_value_that_refutes_them():
    document = {**ARRAY, "data_type": "float32"}
    assert not exactum.prove(document, range=(0, 40_000))
    proof = exactum.prove(document, np.arange(100, dtype="float32"), max_error=0.5)
    assert proof
    assert proof.largest_error <= 0.5


def test_a_failing_command_does_not_end_the_process():
    with pytest.raises(exactum.Rejection):
        exactum.plan(range=(2, 1), max_error=0.1)
    with pytest.raises(exactum.Rejection):
        exactum.explain("no.such.clause")


def test_the_command_is_installed(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "exactum", "plan"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "--range" in done.stderr
