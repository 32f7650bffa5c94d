"""The properties of arrays that a plan needs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ._types import array_of

BLOCK = 1 << 16


@dataclass(frozen=True)
class Found:
    """The range of the finite numbers of an array, and the special values that it contains."""

    dtype: np.dtype[Any]
    range: tuple[str, str] | None
    smallest: str | None
    specials: tuple[str, ...]


def range_text(number: Any) -> str:
    """A number as commands read it, exactly."""
    return str(int(number)) if isinstance(number, int | np.integer) else repr(float(number))


def summary(a: npt.ArrayLike) -> npt.NDArray[Any]:
    """The least and the greatest of the finite numbers of an array, their smallest nonzero magnitude, and whether the
    array contains NaN, infinity and -infinity. At most one block of the array is copied at a time.

    :func:`combine` combines the summaries of parts. Integers stay integers.
    """
    array = array_of(a)
    if array.dtype.kind not in "iuf" and array.dtype.num < 24:
        raise TypeError(f"elements of {array.dtype} are not real numbers")
    parts = []
    flags = ["external_loop", "buffered", "zerosize_ok"]
    for block in np.nditer(array, flags=flags, buffersize=BLOCK, order="K"):  # type: ignore[call-overload]
        is_float = "int" not in array.dtype.name
        wide = np.float64 if is_float else np.int8
        numbers = block if array.dtype.kind in "iu" else block.astype(wide)
        nan, positive, negative = False, False, False
        if is_float:
            finite = np.isfinite(numbers)
            if not finite.all():
                nan = bool(np.isnan(numbers).any())
                positive = bool((numbers == np.inf).any())
                negative = bool((numbers == -np.inf).any())
                numbers = numbers[finite]
        least = greatest = smallest = None
        if numbers.size:
            least, greatest = numbers.min().item(), numbers.max().item()
            nonzero = numbers[numbers != 0]
            if nonzero.size:
                above, below = nonzero[nonzero > 0], nonzero[nonzero < 0]
                ends = [above.min().item()] if above.size else []
                ends += [-below.max().item()] if below.size else []
                smallest = min(ends)
        parts.append((least, greatest, smallest, nan, positive, negative))
    return combine(np.array([*parts, (None, None, None, False, False, False)], dtype=object))


def combine(parts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Combines several summaries, which are the rows of an array, into one."""
    rows = parts.reshape(-1, 6)

    def of(column: int, choose: Any) -> Any:
        return choose((row[column] for row in rows if row[column] is not None), default=None)

    whole = [of(0, min), of(1, max), of(2, min), *(any(rows[:, column]) for column in (3, 4, 5))]
    return np.array([whole], dtype=object)


def found_of(dtype: np.dtype[Any], parts: npt.NDArray[Any]) -> Found:
    """The contents of a summary."""
    least, greatest, smallest, *flags = combine(parts)[0]
    names = ("NaN", "Infinity", "-Infinity")
    return Found(
        dtype,
        None if least is None else (range_text(least), range_text(greatest)),
        None if smallest is None else range_text(smallest),
        tuple(name for name, flag in zip(names, flags, strict=True) if flag),
    )


def scan(a: npt.ArrayLike) -> Found:
    """The range and the special values of an array."""
    array = array_of(a)
    return found_of(array.dtype, summary(array))
