"""Packing with the attributes of the CF conventions, bit for bit, without the wrap-around of a plain cast."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ._exactum import Codec
from ._types import Array, array_of, dtype_of, json_of

__all__ = ["decode", "encode"]

Reader: TypeAlias = Literal["cf", "xarray", "netcdf4"]


@lru_cache(256)
def _codec(attributes: str, packed: np.dtype[Any], unpacked: np.dtype[Any]) -> Codec:
    return Codec("cf", attributes, unpacked.name, unpacked, packed, 0)


def _of(attributes: Mapping[str, Any], packed: npt.DTypeLike, unpacked: npt.DTypeLike, reader: str) -> Codec:
    codes, values = dtype_of(packed), dtype_of(unpacked)
    members = {"data_type": json.dumps(codes.name), "reader": json.dumps(reader)}
    if values.kind == "f":
        members["attribute_type"] = json.dumps(values.name)
    for name, value in attributes.items():
        number = np.asarray(value)
        if number.dtype.kind in "biufc":
            parts = [json_of(part) for part in number.ravel()]
            members[name] = parts[0] if number.ndim == 0 else f"[{','.join(parts)}]"
        elif isinstance(value, str):
            members[name] = json.dumps(value)
    text = ",".join(f"{json.dumps(name)}:{value}" for name, value in members.items())
    return _codec(f"{{{text}}}", codes, values)


def decode(
    a: npt.ArrayLike,
    attributes: Mapping[str, Any],
    dtype: npt.DTypeLike = "float64",
    *,
    reader: Reader = "cf",
    out: Array | None = None,
) -> Array:
    """Multiplies codes by ``scale_factor``, adds ``add_offset``, and turns missing codes into NaN.

    Args:
        a: An array of integers of 8, 16 or 32 bits, of any shape.
        attributes: The attributes of the packed variable; attributes that are not about packing are ignored.
        dtype: The data type of the values, ``float32`` or ``float64``.
        reader: The reader whose rules apply where readers differ.
        out: An array of the shape of ``a`` and of ``dtype`` that receives the result.

    Returns:
        ``out``, or a new array.

    Raises:
        Rejection: For attributes that contradict the conventions, or do not unpack to ``dtype`` (``cf.*``).
        TypeError, ValueError: For an ``out`` of another data type or shape, or one that is read-only.

    >>> import numpy as np, exactum
    >>> codes = np.array([-32768, 0, 2731], "int16")
    >>> exactum.cf.decode(codes, {"scale_factor": 0.1, "_FillValue": -32768})
    array([  nan,   0. , 273.1])
    """
    array = array_of(a)
    return _of(attributes, array.dtype, dtype, reader).decode(array, out)


def encode(
    a: npt.ArrayLike,
    attributes: Mapping[str, Any],
    dtype: npt.DTypeLike = "int16",
    *,
    reader: Reader = "cf",
    out: Array | None = None,
) -> Array:
    """Subtracts ``add_offset``, divides by ``scale_factor`` and rounds; NaN becomes the code for missing values.

    Args:
        a: An array of ``float32`` or ``float64``, of any shape.
        attributes: The attributes of the packed variable.
        dtype: The data type of the codes.
        reader: The reader whose rules apply where readers differ.
        out: An array of the shape of ``a`` and of ``dtype`` that receives the result.

    Returns:
        ``out``, or a new array.

    Raises:
        Rejection: For the first value that has no code (``cf.encode.*``; other libraries wrap around here), and for
            attributes that contradict the conventions.
        TypeError, ValueError: For an ``out`` of another data type or shape, or one that is read-only.

    >>> import numpy as np, exactum
    >>> exactum.cf.encode(np.array([273.1, np.nan]), {"scale_factor": 0.1, "_FillValue": -32768})
    array([  2731, -32768], dtype=int16)
    >>> try:
    ...     exactum.cf.encode(np.array([400.0]), {"scale_factor": 0.01})
    ... except exactum.Rejection as rejection:
    ...     print(rejection.reason)
    out_of_range
    """
    array = array_of(a)
    return _of(attributes, dtype, array.dtype, reader).encode(array, out)
