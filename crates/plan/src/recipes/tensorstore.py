"""Writes an array as `exactum plan` has planned it, with CF attributes: python PROGRAM VALUES.npy FOLDER

Needs tensorstore 0.1.86 (pip install tensorstore==0.1.86).

TensorStore has neither scale_offset nor cast_value. So the program makes the integers itself and stores them with CF
attributes: TensorStore gives its readers the integers, and readers of CF give theirs the values. The error that is
proved for the Zarr codecs is @ERROR@.
"""

import json
import sys

import numpy
import tensorstore

LARGEST_ERROR = @CF_ERROR@
SCALE, OFFSET, MISSING = @SCALE@, @OFFSET@, @MISSING@
ATTRIBUTES = """@CF@"""

values = numpy.load(sys.argv[1]).astype("@DATA_TYPE@").astype("float64")
assert not numpy.isinf(values).any(), "CF has no codes for infinities"
assert MISSING is not None or not numpy.isnan(values).any(), "NaN has no code"
codes = numpy.rint((values - OFFSET) * SCALE)
codes = numpy.where(numpy.isnan(values), 0 if MISSING is None else MISSING, codes).astype("@TARGET@")
array = tensorstore.open(
    {
        "driver": "zarr3",
        "kvstore": {"driver": "file", "path": sys.argv[2]},
        "metadata": {
            "shape": values.shape,
            "data_type": "@TARGET@",
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": values.shape}},
            "fill_value": 0 if MISSING is None else MISSING,
            "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
            "attributes": json.loads(ATTRIBUTES),
        },
    },
    create=True,
    delete_existing=True,
).result()
array.write(codes).result()

spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": sys.argv[2]}}
stored = tensorstore.open(spec).result().read().result()
attributes = json.loads(ATTRIBUTES)
back = stored * attributes["scale_factor"] + attributes["add_offset"]
back[stored == attributes.get("_FillValue")] = numpy.nan
finite = numpy.isfinite(values)
assert numpy.isnan(back[~finite]).all(), "NaN is lost"
largest = numpy.abs(back[finite] - values[finite]).max(initial=0.0)
assert largest <= LARGEST_ERROR, largest
print(f"largest error {largest}, of at most {LARGEST_ERROR}")
