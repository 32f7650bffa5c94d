"""The vectors as Python objects, and the comparison of answers with their expectations."""

import json
import os
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _exactum
from ._types import Array, dtype_of

Answer: TypeAlias = npt.NDArray[Any] | bytes | bytearray | memoryview

#: The operations whose inputs and outputs are arrays and bytes.
OPERATIONS = (
    *(f"{name}.{way}" for name in ("bitround", "bytes", "cast_value", "cf", "packbits", "scale_offset", "zfp")
      for way in ("encode", "decode")),
    "downsample.read",
)  # fmt: skip


@lru_cache(1)
def folder() -> Path:
    """The folder of the vectors: that of ``EXACTUM_VECTORS``, of ``exactum-vectors``, or those in this package."""
    if named := os.environ.get("EXACTUM_VECTORS"):
        return Path(named)
    try:
        import exactum_vectors

        return Path(str(exactum_vectors.VECTORS))
    except ImportError:
        pass
    kept = tempfile.TemporaryDirectory(prefix="exactum-vectors-")
    folder.kept = kept  # type: ignore[attr-defined]
    path = Path(kept.name, "vectors")
    code, _, complaints = _exactum.call(["exactum", "vectors", "--export", str(path)])
    if code:
        raise OSError(complaints)
    return path


@lru_cache(1)
def _kinds() -> dict[str, dict[str, Any]]:
    content = json.loads((folder() / "data_types.json").read_text())
    return {kind["name"]: kind for kind in content["data_types"]}


@dataclass(frozen=True)
class Request:
    """A request to an implementation."""

    members: Mapping[str, Any]
    """The request as it is written in the vectors."""
    element: int | None = None
    """The only element of the input that is sent, if each element must be rejected alone."""

    @property
    def op(self) -> str:
        """The operation, such as ``"cast_value.encode"``."""
        return str(self.members["op"])

    @property
    def configuration(self) -> str:
        """The text of the codec's configuration."""
        return str(self.members.get("configuration", "{}"))

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The configuration as a mapping, which is empty if the text is not a JSON object."""
        try:
            found = json.loads(self.configuration)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    @property
    def source(self) -> str:
        """The data type of the input; ``uint8`` if the input is bytes."""
        return str(self.members["input"]["data_type"]) if "input" in self.members else "uint8"

    @property
    def target(self) -> str | None:
        """The data type of the answer; ``uint8`` if the answer is bytes."""
        if "data_type" in self.members:
            return str(self.members["data_type"])
        if self.op in ("cast_value.encode", "cf.encode"):
            named = self.settings.get("data_type")
            named = named.get("name") if isinstance(named, dict) else named
            return named if isinstance(named, str) else None
        return self.source if self.op.startswith(("bitround", "scale_offset", "downsample")) else "uint8"

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the decoded array."""
        if self.element is not None:
            return (1,)
        if "shape" in self.members:
            return tuple(self.members["shape"])
        given = self.members["input"]
        if "shape" in given:
            return tuple(given["shape"])
        return (len(self.elements) // int(_kinds()[self.source]["bytes"]),)

    @cached_property
    def elements(self) -> bytes:
        """The elements of the input, or its bytes."""
        if "bytes" in self.members:
            return bytes.fromhex(self.members["bytes"])
        data = _elements(self.members["input"])
        if self.element is None:
            return data
        size = int(_kinds()[self.source]["bytes"])
        return data[self.element * size : (self.element + 1) * size]

    @property
    def array(self) -> Array:
        """The input as a NumPy array; types of fewer than 16 bits need ``ml_dtypes``."""
        dtype = dtype_of(self.source)
        flat = np.frombuffer(bytearray(self.elements), np.uint8).view(dtype)
        return flat if "bytes" in self.members else flat.reshape(self.shape)


def _elements(given: Mapping[str, Any]) -> bytes:
    kind = _kinds()[given["data_type"]]
    unsigned = f"<u{kind['bytes'] // kind['components']}"
    if "ranges" in given:
        ends = [(int(first, 16), int(last, 16)) for first, last in given["ranges"]]
        parts = [np.arange(first, last + 1, dtype=np.uint64) for first, last in ends]
        return np.concatenate(parts).astype(unsigned).tobytes()
    if "splitmix" in given:
        count = int(np.prod(given["shape"], dtype=np.int64)) * kind["components"]
        bits = _splitmix(int(given["splitmix"], 16), count) & np.uint64(int(kind["component_mask"], 16))
        return bits.astype(unsigned).tobytes()
    return bytes.fromhex(given["data"])


def _splitmix(seed: int, count: int) -> npt.NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        z = np.arange(count, dtype=np.uint64) + np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


@dataclass(frozen=True)
class Vector:
    """A request and its expectation."""

    id: str
    level: str
    clauses: tuple[str, ...]
    request: Request
    expect: Mapping[str, Any]
    each: bool

    def requests(self) -> Iterator[Request]:
        """The request, or one request for each element if each element must be rejected."""
        if not self.each:
            yield self.request
            return
        size = int(_kinds()[self.request.source]["bytes"])
        for element in range(len(_elements(self.request.members["input"])) // size):
            yield Request(self.request.members, element)

    def difference(self, answer: Answer | None, expect: Mapping[str, Any] | None = None) -> str | None:
        """The reason why an answer is wrong. An ``answer`` of ``None`` is a rejection."""
        expect = self.expect if expect is None else expect
        if "open" in expect:
            return None
        if "one_of" in expect:
            whys = [self.difference(answer, one) for one in expect["one_of"]]
            return None if None in whys else whys[0]
        if "reject" in expect:
            if answer is None:
                return None
            return f"must be rejected ({expect['reject']['reason']}), got {_shown(answer)}"
        wanted = expect["within"] if "within" in expect else expect["ok"]
        if answer is None:
            return "was rejected, but a result is expected"
        got = answer.tobytes() if isinstance(answer, np.ndarray) else bytes(answer)
        if "bytes" in wanted:
            right = bytes.fromhex(wanted["bytes"])
            mask = bytes.fromhex(wanted["mask"]) if "mask" in wanted else None
            return _difference(got, right, _kinds()["uint8"], mask, None, exact=True)
        output = wanted["output"]
        if isinstance(answer, np.ndarray) and "shape" in output and list(answer.shape) != output["shape"]:
            return f"has the shape {list(answer.shape)}, expected {output['shape']}"
        if "crc32" in output:
            return _checksums(got, output)
        mask = bytes.fromhex(output["mask"]) if "mask" in output else None
        bound = Fraction(wanted["bound"]) if "bound" in wanted else None
        exact = not self.request.op.startswith(("bitround", "cast_value", "scale_offset", "cf"))
        right = bytes.fromhex(output["data"])
        return _difference(got, right, _kinds()[output["data_type"]], mask, bound, exact=exact)


def _shown(answer: Answer) -> str:
    got = answer.tobytes() if isinstance(answer, np.ndarray) else bytes(answer)
    return f"0x{got[:16].hex()}{'...' if len(got) > 16 else ''}"


def _numbers(data: bytes, kind: Mapping[str, Any], exact: bool) -> npt.NDArray[Any]:
    """Components as bits, in the canonical form for comparison."""
    size, mask = kind["bytes"] // kind["components"], int(kind["component_mask"], 16)
    bits = np.frombuffer(data, f"<u{size}").copy()
    if kind["name"] in ("int2", "int4"):
        above = 0xFF ^ mask
        negative = (bits & above == above) & (bits & ((mask + 1) >> 1) != 0)
        bits[negative] &= mask
    if not exact:
        bits[_nans(bits, kind)] = int(kind["nan"]["default"], 16) if kind.get("nan") else 0
    return bits


def _nans(bits: npt.NDArray[Any], kind: Mapping[str, Any]) -> npt.NDArray[np.bool_]:
    nan = kind.get("nan")
    if not nan:
        return np.zeros(bits.shape, bool)
    if "codes" in nan:
        return np.isin(bits, [int(code, 16) for code in nan["codes"]])
    ones, some = (bits.dtype.type(int(nan[name], 16)) for name in ("ones", "some"))
    found: npt.NDArray[np.bool_] = (bits & ones == ones) & (bits & some != 0)
    return found


def _difference(
    got: bytes,
    right: bytes,
    kind: Mapping[str, Any],
    mask: bytes | None,
    bound: Fraction | None,
    *,
    exact: bool,
) -> str | None:
    if len(got) != len(right):
        return f"has {len(got)} bytes, expected {len(right)}"
    if mask is not None:
        under = np.frombuffer(mask, np.uint8)
        wrong = (np.frombuffer(got, np.uint8) ^ np.frombuffer(right, np.uint8)) & under != 0
        wrong = wrong.reshape(-1, kind["bytes"] // kind["components"]).any(1)
    else:
        a, b = _numbers(got, kind, exact), _numbers(right, kind, exact)
        wrong = a != b
        if bound is not None and wrong.any():
            dtype = dtype_of(kind["name"])
            for at in np.flatnonzero(wrong):
                x, y = (float(one[at : at + 1].view(dtype)[0]) for one in (a, b))
                finite = np.isfinite(x) and np.isfinite(y)
                wrong[at] = not (finite and abs(Fraction(x) - Fraction(y)) <= bound)
    if not wrong.any():
        return None
    size = kind["bytes"] // kind["components"]
    places = np.flatnonzero(wrong)
    lines = [f"{len(places)} of {len(wrong)} components of {kind['name']} are wrong"]
    for at in places[:5]:
        there, wanted = (data[at * size : (at + 1) * size][::-1].hex() for data in (got, right))
        lines.append(f"  element {at // kind['components']}: got bits 0x{there}, expected 0x{wanted}")
    return "\n".join(lines)


def _checksums(got: bytes, output: Mapping[str, Any]) -> str | None:
    kind = _kinds()[output["data_type"]]
    mask = int(kind["component_mask"], 16)
    numbers = _numbers(got, kind, exact=False)
    numbers = numbers & numbers.dtype.type(mask)
    count = 4096 * kind["components"]
    parts = [numbers[first : first + count] for first in range(0, len(numbers), count)]
    sums = [f"{zlib.crc32(part.tobytes()):08x}" for part in parts]
    if len(sums) != len(output["crc32"]):
        return f"has {len(numbers)} components, which are {len(sums)} blocks, not {len(output['crc32'])}"
    wrong = [at for at, (a, b) in enumerate(zip(sums, output["crc32"], strict=True)) if a != b]
    if not wrong:
        return None
    first = wrong[0] * 4096
    return (
        f"{len(wrong)} of {len(sums)} blocks of 4096 elements are wrong, "
        f"the first from element {first} on: got bits 0x{parts[wrong[0]][0]:x}, ..."
    )


def load(operations: Sequence[str], levels: Sequence[str]) -> Iterator[Vector]:
    """The vectors of these operations and levels."""
    root = folder()
    manifest = json.loads((root / "manifest.json").read_text())
    rows = {operation.split(".")[0] for operation in operations}
    for entry in manifest["files"]:
        if rows.isdisjoint(clause.split(".")[0] for clause in entry["clauses"]):
            continue
        for group in json.loads((root / entry["path"]).read_text())["groups"]:
            if group["level"] not in levels:
                continue
            for case in group["cases"]:
                members = {**group.get("request", {}), **case.get("request", {})}
                # Elements that are not numbers cannot be stored in a NumPy array.
                is_numeric = members.get("input", {}).get("data_type", "uint8") in _kinds()
                if members.get("op") in operations and is_numeric:
                    yield Vector(
                        f"{group['id']}/{case['id']}",
                        group["level"],
                        (*group.get("clauses", ()), *case.get("clauses", ())),
                        Request(members),
                        case["expect"],
                        bool(case.get("each")),
                    )
