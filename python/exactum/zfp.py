"""The codec ``zfp``, without a header, byte for byte identical to the C library."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ._exactum import Codec
from ._types import UINT8, Array, Buffer, array_of, buffer_of, dtype_of

__all__ = ["decode", "encode"]


@lru_cache(256)
def _codec(dtype: npt.DTypeLike, rank: int, configuration: str) -> Codec:
    resolved = dtype_of(dtype)
    native = resolved.newbyteorder("=") if resolved.byteorder == ">" else resolved
    return Codec("zfp", configuration, native.name, native, UINT8, rank)


def _configuration(
    tolerance: float | None,
    rate: float | None,
    precision: int | None,
    expert: tuple[int, int, int, int] | None,
) -> str:
    given = [it for it in (tolerance, rate, precision, expert) if it is not None]
    if len(given) > 1:
        raise TypeError("tolerance, rate, precision and expert exclude each other")
    if tolerance is not None:
        return f'{{"mode":"fixed_accuracy","tolerance":{float(tolerance)!r}}}'
    if rate is not None:
        return f'{{"mode":"fixed_rate","rate":{float(rate)!r}}}'
    if precision is not None:
        return f'{{"mode":"fixed_precision","precision":{int(precision)}}}'
    if expert is not None:
        names = ("minbits", "maxbits", "maxprec", "minexp")
        limits = ",".join(f'"{name}":{int(it)}' for name, it in zip(names, expert, strict=True))
        return f'{{"mode":"expert",{limits}}}'
    return '{"mode":"reversible"}'


def encode(
    a: npt.ArrayLike,
    *,
    tolerance: float | None = None,
    rate: float | None = None,
    precision: int | None = None,
    expert: tuple[int, int, int, int] | None = None,
    threads: int = 1,
    out: Array | None = None,
) -> npt.NDArray[np.uint8]:
    """Compresses an array of up to four dimensions, without loss unless one of the lossy modes is chosen.

    Args:
        a: An array of integers or floats with up to 4 dimensions. Elements of fewer than 32 bits are widened.
        tolerance: The largest absolute error (mode ``fixed_accuracy``).
        rate: The number of bits per element (mode ``fixed_rate``).
        precision: The number of bit planes that are kept (mode ``fixed_precision``).
        expert: ``(minbits, maxbits, maxprec, minexp)`` (mode ``expert``).
        threads: The number of threads.
        out: An array of ``uint8`` that is long enough to hold the stream.

    Returns:
        The stream: a new array of ``uint8``, or the part of ``out`` that it fills.

    Raises:
        Rejection: For an element that a lossy mode cannot represent, for a data type or shape that zfp does not
            support, and for wrong options (``zfp.*``).
        TypeError: For several modes at once, or an ``out`` of another data type.
        ValueError: For an ``out`` that is too short.

    >>> import numpy as np, exactum
    >>> field = np.linspace(0, 1, 64, dtype="float32").reshape(8, 8)
    >>> stream = exactum.zfp.encode(field, tolerance=1e-3)
    >>> back = exactum.zfp.decode(stream, (8, 8), "float32", tolerance=1e-3)
    >>> bool(abs(back - field).max() <= 1e-3)
    True
    """
    array = array_of(a)
    configuration = _configuration(tolerance, rate, precision, expert)
    return _codec(array.dtype, array.ndim, configuration).to_bytes(array, out, threads)


def decode(
    buffer: Buffer,
    shape: int | tuple[int, ...],
    dtype: npt.DTypeLike,
    *,
    tolerance: float | None = None,
    rate: float | None = None,
    precision: int | None = None,
    expert: tuple[int, int, int, int] | None = None,
    threads: int = 1,
    out: Array | None = None,
) -> Array:
    """Decompresses a stream of :func:`encode`, with the mode with which it was compressed.

    Args:
        buffer: The stream. Bits beyond its end are read as zeros, as in the C library.
        shape: The shape of the array.
        dtype: The data type of the array.
        tolerance, rate, precision, expert: As for :func:`encode`.
        threads: The number of threads; more than one helps in the mode ``fixed_rate``.
        out: A C-contiguous array of this shape and data type that receives the result.

    Returns:
        ``out``, or a new array.

    Raises:
        Rejection: For a data type or shape that zfp does not support, and for wrong options (``zfp.*``).
        TypeError, ValueError: For an ``out`` of another data type or shape, read-only, or strided.

    >>> import numpy as np, exactum
    >>> exactum.zfp.decode(exactum.zfp.encode(np.arange(5)), 5, "int64")
    array([0, 1, 2, 3, 4])
    """
    extents = (shape,) if isinstance(shape, int) else tuple(shape)
    configuration = _configuration(tolerance, rate, precision, expert)
    codec = _codec(dtype, len(extents), configuration)  # type: ignore[arg-type]
    return codec.from_bytes(buffer_of(buffer), extents, out, threads)
