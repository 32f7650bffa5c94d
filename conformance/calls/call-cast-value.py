"""cast-value: an array of zarr-python, which uses the codec of this package if it is installed.

The codec is called directly in cases that do not reach it through an array: zarr-python does not call a codec for a
chunk without elements, and the version that this package needs does not open arrays of single bytes that are stored as
longer numbers.
"""

import json

import numpy as np
import zarr
from cast_value import CastValueNumpyV1
from lines import codec, elements, hexed, serve, through_an_array
from zarr.core.array_spec import ArrayConfig, ArraySpec
from zarr.core.buffer import cpu, default_buffer_prototype
from zarr.core.dtype import get_data_type_from_json

zarr.config.set({"array.write_empty_chunks": True})


def call(request):
    values = elements(request["input"])
    decoded = request.get("data_type", request["input"]["data_type"])
    if values.size and np.dtype(decoded).itemsize > 1:
        return through_an_array(request, lambda folder: zarr.open_array(folder, mode="r+"))
    data_type = get_data_type_from_json(decoded, zarr_format=3)
    fill_value, prototype = data_type.default_scalar(), default_buffer_prototype()
    spec = ArraySpec(values.shape, data_type, fill_value, ArrayConfig.from_dict({}), prototype)
    itself = CastValueNumpyV1.from_dict(json.loads(codec(request)))
    itself.resolve_metadata(spec)
    convert = itself._encode_sync if request["op"].endswith(".encode") else itself._decode_sync
    return hexed(convert(cpu.NDBuffer.from_numpy_array(values), spec).as_numpy_array())


serve(call)
