"""GDAL: the multidimensional side of its driver Zarr, as the wheel of rasterio brings it, by the interface for C.

A document is put into GDAL's memory as it is and opened; chunks are written to and read from the same place.
A fill value is what a chunk that is not there reads as. GDAL's types are those of `NAMES`; bool is read as
Byte, so only documents have it.

Packed variables are arrays of the driver MEM with a scale, an offset and a no-data value, to which GDAL's driver for
netCDF puts `scale_factor`, `add_offset` and `_FillValue`; `GDALMDArrayGetUnscaled` is what unpacks them. It gives
float64, and such an array has nothing for `missing_value`, the valid range and `_Unsigned`.
"""

import ctypes
import json
import math
import sys
from ctypes import POINTER, c_char_p, c_double, c_int, c_long, c_size_t, c_uint, c_uint64, c_void_p
from pathlib import Path

import rasterio

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, Reject, Unsupported, attributes, one_chunk, serve

TYPES = [*INTEGERS, *FLOATS, "complex64", "complex128"]
CODECS = ["blosc", "bytes", "crc32c", "gzip", "transpose", "zstd"]
NAMES = {"Byte": "uint8", "CFloat32": "complex64", "CFloat64": "complex128"}
MULTIDIMENSIONAL, UPDATE = 0x10, 0x01
FOLDER = "/vsimem/array.zarr"

(path,) = (Path(rasterio.__file__).parent.parent / "rasterio.libs").glob("libgdal*")
library = ctypes.CDLL(str(path))


def function(name, result, *arguments):
    """A function of the library with its types."""
    found = getattr(library, name)
    found.restype, found.argtypes = result, arguments
    return found


driver = function("GDALGetDriverByName", c_void_p, c_char_p)
create_dataset = function("GDALCreateMultiDimensional", c_void_p, c_void_p, c_char_p, c_void_p, c_void_p)
new_dimension = [c_void_p, c_char_p, c_char_p, c_char_p, c_uint64, c_void_p]
create_dimension = function("GDALGroupCreateDimension", c_void_p, *new_dimension)
new_array = [c_void_p, c_char_p, c_size_t, POINTER(c_void_p), c_void_p, c_void_p]
create_array = function("GDALGroupCreateMDArray", c_void_p, *new_array)
type_of_name = function("GDALGetDataTypeByName", c_int, c_char_p)
create_type = function("GDALExtendedDataTypeCreate", c_void_p, c_int)
set_scale = function("GDALMDArraySetScale", c_int, c_void_p, c_double)
set_offset = function("GDALMDArraySetOffset", c_int, c_void_p, c_double)
set_no_data = function("GDALMDArraySetRawNoDataValue", c_int, c_void_p, c_void_p)
unscaled = function("GDALMDArrayGetUnscaled", c_void_p, c_void_p)
open_dataset = function("GDALOpenEx", c_void_p, c_char_p, c_uint, c_void_p, c_void_p, c_void_p)
close_dataset = function("GDALClose", c_int, c_void_p)
root_group = function("GDALDatasetGetRootGroup", c_void_p, c_void_p)
array_names = function("GDALGroupGetMDArrayNames", POINTER(c_char_p), c_void_p, c_void_p)
open_array = function("GDALGroupOpenMDArray", c_void_p, c_void_p, c_char_p, c_void_p)
array_type = function("GDALMDArrayGetDataType", c_void_p, c_void_p)
numeric_type = function("GDALExtendedDataTypeGetNumericDataType", c_int, c_void_p)
type_size = function("GDALExtendedDataTypeGetSize", c_size_t, c_void_p)
type_name = function("GDALGetDataTypeName", c_char_p, c_int)
dimensions = function("GDALMDArrayGetDimensions", POINTER(c_void_p), c_void_p, POINTER(c_size_t))
dimension_size = function("GDALDimensionGetSize", c_uint64, c_void_p)
elements = [c_void_p, POINTER(c_uint64), POINTER(c_size_t), *[c_void_p] * 5, c_size_t]
read_array = function("GDALMDArrayRead", c_int, *elements)
write_array = function("GDALMDArrayWrite", c_int, *elements)
last_error = function("CPLGetLastErrorMsg", c_char_p)
last_error_type = function("CPLGetLastErrorType", c_int)
reset_errors = function("CPLErrorReset", None)
push_handler = function("CPLPushErrorHandler", None, c_void_p)
make_folder = function("VSIMkdirRecursive", c_int, c_char_p, c_long)
remove_folder = function("VSIRmdirRecursive", c_int, c_char_p)
file_from = function("VSIFileFromMemBuffer", c_void_p, c_char_p, c_char_p, c_uint64, c_int)
file_buffer = function("VSIGetMemFileBuffer", c_void_p, c_char_p, POINTER(c_uint64), c_int)
close_file = function("VSIFCloseL", c_int, c_void_p)


def refuse(reason):
    raise Reject(reason, last_error().decode(errors="replace"), False)


class Array:
    """The array of a document, in a folder of its own."""

    def __init__(self, document, chunk=None, flags=MULTIDIMENSIONAL):
        remove_folder(FOLDER.encode())
        reset_errors()
        self.kept = []
        self.put("zarr.json", document.encode())
        if chunk is not None:
            self.put(key(document), chunk)
        self.dataset = open_dataset(FOLDER.encode(), flags, None, None, None)
        if not self.dataset:
            refuse("metadata")
        group = root_group(self.dataset)
        names = array_names(group, None)
        self.array = open_array(group, names[0], None) if names and names[0] else None
        if not self.array:
            refuse("metadata")
        self.type = array_type(self.array)
        count = c_size_t()
        found = dimensions(self.array, ctypes.byref(count))
        self.shape = [dimension_size(found[index]) for index in range(count.value)]

    def put(self, name, data):
        """A file; the buffer stays the caller's."""
        path = f"{FOLDER}/{name}"
        make_folder(path.rpartition("/")[0].encode(), 0o755)
        buffer = ctypes.create_string_buffer(data, len(data))
        self.kept.append(buffer)
        close_file(file_from(path.encode(), ctypes.cast(buffer, c_char_p), len(data), 0))

    def all(self, exchange, buffer, shape):
        """Reads or writes as many elements as a shape has."""
        rank = len(self.shape)
        if len(shape) != rank:
            raise Unsupported("there is one extent for each dimension of the array, and no place for others")
        start, counts = (c_uint64 * rank)(), (c_size_t * rank)(*shape)
        return exchange(self.array, start, counts, None, None, self.type, buffer, None, 0)

    def read(self):
        try:
            buffer = ctypes.create_string_buffer(math.prod(self.shape) * type_size(self.type))
        except MemoryError:
            raise Unsupported("GDAL reads into memory of the caller, and there is not as much") from None
        if not self.all(read_array, buffer, self.shape):
            refuse("truncated")
        return buffer.raw

    def data_type(self):
        name = type_name(numeric_type(self.type)).decode()
        return NAMES.get(name, name.lower())

    def close(self):
        close_dataset(self.dataset)


def key(document):
    """Where the only chunk of a document lies: as the core says, which is not what is judged."""
    members = json.loads(document)
    encoding = members["chunk_key_encoding"]
    named = {"name": encoding} if isinstance(encoding, str) else encoding
    default = named["name"] == "default"
    separator = named.get("configuration", {}).get("separator", "/" if default else ".")
    parts = ["0"] * len(members["shape"])
    return separator.join(["c", *parts] if default else parts or ["0"])


def around_bytes(request):
    of = request.get("input", request)
    zero = "[0, 0]" if of["data_type"].startswith("complex") else "0"
    return one_chunk(of["data_type"], of["shape"], zero, request.get("configuration"))


def written(document, request):
    target = Array(document, flags=MULTIDIMENSIONAL | UPDATE)
    data = bytes.fromhex(request["input"]["data"])
    buffer = ctypes.create_string_buffer(data, len(data))
    if not target.all(write_array, buffer, request["input"]["shape"]):
        refuse("out_of_range")
    target.close()
    size = c_uint64()
    found = file_buffer(f"{FOLDER}/{key(document)}".encode(), ctypes.byref(size), 0)
    if not found:
        raise Unsupported("a chunk that holds nothing but the fill value is not stored")
    return {"bytes": ctypes.string_at(found, size.value).hex()}


def read(document, request):
    source = Array(document, bytes.fromhex(request["bytes"]))
    data = source.read()
    return {"output": {"data_type": source.data_type(), "shape": source.shape, "data": data.hex()}}


def unpack(request):
    reset_errors()
    packed, of = attributes(request)
    codes = request["input"]
    dataset = create_dataset(driver(b"MEM"), b"", None, None)
    group = root_group(dataset)
    dimension = create_dimension(group, b"x", None, None, codes["shape"][0], None)
    name = {number: name for name, number in NAMES.items()}.get(packed.name, packed.name)
    data_type = create_type(type_of_name(name.encode()))
    array = create_array(group, b"v", 1, (c_void_p * 1)(dimension), data_type, None)
    where = [(c_uint64 * 1)(), (c_size_t * 1)(codes["shape"][0]), None, None]
    set_up = [write_array(array, *where, data_type, bytes.fromhex(codes["data"]), None, 0)]
    if "scale_factor" in of:
        set_up.append(set_scale(array, of["scale_factor"]))
    if "add_offset" in of:
        set_up.append(set_offset(array, of["add_offset"]))
    if "_FillValue" in of:
        set_up.append(set_no_data(array, of["_FillValue"].tobytes()))
    values = unscaled(array) if all(set_up) else None
    if not values:
        refuse("metadata")
    numbers = array_type(values)
    buffer = ctypes.create_string_buffer(codes["shape"][0] * type_size(numbers))
    if not read_array(values, *where, numbers, buffer, None, 0):
        refuse("truncated")
    close_dataset(dataset)
    found = type_name(numeric_type(numbers)).decode()
    found = NAMES.get(found, found.lower())
    return {"output": {"data_type": found, "shape": codes["shape"], "data": buffer.raw.hex()}}


def metadata_validate(request):
    Array(request["document"])
    return {}


def fill_value_parse(request):
    little = '{"endian": "little"}'
    source = Array(one_chunk(request["data_type"], [1], request["json"], little))
    return {"bits": source.read().hex()}


if __name__ == "__main__":
    push_handler(ctypes.cast(library.CPLQuietErrorHandler, c_void_p))
    function("GDALAllRegister", None)()
    chains = {"codecs": CODECS, "data_types": TYPES}
    documents = {**chains, "data_types": ["bool", *TYPES], "kind": ["array"]}
    chunks = {"from": TYPES, "empty": [False]}
    others = ["missing_value", "valid_min", "valid_max", "valid_range", "_Unsigned"]
    packed = {
        "rank": [1],
        "empty": [False],
        "to": ["float64"],
        "reader": [None, "cf"],
        "attribute_type": [None, "float64"],
        **{name: [None] for name in others},
    }
    serve(
        "GDAL",
        rasterio.__gdal_version__,
        {
            "bytes.encode": (chunks, lambda request: written(around_bytes(request), request)),
            "bytes.decode": (chunks, lambda request: read(around_bytes(request), request)),
            "cf.decode": (packed, unpack),
            "chain.encode": (chains, lambda request: written(request["metadata"], request)),
            "chain.decode": (chains, lambda request: read(request["metadata"], request)),
            "fill_value.parse": ({"from": TYPES}, fill_value_parse),
            "metadata.validate": (documents, metadata_validate),
        },
    )
