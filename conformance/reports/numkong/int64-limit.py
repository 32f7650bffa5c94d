"""NumKong 7.8.6: 2^63 becomes -9223372036854775807 in int64, although the documentation says that casts saturate."""
# shows: AssertionError
import numkong
import numpy as np

out = np.asarray(numkong.astype(np.array([2.0**63]), "int64"))
assert out[0] == 2**63 - 1, out
