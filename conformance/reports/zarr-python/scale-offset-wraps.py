"""zarr-python 3.4.2: scale_offset silently wraps int64 around, so different numbers are read back than were written."""
# shows: AssertionError
import numpy as np
import zarr
from zarr.codecs import BytesCodec

written = np.array([2**62, 2**62 + 1])
array = zarr.create_array(
    store=zarr.storage.MemoryStore(), shape=(2,), dtype="int64", compressors=None, fill_value=0,
    filters=[{"name": "scale_offset", "configuration": {"offset": 0, "scale": 4}}], serializer=BytesCodec(),
)
array[:] = written
assert (array[:] == written).all(), array[:]
