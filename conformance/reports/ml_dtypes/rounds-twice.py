"""ml_dtypes 0.6.0: float64 is first rounded to float32, and then to the small type.

A value just above the midpoint between two neighbours in bfloat16 is exactly at the midpoint after the first rounding, so
the second rounding gives the even neighbour, which is farther from the value.
"""
# shows: AssertionError
import ml_dtypes
import numpy as np

value = np.array([1 + 2.0**-8 + 2.0**-30])
assert float(value.astype(ml_dtypes.bfloat16)[0]) == 1 + 2.0**-7, value.astype(ml_dtypes.bfloat16)
