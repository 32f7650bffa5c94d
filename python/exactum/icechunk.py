"""Pyramids and packed arrays in Icechunk: many machines write the chunks, and one commit makes all of them readable.

The folder that the regions of :mod:`exactum.regions` have written is divided into shares. Each share is written to a
fork of the session, on any machine that can access the folder and the repository::

    session = repository.writable_session("main")
    exactum.icechunk.commit("packed.zarr", session, "Pack t2m", count=8, each=executor.map)
"""

import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path, PurePath
from typing import Any

from zarr.core.buffer import default_buffer_prototype
from zarr.core.sync import sync

from .regions import files

__all__ = ["commit"]


def commit(
    folder: str | os.PathLike[str],
    session: Any,
    message: str,
    count: int = 1,
    each: Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]] = map,
    *,
    path: str = "",
) -> str:
    """Commits a complete pyramid or packed array as one snapshot, and returns the name of the snapshot.

    Before the commit, nothing can be read from the repository; if a share fails, nothing is committed.

    Args:
        folder: The folder that the regions have written.
        session: A writable ``icechunk.Session``.
        message: The message of the commit.
        count: The number of shares.
        each: A function that applies a function to several objects and returns an iterable of the results, like ``map``
            and the ``map`` of an executor. The function, the objects and the results can be pickled.
        path: The path of the array or the group in the repository, which must not exist yet. The default is the root.

    Raises:
        FileExistsError: If the path already exists.
        FileNotFoundError: If the folder contains neither an array nor a group.
    """
    if count < 1:
        raise ValueError(f"the number of shares must be at least 1, not {count}")
    root, prefix = Path(folder), path.strip("/")
    names = files(root)
    documents = [name for name in names if name.name == "zarr.json"]
    chunks = [name for name in names if name.name != "zarr.json"]
    if PurePath("zarr.json") not in documents:
        raise FileNotFoundError(f"{root} has no zarr.json: the folder is wrong, or some regions have not been run")
    if not sync(session.store.is_empty(prefix)):
        raise FileExistsError(f"{prefix or 'the root'} of the repository is not empty")
    # Chunks can be written only where the document of their array is known.
    sync(_put(session.store, root, prefix, documents))
    shares = [(session.fork(), chunks[index::count]) for index in range(count)]
    session.merge(*each(partial(_share, root, prefix), shares))
    return str(session.commit(message))


def _share(root: Path, prefix: str, share: tuple[Any, list[PurePath]]) -> Any:
    """Writes a share of the chunks to a fork, which is returned to be merged."""
    fork, names = share
    sync(_put(fork.store, root, prefix, names))
    return fork


async def _put(store: Any, root: Path, prefix: str, names: list[PurePath]) -> None:
    """Stores some files, one after another, so a share needs the memory of only one file."""
    make = default_buffer_prototype().buffer.from_bytes
    for name in names:
        await store.set(f"{prefix}/{name.as_posix()}".lstrip("/"), make((root / name).read_bytes()))
