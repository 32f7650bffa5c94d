"""zarr-python: arrays in a folder, opened from their documents."""

from pathlib import Path
from tempfile import TemporaryDirectory

import zarr
from lines import BYTES, document, hexed, serve, through_an_array

zarr.config.set({"array.write_empty_chunks": True})


def opened(folder):
    return zarr.open_array(folder, mode="r+")


def call(request):
    if "input" in request:
        return through_an_array(request, opened)
    text = request.get("document") or document(request["data_type"], [1], request["json"], BYTES)
    with TemporaryDirectory() as folder:
        Path(folder, "zarr.json").write_text(text)
        array = opened(folder)
        return "" if "document" in request else hexed(array[...])  # a chunk that is not there


serve(call)
