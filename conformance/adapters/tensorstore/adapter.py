"""TensorStore: its driver `zarr3`, through arrays in a memory store, and its views of arrays.

A document is put into the store unchanged and opened; chunks are read from and written to the store.
TensorStore does not show the shapes and fill values between its codecs, so `chain.resolve` is not
offered. A fill value is read as the value of a missing chunk.
"""

import json
import sys
from decimal import Decimal
from importlib.metadata import version
from pathlib import Path

import numpy as np
import tensorstore as ts

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, Unsupported, array, hexed, one_chunk, output, refusing, serve

CODECS = ["blosc", "bytes", "crc32c", "gzip", "sharding_indexed", "transpose", "zstd"]
SMALL = ["int2", "int4", "bfloat16", "float4_e2m1fn", "float8_e3m4", "float8_e4m3b11fnuz"]
SMALL += ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"]
TEXTS = ["byte", "char", "string", "ustring", "json"]
TYPES = ["bool", *INTEGERS, *FLOATS, *SMALL, "complex64", "complex128"]


def opened(document, chunk=None):
    """Returns an array in a new store with its own context, and that store."""
    context = ts.Context()
    store = ts.KvStore.open("memory://", context=context).result()
    store.write("zarr.json", document.encode()).result()
    spec = {
        "driver": "zarr3",
        "kvstore": "memory://",
        # A chunk that contains only the fill value must be written, or there would be no bytes to return.
        "store_data_equal_to_fill_value": True,
    }
    with refusing("metadata"):
        target = ts.open(spec, open=True, context=context).result()
    if chunk is not None:
        store.write("/".join(["c"] + ["0"] * target.rank), chunk).result()
    return target, store


def written(document, request):
    target, store = opened(document)
    with refusing("metadata"):
        target.write(array(request["input"])).result()
    keys = [key for key in store.list().result() if key != b"zarr.json"]
    return {"bytes": "".join(store.read(key).result().value.hex() for key in keys)}


def elements(source):
    """Returns the elements of an array. In memory, elements of int2 and int4 keep the bits above their value
    from the chunk; the library itself converts them to their values, as int8."""
    wide = ts.cast(source, ts.int8) if source.dtype in (ts.int2, ts.int4) else source
    return wide.read().result()


def read(document, request):
    source, _ = opened(document, bytes.fromhex(request["bytes"]))
    with refusing("truncated"):
        read = elements(source)
    return output(read, source.dtype.name)


def around_bytes(request):
    """Returns a document whose only codec is the one that the request configures."""
    of = request.get("input", request)
    zero = {"bool": "false", "complex64": "[0, 0]", "complex128": "[0, 0]"}.get(of["data_type"], "0")
    return one_chunk(of["data_type"], of["shape"], zero, request.get("configuration"))


def bytes_encode(request):
    return written(around_bytes(request), request)


def bytes_decode(request):
    return read(around_bytes(request), request)


def chain_encode(request):
    return written(request["metadata"], request)


def chain_decode(request):
    return read(request["metadata"], request)


def metadata_validate(request):
    opened(request["document"])
    return {}


def fill_value_parse(request):
    little = '{"endian": "little"}'
    source, _ = opened(one_chunk(request["data_type"], [1], request["json"], little))
    return {"bits": hexed(elements(source))}


def surrounded(values):
    """Returns an array at the start of a larger one: views read past the ends of their bases, and should find
    the same elements there in every run. Each byte there is 0x3f, or each element is 1 in a small type."""
    whole = np.ones([extent + 8 for extent in values.shape], values.dtype)
    if values.itemsize > 1 and values.ndim > 0:
        whole.view(np.uint8)[...] = 0x3F
    inside = tuple(slice(0, extent) for extent in values.shape)
    whole[inside] = values
    return ts.array(whole)[inside]


def number(text):
    """Returns a JSON number as a Python number, if Python can represent it."""
    double = float(text)
    if Decimal(repr(double)) != Decimal(text):
        raise Unsupported(f"Python has no number {text}")
    return double


def members(pairs):
    """Returns a JSON object; Python would silently replace a duplicate key."""
    if len({key for key, _ in pairs}) < len(pairs):
        raise Unsupported("Python has no object with a key twice")
    return dict(pairs)


def parsed(text):
    """Returns an element of `json`. A text that Python cannot read never reaches the library."""
    try:
        value = json.loads(text, parse_float=number, object_pairs_hook=members)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        return value
    except (ArithmeticError, ValueError) as error:
        raise Unsupported(f"Python does not read {text}") from error


def texts(member):
    """Returns an array of strings or JSON values at the start of a larger one, like `surrounded`."""
    kind, shape = member["data_type"], member["shape"]
    read = {"json": parsed, "string": str.encode, "ustring": str}[kind]
    whole = np.empty([extent + 8 for extent in shape], object)
    whole.fill(read("0"))
    inside = tuple(slice(0, extent) for extent in shape)
    elements = np.empty(len(member["values"]), object)
    elements[:] = [read(text) for text in member["values"]]
    # Without dimensions, this is the element itself, not an array.
    whole[inside] = elements.reshape(shape)[()]
    with refusing("metadata"):
        return ts.array(whole, dtype=ts.dtype(kind))[inside]


def packed(kind, shape, data=None):
    """Returns bytes as a Zarr 2 array whose elements have an inner dimension of 1, because NumPy does not
    accept single bytes, and the store of its only chunk."""
    context = ts.Context()
    store = ts.KvStore.open("memory://", context=context).result()
    document = {
        "zarr_format": 2,
        "shape": shape,
        "chunks": shape,
        "dtype": {"byte": "|V1", "char": "|S1"}[kind],
        "compressor": None,
        "fill_value": None,
        "order": "C",
        "filters": None,
    }
    store.write(".zarray", json.dumps(document).encode()).result()
    key = ".".join("0" for _ in shape) or "0"
    if data is not None:
        store.write(key, data).result()
    spec = {"driver": "zarr", "kvstore": "memory://", "store_data_equal_to_fill_value": True}
    return ts.open(spec, open=True, context=context).result()[..., 0], store, key


def base_of(member):
    kind = member["data_type"]
    if kind in ("byte", "char"):
        if 0 in member["shape"]:
            raise Unsupported("zarr version 2 has no empty chunk")
        return packed(kind, member["shape"], bytes.fromhex(member["data"]))[0]
    return texts(member) if kind in TEXTS else surrounded(array(member))


def read_out(view, kind):
    """Returns the member `output` for a view."""
    if kind in ("byte", "char"):
        target, store, key = packed(kind, list(view.shape))
        target.write(view[ts.IndexTransform(view.domain).translate_to[0]]).result()
        data = store.read(key).result().value
        return {"output": {"data_type": kind, "shape": list(view.shape), "data": data.hex()}}
    elements = np.asarray(view.read().result())
    if kind not in TEXTS:
        return output(elements)
    write = {"json": lambda value: json.dumps(value, ensure_ascii=False), "string": bytes.decode}
    values = [write.get(kind, str)(element) for element in elements.ravel()]
    return {"output": {"data_type": kind, "shape": list(view.shape), "values": values}}


def downsample_read(request):
    base = base_of(request["input"])
    with refusing("metadata"):
        view = base[ts.IndexTransform(base.domain).translate_to[tuple(request["origin"])]]
        for level in [request, *request.get("then", [])]:
            view = ts.downsample(view, level["factors"], level["method"])
        if "transform" in request:
            view = view[ts.IndexTransform(json=request["transform"])]
        members = read_out(view, request["input"]["data_type"])
    return {**members, "origin": list(view.origin)}


if __name__ == "__main__":
    chains = {"codecs": CODECS, "data_types": TYPES}
    chunks = {"from": TYPES, "empty": [False]}
    serve(
        "tensorstore",
        version("tensorstore"),
        {
            "bytes.encode": (chunks, bytes_encode),
            "bytes.decode": (chunks, bytes_decode),
            "chain.encode": (chains, chain_encode),
            "chain.decode": (chains, chain_decode),
            "downsample.read": ({"from": [*TYPES, *TEXTS]}, downsample_read),
            "fill_value.parse": ({"from": TYPES}, fill_value_parse),
            "metadata.validate": ({**chains, "kind": ["array"]}, metadata_validate),
        },
    )
