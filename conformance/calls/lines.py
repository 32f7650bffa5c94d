"""What the callers in Python share: cases in lines of JSON, and arrays opened from documents in a folder.

Nothing of this comes from the adapters, which the callers are there to check.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np


def elements(array):
    """An array of a request as an array of NumPy."""
    dtype = np.dtype(array["data_type"]).newbyteorder("<")
    return np.frombuffer(bytes.fromhex(array["data"]), dtype).reshape(array["shape"])


def hexed(values):
    """The elements of an array of NumPy, little-endian."""
    values = np.asarray(values)
    return values.astype(values.dtype.newbyteorder("<")).tobytes().hex()


def document(data_type, shape, fill_value, *codecs):
    """The text of an array document with one chunk. The fill value and the codecs are texts, put in as they are."""
    return (
        f'{{"zarr_format": 3, "node_type": "array", "shape": {json.dumps(shape)}, "data_type": "{data_type}",'
        f' "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {json.dumps(shape)}}}}},'
        f' "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill_value}, "codecs": [{", ".join(codecs)}]}}'
    )


def is_document(request):
    """Whether a request asks no more than whether a document is read."""
    return request["op"] in ("metadata.validate", "chain.resolve")


def written(request, folder):
    """Writes the document of a request, and the chunk of its array where the request has one."""
    text = request.get("document") or request.get("metadata")
    if text is None and request["op"] == "fill_value.parse":
        text = document(request["data_type"], [1], request["json"], BYTES)
    if text is None and request["op"] == "bytes.decode":
        text = document(request["data_type"], request["shape"], "0", codec(request))
    if text is None or request["op"] == "chain.encode":
        raise NotImplementedError
    Path(folder, "zarr.json").write_text(text)
    if "bytes" in request:
        chunk = Path(folder, "c", *["0"] * len(json.loads(text)["shape"]))
        chunk.parent.mkdir(parents=True, exist_ok=True)
        chunk.write_bytes(bytes.fromhex(request["bytes"]))


def codec(request):
    """The text of the codec that a request is about."""
    configuration = request.get("configuration")
    configured = "" if configuration is None else f', "configuration": {configuration}'
    return f'{{"name": "{request["op"].split(".")[0]}"{configured}}}'


BYTES = '{"name": "bytes", "configuration": {"endian": "little"}}'


def through_an_array(request, opened):
    """What a codec makes of the elements of a request, as the only chunk of an array in a folder.

    `opened` opens the array of a folder.
    """
    row, way = request["op"].split(".")
    values = elements(request["input"])
    if values.size == 0:  # an array without chunks asks no codec
        raise NotImplementedError
    decoded = request.get("data_type", request["input"]["data_type"])
    with TemporaryDirectory() as folder:
        # An offset of 10 leaves room below for this fill value, in unsigned types as well.
        text = document(decoded, list(values.shape), "100" if row == "scale_offset" else "0", codec(request), BYTES)
        Path(folder, "zarr.json").write_text(text)
        chunk = Path(folder, "c", *["0"] * values.ndim)
        if way == "encode":
            opened(folder)[...] = values
            return chunk.read_bytes().hex()
        chunk.parent.mkdir(parents=True, exist_ok=True)
        chunk.write_bytes(values.tobytes())
        return hexed(opened(folder)[...])


def serve(call):
    """Answers each line with what the library returned, in hex, or with the exception by which it refused.

    Of what a call does not cover, for which it raises `NotImplementedError`, it says so.
    """
    for line in sys.stdin:
        try:
            answer = {"ok": call(json.loads(line))}
        except NotImplementedError:
            answer = {"uncovered": True}
        except Exception as error:  # whatever it is, the library refused
            answer = {"reject": f"{type(error).__name__}: {error}"[:200]}
        print(json.dumps(answer), flush=True)
