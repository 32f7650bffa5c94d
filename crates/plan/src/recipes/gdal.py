"""Writes an array as `exactum plan` has planned it, as a band with a scale: python PROGRAM VALUES.npy FILE.tif

Needs rasterio 1.5.2, which brings GDAL along (pip install rasterio==1.5.2). The array has two dimensions.

GDAL has neither scale_offset nor cast_value. So the program makes the integers itself; the band has a scale, an offset
and a nodata value, which GDAL applies only where a reader asks for it. The error that is proved for the Zarr codecs is
@ERROR@.
"""

import sys

import numpy
import rasterio

LARGEST_ERROR = @CF_ERROR@
SCALE, OFFSET, MISSING = @SCALE@, @OFFSET@, @MISSING@
FACTOR = @FACTOR@

values = numpy.load(sys.argv[1]).astype("@DATA_TYPE@").astype("float64")
assert not numpy.isinf(values).any(), "a band has no codes for infinities"
assert MISSING is not None or not numpy.isnan(values).any(), "NaN has no code"
codes = numpy.rint((values - OFFSET) * SCALE)
codes = numpy.where(numpy.isnan(values), 0 if MISSING is None else MISSING, codes).astype("@TARGET@")
height, width = codes.shape
profile = {"driver": "GTiff", "height": height, "width": width, "count": 1, "dtype": "@TARGET@", "nodata": MISSING}
with rasterio.open(sys.argv[2], "w", **profile) as file:
    file.write(codes, 1)
    file.scales, file.offsets = (FACTOR,), (OFFSET,)

with rasterio.open(sys.argv[2]) as file:
    stored = file.read(1, masked=True)
    back = stored.astype("float64") * file.scales[0] + file.offsets[0]
back = numpy.ma.filled(back, numpy.nan)
finite = numpy.isfinite(values)
assert numpy.isnan(back[~finite]).all(), "NaN is lost"
largest = numpy.abs(back[finite] - values[finite]).max(initial=0.0)
assert largest <= LARGEST_ERROR, largest
print(f"largest error {largest}, of at most {LARGEST_ERROR}")
