"""Code shared by the Python callers: cases as lines of JSON, and arrays opened from documents in a folder.

Nothing here is taken from the adapters, because the callers serve to check them.
"""

import json
import sys
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np


def elements(array):
    """Returns an array of a request as a NumPy array."""
    dtype = np.dtype(array["data_type"]).newbyteorder("<")
    return np.frombuffer(bytes.fromhex(array["data"]), dtype).reshape(array["shape"])


def hexed(values):
    """Returns the elements of a NumPy array in hex, little-endian."""
    values = np.asarray(values)
    return values.astype(values.dtype.newbyteorder("<")).tobytes().hex()


def document(data_type, shape, fill_value, *codecs):
    """Returns the text of an array document with one chunk. The fill value and codecs are inserted as they are."""
    return (
        f'{{"zarr_format": 3, "node_type": "array", "shape": {json.dumps(shape)}, "data_type": "{data_type}",'
        f' "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {json.dumps(shape)}}}}},'
        f' "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill_value}, "codecs": [{", ".join(codecs)}]}}'
    )


def is_document(request):
    """Returns whether a request only asks whether a document can be read."""
    return request["op"] in ("metadata.validate", "chain.resolve")


def document_of(request):
    """Returns the document that a request is about: its own, or that of an array with one chunk and one codec."""
    given = request.get("document") or request.get("metadata")
    if given is not None:
        return given
    row = request["op"].split(".")[0]
    if row == "fill_value":
        return document(request["data_type"], [1], request["json"], BYTES)
    array = request.get("input", request)
    data_type = request.get("data_type", array["data_type"])
    zero = "[0, 0]" if data_type.startswith("complex") else "0"
    # Scaled by 10, this fill value is still an int8, and an offset of 10 can be subtracted from it in unsigned types.
    fill_value = "10" if row == "scale_offset" else zero
    codecs = [codec(request)] if row == "bytes" else [codec(request), BYTES]
    return document(data_type, array["shape"], fill_value, *codecs)


def written(request, folder):
    """Writes the document of a request and, for a request to decode, the chunk. Returns the path of the chunk."""
    text = document_of(request)
    Path(folder, "zarr.json").write_text(text)
    decoded = "bytes" in request or request["op"].endswith(".decode")
    if not decoded and not request["op"].endswith(".encode"):
        return None
    chunk = Path(folder, "c", *["0"] * len(json.loads(text)["shape"]))
    if decoded:
        chunk.parent.mkdir(parents=True, exist_ok=True)
        chunk.write_bytes(bytes.fromhex(request.get("bytes") or request["input"]["data"]))
    return chunk


def codec(request):
    """Returns the text of the codec that a request is about."""
    configuration = request.get("configuration")
    configured = "" if configuration is None else f', "configuration": {configuration}'
    return f'{{"name": "{request["op"].split(".")[0]}"{configured}}}'


BYTES = '{"name": "bytes", "configuration": {"endian": "little"}}'


def through_an_array(request, opened):
    """Passes the elements of a request through its codecs, as the only chunk of an array in a folder.

    `opened` opens the array in a folder.
    """
    if request["op"].endswith(".encode"):
        values = elements(request["input"])
        if values.size == 0:  # an array without chunks calls no codec
            raise NotImplementedError
    with TemporaryDirectory() as folder:
        chunk = written(request, folder)
        array = opened(folder)
        if request["op"].endswith(".encode"):
            array[...] = values
            return chunk.read_bytes().hex()
        return hexed(array[...])


def serve(call):
    """Answers each line with the library's result in hex, or with the exception by which it refused.

    A call that does not cover a request raises `NotImplementedError` or fails in one of its own assertions.
    """
    for line in sys.stdin:
        try:
            answer = {"ok": call(json.loads(line))}
        except NotImplementedError:
            answer = {"uncovered": True}
        except Exception as error:  # any other exception is a refusal by the library
            *_, innermost = traceback.extract_tb(error.__traceback__)
            own = isinstance(error, AssertionError) and Path(innermost.filename).parent == Path(__file__).parent
            answer = {"uncovered": True} if own else {"reject": f"{type(error).__name__}: {error}"[:200]}
        print(json.dumps(answer), flush=True)
