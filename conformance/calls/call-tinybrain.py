"""tinybrain: averages of an image whose first dimension has the elements, and an image's most frequent labels."""

import numpy as np
import tinybrain
from lines import elements, hexed, serve


def call(request):
    assert "then" not in request
    values, factors = elements(request["input"]), request["factors"]
    if request["method"] == "mode":
        assert values.ndim > 2
        (level,) = tinybrain.downsample_segmentation(np.asfortranarray(values), tuple(factors))
        return hexed(level)
    assert request["method"] == "mean" and values.ndim == 1
    image = np.asfortranarray(values[:, None, None])
    (level,) = tinybrain.downsample_with_averaging(image, (*factors, 1, 1))
    return hexed(level)


serve(call)
