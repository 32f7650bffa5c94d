"""GDAL 3.12.2: writing a chunk through blosc with a typesize of 0 divides by zero and ends the process.

The document is opened although the codec's text requires a positive integer. rasterio includes this version of GDAL.
"""
# shows: SIGFPE
import json
from pathlib import Path

import numpy as np
import rasterio

document = {
    "zarr_format": 3, "node_type": "array", "shape": [4, 4], "data_type": "uint8", "fill_value": 0,
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4, 4]}},
    "chunk_key_encoding": {"name": "default"},
    "codecs": [{"name": "bytes"}, {"name": "blosc", "configuration": {
        "cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 0, "blocksize": 0}}],
}
Path("array.zarr").mkdir()
Path("array.zarr/zarr.json").write_text(json.dumps(document))
with rasterio.open("array.zarr", "r+") as opened:
    opened.write(np.arange(16, dtype="uint8").reshape(1, 4, 4))
