"""tinybrain 1.7.0: downsample_segmentation refuses factors that it has computed itself.

The factors (2, 1, 2, 1) are divided by 2 once too often: "Factors less than one don't make sense. Factor: [1 1 1 0]".
"""
# shows: ValueError
import numpy as np
import tinybrain

tinybrain.downsample_segmentation(np.ones((2, 2, 2, 2), np.uint8), factor=(2, 1, 2, 1))
