"""Tests that zarrita with exactum-wasm reads arrays of this package bit for bit, and the other way round.

Needs the folder of `.ci/npm`, in which both are installed; EXACTUM_NPM names this folder.
"""

import json
import os
import subprocess

import numpy as np
import pytest

zarr = pytest.importorskip("zarr")

import exactum.zarr as ours  # noqa: E402

NPM = os.environ.get("EXACTUM_NPM", "")
pytestmark = pytest.mark.skipif(not NPM, reason="EXACTUM_NPM does not name a folder with zarrita and exactum-wasm")

SHAPE, CHUNKS = (4, 6, 10), (2, 3, 5)
FIELD = np.linspace(250, 310, 240, dtype="float32").reshape(SHAPE)
COUNT = np.arange(240, dtype="uint16").reshape(SHAPE)
BYTES = {"name": "bytes", "configuration": {"endian": "little"}}


def cast(target):
    return {"name": "cast_value", "configuration": {"data_type": target, "rounding": "nearest-even"}}


SCALED = {"name": "scale_offset", "configuration": {"offset": 250.0, "scale": 2.0}}
CASES = {
    "packbits": (COUNT, [{"name": "packbits", "configuration": {"first_bit": 0, "last_bit": 8}}]),
    "packbits of bool": (FIELD > 280, [{"name": "packbits", "configuration": {"padding_encoding": "first_byte"}}]),
    "zfp": (FIELD, [{"name": "zfp", "configuration": {"mode": "reversible"}}]),
    "zfp of int32": (COUNT.astype("int32"), [{"name": "zfp", "configuration": {"mode": "reversible"}}]),
    "bitround": (np.rint(FIELD), [{"name": "bitround", "configuration": {"keepbits": 8}}, BYTES]),
    "cast_value": (np.rint(FIELD), [cast("uint16"), BYTES]),
    "cast_value to int64": (np.rint(FIELD).astype("float64"), [cast("int64"), BYTES]),
    "scale_offset": (np.rint(FIELD), [SCALED, BYTES]),
    "scaled, cast and packed": (
        np.rint(FIELD),
        [SCALED, cast("uint8"), {"name": "packbits", "configuration": {"first_bit": 0, "last_bit": 6}}],
    ),
}
EACH = pytest.mark.parametrize("name", CASES)


def node(direction, folder, options=None):
    arguments = [direction, str(folder), *([] if options is None else [json.dumps(options)])]
    ended = subprocess.run(["node", "zarrita.mjs", *arguments], cwd=NPM, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return bytes.fromhex(ended.stdout)


def document(data, codecs):
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": SHAPE,
        "data_type": data.dtype.name,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": CHUNKS}},
        "chunk_key_encoding": {"name": "default"},
        "codecs": codecs,
        "fill_value": fill(data),
    }


def fill(data):
    # The fill value is an element of the data, so every codec accepts it.
    return data.flat[0].item()


@EACH
def test_zarrita_reads_what_zarr_python_writes(tmp_path, name):
    data, codecs = CASES[name]
    (tmp_path / "zarr.json").write_text(json.dumps(document(data, codecs)))
    with ours.enabled():
        zarr.open_array(str(tmp_path), mode="r+")[...] = data
    assert any(it.is_file() for it in (tmp_path / "c").rglob("*"))
    assert node("read", tmp_path) == data.tobytes()


@EACH
def test_zarr_python_reads_what_zarrita_writes(tmp_path, name):
    data, codecs = CASES[name]
    options = {"dtype": data.dtype.name, "shape": SHAPE, "chunkShape": CHUNKS, "codecs": codecs}
    node("write", tmp_path, {**options, "fillValue": fill(data), "elements": data.tobytes().hex()})
    assert any(it.is_file() for it in (tmp_path / "c").rglob("*"))
    with ours.enabled():
        read = zarr.open_array(str(tmp_path), mode="r")[...]
    assert read.tobytes() == data.tobytes()
