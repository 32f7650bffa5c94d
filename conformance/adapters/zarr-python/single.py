"""zarr-python's codecs one by one, through the interface of codecs, and the event loop that both files use for
its coroutines.
"""

import asyncio
import json
import sys
import warnings
from functools import lru_cache
from pathlib import Path

import numpy as np
import zarr
from zarr.core.array_spec import ArrayConfig, ArraySpec
from zarr.core.buffer import cpu, default_buffer_prototype
from zarr.core.dtype import get_data_type_from_json
from zarr.core.metadata.v3 import RegularChunkGridMetadata

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import array, output, refusing

warnings.simplefilter("ignore")  # they would be printed for every element that is out of range
# A chunk that contains only the fill value must be written, or there would be no bytes to return.
zarr.config.set({"array.write_empty_chunks": True})
loop = asyncio.new_event_loop()  # the library's own loop would run in another thread
loop.set_task_factory(asyncio.eager_task_factory)
wait = loop.run_until_complete
CONFIG, PROTOTYPE = ArrayConfig.from_dict({}), default_buffer_prototype()


@lru_cache(maxsize=4)  # like an array, which is opened once and encodes many chunks
def codec(kind, name, text, data_type, shape):
    """Returns a codec and the spec of its decoded side, validated as by an array when it is opened."""
    with refusing("metadata"):
        named = {"name": name} if text is None else {"name": name, "configuration": json.loads(text)}
        zdtype = get_data_type_from_json(data_type, zarr_format=3)
        decoded = ArraySpec(shape, zdtype, zdtype.default_scalar(), CONFIG, PROTOTYPE)
        # No codec here uses the grid, and no grid can have an extent of 0.
        grid = RegularChunkGridMetadata(chunk_shape=tuple(extent or 1 for extent in shape))
        made = kind.from_dict(named).evolve_from_array_spec(decoded)
        made.validate(shape=shape, dtype=zdtype, chunk_grid=grid)
    return made, decoded


def through(direction, chunk, chunk_spec, reason="out_of_range"):
    """Passes an array or bytes through one direction of a codec."""
    numpy = isinstance(chunk, np.ndarray)
    buffer = cpu.NDBuffer.from_numpy_array(chunk) if numpy else cpu.Buffer.from_bytes(chunk)
    with refusing(reason):
        (result,) = wait(direction([(buffer, chunk_spec)]))
        return result.as_numpy_array() if isinstance(result, cpu.NDBuffer) else result.to_bytes()


def alone(kind, request):
    """Runs one codec without an array around it."""
    name, direction = request["op"].split(".")
    chunk = array(request["input"]) if "input" in request else bytes.fromhex(request["bytes"])
    data_type = request["data_type"] if "data_type" in request else request["input"]["data_type"]
    shape = tuple(request["input"]["shape"] if "input" in request else request["shape"])
    made, decoded = codec(kind, name, request.get("configuration"), data_type, shape)
    reason = "truncated" if name == "bytes" else "out_of_range"
    result = through(getattr(made, direction), chunk, decoded, reason)
    return output(result) if isinstance(result, np.ndarray) else {"bytes": result.hex()}
