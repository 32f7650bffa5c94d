"""The package itself by the vectors, through the plugin that judges others."""

from typing import ClassVar

import exactum
from exactum._types import array_of, dtype_of
from exactum.pytest import Conformance

NUMPY = {"bool", "complex64", "complex128"}


def _is_ours(name):
    return name is not None and (name in NUMPY or not name.startswith("complex"))


class TestElementwise(Conformance):
    operations: ClassVar = [
        f"{name}.{way}" for name in ("cast_value", "scale_offset", "cf") for way in ("encode", "decode")
    ]
    levels: ClassVar = ("must", "ruling")

    def offers(self, request):
        return _is_ours(request.source) and _is_ours(request.target)

    def answer(self, request):
        from exactum._exactum import Codec

        name, way = request.op.split(".")
        source, target = dtype_of(request.source), dtype_of(request.target)
        decoded, encoded = (source, target) if way == "encode" else (target, source)
        codec = Codec(name, request.configuration, decoded.name, decoded, encoded, 0)
        run = codec.encode if way == "encode" else codec.decode
        return run(array_of(request.array), None)


class TestBytes(Conformance):
    operations: ClassVar = [f"{name}.{way}" for name in ("bytes", "packbits", "zfp") for way in ("encode", "decode")]
    levels: ClassVar = ("must", "ruling")

    def offers(self, request):
        decoded = request.source if request.op.endswith("encode") else request.target
        return _is_ours(decoded)

    def answer(self, request):
        from exactum._exactum import Codec
        from exactum._types import UINT8

        name, way = request.op.split(".")
        decoded = dtype_of(request.source if way == "encode" else request.target)
        rank = len(request.shape)
        codec = Codec(name, request.configuration, decoded.name, decoded, UINT8, rank)
        if way == "encode":
            return codec.to_bytes(request.array, None, 1)
        return codec.from_bytes(request.array, request.shape, None, 1)


class TestDownsample(Conformance):
    operations: ClassVar = ["downsample.read"]
    levels: ClassVar = ("must", "ruling")

    def offers(self, request):
        members = request.members
        is_plain = not ({"then", "transform"} & members.keys()) and not any(members["origin"])
        return is_plain and "data" in members["input"] and _is_ours(request.source)

    def answer(self, request):
        members = request.members
        return exactum.downsample(request.array, members["factors"], members["method"])
