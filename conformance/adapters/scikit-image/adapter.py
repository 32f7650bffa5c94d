"""scikit-image: `measure.block_reduce`, which passes each block to a function of NumPy.

`numpy.mean` keeps the type of floats and returns float64 for anything else, which is a different operation. So is
`numpy.median`, which returns the mean of the two middle values. Therefore only the means, minima and maxima of floats
are declared. As documented, incomplete blocks are padded with `cval`, which is zero unless the caller chooses another
value.
"""

import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
from skimage.measure import block_reduce

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, array, output, refusing, serve

METHODS = {"mean": np.mean, "min": np.min, "max": np.max}


def read(request):
    values = array(request["input"])
    for level in [request, *request.get("then", [])]:
        with refusing("metadata"):
            values = block_reduce(values, tuple(level["factors"]), METHODS[level["method"]])
    return {**output(np.asarray(values)), "origin": request["origin"]}


if __name__ == "__main__":
    domain = {"from": FLOATS, "method": [*METHODS], "features": ["then"]}
    serve("scikit-image", version("scikit-image"), {"downsample.read": (domain, read)})
