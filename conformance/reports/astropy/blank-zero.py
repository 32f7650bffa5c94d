"""astropy 8.0.2: a BLANK of 0 has no effect, because the code tests the keyword's truth value instead of its presence.

FITS Standard 4.4.2.5: BLANK "specifies the value that is used within the integer array to represent pixels that have an
undefined physical value".
"""
# shows: AssertionError
import io

import numpy as np
from astropy.io import fits

header = "".join(
    f"{name:<8}= {value:>20}".ljust(80)
    for name, value in [("SIMPLE", "T"), ("BITPIX", "16"), ("NAXIS", "1"), ("NAXIS1", "2"), ("BSCALE", "0.5"), ("BLANK", "0")]
)
data = np.array([0, 4], ">i2").tobytes()
file = (header + "END").ljust(2880).encode() + data.ljust(2880, b"\0")
with fits.open(io.BytesIO(file)) as opened:
    values = opened[0].data
assert np.isnan(values[0]), values
