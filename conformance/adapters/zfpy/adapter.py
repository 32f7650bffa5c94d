"""zfpy: the Python binding of libzfp, without its header, which the codec `zfp` does not store.

It has four of the five modes (all but expert) and four data types, and takes parameters as numbers. A stream is
passed as a view of its own length. It is followed in memory by a fence, as in zfp-c and zarrs-zfp, because C zfp
reads past the end.
"""

import json
import math
import sys
from importlib.metadata import version
from pathlib import Path

import zfpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import array, dtype, output, refusing, serve

# The argument that selects each mode; without any of them, the mode is reversible.
MODES = {
    "reversible": None,
    "fixed_rate": "rate",
    "fixed_precision": "precision",
    "fixed_accuracy": "tolerance",
}


# The largest number of bytes in a block of zfp.
BLOCK = 2083
# The bytes of the fence. They are not zero, because zeros would repair a truncated stream.
FENCE = b"\xa5"


def fenced(stream, shape):
    """Returns a stream that is followed in memory by a fence, which is not passed to the library. Without a
    fence, zfp would find different bytes there in each run."""
    blocks = math.prod(-(-extent // 4) for extent in shape)
    fence = FENCE * min(blocks * BLOCK, 1 << 24)
    return memoryview(stream + fence)[: len(stream)]


def parameters(request):
    configuration = json.loads(request["configuration"])
    name = MODES[configuration["mode"]]
    return {} if name is None else {name: configuration[name]}


def encode(request):
    chunk, named = array(request["input"]), parameters(request)
    with refusing("metadata"):
        stream = zfpy.compress_numpy(chunk, write_header=False, **named)
    return {"bytes": stream.hex()}


def decode(request):
    stream = fenced(bytes.fromhex(request["bytes"]), request["shape"])
    kind = zfpy.dtype_to_ztype(dtype(request["data_type"]))
    named = parameters(request)
    with refusing("truncated"):
        # The public function reads a header; it calls this one for streams without a header.
        chunk = zfpy._decompress(stream, kind, tuple(request["shape"]), **named)
    return output(chunk)


if __name__ == "__main__":
    domain = {
        "from": ["int32", "int64", "float32", "float64"],
        "mode": list(MODES),
        # NumPy arrays without dimensions are refused, and zfp treats extents of 0 as absent.
        "rank": [1, 2, 3, 4],
        "empty": [False],
    }
    serve(
        "zfpy",
        version("zfpy"),
        {"zfp.encode": (domain, encode), "zfp.decode": (domain, decode)},
        configurations=False,
    )
