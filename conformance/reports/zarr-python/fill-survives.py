"""zarr-python 3.4.2: an array is created whose fill value does not come back through its cast_value codec.

The text of cast_value makes that an error: 1.5 is stored as the uint8 2.
"""
# shows: AssertionError
import zarr

try:
    zarr.create_array(
        store=zarr.storage.MemoryStore(), shape=(2,), dtype="float64", compressors=None, fill_value=1.5,
        filters=[{"name": "cast_value", "configuration": {"data_type": "uint8"}}],
    )
except ValueError:
    pass
else:
    raise AssertionError("it was created")
