"""Data types and scalars, in the forms that the functions accept and in the form that Zarr writes."""

import json
import math
import operator
from collections.abc import Iterable, Mapping
from typing import Any, SupportsFloat, SupportsIndex, TypeAlias, cast

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Scalar: TypeAlias = SupportsFloat | SupportsIndex | str
ScalarMap: TypeAlias = Mapping[Any, Any] | Iterable[tuple[Any, Any]]
Buffer: TypeAlias = bytes | bytearray | memoryview | Array

UINT8 = np.dtype(np.uint8)


def dtype_of(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """The NumPy data type of a name or type; the types of ``ml_dtypes`` are found by name."""
    try:
        found: np.dtype[Any] = np.dtype(dtype)
        return found
    except TypeError:
        if not isinstance(dtype, str):
            raise
    import ml_dtypes

    try:
        named: np.dtype[Any] = np.dtype(getattr(ml_dtypes, dtype))
        return named
    except AttributeError:
        raise TypeError(f"data type {dtype!r} not understood") from None


def array_of(a: npt.ArrayLike) -> Array:
    """The array of an argument; masked arrays are refused, since their mask would be lost."""
    if type(a) is np.ndarray:
        return a
    if isinstance(a, np.ma.MaskedArray):
        raise TypeError("a masked array would lose its mask; pass a.filled(value)")
    return np.asarray(a)


def buffer_of(buffer: Buffer) -> Array:
    """The bytes of a buffer."""
    if isinstance(buffer, np.ndarray):
        if buffer.dtype != UINT8 or buffer.ndim != 1:
            raise TypeError(
                f"encoded bytes must be a buffer or a one-dimensional array of uint8, "
                f"not an array of {buffer.dtype} with {buffer.ndim} dimensions"
            )
        return buffer
    return np.frombuffer(buffer, UINT8)


def json_of(value: Scalar) -> str:
    """A scalar as Zarr writes fill values: integers exactly, floats by their shortest digits."""
    # Most scalars are plain numbers, which are handled first, so that calls with few elements are fast.
    if type(value) is float and math.isfinite(value):
        return repr(value)
    if type(value) is int:
        return str(value)
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    try:
        return str(operator.index(cast(SupportsIndex, value)))
    except TypeError:
        number = float(cast(SupportsFloat, value))
    if np.isfinite(number):
        return repr(number)
    return '"NaN"' if np.isnan(number) else '"Infinity"' if number > 0 else '"-Infinity"'


def map_of(entries: ScalarMap) -> str:
    """A scalar map as JSON."""
    pairs = entries.items() if isinstance(entries, Mapping) else entries
    return ",".join(f"[{json_of(key)},{json_of(value)}]" for key, value in pairs)
