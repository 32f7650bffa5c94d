"""zarr-python 3.4.2: an array can be created whose fill value does not survive its cast_value codec.

According to the text of cast_value, this must be an error: 1.5 is stored as the uint8 2.
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
