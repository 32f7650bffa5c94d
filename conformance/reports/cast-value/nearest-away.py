"""cast-value 0.2.1: nearest-away adds one half, and the sum is rounded: 0.49999999999999994 becomes 1."""
# shows: AssertionError
import numpy as np
from cast_value.impl import _numpy

cast = _numpy.cast_array(
    np.array([0.49999999999999994]), target_dtype=np.dtype("int16"), rounding_mode="nearest-away", out_of_range_mode=None,
)
assert cast[0] == 0, cast
