"""zfpy: the Python binding of libzfp, without its header, which the codec `zfp` does not store.

It has four of the five modes (no expert) and four data types, and takes parameters as numbers. A stream is handed over
as a view of its own length. What lies behind it in memory is a fence, as in zfp-c and zarrs-zfp: C zfp reads on there.
"""

import json
import math
import sys
from importlib.metadata import version
from pathlib import Path

import zfpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import array, dtype, output, refusing, serve

# Each mode by the argument that selects it; none of them selects reversible.
MODES = {
    "reversible": None,
    "fixed_rate": "rate",
    "fixed_precision": "precision",
    "fixed_accuracy": "tolerance",
}


# The most bytes that a block of zfp has.
BLOCK = 2083
# What a fence is made of: no zeros, which would mend a stream that ends early.
FENCE = b"\xa5"


def fenced(stream, shape):
    """A stream with a fence behind it in memory, which the library is not given. Without a fence, zfp would
    find something else there in each run."""
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
        # The public function reads a header; this one is what it calls without.
        chunk = zfpy._decompress(stream, kind, tuple(request["shape"]), **named)
    return output(chunk)


if __name__ == "__main__":
    domain = {
        "from": ["int32", "int64", "float32", "float64"],
        "mode": list(MODES),
        # NumPy arrays without dimensions are refused, and extents of 0 are none to zfp.
        "rank": [1, 2, 3, 4],
        "empty": [False],
    }
    serve(
        "zfpy",
        version("zfpy"),
        {"zfp.encode": (domain, encode), "zfp.decode": (domain, decode)},
        configurations=False,
    )
