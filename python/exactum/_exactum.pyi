from typing import Any, final

import numpy as np

__all__ = ["Codec", "call", "downsample", "main", "scalar_bytes", "scalar_json"]

@final
class Codec:
    def __new__(
        cls,
        name: str,
        configuration: str,
        data_type: str,
        decoded: np.dtype[Any],
        encoded: np.dtype[Any],
        rank: int,
    ) -> Codec: ...
    def encoded_bytes(self, shape: tuple[int, ...]) -> int | None: ...
    def encode(self, a: np.ndarray[Any, Any], out: np.ndarray[Any, Any] | None) -> np.ndarray[Any, Any]: ...
    def decode(self, a: np.ndarray[Any, Any], out: np.ndarray[Any, Any] | None) -> np.ndarray[Any, Any]: ...
    def to_bytes(
        self, a: np.ndarray[Any, Any], out: np.ndarray[Any, Any] | None, threads: int
    ) -> np.ndarray[Any, np.dtype[np.uint8]]: ...
    def from_bytes(
        self,
        buffer: np.ndarray[Any, Any],
        shape: tuple[int, ...],
        out: np.ndarray[Any, Any] | None,
        threads: int,
    ) -> np.ndarray[Any, Any]: ...

def downsample(
    a: np.ndarray[Any, Any],
    data_type: str,
    factors: list[int],
    method: str,
    skip_value: str | None,
    nan: str | None,
    out: np.ndarray[Any, Any] | None,
) -> np.ndarray[Any, Any]: ...
def scalar_bytes(data_type: str, json: str) -> bytes: ...
def scalar_json(data_type: str, bytes: bytes) -> str: ...
def call(arguments: list[str]) -> tuple[int, str, str]: ...
def main(arguments: list[str]) -> int: ...
