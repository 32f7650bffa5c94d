"""TensorStore: its driver `zarr3`, through arrays in a memory store, and its views of arrays.

A document is put into the store as it is and opened; chunks are read from and written to the
store. It does not show what its codecs make of shapes and fill values on the way, so there is no
`chain.resolve`; a fill value is what a chunk that is not there reads as.
"""

import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import tensorstore as ts

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, array, hexed, one_chunk, output, refusing, serve

CODECS = ["blosc", "bytes", "crc32c", "gzip", "sharding_indexed", "transpose", "zstd"]
SMALL = ["int2", "int4", "bfloat16", "float4_e2m1fn", "float8_e3m4", "float8_e4m3b11fnuz"]
SMALL += ["float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"]
TYPES = ["bool", *INTEGERS, *FLOATS, *SMALL, "complex64", "complex128"]


def opened(document, chunk=None):
    """An array in a store of its own, which a context of its own makes, and that store."""
    context = ts.Context()
    store = ts.KvStore.open("memory://", context=context).result()
    store.write("zarr.json", document.encode()).result()
    spec = {
        "driver": "zarr3",
        "kvstore": "memory://",
        # A chunk that holds nothing but the fill value is written, or no bytes would be seen.
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
    """The elements of an array. Those of int2 and int4 lie in memory with whatever stood above them in
    the chunk, which is none of their value: the library itself says what they are, as int8."""
    wide = ts.cast(source, ts.int8) if source.dtype in (ts.int2, ts.int4) else source
    return wide.read().result()


def read(document, request):
    source, _ = opened(document, bytes.fromhex(request["bytes"]))
    with refusing("truncated"):
        read = elements(source)
    return output(read, source.dtype.name)


def around_bytes(request):
    """A document whose only codec is the one that the request configures."""
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
    """An array at the front of a larger one: views read past the ends of their bases, and what they
    find there should be the same in every run. It is 0x3f in each byte, and ones in a small type."""
    whole = np.ones([extent + 8 for extent in values.shape], values.dtype)
    if values.itemsize > 1 and values.ndim > 0:
        whole.view(np.uint8)[...] = 0x3F
    inside = tuple(slice(0, extent) for extent in values.shape)
    whole[inside] = values
    return ts.array(whole)[inside]


def downsample_read(request):
    base = surrounded(array(request["input"]))
    with refusing("metadata"):
        view = base[ts.IndexTransform(base.domain).translate_to[tuple(request["origin"])]]
        for level in [request, *request.get("then", [])]:
            view = ts.downsample(view, level["factors"], level["method"])
        if "transform" in request:
            view = view[ts.IndexTransform(json=request["transform"])]
        elements = view.read().result()
    return {**output(np.asarray(elements)), "origin": list(view.origin)}


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
            "downsample.read": ({"from": TYPES}, downsample_read),
            "fill_value.parse": ({"from": TYPES}, fill_value_parse),
            "metadata.validate": ({**chains, "kind": ["array"]}, metadata_validate),
        },
    )
