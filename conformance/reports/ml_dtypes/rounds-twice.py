"""ml_dtypes 0.6.0: float64 is rounded to float32 first, and then to the small type.

A value just above the middle between two neighbours in bfloat16 is in the middle after the first rounding, and goes to the
even neighbour then, which is the farther one.
"""
# shows: AssertionError
import ml_dtypes
import numpy as np

value = np.array([1 + 2.0**-8 + 2.0**-30])
assert float(value.astype(ml_dtypes.bfloat16)[0]) == 1 + 2.0**-7, value.astype(ml_dtypes.bfloat16)
