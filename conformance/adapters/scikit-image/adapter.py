"""scikit-image: `measure.block_reduce`, which hands each block to a function of NumPy.

`numpy.mean` keeps the type of floats and gives float64 for anything else, which is another operation; so is
`numpy.median`, which takes the mean of the two values in the middle. Asked for are the means, minima and maxima of
floats. Blocks that the array does not fill are filled up with `cval`, as the documentation says, and that is zero
unless the caller chooses otherwise.
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
