"""Writes an array as `exactum plan` has planned it: python PROGRAM VALUES.npy FOLDER

Needs Python 3.12, zarr 3.4.2 and cast-value-rs 0.5.1 (pip install zarr==3.4.2 cast-value-rs==0.5.1).
"""

import json
import pathlib
import sys

import numpy
import zarr

LARGEST_ERROR = @ERROR@
CODECS = """@CODECS@"""
FILL_VALUE = '''@FILL_VALUE@'''

values = numpy.load(sys.argv[1]).astype("@DATA_TYPE@")
folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
document = {
    "zarr_format": 3,
    "node_type": "array",
    "shape": values.shape,
    "data_type": "@DATA_TYPE@",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": values.shape}},
    "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
    "fill_value": json.loads(FILL_VALUE),
    # Compressors such as zstd may follow.
    "codecs": json.loads(CODECS),
    "attributes": {},
    "storage_transformers": [],
}
(folder / "zarr.json").write_text(json.dumps(document))
zarr.open_array(folder, mode="r+")[...] = values

back = zarr.open_array(folder, mode="r")[...]
assert back.dtype == values.dtype, back.dtype
finite = numpy.isfinite(values)
assert numpy.array_equal(back[~finite], values[~finite], equal_nan=True), "NaN or an infinity is lost"
largest = numpy.abs(back[finite].astype("float64") - values[finite].astype("float64")).max(initial=0.0)
assert largest <= LARGEST_ERROR, largest
print(f"largest error {largest}, of at most {LARGEST_ERROR}")
