"""zarr-python 3.4.2: of two entries of a scalar map with the same key, cast_value uses the last.

The text requires the first occurrence, so NaN must be stored as 1, not as 2.
"""
# shows: AssertionError
import numpy as np
import zarr

store = zarr.storage.MemoryStore()
entries = [["NaN", 1], ["NaN", 2]]
array = zarr.create_array(
    store=store, shape=(1,), dtype="float64", compressors=None, fill_value=0.0,
    filters=[{"name": "cast_value", "configuration": {"data_type": "uint8", "scalar_map": {"encode": entries}}}],
)
array[:] = np.array([np.nan])
stored = store._store_dict["c/0"].to_bytes()
assert stored == b"\x01", f"NaN is stored as {stored[0]}"
