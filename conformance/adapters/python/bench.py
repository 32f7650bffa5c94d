"""Times Python libraries in the cases of `cargo xtask bench`, on request, with elements prepared in advance.
conformance/lab/src/bench/outside.rs describes the dialogue.

Outputs are allocated in advance if the interface accepts them. The NumPy recipes stand for code that
users write by hand; their results show whether they compute the same.
"""

import json
import os
import sys
import time

import numpy as np

np.seterr(all="ignore")
STANDARD = [f"{kind}{8 * size}" for kind in ("int", "uint") for size in (1, 2, 4, 8)]
STANDARD += ["float16", "float32", "float64"]


class NotOffered(Exception):
    """The library does not have this case."""


def dtype(name):
    if name in STANDARD:
        return np.dtype(name)
    try:
        import ml_dtypes
    except ModuleNotFoundError:  # the environment of libraries without small floats
        raise NotOffered from None
    return np.dtype(getattr(ml_dtypes, name))


def converted(case, source):
    """NumPy's own conversion: towards zero, unchecked, without a map."""
    out = np.empty(len(source), dtype(case["to"]))
    return out, lambda: np.copyto(out, source, casting="unsafe")


def numpy_cast(case, source):
    if {case["from"], case["to"]} - set(STANDARD):
        raise NotOffered
    return converted(case, source)


def ml_dtypes_cast(case, source):
    if not {case["from"], case["to"]} - set(STANDARD):
        raise NotOffered
    return converted(case, source)


def round_and_clip(case, values, out):
    """Overwrites `values`; the map entry for NaN is applied last."""
    limits = np.iinfo(out.dtype)
    nans = np.isnan(values) if case["map"] else None
    np.rint(values, out=values)
    np.clip(values, limits.min, limits.max, out=values)
    np.copyto(out, values, casting="unsafe")
    if case["map"]:
        np.copyto(out, case["map"][0][1], where=nans)


def numpy_recipe(case, source):
    out = np.empty(len(source), dtype(case["to"]))
    if source.dtype.kind != "f" or out.dtype.kind not in "iu":
        raise NotOffered
    if (case["rounding"], case["out_of_range"]) != ("nearest-even", "clamp"):
        raise NotOffered
    values = np.empty_like(source)

    def run():
        np.copyto(values, source)
        round_and_clip(case, values, out)

    return out, run


def cast_value_rs(case, source):
    from cast_value_rs import cast_array_into

    out = np.empty(len(source), dtype(case["to"]))
    number = int if source.dtype.kind in "iu" else float
    how = {
        "rounding_mode": case["rounding"],
        "out_of_range_mode": case["out_of_range"],
        "scalar_map_entries": [(number(key), value) for key, value in case["map"]] or None,
    }
    return out, lambda: cast_array_into(source, out, **how)


def numkong_cast(case, source):
    import numkong

    small = {"bfloat16": "bfloat16", "float6_e2m3fn": "e2m3", "float6_e3m2fn": "e3m2", "float8_e5m2": "e5m2"}
    if case["rounding"] != "nearest-even" or case["out_of_range"] == "wrap" or case["map"]:
        raise NotOffered
    if source.dtype.kind in "iu" and case["to"] not in ("float32", "float64"):
        raise NotOffered  # the documentation does not specify these casts
    if {case["from"], case["to"]} - set(STANDARD) - set(small):
        raise NotOffered
    held = numkong.from_pointer(source.ctypes.data, source.shape, small.get(case["from"], case["from"]), owner=source)
    target = small.get(case["to"], case["to"])
    return None, lambda: numkong.astype(held, target)


def numpy_scale(case, source):
    """Computes the formula, unchecked and in place."""
    out = np.empty_like(source)
    offset, scale = (source.dtype.type(case["configuration"][key]) for key in ("offset", "scale"))
    divide = np.floor_divide if source.dtype.kind in "iu" else np.divide

    def encode():
        np.subtract(source, offset, out=out)
        np.multiply(out, scale, out=out)

    def decode():
        divide(source, scale, out=out)
        np.add(out, offset, out=out)

    return out, encode if case["operation"] == "encode" else decode


def numpy_pack(case, source):
    values = np.empty_like(source)
    out = np.empty(len(source), dtype(case["to"]))

    def run():
        np.subtract(source, case["configuration"]["offset"], out=values)
        np.multiply(values, case["configuration"]["scale"], out=values)
        round_and_clip(case, values, out)

    return out, run


def numcodecs_pack(case, source):
    from numcodecs import FixedScaleOffset

    codec = FixedScaleOffset(**case["configuration"], dtype=case["from"], astype=case["to"])
    return None, lambda: codec.encode(source)


def numcodecs_round(case, source):
    from numcodecs import BitRound

    if source.dtype.kind != "f":
        raise NotOffered
    codec = BitRound(case["keepbits"])
    return None, lambda: codec.encode(source).view(source.dtype)


def zarr_python(case, source):
    import asyncio

    from zarr.codecs import CastValue, ScaleOffset
    from zarr.core.array_spec import ArrayConfig, ArraySpec
    from zarr.core.buffer import cpu, default_buffer_prototype
    from zarr.core.dtype import get_data_type_from_json

    wait = asyncio.new_event_loop().run_until_complete
    data_type = get_data_type_from_json(case["from"], zarr_format=3)
    config, prototype = ArrayConfig.from_dict({}), default_buffer_prototype()
    spec = ArraySpec(source.shape, data_type, data_type.default_scalar(), config, prototype)
    codecs = []
    if "configuration" in case:
        codecs.append(ScaleOffset(**case["configuration"]))
    if "to" in case:
        scalar_map = {"encode": case["map"]} if case["map"] else None
        how = {"rounding": case["rounding"], "out_of_range": case["out_of_range"]}
        codecs.append(CastValue(data_type=case["to"], scalar_map=scalar_map, **how))

    def run():
        chunk = cpu.NDBuffer.from_numpy_array(source)
        for codec in codecs:
            through = codec.decode if case["operation"] == "decode" else codec.encode
            (chunk,) = wait(through([(chunk, spec)]))
        return chunk.as_numpy_array()

    return None, run


def zarr_python_array(case, source):
    import zarr
    from zarr.storage import MemoryStore

    scale, cast, last = case["codecs"]
    if last["name"] != "bytes":
        raise NotOffered
    array = zarr.create_array(
        MemoryStore(),
        shape=source.shape,
        chunks=(case["chunk"],),
        dtype=source.dtype,
        fill_value=0,
        filters=[scale, cast],
        serializer=last,
        compressors=None,
    )
    array[:] = source
    if case["operation"] == "read":
        return None, lambda: array[:]

    def write():
        array[:] = source
        return written

    # Writing returns nothing; the array that is read back takes its place.
    written = array[:]
    return None, write


def numpy_swap(case, source):
    out = np.empty(len(source), source.dtype.newbyteorder())
    return out, lambda: np.copyto(out, source)


def numpy_packbits(case, source):
    return None, lambda: np.packbits(source, bitorder="little")


def numpy_unpackbits(case, source):
    return None, lambda: np.unpackbits(source, bitorder="little")


def tensorstore_downsample(case, source):
    import tensorstore as ts

    one = ts.Context({"data_copy_concurrency": {"limit": 1}})
    base = ts.array(source.reshape(case["shape"]), context=one)
    view = ts.downsample(base, case["factors"], case["method"])
    return None, lambda: view.read().result()


def tinybrain_downsample(case, source):
    from tinybrain import downsample

    methods = {
        "mean": downsample.downsample_with_averaging,
        "mode": downsample.downsample_segmentation,
        "min": downsample.downsample_with_min_pooling,
        "max": downsample.downsample_with_max_pooling,
    }
    if case["method"] not in methods:
        raise NotOffered
    # The same elements with the fastest dimension first, as its kernels require.
    volume = source.reshape(case["shape"]).T
    factors = tuple(reversed(case["factors"]))
    return None, lambda: methods[case["method"]](volume, factors)[0].T


def topozarr_downsample(case, source):
    # Set before the thread pool is created: each contestant has one thread here.
    os.environ["RAYON_NUM_THREADS"] = "1"
    from topozarr_core import block_reduce

    lacking = ("int8", "uint32", "uint64", "float16")
    if case["method"] not in ("mean", "min", "max") or case["from"] in lacking:
        raise NotOffered
    volume, factors = source.reshape(case["shape"]), case["factors"]
    skipna = case["method"] != "mean"
    return None, lambda: block_reduce(volume, factors, case["method"], skipna=skipna)


# By operation and name: a function from a case and its elements to the output, or `None` if it is not
# allocated in advance, and the function to time, which returns the output in the latter case.
SCALE = {"numpy": numpy_scale, "zarr-python": zarr_python}
MAKERS = {
    "cast": {
        "cast-value-rs": cast_value_rs,
        "ml_dtypes": ml_dtypes_cast,
        "numkong": numkong_cast,
        "numpy": numpy_cast,
        "numpy clip+rint": numpy_recipe,
        "zarr-python": zarr_python,
    },
    "encode": SCALE,
    "decode": SCALE,
    "pack": {
        "numcodecs": numcodecs_pack,
        "numpy clip+rint": numpy_pack,
        "zarr-python": zarr_python,
    },
    "write": {"zarr-python": zarr_python_array},
    "read": {"zarr-python": zarr_python_array},
    "downsample": {
        "tensorstore": tensorstore_downsample,
        "tinybrain": tinybrain_downsample,
        "topozarr-core": topozarr_downsample,
    },
    "packbits": {"numpy": numpy_packbits},
    "round": {"numcodecs": numcodecs_round},
    "swap": {"numpy": numpy_swap},
    "unpackbits": {"numpy": numpy_unpackbits},
}


def accepts(maker, case):
    """Returns whether an element is accepted that the case must reject."""
    if not case.get("rejected"):
        return False
    for element in np.frombuffer(bytes.fromhex(case["rejected"]), dtype(case["from"])):
        try:
            maker(case, np.array([element]))[1]()
            return True
        except Exception:
            continue
    return False


def prepare(case, who):
    contestants, runs = {}, {}
    try:
        period = np.frombuffer(bytes.fromhex(case["period"]), dtype(case["from"]))
    except NotOffered:
        return contestants, runs
    source = np.resize(period, case["count"])
    for name, maker in MAKERS[case["operation"]].items():
        if name not in who:
            continue
        try:
            out, run = maker(case, source)
            result = run()
        except NotOffered:
            continue
        except Exception as error:  # a mode that the library refuses
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
            continue
        made = result if out is None else out
        first = made.tobytes() if hasattr(made, "tobytes") else memoryview(made).tobytes()
        first = first[: case["first"]]
        contestants[name] = {"allocates": out is None, "first": first.hex(), "unchecked": accepts(maker, case)}
        runs[name] = run
    return contestants, runs


def answer(request, runs):
    if "prepare" in request:
        runs.clear()  # frees the memory first
        contestants, made = prepare(request["prepare"], request["who"])
        runs.update(made)
        return {"contestants": contestants}
    run, repeats = runs[request["run"]], request["repeats"]
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return {"seconds": (time.perf_counter() - start) / repeats}


if __name__ == "__main__":
    runs = {}
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line), runs)), flush=True)
