"""xarray 2026.9.0: 400.0 with a scale_factor of 0.01 is silently stored as the int16 -25536 (issue 5739)."""
# shows: AssertionError
import numpy as np
import xarray

variable = xarray.Variable(["x"], np.array([400.0]), encoding={"dtype": "int16", "scale_factor": 0.01})
codes = xarray.conventions.encode_cf_variable(variable)
back = xarray.conventions.decode_cf_variable("v", codes).values
assert np.allclose(back, 400), f"stored as {codes.values}, read as {back}"
