"""tinybrain 1.7.0: the mean of two int32 of 2^31 - 1 is -2^31.

Elements of 32 or more bits are added up in an array of float32, which is then cast back.
"""
# shows: AssertionError
import numpy as np
import tinybrain

image = np.full((2, 1, 1), 2**31 - 1, np.int32)
(mean,) = tinybrain.downsample_with_averaging(image, factor=(2, 1, 1))
assert mean.item() == 2**31 - 1, mean
