"""TensorStore 0.1.86: the mean of float8 is always 0."""
# shows: AssertionError
import ml_dtypes
import numpy as np
import tensorstore as ts

array = ts.array(np.array([1, 1, 2, 2], ml_dtypes.float8_e5m2))
means = ts.downsample(array, [2], "mean").read().result()
assert [float(it) for it in means] == [1, 2], means
