"""cast-value-rs 0.5.1: float64 is rounded to float32 before it is rounded to float16, on processors with F16C.

1 + 2^-11 + 2^-30 is above the midpoint between 1 and the next float16, but becomes 1 (half-rs issue 116).
"""
# shows: AssertionError
import numpy as np
from cast_value_rs import cast_array

value = np.array([1 + 2.0**-11 + 2.0**-30])
cast = cast_array(value, target_dtype="float16", rounding_mode="nearest-even", out_of_range_mode=None, scalar_map_entries=[])
assert cast[0] == np.float16(1 + 2.0**-10), cast
