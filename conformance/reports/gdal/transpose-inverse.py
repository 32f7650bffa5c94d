"""GDAL 3.12.2: transpose in three dimensions applies the inverse of its order.

The text says that B_shape[i] = A_shape[order[i]]. For an array of shape [2, 3, 4] and the order [1, 2, 0], the element
[0, 0, 1] is therefore the element [0, 1, 0] of the stored array, which is the third byte.
"""
# shows: AssertionError
import json
from pathlib import Path

import rasterio

document = {
    "zarr_format": 3, "node_type": "array", "shape": [2, 3, 4], "data_type": "uint8", "fill_value": 0,
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 3, 4]}},
    "chunk_key_encoding": {"name": "default"},
    "codecs": [{"name": "transpose", "configuration": {"order": [1, 2, 0]}}, {"name": "bytes"}],
}
Path("array.zarr/c/0/0").mkdir(parents=True)
Path("array.zarr/zarr.json").write_text(json.dumps(document))
Path("array.zarr/c/0/0/0").write_bytes(bytes(range(24)))
found = rasterio.open('ZARR:"array.zarr":/:0').read(1)[0, 1]
assert found == 2, f"element [0, 0, 1] is {found}"
