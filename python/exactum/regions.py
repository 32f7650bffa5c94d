"""Pyramids and packed arrays on many machines: a plan, independent regions, and ``run(region)``.

Each region is a share of the chunks of the output, which the command ``exactum`` writes with ``--part K/N``. Regions
may run in any order, at the same time, on any machine that can access the folders, and any number of times: chunks
that a killed worker has left unfinished are written again. The region that ends last completes the output, whose
bytes are the same as if the command had been run as a whole.

>>> import exactum.regions
>>> regions = exactum.regions.pack("in.zarr", "out.zarr", 4, max_error=0.005)
>>> regions[2].arguments
('pack', 'in.zarr', 'out.zarr', '--part=3/4', '--max-error=0.005')

Dask and Cubed, whose executors include Beam, Ray and Lithops, accept the regions directly::

    dask.compute(*map(dask.delayed(exactum.regions.run), regions))
    exactum.regions.run_cubed(regions, spec=cubed.Spec("work", allowed_mem="2GB"))

The same machines can commit a complete output to Icechunk, see :mod:`exactum.icechunk`.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any, Literal

import numpy as np

from ._commands import run as _run
from ._types import Scalar, json_of

__all__ = ["Region", "check", "downsample", "files", "pack", "run", "run_cubed"]


@dataclass(frozen=True)
class Region:
    """One share of the work: the arguments of a command."""

    arguments: tuple[str, ...]


def _regions(
    command: str,
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    count: int,
    options: Sequence[str],
) -> list[Region]:
    if count < 1:
        raise ValueError(f"the number of regions must be at least 1, not {count}")
    paths = (os.fspath(source), os.fspath(target))
    return [Region((command, *paths, f"--part={index}/{count}", *options)) for index in range(1, count + 1)]


def downsample(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    count: int,
    factors: Sequence[int] | Sequence[Sequence[int]],
    method: Literal["stride", "mean", "min", "max", "median", "mode"] = "mean",
    *,
    skip_value: Scalar | None = None,
    nan: Literal["propagate", "skip"] | None = None,
    levels: int | None = None,
    from_base: bool = False,
    without_base: bool = False,
) -> list[Region]:
    """Divides a pyramid into regions.

    Args:
        source: The folder of a Zarr 3 array, or of an OME-Zarr 0.5 image.
        target: The folder of the pyramid.
        count: The number of regions.
        factors: The factors by which each level is reduced: one for each dimension, or such a list for each level.
        method: How the elements of a block are reduced.
        skip_value, nan: As for :func:`exactum.downsample`.
        levels: The number of levels; by default, levels are made until one fits into a chunk.
        from_base: Computes every level from the array itself.
        without_base: Does not copy the array as level 0.
    """
    each = [factors] if isinstance(factors[0], int) else factors
    options = [f"--factors={','.join(map(str, one))}" for one in each]  # type: ignore[arg-type]
    options.append(f"--method={method}")
    if skip_value is not None:
        options.append(f"--skip-value={json_of(skip_value).strip(chr(34))}")
    if nan is not None:
        options.append(f"--nan={nan}")
    if levels is not None:
        options.append(f"--levels={levels}")
    options += ["--from-base"] if from_base else []
    options += ["--without-base"] if without_base else []
    return _regions("downsample", source, target, count, options)


def pack(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    count: int,
    *,
    max_error: float | None = None,
    codecs: str | os.PathLike[str] | None = None,
    compress: str | None = None,
) -> list[Region]:
    """Divides the packing of an array, or of the arrays of a group, into regions.

    Every region reads all values once, for the proof of its codecs, so a few regions for each worker are enough.

    Args:
        source: The folder of a Zarr 3 array, or of a group.
        target: The folder of the output.
        count: The number of regions.
        max_error: The largest error that a value may have.
        codecs: A file with a list of codecs, or with a plan; by default the smallest codecs that keep within the error.
        compress: The compressor of the bytes, such as ``"zstd:3"``.
    """
    given = {"--max-error": max_error, "--codecs": codecs, "--compress": compress}
    options = [f"{name}={value}" for name, value in given.items() if value is not None]
    return _regions("pack", source, target, count, options)


def check(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    max_error: float | None = None,
) -> list[Region]:
    """Compares a packed array, or each packed array of a group, with the original, with one region for each array."""
    options = ["--check", *([] if max_error is None else [f"--max-error={max_error}"])]
    return [Region(("pack", os.fspath(source), os.fspath(target), *options))]


def run(region: Region) -> str:
    """Runs a region on one thread and returns the report of the command.

    Raises:
        Rejection: If a value does not survive (reason ``findings``), or if the region cannot be carried out
            (``not_carried_out``).
    """
    return _run([*region.arguments, "--threads=1"], [0])[1]


def files(folder: str | os.PathLike[str]) -> list[PurePath]:
    """Lists the files that readers need, as paths in the folder; this excludes the journal of the command."""
    root = Path(folder)
    names = sorted(file.relative_to(root) for file in root.rglob("*") if file.is_file())
    return [name for name in names if not any(part.startswith(".") for part in name.parts)]


def run_cubed(regions: Sequence[Region], *, spec: Any = None, memory: int = 500_000_000, **compute: Any) -> list[str]:
    """Runs regions with Cubed, one task for each, and returns the report of each region.

    Args:
        regions: The regions.
        spec: The ``cubed.Spec``, which defines where Cubed works and how much memory a task may use.
        memory: The bytes of memory that a region needs. Cubed refuses a ``spec`` that allows less before a region runs.
            The default is for chunks, or shards, of up to 16 MB; a larger chunk is held whole, more than once.
        compute: Arguments of ``compute``, such as ``executor``.
    """
    cubed: Any = import_module("cubed")

    def block(numbers: Any, block_id: tuple[int, ...] | None = None) -> Any:
        (number,) = block_id or (0,)
        return np.array([run(regions[number]).encode()[:_REPORT]], f"S{_REPORT}").view(np.uint8)

    numbers = cubed.from_array(np.zeros(len(regions), np.uint8), chunks=1, spec=spec)
    chunks = ((_REPORT,) * len(regions),)
    reports = cubed.map_blocks(block, numbers, dtype=np.uint8, chunks=chunks, extra_projected_mem=memory)
    table = np.asarray(reports.compute(**compute)).reshape(len(regions), _REPORT)
    return [bytes(row).rstrip(b"\0").decode() for row in table]


# The number of bytes of a report that are kept.
_REPORT = 512
