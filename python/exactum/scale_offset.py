"""The codec ``scale_offset``: ``(a - offset) * scale`` and back, in the arithmetic of the data type."""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ._exactum import Codec
from ._types import Array, Scalar, array_of, json_of

__all__ = ["decode", "encode"]


@lru_cache(256)
def _codec(dtype: np.dtype[Any], scale: str | None, offset: str | None) -> Codec:
    given = {"offset": offset, "scale": scale}
    members = (f'"{name}":{text}' for name, text in given.items() if text is not None)
    return Codec("scale_offset", f"{{{','.join(members)}}}", dtype.name, dtype, dtype, 0)


def encode(
    a: npt.ArrayLike,
    *,
    scale: Scalar | None = None,
    offset: Scalar | None = None,
    out: Array | None = None,
) -> Array:
    """Subtracts ``offset`` from every element and multiplies by ``scale``.

    Args:
        a: An array of integers or floats, of any shape.
        scale: The factor, a value of the data type of ``a``; ``None`` skips the multiplication.
        offset: The value that is subtracted first, of the data type of ``a``; ``None`` skips the subtraction.
        out: An array of the shape and data type of ``a`` that receives the result; it may be ``a`` itself.

    Returns:
        ``out``, or a new array in C order, of the data type of ``a``.

    Raises:
        Rejection: For the first element whose difference or product the data type cannot hold
            (``scale_offset.range.intermediate`` and ``scale_offset.range.overflow``), and for a scale
            or offset that is not a value of the type.
        TypeError: For an ``out`` of another data type.
        ValueError: For an ``out`` of another shape, or a read-only ``out``.

    See the clauses ``scale_offset.*``.

    >>> import numpy as np, exactum
    >>> exactum.scale_offset.encode(np.array([273.15, 283.15]), scale=100.0, offset=273.15)
    array([   0., 1000.])
    """
    array = array_of(a)
    return _of(array, scale, offset).encode(array, out)


def decode(
    a: npt.ArrayLike,
    *,
    scale: Scalar | None = None,
    offset: Scalar | None = None,
    out: Array | None = None,
) -> Array:
    """Divides every element by ``scale`` and adds ``offset``.

    The arguments, the result and the errors are those of :func:`encode`; integers are rejected if the division
    leaves a remainder.

    >>> import numpy as np, exactum
    >>> exactum.scale_offset.decode(np.array([0, 1000]), scale=10, offset=7)
    array([  7, 107])
    """
    array = array_of(a)
    return _of(array, scale, offset).decode(array, out)


def _of(array: Array, scale: Scalar | None, offset: Scalar | None) -> Codec:
    return _codec(
        array.dtype,
        None if scale is None else json_of(scale),
        None if offset is None else json_of(offset),
    )
