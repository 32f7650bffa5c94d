"""netCDF4 1.7.5.1.post1: 400.0 with a scale_factor of 0.01 is silently stored as the int16 -25536."""
# shows: AssertionError
import netCDF4
import numpy as np

with netCDF4.Dataset("v.nc", "w", diskless=True, persist=False) as file:
    file.createDimension("x", 1)
    variable = file.createVariable("v", "i2", ["x"])
    variable.scale_factor = 0.01
    variable[:] = np.array([400.0])
    back = variable[:]
assert np.allclose(back, 400), back
