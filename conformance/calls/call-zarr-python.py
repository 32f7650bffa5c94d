"""zarr-python: arrays in a folder, opened from their documents."""

from tempfile import TemporaryDirectory

import zarr
from lines import is_document, serve, through_an_array, written

zarr.config.set({"array.write_empty_chunks": True})


def call(request):
    if not is_document(request):
        return through_an_array(request, lambda folder: zarr.open_array(folder, mode="r+"))
    with TemporaryDirectory() as folder:
        written(request, folder)
        zarr.open(folder, mode="r+")
        return ""


serve(call)
