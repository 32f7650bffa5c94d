"""Casts by value."""

from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ._exactum import Codec
from ._types import Array, ScalarMap, array_of, dtype_of, json_of, map_of

Rounding: TypeAlias = Literal["nearest-even", "towards-zero", "towards-positive", "towards-negative", "nearest-away"]
OutOfRange: TypeAlias = Literal["clamp", "wrap"]


@lru_cache(256)
def codec_of(
    source: np.dtype[Any],
    dtype: npt.DTypeLike,
    rounding: str,
    out_of_range: str | None,
    encode: str | None,
) -> Codec:
    target = dtype_of(dtype)
    members = [f'"data_type":{json_of(target.name)},"rounding":{json_of(rounding)}']
    if out_of_range is not None:
        members.append(f'"out_of_range":{json_of(out_of_range)}')
    if encode is not None:
        members.append(f'"scalar_map":{{"encode":[{encode}]}}')
    return Codec("cast_value", f"{{{','.join(members)}}}", source.name, source, target, 0)


def cast(
    a: npt.ArrayLike,
    dtype: npt.DTypeLike,
    *,
    rounding: Rounding = "nearest-even",
    out_of_range: OutOfRange | None = None,
    scalar_map: ScalarMap | None = None,
    out: Array | None = None,
) -> Array:
    """Casts every element by its value, rounded once.

    Unlike ``a.astype(dtype)``, this function never wraps around, overflows or truncates silently: a value that the
    data type cannot hold is rejected unless ``out_of_range`` or ``scalar_map`` defines its result.

    Args:
        a: An array of integers or floats, of any shape.
        dtype: The data type of the result: a NumPy type, or the name of one of ``ml_dtypes`` such as
            ``"bfloat16"``, ``"float8_e4m3fn"`` or ``"int4"``.
        rounding: How values between two values of the result type are rounded.
        out_of_range: The treatment of a rounded value beyond the range: ``"clamp"`` gives the nearest value (or
            infinity, if the type has it), ``"wrap"`` the value modulo 2^N for integers; by default it is rejected.
        scalar_map: Values that are replaced before any other step: a mapping, or pairs.
        out: An array of the shape of ``a`` and of ``dtype`` that receives the result; it may be ``a`` itself or
            overlap it.

    Returns:
        ``out``, or a new array in C order.

    Raises:
        Rejection: For the first element that cannot be cast (``cast_value.range.error``,
            ``cast_value.special.nan-error``, ...), and for options that are wrong.
        TypeError: For a data type that NumPy does not know, or an ``out`` of another data type.
        ValueError: For an ``out`` of another shape, or a read-only ``out``.

    See the clauses ``cast_value.*``.

    >>> import numpy as np, exactum
    >>> exactum.cast([0.5, 1.5, -3e9, np.nan], "int16", out_of_range="clamp", scalar_map={np.nan: -1})
    array([     0,      2, -32768,     -1], dtype=int16)
    """
    array = array_of(a)
    entries = None if scalar_map is None else map_of(scalar_map)
    return codec_of(array.dtype, dtype, rounding, out_of_range, entries).encode(array, out)  # type: ignore[arg-type]
