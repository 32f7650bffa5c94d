"""Writes an array as `exactum plan` has planned it, with CF attributes: python PROGRAM VALUES.npy FILE.nc

Needs xarray 2026.9.0 and netCDF4 1.7.5 (pip install xarray==2026.9.0 netcdf4).

xarray divides by a rounded scale_factor and rounds ties to even, so that a value in the middle between two codes may get
another code than that of the Zarr codecs. The error that is proved for these is @ERROR@.
"""

import json
import sys

import numpy
import xarray

LARGEST_ERROR = @CF_ERROR@
ENCODING = """@ENCODING@"""

values = numpy.load(sys.argv[1]).astype("@DATA_TYPE@")
dimensions = [f"dim_{index}" for index in range(values.ndim)]
dataset = xarray.Dataset({"values": (dimensions, values.astype("float64"))})
dataset.to_netcdf(sys.argv[2], engine="netcdf4", encoding={"values": json.loads(ENCODING)})

with xarray.open_dataset(sys.argv[2], engine="netcdf4") as stored:
    back = stored["values"].to_numpy().astype("float64")
finite = numpy.isfinite(values)
assert numpy.array_equal(back[~finite], values[~finite], equal_nan=True), "NaN is lost"
largest = numpy.abs(back[finite] - values[finite].astype("float64")).max(initial=0.0)
assert largest <= LARGEST_ERROR, largest
print(f"largest error {largest}, of at most {LARGEST_ERROR}")
