"""GDAL 3.12.2: a fill value of 256 is accepted for uint8 and becomes 255; the core requires a number within the range."""
# shows: AssertionError
import json
from pathlib import Path

import rasterio

document = {
    "zarr_format": 3, "node_type": "array", "shape": [4, 4], "data_type": "uint8", "fill_value": 256,
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4, 4]}},
    "chunk_key_encoding": {"name": "default"}, "codecs": [{"name": "bytes"}],
}
Path("array.zarr").mkdir()
Path("array.zarr/zarr.json").write_text(json.dumps(document))
try:
    found = rasterio.open("array.zarr").read(1)[0, 0]
except rasterio.errors.RasterioIOError:
    pass
else:
    raise AssertionError(f"it was opened, and a chunk that is not there reads as {found}")
