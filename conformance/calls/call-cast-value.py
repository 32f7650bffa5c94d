"""cast-value: an array of zarr-python, which takes its codec from this package where it is installed."""

import zarr
from lines import serve, through_an_array

zarr.config.set({"array.write_empty_chunks": True})
serve(lambda request: through_an_array(request, lambda folder: zarr.open_array(folder, mode="r+")))
