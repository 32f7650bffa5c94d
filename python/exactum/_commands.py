"""Commands of ``exactum`` as functions: plans, proofs, trials, validation, explanations."""

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy.typing as npt

from . import _exactum
from ._rejection import Rejection
from ._scan import Found, range_text, scan
from ._types import Scalar, dtype_of, json_of

Document: TypeAlias = str | bytes | Mapping[str, Any] | os.PathLike[str]
Special: TypeAlias = Literal["NaN", "Infinity", "-Infinity"]
Policy: TypeAlias = Literal["tn115", "full", "power_of_two", "decimal"]


@dataclass(frozen=True)
class Plan:
    """How a range of values is packed, proved for every value of the range."""

    document: dict[str, Any]
    """The complete plan, as ``exactum plan --json`` prints it."""

    @property
    def codecs(self) -> list[dict[str, Any]]:
        """The codecs of a Zarr array: array to array, then array to bytes."""
        return list(self.document["codecs"])

    @property
    def fill_value(self) -> Any:
        """The fill value of the array, as Zarr writes it."""
        return self.document["fill_value"]

    @property
    def target(self) -> str:
        """The data type of the stored elements."""
        return str(self.document["target"])

    @property
    def bytes(self) -> float:
        """The number of bytes of a stored element, before compression."""
        return float(self.document["bytes"])

    @property
    def max_error(self) -> float:
        """The largest error of a value that is read back, according to the proof."""
        return float(self.document["maximum_error"])

    @property
    def cf(self) -> dict[str, Any] | None:
        """The CF attributes that pack in the same way, or ``None`` if there are none."""
        found: dict[str, Any] | None = self.document["cf"]
        return found

    @property
    def encoding(self) -> dict[str, Any] | None:
        """The encoding of xarray with these attributes, or ``None`` if there are none."""
        found: dict[str, Any] | None = self.document["xarray"]
        return found


@dataclass(frozen=True)
class Proof:
    """Whether codecs store every value of a range within an error; true if they do."""

    document: dict[str, Any]
    """The complete result, as ``exactum prove --json`` prints it."""

    def __bool__(self) -> bool:
        return bool(self.document.get("proved"))

    @property
    def faults(self) -> list[dict[str, Any]]:
        """The values that refute the claim."""
        return list(self.document.get("faults", []))

    @property
    def largest_error(self) -> float | None:
        """A bound on the error of every value, or ``None`` if there is none."""
        found = self.document.get("largest_error")
        return None if found is None else float(found["bound"])


@dataclass(frozen=True)
class Tried:
    """The result of codecs for one value."""

    value: str
    code: str | None
    read_back: str | None
    error: float | None
    rejection: Rejection | None


@dataclass(frozen=True)
class Findings:
    """The findings about documents; true if no document is rejected."""

    document: dict[str, Any]
    """All findings, as ``exactum validate --format json`` prints them."""

    def __bool__(self) -> bool:
        return int(self.document["summary"]["rejected"]) == 0

    @property
    def problems(self) -> list[dict[str, Any]]:
        """The problems of all documents, each with clause, pointer, line, message and help."""
        documents = self.document["documents"]
        return [problem for document in documents for problem in document["problems"]]


def run(arguments: list[str], allowed: Iterable[int]) -> tuple[int, str]:
    """Runs a command and returns its exit code and output; raises an exception for codes that are not allowed."""
    code, output, complaints = _exactum.call(["exactum", *arguments])
    if code not in allowed:
        raise _failure(code, complaints)
    return code, output


def _failure(code: int, complaints: str) -> Rejection:
    message = complaints.strip().removeprefix("exactum: ")
    return Rejection(message, "findings" if code == 1 else "not_carried_out", "")


@contextmanager
def document_path(document: Document) -> Iterator[str]:
    """The path of a document, or of a copy of it. A text that begins with a brace or bracket is a document."""
    if isinstance(document, os.PathLike):
        yield os.fspath(document)
        return
    if isinstance(document, Mapping):
        content = json.dumps(document).encode()
    elif isinstance(document, str):
        if not document.lstrip().startswith(("{", "[")):
            yield document
            return
        content = document.encode()
    else:
        content = bytes(document)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "zarr.json")
        path.write_bytes(content)
        yield str(path)


def plan(
    values: npt.ArrayLike | os.PathLike[str] | None = None,
    *,
    max_error: float | None = None,
    max_relative_error: float | None = None,
    target: npt.DTypeLike | None = None,
    range: tuple[float, float] | None = None,
    dtype: npt.DTypeLike | None = None,
    need: Sequence[Special] = (),
    drop: Sequence[Special] = (),
    fill_value: Scalar | None = None,
    policy: Policy | None = None,
    quantum: float | None = None,
    keepbits: int | Literal[True] | None = None,
) -> Plan:
    """Plans how values are packed into integers or shorter floats.

    The returned plan is proved: every value of the range is stored and read back within the error, no value
    gets the code of NaN, an infinity or the fill value, and these special values are read back as themselves.

    Args:
        values: An array, or the path of a ``.npy`` file or of the folder of a Zarr array; it may be left out if
            ``range`` is given.
        max_error: The largest absolute error that is allowed.
        max_relative_error: The largest relative error that is allowed.
        target: The data type that is stored; by default the smallest type that keeps within the errors.
        range: The least and the greatest value; must contain those of ``values``.
        dtype: The data type of the values of ``range``; the default is ``float64``.
        need: Special values that must survive in addition to finite numbers and to those that ``values`` contain.
        drop: Special values that need not survive although ``values`` contain them.
        fill_value: The fill value of the array.
        policy: How the scale is chosen.
        quantum: The size of a step, whatever room is left.
        keepbits: The number of bits that ``bitround`` keeps instead of packing; ``True`` for the fewest bits that keep
            within the errors.

    Raises:
        Rejection: If there is no such packing (reason ``findings``), or if the arguments contradict each
            other (``not_carried_out``).

    See ``exactum plan --help``.

    >>> import numpy as np, exactum
    >>> plan = exactum.plan(np.linspace(250, 310, 1000, dtype="float32"), max_error=0.005)
    >>> plan.target, plan.max_error <= 0.005
    ('uint16', True)
    >>> [codec["name"] for codec in plan.codecs]
    ['scale_offset', 'cast_value', 'packbits']
    >>> exactum.plan(range=(250, 310), dtype="float32", keepbits=True, max_relative_error=0.001).codecs[0]
    {'name': 'bitround', 'configuration': {'keepbits': 9}}
    """
    arguments = ["plan", "--json"]
    found = None
    if isinstance(values, os.PathLike):
        arguments += ["--scan", os.fspath(values)]
    elif values is not None:
        found = scan(values)
    if dtype is not None:
        arguments += ["--data-type", dtype_of(dtype).name]
    if keepbits is not None:
        arguments.append("--keepbits" if keepbits is True else f"--keepbits={keepbits}")
    return plan_found(
        found, arguments, max_error, max_relative_error, target, range, need, drop, fill_value,
        policy, quantum,
    )  # fmt: skip


def plan_found(
    found: Found | None,
    arguments: list[str],
    max_error: float | None = None,
    max_relative_error: float | None = None,
    target: npt.DTypeLike | None = None,
    range: tuple[float, float] | None = None,
    need: Sequence[str] = (),
    drop: Sequence[str] = (),
    fill_value: Scalar | None = None,
    policy: str | None = None,
    quantum: float | None = None,
) -> Plan:
    """Plans a packing for values that have been scanned."""
    limits: tuple[str, str] | None = None
    if found is not None:
        arguments += ["--data-type", found.dtype.name]
        need = [*need, *(it for it in found.specials if it not in drop)]
        limits = found.range
        if max_relative_error is not None and found.smallest is not None:
            arguments += ["--smallest", found.smallest]
    if range is not None:
        least, greatest = range
        if limits is not None and not (least <= float(limits[0]) and float(limits[1]) <= greatest):
            raise ValueError(f"the range does not contain the values, which range from {limits[0]} to {limits[1]}")
        limits = (range_text(least), range_text(greatest))
    if limits is not None:
        arguments.append(f"--range={limits[0]}..{limits[1]}")
    elif found is not None:
        raise ValueError("the values contain no finite number; pass a range")
    options = {
        "--max-error": max_error,
        "--max-relative-error": max_relative_error,
        "--target": None if target is None else dtype_of(target).name,
        "--need": ",".join(dict.fromkeys(need)) or None,
        "--drop": ",".join(drop) or None,
        "--fill-value": None if fill_value is None else json_of(fill_value).strip('"'),
        "--policy": policy,
        "--quantum": quantum,
    }
    arguments += [f"{name}={value}" for name, value in options.items() if value is not None]
    _, output = run(arguments, [0])
    return Plan(json.loads(output))


def prove(
    document: Document,
    values: npt.ArrayLike | os.PathLike[str] | None = None,
    *,
    range: tuple[float, float] | None = None,
    need: Sequence[Special] = (),
    max_error: float | None = None,
    max_relative_error: float | None = None,
    raw: bool = False,
) -> Proof:
    """Proves that the codecs of an array store every value of a range, or finds a value that they do not store.

    Args:
        document: The ``zarr.json`` of an array: its text, a mapping, or a path.
        values: An array, a ``.npy`` file or the folder of a Zarr array, which determines the range and whether NaN
            and infinities must be read back as themselves.
        range: The least and the greatest value.
        need: Special values that must be read back in addition to the values of the range.
        max_error: The largest absolute error that is allowed.
        max_relative_error: The largest relative error that is allowed.
        raw: Ignores the packing attributes of CF.

    Raises:
        Rejection: If the document is rejected, with its first problem, or if it cannot be judged
            (``not_carried_out``).

    >>> import exactum
    >>> codecs = exactum.plan(range=(0, 1), dtype="float32", max_error=0.01).codecs
    >>> array = {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "float32",
    ...     "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
    ...     "chunk_key_encoding": {"name": "default"}, "fill_value": 0.5, "codecs": codecs}
    >>> bool(exactum.prove(array, range=(0, 1), max_error=0.01))
    True
    >>> bool(exactum.prove(array, range=(0, 1), max_error=0.001))
    False
    """
    arguments = ["prove", "--json"]
    if isinstance(values, os.PathLike):
        arguments += ["--scan", os.fspath(values)]
    elif values is not None:
        found = scan(values)
        need = [*need, *found.specials]  # type: ignore[list-item]
        if range is None and found.range is not None:
            arguments.append(f"--range={found.range[0]}..{found.range[1]}")
    if range is not None:
        arguments.append(f"--range={range_text(range[0])}..{range_text(range[1])}")
    if need:
        arguments.append(f"--need={','.join(dict.fromkeys(need))}")
    if max_error is not None:
        arguments.append(f"--max-error={max_error}")
    if max_relative_error is not None:
        arguments.append(f"--max-relative-error={max_relative_error}")
    with document_path(document) as path:
        options = ["--raw"] if raw else []
        code, output, complaints = _exactum.call(["exactum", *arguments, *options, path])
    if not output:
        raise _failure(code, complaints)
    answered: dict[str, Any] = json.loads(output)
    if answered["verdict"] == "rejected":
        (problem, *_) = answered["document"]["problems"]
        raise Rejection(problem["message"], "metadata", problem["clause"], problem["pointer"], problem["help"])
    if answered["verdict"] == "not_judged":
        raise _failure(code, answered["error"])
    return Proof(answered)


def try_values(document: Document, *values: Scalar, raw: bool = False) -> list[Tried]:
    """Returns for each value what the codecs of an array store, and what is read back.

    Args:
        document: The ``zarr.json`` of an array: its text, a mapping, or a path.
        values: Numbers, or texts such as ``"NaN"`` and ``"0x7fc00000"``.
        raw: Ignores the packing attributes of CF.

    Raises:
        Rejection: If the document is rejected, or if a value is not a value of its data type.

    >>> import exactum
    >>> array = {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "float32",
    ...     "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}},
    ...     "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": [
    ...     {"name": "cast_value", "configuration": {"data_type": "int8"}}, "bytes"]}
    >>> [(it.code, it.rejection and it.rejection.clause) for it in exactum.try_values(array, 1.5, 300)]
    [('2', None), (None, 'cast_value.range.error')]
    """
    texts = [json_of(value).strip('"') for value in values]
    with document_path(document) as path:
        options = ["--raw"] if raw else []
        _, output = run(["try", "--json", *options, "--", path, *texts], [0, 1])
    return [_tried(value) for value in json.loads(output)["values"]]


def _tried(value: dict[str, Any]) -> Tried:
    why = value.get("rejected")
    rejection = why and Rejection(why["message"], why["reason"], why["clause"])
    return Tried(value["value"], value.get("code"), value.get("read_back"), value.get("error"), rejection)


def validate(
    *documents: Document,
    kind: Literal["array", "group", "downsample", "sds", "cf"] | None = None,
    strict: bool = False,
) -> Findings:
    """Validates documents.

    Args:
        documents: The documents: texts, mappings, files, or folders, in which every ``zarr.json`` is validated.
        kind: Their kind; by default it follows from the document.
        strict: Treats warnings as errors.

    Raises:
        Rejection: If a path cannot be read (``not_carried_out``).

    >>> import exactum
    >>> found = exactum.validate({"zarr_format": 3, "node_type": "array"})
    >>> bool(found), found.problems[0]["clause"], found.problems[0]["message"]
    (False, 'chain.members', 'the member shape is missing')
    """
    all_found: dict[str, Any] = {"documents": [], "summary": {}}
    for document in documents:
        options = [*(["--kind", kind] if kind else []), *(["--strict"] if strict else [])]
        with document_path(document) as path:
            _, output = run(["validate", "--format", "json", *options, "--", path], [0, 1])
        found = json.loads(output)
        is_path = path == document or isinstance(document, os.PathLike)
        for one in found["documents"]:
            if not is_path:
                one["path"] = "(document)"
            all_found["documents"].append(one)
        for name, count in found["summary"].items():
            all_found["summary"][name] = all_found["summary"].get(name, 0) + count
    return Findings(all_found)


def explain(topic: str) -> str:
    """Explains a case, a clause, a ruling, a row or an implementation, as ``exactum explain`` does.

    Raises:
        Rejection: If nothing has this name (``not_carried_out``); the message suggests the closest name.

    >>> import exactum
    >>> "cast_value.range.error" in exactum.explain("cast_value.range.error")
    True
    """
    return run(["explain", topic], [0])[1]
