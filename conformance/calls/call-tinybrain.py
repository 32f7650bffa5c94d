"""tinybrain: its averages of an image whose first dimension has the elements."""

import numpy as np
import tinybrain
from lines import elements, hexed, serve


def call(request):
    assert request["method"] == "mean" and len(request["factors"]) == 1 and "then" not in request
    image = np.asfortranarray(elements(request["input"])[:, None, None])
    (level,) = tinybrain.downsample_with_averaging(image, (*request["factors"], 1, 1))
    return hexed(level)


serve(call)
