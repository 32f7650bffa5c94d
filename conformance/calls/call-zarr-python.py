"""zarr-python: arrays in a folder, opened from their documents."""

from tempfile import TemporaryDirectory

import zarr
from lines import hexed, is_document, serve, through_an_array, written

zarr.config.set({"array.write_empty_chunks": True})


def opened(folder):
    return zarr.open_array(folder, mode="r+")


def call(request):
    if "input" in request:
        return through_an_array(request, opened)
    with TemporaryDirectory() as folder:
        written(request, folder)
        node = zarr.open(folder, mode="r+")
        return "" if is_document(request) else hexed(node[...])


serve(call)
