"""ml_dtypes 0.6.0: subnormal float32 above 2^-127 become 2^-126 in float8_e8m0fnu, however close to 2^-127 they are."""
# shows: AssertionError
import ml_dtypes
import numpy as np

near = np.array([1.015625 * 2.0**-127], np.float32).astype(ml_dtypes.float8_e8m0fnu)
assert near.tobytes() == b"\x00", f"2^{near.tobytes()[0] - 127}"
