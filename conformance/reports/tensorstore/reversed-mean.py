"""TensorStore 0.1.86: a downsampled view that is read backwards returns memory that was never written.

The mean over blocks of 4 is right when the view is read forwards. When it is read backwards, only some elements of the
result are written; the others differ from run to run, so the caller receives foreign memory.
"""
# shows: AssertionError
import numpy as np
import tensorstore as ts

view = ts.downsample(ts.array(np.arange(16, dtype="float32")), [4], "mean")
forwards, backwards = view.read().result(), view[::-1].read().result()
assert list(backwards) == list(forwards[::-1]), f"{list(forwards)} backwards is {list(backwards)}"
