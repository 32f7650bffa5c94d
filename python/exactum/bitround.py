"""The codec ``bitround``: floats with a shorter mantissa, and integers with fewer bits."""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ._exactum import Codec
from ._types import Array, array_of

__all__ = ["decode", "encode"]


@lru_cache(256)
def _codec(dtype: np.dtype[Any], keepbits: int) -> Codec:
    return Codec("bitround", f'{{"keepbits":{keepbits}}}', dtype.name, dtype, dtype, 0)


def encode(a: npt.ArrayLike, *, keepbits: int, out: Array | None = None) -> Array:
    """Rounds every element to nearest, ties to even, so that only ``keepbits`` bits are left.

    Args:
        a: An array of integers, floats or complex numbers, of any shape.
        keepbits: The number of bits that are kept, at least 1. For a float, these are bits of the mantissa, without its
            leading one; for an integer, they begin with the highest bit that is set.
        out: An array of the shape and data type of ``a`` that receives the result; it may be ``a`` itself.

    Returns:
        ``out``, or a new array in C order, of the data type of ``a``.

    Raises:
        Rejection: For a ``keepbits`` below 1 (``bitround.keepbits``) and for booleans (``bitround.data_types``).
        TypeError: For an ``out`` of another data type.
        ValueError: For an ``out`` of another shape, or a read-only ``out``.

    See the clauses ``bitround.*``.

    >>> import numpy as np, exactum
    >>> exactum.bitround.encode(np.array([1.3, 123.4, np.nan]), keepbits=3)
    array([  1.25, 120.  ,    nan])
    """
    array = array_of(a)
    return _codec(array.dtype, int(keepbits)).encode(array, out)


def decode(a: npt.ArrayLike, *, keepbits: int, out: Array | None = None) -> Array:
    """Returns every element unchanged, since decoding does not reverse the rounding.

    Arguments, result and errors are those of :func:`encode`.

    >>> import numpy as np, exactum
    >>> exactum.bitround.decode(np.array([1.25, 120.0]), keepbits=3)
    array([  1.25, 120.  ])
    """
    array = array_of(a)
    return _codec(array.dtype, int(keepbits)).decode(array, out)
