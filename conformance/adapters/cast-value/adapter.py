"""cast-value: its codec in NumPy, called on its own through the interface of zarr's codecs.

`zarr` finds this codec under the name `cast_value` if this package is installed and cast-value-rs is not.
"""

import asyncio
import json
import sys
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import numpy as np
from cast_value import CastValueNumpyV1
from zarr.core.array_spec import ArrayConfig, ArraySpec
from zarr.core.buffer import cpu, default_buffer_prototype
from zarr.core.chunk_grids import RegularChunkGrid
from zarr.core.dtype import get_data_type_from_json

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, array, output, refusing, serve

CONFIG, PROTOTYPE = ArrayConfig.from_dict({}), default_buffer_prototype()
wait = asyncio.new_event_loop().run_until_complete


@lru_cache(maxsize=4)  # like an array, which is opened once and encodes many chunks
def codec(text, data_type, shape):
    """Returns the codec and the spec of its decoded side, created as for an array that is opened and read."""
    with refusing("metadata"):
        zdtype = get_data_type_from_json(data_type, zarr_format=3)
        decoded = ArraySpec(shape, zdtype, zdtype.default_scalar(), CONFIG, PROTOTYPE)
        named = {"name": "cast_value", "configuration": json.loads(text)}
        made = CastValueNumpyV1.from_dict(named).evolve_from_array_spec(decoded)
        # The codec does not use the grid, and no grid can have an extent of 0.
        grid = RegularChunkGrid(chunk_shape=tuple(extent or 1 for extent in shape))
        made.validate(shape=shape, dtype=zdtype, chunk_grid=grid)
        # zarr calls this before it reads or writes a chunk.
        made.resolve_metadata(decoded)
    return made, decoded


def cast(request):
    chunk = array(request["input"])
    # A request to decode names the data type of its result, which is that of the codec's decoded side.
    data_type = request.get("data_type", request["input"]["data_type"])
    made, decoded = codec(request["configuration"], data_type, chunk.shape)
    direction = made.encode if request["op"] == "cast_value.encode" else made.decode
    with refusing("out_of_range"):
        (result,) = wait(direction([(cpu.NDBuffer.from_numpy_array(chunk), decoded)]))
    return output(np.asarray(result.as_numpy_array()))


if __name__ == "__main__":
    domain = {"from": INTEGERS + FLOATS, "to": INTEGERS + FLOATS}
    serve(
        "cast-value",
        version("cast-value"),
        {"cast_value.encode": (domain, cast), "cast_value.decode": (domain, cast)},
    )
