"""The codec ``packbits``: the bits of the elements one after another, without gaps."""

from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ._exactum import Codec
from ._types import UINT8, Array, Buffer, array_of, buffer_of, dtype_of, json_of

__all__ = ["decode", "encode"]

Padding: TypeAlias = Literal["none", "first_byte", "last_byte"]


@lru_cache(256)
def _codec(dtype: npt.DTypeLike, first_bit: int | None, last_bit: int | None, padding: str) -> Codec:
    given = {"first_bit": first_bit, "last_bit": last_bit}
    members = [f'"{name}":{bit}' for name, bit in given.items() if bit is not None]
    members.append(f'"padding_encoding":{json_of(padding)}')
    resolved = dtype_of(dtype)
    native = resolved.newbyteorder("=") if resolved.byteorder == ">" else resolved
    return Codec("packbits", f"{{{','.join(members)}}}", native.name, native, UINT8, 0)


def encode(
    a: npt.ArrayLike,
    *,
    first_bit: int | None = None,
    last_bit: int | None = None,
    padding_encoding: Padding = "none",
    out: Array | None = None,
) -> npt.NDArray[np.uint8]:
    """Packs the bits of every element one after another, the least significant first.

    Args:
        a: An array of any shape, of booleans, integers, floats or complex numbers.
        first_bit: The first bit of a component that is kept; the default is 0.
        last_bit: The last bit of a component that is kept; the default is its highest bit.
        padding_encoding: Whether and where a byte with the number of padding bits is written.
        out: A C-contiguous array of ``uint8`` of exactly the encoded length that receives the result.

    Returns:
        ``out``, or a new array of ``uint8`` with one dimension.

    Raises:
        Rejection: For a data type that the codec is not defined for, and for a range of bits that the
            components do not have (``packbits.*``).
        TypeError, ValueError: For an ``out`` of another data type or length, read-only, or strided.

    >>> import numpy as np, exactum
    >>> exactum.packbits.encode(np.array([0xABC, 0x123], "uint16"), last_bit=11).tobytes().hex()
    'bc3a12'
    """
    array = array_of(a)
    codec = _codec(array.dtype, first_bit, last_bit, padding_encoding)
    return codec.to_bytes(array, out, 1)


def decode(
    buffer: Buffer,
    shape: int | tuple[int, ...],
    dtype: npt.DTypeLike,
    *,
    first_bit: int | None = None,
    last_bit: int | None = None,
    padding_encoding: Padding = "none",
    out: Array | None = None,
) -> Array:
    """Unpacks the output of :func:`encode`.

    Args:
        buffer: The packed bytes.
        shape: The shape of the array.
        dtype: The data type of the array.
        first_bit, last_bit, padding_encoding: The values with which the array was packed.
        out: A C-contiguous array of this shape and data type that receives the result.

    Returns:
        ``out``, or a new array. Bits below ``first_bit`` are zero. Bits above ``last_bit`` repeat the sign for
        signed integers, and are zero otherwise.

    Raises:
        Rejection: For a length that does not match the shape (``packbits.length``), and for wrong padding.
        TypeError, ValueError: For an ``out`` of another data type or shape, read-only, or strided.

    >>> import exactum
    >>> exactum.packbits.decode(bytes.fromhex("bc3a12"), 2, "uint16", last_bit=11)
    array([2748,  291], dtype=uint16)
    """
    extents = (shape,) if isinstance(shape, int) else tuple(shape)
    codec = _codec(dtype, first_bit, last_bit, padding_encoding)  # type: ignore[arg-type]
    return codec.from_bytes(buffer_of(buffer), extents, out, 1)
