"""topozarr-core: `block_reduce`, the kernel of topozarr's pyramids.

It accepts arrays of one to four dimensions, reduces complete blocks only, and omits the incomplete blocks at the ends.
Its means can skip NaN, which is a different operation; its minima and maxima skip it as TensorStore's do. Its method
nearest returns the first element of a block.
"""

import sys
from importlib.metadata import version
from pathlib import Path

from topozarr_core import block_reduce

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import array, output, refusing, serve

METHODS = {"mean": "mean", "stride": "nearest", "min": "min", "max": "max"}
TYPES = ["uint8", "uint16", "int16", "int32", "int64", "float32", "float64"]


def read(request):
    values = array(request["input"])
    for level in [request, *request.get("then", [])]:
        method = METHODS[level["method"]]
        with refusing("metadata"):
            values = block_reduce(values, tuple(level["factors"]), method, skipna=method != "mean")
    return {**output(values), "origin": request["origin"]}


if __name__ == "__main__":
    domain = {"from": TYPES, "method": [*METHODS], "rank": [1, 2, 3, 4], "features": ["then"]}
    serve("topozarr-core", version("topozarr-core"), {"downsample.read": (domain, read)})
