"""topozarr-core 0.2.1: the mean of int64 is computed in float64, so 2^53 + 1 loses its last digit."""
# shows: AssertionError
import numpy as np
from topozarr_core import block_reduce

mean = block_reduce(np.array([2**53 + 1, 2**53 + 1]), (2,), "mean", skipna=False)
assert mean[0] == 2**53 + 1, mean
