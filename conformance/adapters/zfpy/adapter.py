"""zfpy: the Python binding of libzfp, without its header, which the codec `zfp` does not store.

It has four of the five modes (no expert) and four data types, and takes parameters as numbers.
"""

import json
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


def parameters(request):
    configuration = json.loads(request["configuration"])
    name = MODES[configuration["mode"]]
    return {} if name is None else {name: configuration[name]}


def encode(request):
    # ValueError and RuntimeError are raised in words by the binding: a parameter or a number of
    # dimensions that it does not take.
    with refusing("metadata", ValueError, RuntimeError):
        chunk = array(request["input"])
        stream = zfpy.compress_numpy(chunk, write_header=False, **parameters(request))
    return {"bytes": stream.hex()}


def decode(request):
    stream = bytes.fromhex(request["bytes"])
    kind = zfpy.dtype_to_ztype(dtype(request["data_type"]))
    with refusing("truncated", ValueError, RuntimeError):
        # The public function reads a header; this one is what it calls without.
        chunk = zfpy._decompress(stream, kind, tuple(request["shape"]), **parameters(request))
    return output(chunk)


if __name__ == "__main__":
    domain = {"from": ["int32", "int64", "float32", "float64"], "mode": list(MODES)}
    serve(
        "zfpy",
        version("zfpy"),
        {"zfp.encode": (domain, encode), "zfp.decode": (domain, decode)},
        configurations=False,
    )
