"""GDAL: a raster of one pixel in a folder, opened from its document, of which no chunk is there."""

from pathlib import Path
from tempfile import TemporaryDirectory

import rasterio
from lines import BYTES, document, hexed, serve


def call(request):
    # A raster has no documents of other arrays.
    if request["op"] != "fill_value.parse":
        raise NotImplementedError
    with TemporaryDirectory() as folder:
        text = document(request["data_type"], [1, 1], request["json"], BYTES)
        Path(folder, "zarr.json").write_text(text)
        with rasterio.open(f'ZARR:"{folder}"') as raster:
            return hexed(raster.read(1))


serve(call)
