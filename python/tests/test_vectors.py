"""Judges the package itself by the vectors that its plugin offers to other libraries, with one test per operation."""

from pathlib import Path

import pytest

import exactum
from exactum._exactum import Codec
from exactum._types import UINT8, dtype_of
from exactum._vectors import OPERATIONS, load

NUMPY = {"bool", "complex64", "complex128"}


@pytest.fixture(autouse=True, scope="module")
def vectors():
    with pytest.MonkeyPatch.context() as patch:
        # The vectors of the checkout need not be unpacked first.
        patch.setenv("EXACTUM_VECTORS", str(Path(__file__).parents[2] / "vectors"))
        yield


def has(name):
    """Whether NumPy or ml_dtypes has this data type."""
    return name is not None and (name in NUMPY or not name.startswith("complex"))


def offered(request):
    members = request.members
    if request.op == "downsample.read":
        is_plain = not {"then", "transform"} & members.keys() and not any(members["origin"])
        return is_plain and {"data", "splitmix"} & members["input"].keys() and has(request.source)
    return has(request.source) and has(request.target)


def answer(request):
    name, way = request.op.split(".")
    if name == "downsample":
        members = request.members
        return exactum.downsample(request.array, members["factors"], members["method"])
    source, target = dtype_of(request.source), dtype_of(request.target)
    decoded, encoded = (source, target) if way == "encode" else (target, source)
    if name in ("bitround", "cast_value", "scale_offset", "cf"):
        codec = Codec(name, request.configuration, decoded.name, decoded, encoded, 0)
        return (codec.encode if way == "encode" else codec.decode)(request.array, None)
    codec = Codec(name, request.configuration, decoded.name, decoded, UINT8, len(request.shape))
    if way == "encode":
        return codec.to_bytes(request.array, None, 1)
    return codec.from_bytes(request.array, request.shape, None, 1)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_vector_is_answered_right(operation):
    judged, wrong = 0, []
    for vector in load([operation], ["must", "ruling"]):
        if not offered(vector.request):
            continue
        judged += 1
        for request in vector.requests():
            try:
                got = answer(request)
            except (ValueError, TypeError, OverflowError):
                got = None
            if (why := vector.difference(got)) is not None:
                wrong.append(f"{vector.id}: {why}")
                break
    assert not wrong, f"{len(wrong)} of {judged}\n" + "\n".join(wrong[:20])
    assert judged > 20
