"""zarr-python: single codecs, its data types for fill values, and arrays in a memory store for chains
and documents.

A document is put into the store unchanged and opened; chunks are written to and read from the
store. The library therefore parses every JSON text itself.
"""

import json
import math
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import zarr
from zarr.abc.codec import ArrayArrayCodec
from zarr.codecs import BytesCodec, CastValue, ScaleOffset, ShardingCodec
from zarr.core.array_spec import ArraySpec
from zarr.core.buffer import cpu
from zarr.core.dtype import get_data_type_from_json
from zarr.storage import MemoryStore

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
from exactum import FLOATS, INTEGERS, array, hexed, output, refusing, serve
from single import CONFIG, PROTOTYPE, alone, through, wait

REAL = INTEGERS + FLOATS
TYPES = ["bool", *REAL, "complex64", "complex128"]
CODECS = ["blosc", "bytes", "cast_value", "crc32c", "gzip", "scale_offset"]
CODECS += ["numcodecs.bitround", "sharding_indexed", "transpose", "zstd"]


def opened(document, **chunks):
    texts = {"zarr.json": document.encode(), **chunks}
    store = MemoryStore({key: cpu.Buffer.from_bytes(text) for key, text in texts.items()})
    with refusing("metadata"):
        target = wait(zarr.AsyncArray.open(store, zarr_format=3))
    shape = target.metadata.chunk_grid.chunk_shape
    return target, target.metadata.encode_chunk_key((0,) * target.ndim), shape


def chain_encode(request):
    target, key, _ = opened(request["metadata"])
    with refusing("out_of_range"):
        wait(target.setitem(Ellipsis, array(request["input"])))
    return {"bytes": wait(target.store.get(key, PROTOTYPE)).to_bytes().hex()}


def chain_decode(request):
    _, key, _ = opened(request["metadata"])
    source, _, _ = opened(request["metadata"], **{key: bytes.fromhex(request["bytes"])})
    with refusing("truncated"):
        return output(np.asarray(wait(source.getitem(Ellipsis))))


def stages(codecs, at):
    """Yields the array -> array codecs with the specs of both of their sides."""
    for each in codecs:
        if isinstance(each, ArrayArrayCodec):
            before, at = at, each.resolve_metadata(at)
            yield each, before, at
        elif isinstance(each, ShardingCodec):
            yield from stages(each.codecs, replace(at, shape=each.chunk_shape))


def chain_resolve(request):
    source, _, shape = opened(request["metadata"])
    metadata = source.metadata
    start = ArraySpec(shape, metadata.dtype, metadata.fill_value, CONFIG, PROTOTYPE)
    steps = list(stages(metadata.codecs, start))
    encoded = None
    if all(each.is_fixed_size for each in metadata.codecs):
        size = math.prod(shape) * metadata.dtype.item_size
        encoded = source.codec_pipeline.compute_encoded_size(size, start)
    # The library does not check whether the fill value survives; the result of its codecs shows it.
    one = np.full((1,) * source.ndim, metadata.fill_value, metadata.dtype.to_native_dtype())
    for each, before, _ in steps:
        one = through(each.encode, one, replace(before, shape=one.shape))
    for each, before, _ in reversed(steps):
        one = through(each.decode, one, replace(before, shape=one.shape))
    listed = [(None, start), *((each.to_dict()["name"], at) for each, _, at in steps)]
    return {
        "stages": [
            {
                "codec": name,
                "data_type": at.dtype.to_json(zarr_format=3),
                "shape": at.shape,
                "fill_value": hexed(at.dtype.cast_scalar(at.fill_value)),
            }
            for name, at in listed
        ],
        "encoded_bytes": encoded,
        "returned": hexed(one),
    }


def metadata_validate(request):
    if request["kind"] == "group":
        store = MemoryStore({"zarr.json": cpu.Buffer.from_bytes(request["document"].encode())})
        with refusing("metadata"):
            wait(zarr.AsyncGroup.open(store, zarr_format=3))
    else:
        opened(request["document"])
    return {}


def fill_value_parse(request):
    with refusing("fill_value"):
        data_type = get_data_type_from_json(request["data_type"], zarr_format=3)
        return {"bits": hexed(data_type.from_json_scalar(json.loads(request["json"]), zarr_format=3))}


def fill_value_format(request):
    element = {"data_type": request["data_type"], "shape": [], "data": request["bits"]}
    data_type = get_data_type_from_json(request["data_type"], zarr_format=3)
    written = data_type.to_json_scalar(array(element)[()], zarr_format=3)
    return {"json": json.dumps(written, separators=(",", ":"))}


if __name__ == "__main__":
    chains = {"codecs": CODECS, "data_types": TYPES}
    bytes_codec = {"from": TYPES}, partial(alone, BytesCodec)
    cast_value = {"from": REAL, "to": REAL}, partial(alone, CastValue)
    scale_offset = {"from": REAL}, partial(alone, ScaleOffset)
    operations = {
        "bytes.encode": bytes_codec,
        "bytes.decode": bytes_codec,
        "cast_value.encode": cast_value,
        "cast_value.decode": cast_value,
        "scale_offset.encode": scale_offset,
        "scale_offset.decode": scale_offset,
        "fill_value.parse": ({"from": TYPES}, fill_value_parse),
        "fill_value.format": ({"from": TYPES}, fill_value_format),
        "chain.resolve": (chains, chain_resolve),
        "chain.encode": (chains, chain_encode),
        "chain.decode": (chains, chain_decode),
        "metadata.validate": ({**chains, "kind": ["array", "group"]}, metadata_validate),
    }
    serve("zarr-python", zarr.__version__, operations)
