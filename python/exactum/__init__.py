"""Exact casts, packing, zfp and downsampling of NumPy arrays.

Every function computes exactly what the specifications of the Zarr codecs define, to the last bit, and rejects what
they reject: no value wraps around, overflows or is rounded twice unless the caller asks for it. Arrays may be
strided, reversed, misaligned or of the other byte order; large arrays are converted without holding the
interpreter's lock.

>>> import numpy as np, exactum
>>> exactum.cast(np.array([0.5, 1.5, 254.7]), "uint8")
array([  0,   2, 255], dtype=uint8)
>>> exactum.cast(np.array([256.0]), "uint8")  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
exactum._rejection.Rejection: 256.0, rounded nearest-even, is out of the range of uint8 ...
"""

from . import bitround, bytes, cf, packbits, scale_offset, zfp
from ._cast import cast
from ._commands import Findings, Plan, Proof, Tried, explain, plan, prove, try_values, validate
from ._downsample import downsample
from ._rejection import Rejection

__all__ = [
    "Findings",
    "Plan",
    "Proof",
    "Rejection",
    "Tried",
    "bitround",
    "bytes",
    "cast",
    "cf",
    "downsample",
    "explain",
    "packbits",
    "plan",
    "prove",
    "scale_offset",
    "try_values",
    "validate",
    "zfp",
]
