"""numcodecs: BitRound, and FixedScaleOffset, as its own codec and where it is equivalent to `scale_offset`.

`numcodecs.fixedscaleoffset` has no operation of its own; requests use documents with this codec and
`bytes`. The bytes of such a chunk are those of the array, in the byte order of the document.

Decoding is documented as `enc / scale + offset` in NumPy arithmetic. On floats, with `astype` equal
to `dtype`, that is what `scale_offset.decode` requires. On integers NumPy divides into float64 and
truncates, which the codec documents for its own metadata and never claimed to be `scale_offset`; and
encoding ends with "rounded to the nearest integer", also on floats. Neither is declared.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numcodecs import BitRound, FixedScaleOffset

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, array, output, refusing, serve

np.seterr(all="ignore")  # a warning for every overflow would only slow down stderr

NAME = "numcodecs.fixedscaleoffset"


def scalar(json_value, data_type):
    """Returns a parameter as a number, which the constructor requires."""
    if isinstance(json_value, str) and json_value.startswith("0x"):
        big_endian = np.dtype(data_type).newbyteorder(">")
        return np.frombuffer(bytes.fromhex(json_value[2:]), big_endian)[0]
    return float(json_value)  # also "NaN", "Infinity" and "-Infinity"


def decode(request):
    chunk = array(request["input"])
    configuration = json.loads(request.get("configuration", "{}"))
    # Both arguments are mandatory; identities replace absent parameters.
    codec = FixedScaleOffset(
        offset=scalar(configuration.get("offset", 0), chunk.dtype),
        scale=scalar(configuration.get("scale", 1), chunk.dtype),
        dtype=chunk.dtype,
    )
    with refusing("out_of_range"):
        return output(codec.decode(chunk).reshape(chunk.shape))  # it returns one dimension


def bitround(request):
    """Encodes or decodes an array of floats, the only types for which the codec is documented."""
    with refusing("metadata"):
        codec = BitRound(**json.loads(request.get("configuration", "{}")))
    chunk = array(request["input"])
    with refusing("unsupported_data_type"):
        if request["op"] == "bitround.decode":
            return output(codec.decode(chunk).reshape(chunk.shape))
        # The output has the integer type of the same width.
        return output(codec.encode(chunk).view(chunk.dtype).reshape(chunk.shape))


def opened(document):
    """Returns the codec of a document, the shape of its chunks and the byte order of the stored bytes."""
    metadata = json.loads(document)
    codecs = [{"name": codec} if isinstance(codec, str) else codec for codec in metadata["codecs"]]
    (fixed_scale_offset,), (coder,) = (
        [codec for codec in codecs if codec["name"] == name] for name in (NAME, "bytes")
    )
    with refusing("metadata"):
        codec = FixedScaleOffset(**fixed_scale_offset["configuration"])
    endian = coder.get("configuration", {}).get("endian", "little")
    shape = metadata["chunk_grid"]["configuration"]["chunk_shape"]
    return codec, shape, "<" if endian == "little" else ">"


def chain_encode(request):
    codec, _, endian = opened(request["metadata"])
    with refusing("out_of_range"):
        stored = codec.encode(array(request["input"]))
    return {"bytes": stored.astype(stored.dtype.newbyteorder(endian)).tobytes().hex()}


def chain_decode(request):
    codec, shape, endian = opened(request["metadata"])
    with refusing("truncated"):
        stored = np.frombuffer(bytes.fromhex(request["bytes"]), codec.astype.newbyteorder(endian))
        return output(codec.decode(stored.astype(codec.astype)).reshape(shape))


if __name__ == "__main__":
    chains = {
        "codecs": [NAME, "bytes"],
        "some_codec": [NAME],
        "data_types": INTEGERS + FLOATS,
    }
    serve(
        "numcodecs",
        version("numcodecs"),
        {
            "bitround.decode": ({"from": FLOATS}, bitround),
            "bitround.encode": ({"from": FLOATS}, bitround),
            "scale_offset.decode": ({"from": FLOATS}, decode),
            "chain.encode": (chains, chain_encode),
            "chain.decode": (chains, chain_decode),
        },
        configurations=False,
    )
