"""TensorStore: its driver `zarr3`, through arrays in a memory store.

A document is put into the store as it is and opened; chunks are read from and written to the
store. It does not show what its codecs make of shapes and fill values on the way, so there is no
`chain.resolve`; a fill value is what a chunk that is not there reads as.
"""

import sys
from importlib.metadata import version
from pathlib import Path

import tensorstore as ts

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, Reject, array, hexed, output, refusing, serve

CODECS = ["blosc", "bytes", "crc32c", "gzip", "sharding_indexed", "transpose", "zstd"]
# Those of its types that the registry has; float8_e4m3fn is its own.
SMALL = ["int2", "int4", "bfloat16", "float4_e2m1fn", "float8_e3m4", "float8_e4m3b11fnuz"]
SMALL += ["float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"]
TYPES = ["bool", *INTEGERS, *FLOATS, *SMALL, "complex64", "complex128"]
# ValueError carries its statuses of bad input: invalid argument, out of range, failed precondition.
STATUS = (ValueError,)


def opened(document):
    """An array in a store of its own, which a context of its own makes."""
    context = ts.Context()
    store = ts.KvStore.open("memory://", context=context).result()
    store.write("zarr.json", document.encode()).result()
    spec = {
        "driver": "zarr3",
        "kvstore": "memory://",
        # A chunk that holds nothing but the fill value is written, or no bytes would be seen.
        "store_data_equal_to_fill_value": True,
    }
    with refusing("metadata", *STATUS):
        return ts.open(spec, open=True, context=context).result(), store


def only_chunk(store):
    (key,) = [key for key in store.list().result() if key != b"zarr.json"]
    return key


def chain_encode(request):
    target, store = opened(request["metadata"])
    chunk = array(request["input"])
    if chunk.shape != target.shape:  # assigning would broadcast, which is no chunk any more
        raise Reject("shape", f"the array's one chunk has shape {target.shape}")
    with refusing("metadata", *STATUS):
        target.write(chunk).result()
    return {"bytes": store.read(only_chunk(store)).result().value.hex()}


def chain_decode(request):
    source, store = opened(request["metadata"])
    # Where a chunk lies is the library's to say: it writes one, and the bytes take its place.
    source.write(source.fill_value).result()
    store.write(only_chunk(store), bytes.fromhex(request["bytes"])).result()
    with refusing("truncated", *STATUS):
        return output(source.read().result())


def metadata_validate(request):
    opened(request["document"])
    return {}


def fill_value_parse(request):
    source, _ = opened(
        '{"zarr_format":3,"node_type":"array","shape":[1],"chunk_grid":{"name":"regular",'
        '"configuration":{"chunk_shape":[1]}},"chunk_key_encoding":{"name":"default"},'
        '"codecs":[{"name":"bytes","configuration":{"endian":"little"}}],'
        f'"data_type":"{request["data_type"]}","fill_value":{request["json"]}}}'
    )
    return {"bits": hexed(source.read().result())}


if __name__ == "__main__":
    chains = {"codecs": CODECS, "data_types": TYPES}
    serve(
        "tensorstore",
        version("tensorstore"),
        {
            "chain.encode": (chains, chain_encode),
            "chain.decode": (chains, chain_decode),
            "fill_value.parse": ({"from": TYPES}, fill_value_parse),
            "metadata.validate": ({**chains, "kind": ["array"]}, metadata_validate),
        },
    )
