"""GDAL: a raster in a folder, opened from its document. Arrays of one or three dimensions are rasters, too."""

from pathlib import Path
from tempfile import TemporaryDirectory

import rasterio
from lines import BYTES, document, elements, hexed, is_document, serve, written


def call(request):
    with TemporaryDirectory() as folder:
        chunk = written(request, folder)
        if request.get("kind") == "group":
            # A group is opened through a raster in it.
            raster = Path(folder, "raster")
            raster.mkdir()
            Path(raster, "zarr.json").write_text(document("uint8", [1, 1], "0", BYTES))
        if request["op"].endswith(".encode"):
            with rasterio.open(f'ZARR:"{folder}"', "r+") as raster:
                raster.write(elements(request["input"]).reshape(raster.count, *raster.shape))
            return chunk.read_bytes().hex()
        with rasterio.open(f'ZARR:"{folder}"') as raster:
            return "" if is_document(request) else hexed(raster.read())


serve(call)
