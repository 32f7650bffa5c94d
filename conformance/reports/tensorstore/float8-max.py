"""TensorStore 0.1.86: minima and maxima of float8 without infinity are NaN.

The search begins with an infinity, which these types do not have, so the initial value is NaN.
"""
# shows: AssertionError
import ml_dtypes
import numpy as np
import tensorstore as ts

array = ts.array(np.array([1, 2, 3, 4], ml_dtypes.float8_e4m3fnuz))
maxima = ts.downsample(array, [2], "max").read().result()
assert [float(it) for it in maxima] == [2, 4], maxima
