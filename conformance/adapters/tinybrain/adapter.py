"""tinybrain: the pooling of its module `downsample`, over NumPy arrays in the order that its kernels require.

Its functions average, stride, or take the most frequent label, the minimum or the maximum. They return a list of
levels, which is empty if there is nothing to stride. `downsample_segmentation` requires images of three or four
dimensions, and is documented to stride elements that are not integers, so neither smaller images nor floats are
declared for it.
"""

import sys
from importlib.metadata import version
from pathlib import Path

from tinybrain import downsample as tinybrain

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, Unsupported, array, output, refusing, serve

METHODS = {
    "mean": tinybrain.downsample_with_averaging,
    "mode": tinybrain.downsample_segmentation,
    "stride": tinybrain.downsample_with_striding,
    "min": tinybrain.downsample_with_min_pooling,
    "max": tinybrain.downsample_with_max_pooling,
}


def read(request):
    values = array(request["input"]).copy(order="F")
    origin = request["origin"]
    for level in [request, *request.get("then", [])]:
        with refusing("metadata"):
            levels = METHODS[level["method"]](values, tuple(level["factors"]))
        if not levels:
            raise Unsupported("it gives no level where every factor is 1")
        values = levels[0]
    return {**output(values), "origin": origin}


if __name__ == "__main__":
    domain = {
        "from": [*INTEGERS, *FLOATS],
        "method": [*METHODS],
        "rank": [1, 2, 3, 4],
        "features": ["then"],
        "except": [{"method": ["mode"], "rank": [1, 2]}, {"method": ["mode"], "from": FLOATS}],
    }
    serve("tinybrain", version("tinybrain"), {"downsample.read": (domain, read)})
