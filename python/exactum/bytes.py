"""The codec ``bytes``: the elements one after another, in either byte order."""

from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ._exactum import Codec
from ._types import UINT8, Array, Buffer, array_of, buffer_of, dtype_of, json_of

__all__ = ["decode", "encode"]

Endian: TypeAlias = Literal["little", "big"]


@lru_cache(256)
def _codec(dtype: npt.DTypeLike, endian: str | None) -> Codec:
    configuration = "{}" if endian is None else f'{{"endian":{json_of(endian)}}}'
    resolved = dtype_of(dtype)
    native = resolved.newbyteorder("=") if resolved.byteorder == ">" else resolved
    return Codec("bytes", configuration, native.name, native, UINT8, 0)


def encode(a: npt.ArrayLike, *, endian: Endian | None = "little", out: Array | None = None) -> npt.NDArray[np.uint8]:
    """Writes the elements in C order, each in the given byte order.

    Args:
        a: An array of any shape and of a data type of Zarr; elements of fewer than 8 bits take a byte each.
        endian: The byte order; ``None`` only for types of one byte.
        out: A C-contiguous array of ``uint8`` of exactly the encoded length that receives the result.

    Returns:
        ``out``, or a new array of ``uint8`` with one dimension.

    Raises:
        Rejection: For a missing ``endian``, or an unknown data type (``bytes.*``).
        TypeError, ValueError: For an ``out`` of another data type or length, read-only, or strided.

    >>> import numpy as np, exactum
    >>> exactum.bytes.encode(np.array([1, 2], "int16"), endian="big")
    array([0, 1, 0, 2], dtype=uint8)
    """
    array = array_of(a)
    return _codec(array.dtype, endian).to_bytes(array, out, 1)


def decode(
    buffer: Buffer,
    shape: int | tuple[int, ...],
    dtype: npt.DTypeLike,
    *,
    endian: Endian | None = "little",
    out: Array | None = None,
) -> Array:
    """Decodes the output of :func:`encode`.

    Args:
        buffer: The bytes.
        shape: The shape of the array.
        dtype: The data type of the array.
        endian: The byte order.
        out: A C-contiguous array of this shape and data type that receives the result.

    Returns:
        ``out``, or a new array in native byte order.

    Raises:
        Rejection: For a length that does not match the shape (``bytes.length``).
        TypeError, ValueError: For an ``out`` of another data type or shape, read-only, or strided.

    >>> import exactum
    >>> exactum.bytes.decode(b"\\0\\1\\0\\2", 2, "int16", endian="big")
    array([1, 2], dtype=int16)
    """
    extents = (shape,) if isinstance(shape, int) else tuple(shape)
    return _codec(dtype, endian).from_bytes(buffer_of(buffer), extents, out, 1)  # type: ignore[arg-type]
