"""GDAL 3.12.2: a document with an unknown member is opened, although the member must be understood.

Zarr core: "An implementation MUST fail to open Zarr groups or arrays if any metadata fields are present which (a) the
implementation does not recognize and (b) are not explicitly set to 'must_understand': false."
"""
# shows: AssertionError
import json
from pathlib import Path

import rasterio

document = {
    "zarr_format": 3, "node_type": "array", "shape": [4, 4], "data_type": "uint8", "fill_value": 0,
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4, 4]}},
    "chunk_key_encoding": {"name": "default"}, "codecs": [{"name": "bytes"}],
    "rotation": {"name": "rotation", "must_understand": True},
}
Path("array.zarr").mkdir()
Path("array.zarr/zarr.json").write_text(json.dumps(document))
try:
    rasterio.open("array.zarr")
except rasterio.errors.RasterioIOError:
    pass
else:
    raise AssertionError("it was opened")
