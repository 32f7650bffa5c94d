"""Downsampled arrays."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy.typing as npt

from . import _exactum
from ._types import Array, Scalar, array_of, json_of

Method: TypeAlias = Literal["stride", "mean", "min", "max", "median", "mode"]


def downsample(
    a: npt.ArrayLike,
    factors: int | Sequence[int],
    method: Method = "mean",
    *,
    skip_value: Scalar | None = None,
    nan: Literal["propagate", "skip"] | None = None,
    out: Array | None = None,
) -> Array:
    """Reduces each block of an array to one element, in the array's data type, rounded once.

    Args:
        a: An array of any shape, of booleans, integers, floats or complex numbers.
        factors: The extents of a block: one for each dimension, or one for all. Blocks at the end may be
            incomplete, and are computed from the elements that exist.
        method: ``"mean"`` rounds the exact mean to nearest, ties to even; ``"median"`` is the lower of two
            middle elements; ``"mode"`` is the most frequent element, or the smallest of several such elements;
            ``"stride"`` is the first element.
        skip_value: A value that does not count, such as the background of labels.
        nan: How ``mean``, ``min``, ``max`` and ``median`` treat NaN; by default ``mean`` gives NaN, ``min`` and
            ``max`` ignore it, and ``median`` treats it as larger than all numbers.
        out: A C-contiguous array of the data type of ``a`` and of the downsampled shape.

    Returns:
        ``out``, or a new array of the data type of ``a``, each extent divided by its factor and rounded up.

    Raises:
        Rejection: For factors that do not fit, a method that the data type does not support, and options that
            cannot be combined with the method (``downsample.*``).
        TypeError, ValueError: For an ``out`` of another data type or shape, read-only, or strided.

    >>> import numpy as np, exactum
    >>> exactum.downsample(np.array([[1, 2, 7], [3, 5, 9]], "uint8"), 2)
    array([[3, 8]], dtype=uint8)
    >>> exactum.downsample(np.array([0, 5, 5, 0, 0, 3]), 3, "mode", skip_value=0)
    array([5, 3])
    """
    array = array_of(a)
    each = [factors] * array.ndim if isinstance(factors, int) else list(factors)
    native = array.dtype.newbyteorder("=") if array.dtype.byteorder == ">" else array.dtype
    skipped = None if skip_value is None else json_of(skip_value)
    if native is not array.dtype:
        array = array.astype(native)
    return _exactum.downsample(array, native.name, each, method, skipped, nan, out)
