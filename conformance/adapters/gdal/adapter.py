"""GDAL: the multidimensional interface of its driver Zarr, from the wheel of rasterio, called through the C
interface.

A document is put unchanged into GDAL's in-memory file system and opened; chunks are written to and read from the same
place. A fill value is read as the value of a missing chunk. GDAL's types are those of `NAMES`; bool is read as Byte,
so it occurs in documents only.

A packed variable is an array of Zarr 2, which need not have a fill value. If there is a `_FillValue`, it is also the
array's fill value, as writers of such stores do. GDAL unpacks the variable with `GetUnscaled`, always into float64,
with NaN for values that it considers missing. The additional information of `GetMask` is not applied.
"""

import ctypes
import json
import math
import sys
from ctypes import POINTER, c_char_p, c_int, c_long, c_size_t, c_uint, c_uint64, c_void_p
from pathlib import Path

import rasterio

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, Reject, Unsupported, attributes, one_chunk, serve

TYPES = [*INTEGERS, *FLOATS, "complex64", "complex128"]
CODECS = ["blosc", "bytes", "crc32c", "gzip", "transpose", "zstd"]
NAMES = {"Byte": "uint8", "CFloat32": "complex64", "CFloat64": "complex128"}
MULTIDIMENSIONAL, UPDATE = 0x10, 0x01
FAILURE = 3  # the error type from which on an operation was not completed
FOLDER = "/vsimem/array.zarr"

(path,) = (Path(rasterio.__file__).parent.parent / "rasterio.libs").glob("libgdal*")
library = ctypes.CDLL(str(path))


def function(name, result, *arguments):
    """Returns a function of the library with its types."""
    found = getattr(library, name)
    found.restype, found.argtypes = result, arguments
    return found


open_dataset = function("GDALOpenEx", c_void_p, c_char_p, c_uint, c_void_p, c_void_p, c_void_p)
close_dataset = function("GDALClose", c_int, c_void_p)
root_group = function("GDALDatasetGetRootGroup", c_void_p, c_void_p)
array_names = function("GDALGroupGetMDArrayNames", POINTER(c_char_p), c_void_p, c_void_p)
open_array = function("GDALGroupOpenMDArray", c_void_p, c_void_p, c_char_p, c_void_p)
array_type = function("GDALMDArrayGetDataType", c_void_p, c_void_p)
unscaled_array = function("GDALMDArrayGetUnscaled", c_void_p, c_void_p)
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


class Node:
    """The node that these files describe, in a separate folder."""

    def __init__(self, files, flags=MULTIDIMENSIONAL):
        remove_folder(FOLDER.encode())
        reset_errors()
        self.kept = []
        for name, data in files.items():
            self.put(name, data)
        self.dataset = open_dataset(FOLDER.encode(), flags, None, None, None)
        self.group = root_group(self.dataset) if self.dataset else None
        if not self.group:
            refuse("metadata")

    def put(self, name, data):
        """Writes a file; the caller keeps the buffer alive."""
        path = f"{FOLDER}/{name}"
        make_folder(path.rpartition("/")[0].encode(), 0o755)
        buffer = ctypes.create_string_buffer(data, len(data))
        self.kept.append(buffer)
        close_file(file_from(path.encode(), ctypes.cast(buffer, c_char_p), len(data), 0))


class Array(Node):
    """The array that these files describe."""

    def __init__(self, files, flags=MULTIDIMENSIONAL):
        super().__init__(files, flags)
        names = array_names(self.group, None)
        self.use(open_array(self.group, names[0], None) if names and names[0] else None)
        count = c_size_t()
        found = dimensions(self.array, ctypes.byref(count))
        self.shape = [dimension_size(found[index]) for index in range(count.value)]

    def use(self, array):
        """Uses this array, which was derived from the opened one, in its place."""
        if not array:
            refuse("metadata")
        self.array, self.type = array, array_type(array)

    def all(self, exchange, buffer, shape):
        """Reads or writes the elements of a shape."""
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

    def output(self, data):
        return {"output": {"data_type": self.data_type(), "shape": self.shape, "data": data.hex()}}

    def close(self):
        """Returns whether everything could be written: the library writes its cached chunks here."""
        reset_errors()
        return close_dataset(self.dataset) == 0 and last_error_type() < FAILURE


def key(document):
    """Returns the key of a document's only chunk according to the core, which is not being judged."""
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
    target = Array({"zarr.json": document.encode()}, MULTIDIMENSIONAL | UPDATE)
    data = bytes.fromhex(request["input"]["data"])
    buffer = ctypes.create_string_buffer(data, len(data))
    if not target.all(write_array, buffer, request["input"]["shape"]):
        refuse("out_of_range")
    if not target.close():
        refuse("metadata")
    size = c_uint64()
    found = file_buffer(f"{FOLDER}/{key(document)}".encode(), ctypes.byref(size), 0)
    if not found:
        raise Unsupported("a chunk that holds nothing but the fill value is not stored")
    return {"bytes": ctypes.string_at(found, size.value).hex()}


def read(document, request):
    files = {"zarr.json": document.encode(), key(document): bytes.fromhex(request["bytes"])}
    source = Array(files)
    return source.output(source.read())


def unpacked(request):
    packed, of = attributes(request)
    typed = {name: value if isinstance(value, str) else value.tolist() for name, value in of.items()}
    document = {
        "zarr_format": 2,
        "shape": request["input"]["shape"],
        "chunks": request["input"]["shape"],
        "dtype": packed.str,
        "compressor": None,
        "fill_value": typed.pop("_FillValue", None),
        "order": "C",
        "filters": None,
    }
    files = {
        ".zarray": json.dumps(document).encode(),
        ".zattrs": json.dumps(typed).encode(),
        "0": bytes.fromhex(request["input"]["data"]),
    }
    source = Array(files)
    source.use(unscaled_array(source.array))
    return source.output(source.read())


def metadata_validate(request):
    opened = Node if request["kind"] == "group" else Array
    opened({"zarr.json": request["document"].encode()})
    return {}


def fill_value_parse(request):
    little = '{"endian": "little"}'
    document = one_chunk(request["data_type"], [1], request["json"], little)
    return {"bits": Array({"zarr.json": document.encode()}).read().hex()}


if __name__ == "__main__":
    push_handler(ctypes.cast(library.CPLQuietErrorHandler, c_void_p))
    function("GDALAllRegister", None)()
    chains = {"codecs": CODECS, "data_types": TYPES}
    documents = {**chains, "data_types": ["bool", *TYPES], "kind": ["array", "group"]}
    chunks = {"from": TYPES, "empty": [False]}
    variables = {"to": ["float64"], "rank": [1], "empty": [False], "reader": [None, "cf"]}
    serve(
        "GDAL",
        rasterio.__gdal_version__,
        {
            "bytes.encode": (chunks, lambda request: written(around_bytes(request), request)),
            "bytes.decode": (chunks, lambda request: read(around_bytes(request), request)),
            "chain.encode": (chains, lambda request: written(request["metadata"], request)),
            "chain.decode": (chains, lambda request: read(request["metadata"], request)),
            "cf.decode": (variables, unpacked),
            "fill_value.parse": ({"from": TYPES}, fill_value_parse),
            "metadata.validate": (documents, metadata_validate),
        },
    )
