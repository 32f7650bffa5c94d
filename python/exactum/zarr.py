"""Codecs and data types for zarr-python, found by its entry points.

``bitround``, ``packbits`` and ``zfp``, the data types of fewer than 16 bits and ``bfloat16`` are available as soon
as this package is installed. zarr-python's own ``cast_value`` and ``scale_offset`` remain in use until
:func:`enable` is called.

>>> import exactum.zarr, numpy as np, zarr
>>> bits = exactum.zarr.PackBits(last_bit=11)
>>> array = zarr.create_array({}, data=np.arange(4096, dtype="uint16"), serializer=bits, compressors=None)
>>> int(array[4095]), array.nbytes_stored() < 7500
(4095, True)
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Literal, Self, TypeGuard, cast

import numpy as np
from zarr.abc.codec import ArrayArrayCodec, ArrayBytesCodec
from zarr.core.array_spec import ArraySpec
from zarr.core.buffer import Buffer, NDBuffer
from zarr.core.config import config
from zarr.core.dtype import get_data_type_from_json
from zarr.core.dtype.common import HasEndianness, HasItemSize
from zarr.core.dtype.wrapper import ZDType
from zarr.registry import _codec_registries, register_codec

from . import _exactum
from ._exactum import Codec
from ._rejection import Rejection
from ._types import UINT8

__all__ = ["DATA_TYPES", "BitRound", "CastValue", "PackBits", "ScaleOffset", "Zfp", "enable", "enabled"]

# Aliases for types that do not fit zarr-python's own annotations.
Spec = ArraySpec
JSON = Any


def _name_of(dtype: ZDType[Any, Any]) -> str:
    """The name of a data type in documents."""
    data = dtype.to_json(zarr_format=3)
    return data if isinstance(data, str) else str(cast(Mapping[str, Any], data)["name"])


@lru_cache(256)
def _codec(name: str, configuration: str, data_type: str, decoded: np.dtype[Any], encoded: Any, rank: int) -> Codec:
    return Codec(name, configuration, data_type, decoded, encoded, rank)


class _Configured:
    """The base class of the codecs, which keeps their configuration as it was written."""

    name: ClassVar[str]
    configuration: str

    def _keep(self, **members: JSON) -> None:
        given = {name: value for name, value in members.items() if value is not None}
        object.__setattr__(self, "configuration", json.dumps(given, default=_plain))

    @classmethod
    def from_dict(cls, data: dict[str, JSON]) -> Self:
        """Reads a codec of an array document."""
        configuration = data.get("configuration") or {}
        codec = cls.__new__(cls)
        # A wrong configuration is found when the data type is known.
        object.__setattr__(codec, "configuration", json.dumps(configuration))
        return codec

    def to_dict(self) -> dict[str, JSON]:
        """Writes the codec of an array document."""
        configuration = json.loads(self.configuration)
        return {"name": self.name, **({"configuration": configuration} if configuration else {})}

    def _member(self, name: str, default: JSON = None) -> JSON:
        return json.loads(self.configuration).get(name, default)

    def _target(self, dtype: ZDType[Any, Any]) -> np.dtype[Any]:
        return UINT8

    def _resolve(self, dtype: ZDType[Any, Any], rank: int) -> Codec:
        native = dtype.to_native_dtype()
        # Data types of strings have no byte order, so they also lack this method.
        native = native.newbyteorder("=") if native.byteorder == ">" else native
        target = self._target(dtype)
        return _codec(self.name, self.configuration, _name_of(dtype), native, target, rank)

    def validate(self, *, shape: tuple[int, ...], dtype: ZDType[Any, Any], chunk_grid: object) -> None:
        """Rejects a configuration that does not fit the array."""
        self._resolve(dtype, len(shape))


def _plain(value: object) -> JSON:
    """Converts a member that JSON cannot represent: NumPy's numbers, and NaN and infinities in scalar maps."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, ZDType):
        return _name_of(value)
    raise TypeError(f"{value!r} cannot be part of a configuration")


class _ArrayArray(_Configured, ArrayArrayCodec):
    """A codec that turns arrays into arrays."""

    is_fixed_size = True

    def _encode_sync(self, chunk_array: NDBuffer, chunk_spec: Spec) -> NDBuffer:
        codec = self._resolve(chunk_spec.dtype, len(chunk_spec.shape))
        result = codec.encode(chunk_array.as_numpy_array(), None)
        return chunk_spec.prototype.nd_buffer.from_ndarray_like(result)

    def _decode_sync(self, chunk_array: NDBuffer, chunk_spec: Spec) -> NDBuffer:
        codec = self._resolve(chunk_spec.dtype, len(chunk_spec.shape))
        result = codec.decode(chunk_array.as_numpy_array(), None)
        return chunk_spec.prototype.nd_buffer.from_ndarray_like(result)

    async def _encode_single(self, chunk_data: NDBuffer, chunk_spec: Spec) -> NDBuffer:
        return await asyncio.to_thread(self._encode_sync, chunk_data, chunk_spec)

    async def _decode_single(self, chunk_data: NDBuffer, chunk_spec: Spec) -> NDBuffer:
        return await asyncio.to_thread(self._decode_sync, chunk_data, chunk_spec)

    def resolve_metadata(self, chunk_spec: Spec) -> Spec:
        """Casts the fill value as an element."""
        codec = self._resolve(chunk_spec.dtype, len(chunk_spec.shape))
        native = chunk_spec.dtype.to_native_dtype()
        fill = np.array(chunk_spec.dtype.cast_scalar(chunk_spec.fill_value), native)
        return replace(chunk_spec, fill_value=codec.encode(fill, None)[()])

    def compute_encoded_size(self, input_byte_length: int, chunk_spec: Spec) -> int:
        """The number of bytes of the encoded elements."""
        self._resolve(chunk_spec.dtype, len(chunk_spec.shape))
        source = chunk_spec.dtype.to_native_dtype().itemsize
        return input_byte_length // source * self._target(chunk_spec.dtype).itemsize


class _SameType(_ArrayArray):
    """A codec whose output has the same data type as its input."""

    def compute_encoded_size(self, input_byte_length: int, _chunk_spec: Spec) -> int:
        """The number of bytes, which stays the same."""
        return input_byte_length

    def _target(self, dtype: ZDType[Any, Any]) -> np.dtype[Any]:
        native: np.dtype[Any] = dtype.to_native_dtype()
        return native.newbyteorder("=")


class _ArrayBytes(_Configured, ArrayBytesCodec):
    """A codec that turns arrays into bytes."""

    def _encode_sync(self, chunk_array: NDBuffer, chunk_spec: Spec) -> Buffer:
        codec = self._resolve(chunk_spec.dtype, len(chunk_spec.shape))
        return chunk_spec.prototype.buffer.from_array_like(codec.to_bytes(chunk_array.as_numpy_array(), None, 1))

    def _decode_sync(self, chunk_bytes: Buffer, chunk_spec: Spec) -> NDBuffer:
        codec = self._resolve(chunk_spec.dtype, len(chunk_spec.shape))
        data = np.asarray(chunk_bytes.as_numpy_array()).view(np.uint8).reshape(-1)
        result = codec.from_bytes(data, chunk_spec.shape, None, 1)
        return chunk_spec.prototype.nd_buffer.from_ndarray_like(result)

    async def _encode_single(self, chunk_data: NDBuffer, chunk_spec: Spec) -> Buffer:
        return await asyncio.to_thread(self._encode_sync, chunk_data, chunk_spec)

    async def _decode_single(self, chunk_data: Buffer, chunk_spec: Spec) -> NDBuffer:
        return await asyncio.to_thread(self._decode_sync, chunk_data, chunk_spec)

    def compute_encoded_size(self, input_byte_length: int, chunk_spec: Spec) -> int:
        """The number of bytes of an encoded chunk, if it is the same for all chunks."""
        codec = self._resolve(chunk_spec.dtype, len(chunk_spec.shape))
        found = codec.encoded_bytes(chunk_spec.shape)
        if found is None:
            raise NotImplementedError
        return found


@dataclass(frozen=True, init=False)
class PackBits(_ArrayBytes):
    """The codec ``packbits``; a member that is ``None`` is left out of the document."""

    name: ClassVar[str] = "packbits"
    is_fixed_size = True
    configuration: str

    def __init__(
        self,
        *,
        first_bit: int | None = None,
        last_bit: int | None = None,
        padding_encoding: Literal["none", "first_byte", "last_byte"] | None = None,
    ) -> None:
        self._keep(first_bit=first_bit, last_bit=last_bit, padding_encoding=padding_encoding)


@dataclass(frozen=True, init=False)
class Zfp(_ArrayBytes):
    """The codec ``zfp``: a mode and its parameters."""

    name: ClassVar[str] = "zfp"
    configuration: str

    def __init__(
        self,
        *,
        mode: Literal["reversible", "expert", "fixed_accuracy", "fixed_rate", "fixed_precision"] = "reversible",
        tolerance: float | None = None,
        rate: float | None = None,
        precision: int | None = None,
        minbits: int | None = None,
        maxbits: int | None = None,
        maxprec: int | None = None,
        minexp: int | None = None,
    ) -> None:
        self._keep(
            mode=mode, tolerance=tolerance, rate=rate, precision=precision, minbits=minbits,
            maxbits=maxbits, maxprec=maxprec, minexp=minexp,
        )  # fmt: skip


@dataclass(frozen=True, init=False)
class BitRound(_SameType):
    """The codec ``bitround``: rounds the mantissas of floats, or integers, to ``keepbits`` bits."""

    name: ClassVar[str] = "bitround"
    configuration: str

    def __init__(self, *, keepbits: int) -> None:
        self._keep(keepbits=keepbits)


@dataclass(frozen=True, init=False)
class ScaleOffset(_SameType):
    """The codec ``scale_offset``, which replaces zarr-python's after :func:`enable`."""

    name: ClassVar[str] = "scale_offset"
    configuration: str

    def __init__(self, *, offset: int | float | str | None = None, scale: int | float | str | None = None) -> None:
        for name, value in {"offset": offset, "scale": scale}.items():
            if not isinstance(value, int | float | str | np.number | None):
                raise TypeError(f"{name} must be a number or string, not {value!r}")
        self._keep(offset=offset, scale=scale)

    @property
    def offset(self) -> int | float | str:
        """The value that is subtracted; 0 if the document does not state it."""
        return cast(int | float | str, self._member("offset", 0))

    @property
    def scale(self) -> int | float | str:
        """The factor by which the difference is multiplied; 1 if the document does not state it."""
        return cast(int | float | str, self._member("scale", 1))


@dataclass(frozen=True, init=False)
class CastValue(_ArrayArray):
    """The codec ``cast_value``, which replaces zarr-python's after :func:`enable`."""

    name: ClassVar[str] = "cast_value"
    configuration: str

    def __init__(
        self,
        *,
        data_type: str | ZDType[Any, Any],
        rounding: str | None = None,
        out_of_range: str | None = None,
        scalar_map: Mapping[str, Any] | None = None,
    ) -> None:
        maps = scalar_map and {
            direction: list(it.items()) if isinstance(it, Mapping) else it for direction, it in scalar_map.items()
        }
        self._keep(data_type=data_type, rounding=rounding, out_of_range=out_of_range, scalar_map=maps)
        # A data type that nothing can be cast to is rejected here; the rest depends on the array.
        float64 = np.dtype("float64")
        target = json.dumps({"data_type": self._member("data_type")})
        _codec(self.name, target, float64.name, float64, self._target(None), 0)

    @property
    def rounding(self) -> str:
        """The rounding mode."""
        return cast(str, self._member("rounding", "nearest-even"))

    @property
    def out_of_range(self) -> str | None:
        """The treatment of values out of the range; ``None`` rejects them."""
        return cast(str | None, self._member("out_of_range"))

    @property
    def scalar_map(self) -> JSON:
        """The values that are mapped, by direction, as written in the document."""
        return self._member("scalar_map")

    @property
    def dtype(self) -> ZDType[Any, Any]:
        """The data type of the stored elements."""
        name = self._member("data_type")
        named = name.get("name") if isinstance(name, dict) else name
        return get_data_type_from_json(named, zarr_format=3)

    def _target(self, dtype: ZDType[Any, Any] | None) -> np.dtype[Any]:
        native: np.dtype[Any] = self.dtype.to_native_dtype()
        return native

    def resolve_metadata(self, chunk_spec: Spec) -> Spec:
        """Casts the fill value, which must be decoded to itself again."""
        codec = self._resolve(chunk_spec.dtype, len(chunk_spec.shape))
        native = chunk_spec.dtype.to_native_dtype().newbyteorder("=")
        fill = np.array(chunk_spec.dtype.cast_scalar(chunk_spec.fill_value), native)
        stored = codec.encode(fill, None)
        back = codec.decode(stored, None)
        is_same = bool(back == fill) or bool(back != back and fill != fill)
        if not is_same:
            raise Rejection(
                f"the fill value {fill} is stored as {stored} and read back as {back}",
                "fill_value",
                "cast_value.fill.survives",
            )
        return replace(chunk_spec, dtype=self.dtype, fill_value=stored[()])


def _qualified(codec: type) -> str:
    return f"{codec.__module__}.{codec.__qualname__}"


def enable() -> None:
    """Replaces zarr-python's ``cast_value`` and ``scale_offset`` by those of this package.

    From then on, documents that name these codecs are opened with them in this process. Codecs of
    zarr-python that a program has created itself, such as ``zarr.codecs.CastValue(...)``, are not affected.

    >>> import exactum.zarr
    >>> exactum.zarr.enable()
    """
    for codec in (CastValue, ScaleOffset):
        register_codec(codec.name, codec, qualname=_qualified(codec))
        config.set({f"codecs.{codec.name}": _qualified(codec)})


@contextmanager
def enabled() -> Iterator[None]:
    """Does the same as :func:`enable`, for the duration of the context.

    >>> import exactum.zarr
    >>> with exactum.zarr.enabled():
    ...     pass  # documents are opened with these codecs here
    """
    codecs = (CastValue, ScaleOffset)
    before = {codec.name: config.get(f"codecs.{codec.name}", None) for codec in codecs}
    enable()
    try:
        yield
    finally:
        config.set({f"codecs.{name}": value for name, value in before.items()})
        for codec in codecs:
            if before[codec.name] != _qualified(codec):
                _codec_registries[codec.name].pop(_qualified(codec), None)


@lru_cache(64)
def _ml_dtype(name: str) -> np.dtype[Any]:
    import ml_dtypes

    found: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name))
    return found


@dataclass(frozen=True, kw_only=True)
class _Small(ZDType[Any, Any], HasItemSize):
    """A data type of ``ml_dtypes``. Without that package, no array can have this type, and nothing else changes."""

    dtype_cls: ClassVar[Any] = None
    _zarr_v3_name: ClassVar[str]

    @classmethod
    def _check_native_dtype(cls, dtype: Any) -> TypeGuard[Any]:
        return bool(dtype.num > 23) and dtype.name == cls._zarr_v3_name

    @classmethod
    def from_native_dtype(cls, dtype: Any) -> Self:
        """The data type of a NumPy type."""
        if cls._check_native_dtype(dtype):
            return cls()
        from zarr.errors import DataTypeValidationError

        raise DataTypeValidationError(f"{dtype} is not {cls._zarr_v3_name}")

    def to_native_dtype(self) -> Any:
        """The NumPy type."""
        return _ml_dtype(self._zarr_v3_name)

    @property
    def item_size(self) -> int:
        """The bytes of an element in memory."""
        return int(self.to_native_dtype().itemsize)

    @classmethod
    def _from_json_v2(cls, data: Any) -> Self:
        from zarr.errors import DataTypeValidationError

        raise DataTypeValidationError(f"Zarr 2 has no {cls._zarr_v3_name}")

    @classmethod
    def _from_json_v3(cls, data: Any) -> Self:
        is_object = isinstance(data, Mapping) and not data.get("configuration")
        if (data.get("name") if is_object else data) == cls._zarr_v3_name:
            return cls()
        from zarr.errors import DataTypeValidationError

        raise DataTypeValidationError(f"{data!r} is not {cls._zarr_v3_name}")

    def to_json(self, zarr_format: int) -> Any:
        """The name in documents."""
        if zarr_format == 3:
            return self._zarr_v3_name
        raise ValueError(f"Zarr 2 has no {self._zarr_v3_name}")

    def _check_scalar(self, data: object) -> bool:
        return isinstance(data, int | float | str | np.generic)

    def cast_scalar(self, data: object) -> Any:
        """A scalar of this type."""
        dtype = self.to_native_dtype()
        if isinstance(data, str):
            return self.from_json_scalar(data, zarr_format=3)
        if isinstance(data, dtype.type):
            return data
        if not self._check_scalar(data):
            raise TypeError(f"{data!r} is not a scalar of {self._zarr_v3_name}")
        return np.array(data).astype(dtype)[()]

    def default_scalar(self) -> Any:
        """Zero, or the least number of a type without zero."""
        return np.zeros((), np.uint8 if self.item_size == 1 else np.uint16).view(self.to_native_dtype())[()]

    def from_json_scalar(self, data: Any, *, zarr_format: int) -> Any:
        """Reads a fill value."""
        data_bytes = _exactum.scalar_bytes(self._zarr_v3_name, json.dumps(data))
        return np.frombuffer(data_bytes, np.uint8).view(self.to_native_dtype())[0]

    def to_json_scalar(self, data: object, *, zarr_format: int) -> Any:
        """Writes a fill value."""
        data_bytes = np.array(self.cast_scalar(data), self.to_native_dtype()).tobytes()
        return json.loads(_exactum.scalar_json(self._zarr_v3_name, data_bytes))


@dataclass(frozen=True, kw_only=True)
class _Wide(_Small, HasEndianness):
    """A data type of more than one byte."""


_NAMES = {
    "Int2": "int2",
    "Int4": "int4",
    "UInt2": "uint2",
    "UInt4": "uint4",
    "Float4E2M1FN": "float4_e2m1fn",
    "Float6E2M3FN": "float6_e2m3fn",
    "Float6E3M2FN": "float6_e3m2fn",
    "Float8E3M4": "float8_e3m4",
    "Float8E4M3": "float8_e4m3",
    "Float8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "Float8E4M3FN": "float8_e4m3fn",
    "Float8E4M3FNUZ": "float8_e4m3fnuz",
    "Float8E5M2": "float8_e5m2",
    "Float8E5M2FNUZ": "float8_e5m2fnuz",
    "Float8E8M0FNU": "float8_e8m0fnu",
    "BFloat16": "bfloat16",
}


def _made(name: str, zarr_name: str) -> type[_Small]:
    base = _Wide if zarr_name == "bfloat16" else _Small
    members = {"_zarr_v3_name": zarr_name, "__module__": __name__, "__doc__": f"``{zarr_name}``."}
    made: Any = dataclass(frozen=True, kw_only=True)(type(name, (base,), members))
    globals()[name] = made
    return cast(type[_Small], made)


DATA_TYPES: Mapping[str, type[_Small]] = {zarr_name: _made(name, zarr_name) for name, zarr_name in _NAMES.items()}
