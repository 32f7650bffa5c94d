"""Judges the casts of ml_dtypes by Exactum's vectors. Each vector has its own test id.

    EXACTUM_VECTORS=path/to/vectors python -m unittest -q test_vectors  # or: pytest test_vectors.py

For another library, change `offers` and `answer`. `EXACTUM_FAILED=FILE` writes the ids that fail to a file.
"""

import atexit
import json
import os
import unittest
import zlib
from pathlib import Path

import ml_dtypes  # registers its types with numpy
import numpy as np

ROOT = Path(os.environ.get("EXACTUM_VECTORS") or Path(__file__).parent / "../../vectors")
TYPES = {t["name"]: t for t in json.loads((ROOT / "data_types.json").read_text())["data_types"]}
FAILED = []

WIDE = ["float16", "float32", "float64"] + [f"{u}int{n}" for u in ("", "u") for n in (8, 16, 32, 64)]
FLOATS = [name for name in TYPES if name.startswith(("bfloat16", "float8_", "float6_", "float4_"))]
SMALL = [*FLOATS, "int2", "int4", "uint2", "uint4"]


def offers(request, settings):
    if settings.get("scalar_map") is not None or settings.get("rounding") not in (None, "nearest-even"):
        return False
    source = request["input"]["data_type"]
    if request["op"] == "cast_value.encode":  # `astype` does not clamp, wrap or fail
        return source in ["bfloat16", *WIDE] and request["target"] in FLOATS and not settings.get("out_of_range")
    return source in SMALL and request["target"] in ("float32", "float64")


def answer(request, elements):
    """The bytes of the result, little-endian and in C order. None is a rejection, but `astype` rejects nothing."""
    with np.errstate(all="ignore"):
        return np.frombuffer(elements, request["input"]["data_type"]).astype(request["target"]).tobytes()


def elements(array):
    """The bytes of an input, which are given in hex or as ranges of bit patterns."""
    size = TYPES[array["data_type"]]["bytes"]
    if "ranges" not in array:
        return bytes.fromhex(array["data"])
    ends = [(int(first, 16), int(last, 16)) for first, last in array["ranges"]]
    return b"".join(i.to_bytes(size, "little") for first, last in ends for i in range(first, last + 1))


def canonical(data, kind):
    """Yields the significant bits of each component as an integer, with every NaN replaced by the default NaN."""
    mask, nan, size = int(kind["component_mask"], 16), kind["nan"], kind["bytes"] // kind["components"]
    for at in range(0, len(data), size):
        bits = int.from_bytes(data[at : at + size], "little") & mask
        if nan and "codes" in nan:
            is_nan = bits in [int(code, 16) for code in nan["codes"]]
        else:
            is_nan = nan and bits & int(nan["ones"], 16) == int(nan["ones"], 16) and bits & int(nan["some"], 16)
        yield int(nan["default"], 16) if is_nan else bits


def equal(got, expected):
    kind = TYPES[expected["data_type"]]
    if "mask" in expected:
        mask, data = bytes.fromhex(expected["mask"]), bytes.fromhex(expected["data"])
        return len(got) == len(data) and all(not (a ^ b) & m for a, b, m in zip(got, data, mask))
    numbers = list(canonical(got, kind))
    if "crc32" not in expected:
        return numbers == list(canonical(bytes.fromhex(expected["data"]), kind))
    size, count = kind["bytes"] // kind["components"], 4096 * kind["components"]
    plain = [b"".join(n.to_bytes(size, "little") for n in numbers[i : i + count]) for i in range(0, len(numbers), count)]
    return [f"{zlib.crc32(part):08x}" for part in plain] == expected["crc32"]


def right(request, case):
    expect, data = case["expect"], elements(request["input"])
    if case.get("each"):
        size = TYPES[request["input"]["data_type"]]["bytes"]
        return all(answer(request, data[i : i + size]) is None for i in range(0, len(data), size))
    got = answer(request, data)
    return got is None if "reject" in expect else got is not None and equal(got, expect["ok"]["output"])


def method_of(request, case, name, clauses):
    def test(self):
        if not right(request, case):
            FAILED.append(name)
            self.fail(f"{name} {clauses}: expected {str(case['expect'])[:300]}")

    return test


class Vectors(unittest.TestCase):
    """Has a test method for each vector, named after its id."""


for entry in json.loads((ROOT / "manifest.json").read_text())["files"]:
    if not entry["path"].startswith("cast_value/"):
        continue
    for group in json.loads((ROOT / entry["path"]).read_text())["groups"]:
        for case in group["cases"]:
            request = {**group["request"], **case.get("request", {})}
            # Invalid configurations are for readers of documents, and this library does not read documents.
            if not request["op"].startswith("cast_value.") or case["expect"].get("reject", {}).get("reason") == "metadata":
                continue
            settings = json.loads(request["configuration"])
            target = request["data_type"] if request["op"].endswith("decode") else settings["data_type"]
            request["target"] = target["name"] if isinstance(target, dict) else target
            if offers(request, settings):
                name = f"{group['id']}/{case['id']}"
                setattr(Vectors, f"test {name}", method_of(request, case, name, group["clauses"] + case.get("clauses", [])))

if "EXACTUM_FAILED" in os.environ:
    atexit.register(lambda: Path(os.environ["EXACTUM_FAILED"]).write_text("".join(f"{name}\n" for name in sorted(FAILED))))
