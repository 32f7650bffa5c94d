"""numcodecs: BitRound, and FixedScaleOffset, as the codec that it defines and where it means the same as `scale_offset`.

`numcodecs.fixedscaleoffset` has no operation of its own; it is asked for in documents of this codec
and `bytes`. The bytes of such a chunk are the array's own, in the byte order of the document.

Decoding is documented as `enc / scale + offset` in NumPy arithmetic. On floats, with `astype` left
as `dtype`, that is what `scale_offset.decode` asks for. On integers NumPy divides into float64 and
cuts, which the codec documents for its own metadata and never claimed to be `scale_offset`; and
encoding ends in "rounded to the nearest integer", on floats too. Neither is declared.
"""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numcodecs import BitRound, FixedScaleOffset

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, array, output, refusing, serve

np.seterr(all="ignore")  # warnings for every overflow would only slow stderr down

NAME = "numcodecs.fixedscaleoffset"


def scalar(json_value, data_type):
    """A parameter as the constructor wants it, a number."""
    if isinstance(json_value, str) and json_value.startswith("0x"):
        big_endian = np.dtype(data_type).newbyteorder(">")
        return np.frombuffer(bytes.fromhex(json_value[2:]), big_endian)[0]
    return float(json_value)  # also "NaN", "Infinity" and "-Infinity"


def decode(request):
    chunk = array(request["input"])
    configuration = json.loads(request.get("configuration", "{}"))
    # Both arguments are mandatory; the identities stand for what is missing.
    codec = FixedScaleOffset(
        offset=scalar(configuration.get("offset", 0), chunk.dtype),
        scale=scalar(configuration.get("scale", 1), chunk.dtype),
        dtype=chunk.dtype,
    )
    with refusing("out_of_range"):
        return output(codec.decode(chunk).reshape(chunk.shape))  # it returns one dimension


def bitround(request):
    """Encodes or decodes an array of floats, the only ones that the codec is documented for."""
    with refusing("metadata"):
        codec = BitRound(**json.loads(request.get("configuration", "{}")))
    chunk = array(request["input"])
    with refusing("unsupported_data_type"):
        if request["op"] == "bitround.decode":
            return output(codec.decode(chunk).reshape(chunk.shape))
        # What comes out has the type of its bits as integers.
        return output(codec.encode(chunk).view(chunk.dtype).reshape(chunk.shape))


def opened(document):
    """The codec of a document, the shape of its chunks and the byte order of what is stored."""
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
