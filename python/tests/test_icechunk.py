"""Tests that several processes commit the files of the regions to Icechunk at the same time."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

icechunk = pytest.importorskip("icechunk")

import zarr  # noqa: E402

import exactum.zarr  # noqa: E402
from exactum import regions  # noqa: E402
from exactum.icechunk import commit  # noqa: E402

FIELD = np.random.default_rng(7).normal(280, 15, (128, 96)).astype("float32")


@pytest.fixture
def repository(tmp_path):
    return icechunk.Repository.create(icechunk.local_filesystem_storage(str(tmp_path / "repository")))


@pytest.fixture
def packed(tmp_path):
    zarr.create_array(str(tmp_path / "in"), data=FIELD, chunks=(16, 16))
    for part in regions.pack(tmp_path / "in", tmp_path / "packed", 3, max_error=0.005):
        regions.run(part)
    return tmp_path / "packed"


def read(repository, path):
    with exactum.zarr.enabled():
        return zarr.open_array(repository.readonly_session("main").store, path=path, mode="r")[...]


def test_two_processes_write_a_packed_array_in_one_commit(repository, packed):
    session = repository.writable_session("main")
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        made = commit(packed, session, "Pack", 5, executor.map)
    newest = next(iter(repository.ancestry(branch="main")))
    assert (newest.message, newest.id) == ("Pack", made)
    with exactum.zarr.enabled():
        there = zarr.open_array(str(packed))[...]
    np.testing.assert_array_equal(read(repository, ""), there)
    assert np.abs(there.astype("float64") - FIELD).max() <= 0.005


def test_dask_writes_a_pyramid_at_a_path(repository, packed):
    dask = pytest.importorskip("dask")
    for part in regions.downsample(packed.parent / "in", packed.parent / "levels", 2, [2, 2], levels=2):
        regions.run(part)

    def each(function, shares):
        return dask.compute(*map(dask.delayed(function), shares), scheduler="threads")

    commit(packed.parent / "levels", repository.writable_session("main"), "Levels", 3, each, path="a/levels")
    for level in range(3):
        there = zarr.open_array(str(packed.parent / f"levels/{level}"))[...]
        np.testing.assert_array_equal(read(repository, f"a/levels/{level}"), there)


def test_nothing_is_committed_where_a_share_fails(repository, packed):
    def failing(function, shares):
        first, *_ = shares
        yield function(first)
        raise OSError("the machine is gone")

    with pytest.raises(OSError, match="gone"):
        commit(packed, repository.writable_session("main"), "Pack", 2, failing)
    assert len(list(repository.ancestry(branch="main"))) == 1


def test_nothing_is_written_over(repository, packed):
    commit(packed, repository.writable_session("main"), "Pack")
    with pytest.raises(FileExistsError, match="the root"):
        commit(packed, repository.writable_session("main"), "Again")


def test_a_folder_without_a_document_is_refused(repository, tmp_path):
    with pytest.raises(FileNotFoundError, match="no zarr"):
        commit(tmp_path / "nothing", repository.writable_session("main"), "Nothing")
    with pytest.raises(ValueError, match="at least 1"):
        commit(tmp_path, repository.writable_session("main"), "Nothing", 0)
