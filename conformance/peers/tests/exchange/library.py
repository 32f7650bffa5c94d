"""Reads or writes an array with a library: LIBRARY read|write FOLDER."""

import json
import sys

import numpy

library, what, folder = sys.argv[1:]

if library == "tensorstore":
    import tensorstore

    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": folder}}
    array = tensorstore.open(spec, open=True).result()
    name = array.dtype.name
    numpy_type = array.dtype.numpy_dtype
    read = lambda: array.read().result()
    write = lambda values: array.write(values).result()
else:
    import zarr

    array = zarr.open_array(folder, mode="r+")
    name = array.dtype.name
    numpy_type = array.dtype
    read = lambda: array[...]

    def write(values):
        array[...] = values


if what == "read":
    values = numpy.ascontiguousarray(read())
    if numpy_type.itemsize > 1:
        values = values.astype(numpy_type.newbyteorder("<"))
    print(json.dumps({"data_type": name, "shape": list(values.shape), "data": values.tobytes().hex()}))
else:
    told = json.load(sys.stdin)
    if numpy_type.itemsize > 1:
        numpy_type = numpy_type.newbyteorder("<")
    values = numpy.frombuffer(bytes.fromhex(told["data"]), numpy_type)
    write(values.reshape(told["shape"]))
