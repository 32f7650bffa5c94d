"""Writes stores with other libraries: a folder for each library, below the given folder.

`.ci/stores` judges them with `exactum validate`, which must not reject what these libraries write.
"""

import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np


def grid() -> dict:
    """Returns the values and coordinates of a small weather data set."""
    numbers = np.random.default_rng(7)
    temperature = (280 + 10 * numbers.standard_normal((4, 6, 8))).astype("float32")
    temperature[0, 0, :3] = np.nan
    return {
        "t2m": (("time", "latitude", "longitude"), temperature, {"units": "K", "long_name": "2 metre temperature"}),
        "labels": (("latitude", "longitude"), numbers.integers(0, 2**63, (6, 8)).astype("uint64")),
        "mask": (("latitude", "longitude"), numbers.random((6, 8)) > 0.5),
        "complex": (("latitude",), numbers.random(6) + 1j),
    }


def dataset():
    """Returns the same as an xarray data set, with a time axis and names."""
    import xarray as xr

    coordinates = {
        "time": np.datetime64("2026-01-01T00", "ns") + np.arange(4) * np.timedelta64(6, "h"),
        "latitude": np.linspace(90, -90, 6),
        "longitude": np.linspace(0, 315, 8),
        "station": ("latitude", ["Uccle", "Zürich", "Oslo", "", "Kyiv", "Reykjavík"]),
        "lead": ("time", np.arange(4) * np.timedelta64(1, "D").astype("timedelta64[ns]")),
    }
    return xr.Dataset(grid(), coordinates, {"title": "a data set"})


def xarray_plain(folder: Path) -> None:
    dataset().to_zarr(folder, zarr_format=3)


def xarray_packed(folder: Path) -> None:
    packing = {"dtype": "int16", "scale_factor": 0.01, "add_offset": 280.0, "_FillValue": -32767}
    dataset().to_zarr(folder, zarr_format=3, encoding={"t2m": packing})


def xarray_appended(folder: Path) -> None:
    dataset().to_zarr(folder, zarr_format=3, consolidated=False)
    later = dataset()
    later["time"] = later["time"] + np.timedelta64(1, "D")
    names = [name for name in later.variables if "time" not in later[name].dims]
    later.drop_vars(names).to_zarr(folder, append_dim="time", consolidated=False)


def xarray_tree(folder: Path) -> None:
    import xarray as xr

    groups = {"/": None, "/fine": dataset(), "/coarse": dataset().isel(latitude=slice(0, 3)), "/coarse/deep": None}
    tree = xr.DataTree.from_dict(groups)
    tree.to_zarr(folder, zarr_format=3)


def zarr_python(folder: Path) -> None:
    import zarr
    from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, TransposeCodec

    group = zarr.create_group(folder)
    for data_type in ["bool", "int8", "uint16", "int32", "uint64", "float16", "float32", "float64", "complex64"]:
        group.create_array(data_type, shape=(10, 10), chunks=(4, 5), dtype=data_type)[:] = 1
    group.create_array("texts", shape=(3,), dtype=str)[:] = np.array(["a", "é", ""], dtype=object)
    group.create_array("fixed", shape=(3,), dtype="<U4")[:] = np.array(["a", "é", ""])
    group.create_array("times", shape=(3,), dtype="datetime64[s]")[:] = np.array([0, 1, 2], "datetime64[s]")
    group.create_array("records", shape=(3,), dtype=[("a", "<i2"), ("b", "<f8")])
    group.create_array("scalar", shape=(), dtype="float64")[...] = 3.5
    group.create_array("empty", shape=(0, 4), chunks=(1, 4), dtype="int32")
    group.create_array("shards", shape=(64, 64), chunks=(8, 8), shards=(32, 32), dtype="uint16")[:] = 3
    group.create_array("gzip", shape=(8,), dtype="int32", compressors=[GzipCodec(level=5), Crc32cCodec()])[:] = 3
    group.create_array("blosc", shape=(8,), dtype="int32", compressors=[BloscCodec(cname="zstd")])[:] = 3
    group.create_array(
        "transposed",
        shape=(8, 4),
        dtype="float32",
        filters=[TransposeCodec(order=(1, 0))],
        serializer=BytesCodec(endian="big"),
        fill_value=float("nan"),
        dimension_names=["y", None],
        attributes={"list": [1, None, {"a": 0.5}]},
    )[:] = 3
    group.create_group("within").create_array("flat", shape=(5,), dtype="int8", chunk_key_encoding={"name": "v2"})
    zarr.consolidate_metadata(folder)


def anndata(folder: Path) -> None:
    import anndata as ad
    import pandas as pd
    import scipy.sparse

    ad.settings.zarr_write_format = 3
    counts = scipy.sparse.random(20, 10, 0.3, "csr", np.float32, np.random.default_rng(7))
    table = ad.AnnData(
        counts,
        obs=pd.DataFrame({"kind": pd.Categorical(["a", "b"] * 10), "depth": range(20)}, [f"cell{i}" for i in range(20)]),
        var=pd.DataFrame(index=[f"gene{i}" for i in range(10)]),
    )
    table.layers["dense"] = counts.toarray()
    table.uns["palette"] = {"names": np.array(["red", "blue"]), "levels": 3}
    table.write_zarr(folder)


def ome_zarr(folder: Path) -> None:
    from ome_zarr.writer import write_image, write_labels

    image = np.arange(2 * 64 * 64, dtype="uint16").reshape(2, 64, 64)
    write_image(image, str(folder), axes="cyx")
    write_labels((image[0] > 9).astype("uint8"), str(folder), "cells", axes="yx")


def ngff_zarr(folder: Path) -> None:
    import ngff_zarr as nz

    image = nz.to_ngff_image(np.arange(64 * 64, dtype="uint8").reshape(64, 64), dims=["y", "x"], scale={"y": 0.5, "x": 0.5})
    nz.to_ngff_zarr(str(folder), nz.to_multiscales(image, scale_factors=[2, 4]), version="0.5")


def tensorstore(folder: Path) -> None:
    import tensorstore as ts

    folder.mkdir()
    for data_type in ["bool", "int4", "uint8", "int64", "bfloat16", "float8_e4m3b11fnuz", "complex128"]:
        shards = {"name": "sharding_indexed", "configuration": {"chunk_shape": [4, 4]}}
        for name, codecs in [("plain", []), ("shards", [shards])]:
            if codecs and data_type == "int4":
                continue
            store = {
                "driver": "zarr3",
                "kvstore": {"driver": "file", "path": f"{folder}/{data_type}-{name}"},
                "metadata": {"data_type": data_type, "shape": [10, 9], "codecs": codecs} if codecs else {},
                "schema": {"dtype": data_type, "domain": {"shape": [10, 9]}, "chunk_layout": {"write_chunk": {"shape": [8, 8]}}},
            }
            ts.open(store, create=True).result()


def documents(store, folder: Path) -> None:
    """Copies the documents of a store that is not a folder of files to the paths that they would have there."""
    import asyncio

    async def copy() -> None:
        from zarr.core.buffer import default_buffer_prototype

        async for key in store.list():
            if key.endswith("zarr.json"):
                found = await store.get(key, default_buffer_prototype())
                (folder / key).parent.mkdir(parents=True, exist_ok=True)
                (folder / key).write_bytes(found.to_bytes())

    asyncio.run(copy())


def icechunk(folder: Path) -> None:
    import icechunk as ic
    from icechunk.xarray import to_icechunk

    repository = ic.Repository.create(ic.in_memory_storage())
    session = repository.writable_session("main")
    to_icechunk(dataset(), session)
    session.commit("a data set")
    documents(repository.readonly_session("main").store, folder)


def virtualizarr(folder: Path) -> None:
    import icechunk as ic
    from obspec_utils.registry import ObjectStoreRegistry
    from obstore.store import LocalStore
    from virtualizarr import open_virtual_dataset
    from virtualizarr.parsers import HDFParser

    file = folder.parent / "virtualizarr.nc"
    kept = dataset().drop_vars(["station", "complex"])
    packing = {"dtype": "int16", "scale_factor": 0.01, "add_offset": 280.0, "_FillValue": -32767, "zlib": True}
    kept.to_netcdf(file, engine="h5netcdf", encoding={"t2m": packing})
    registry = ObjectStoreRegistry({"file://": LocalStore()})
    virtual = open_virtual_dataset(f"file://{file}", registry=registry, parser=HDFParser())
    configuration = ic.RepositoryConfig.default()
    container = ic.VirtualChunkContainer(f"file://{file.parent}/", ic.local_filesystem_store(str(file.parent)))
    configuration.set_virtual_chunk_container(container)
    repository = ic.Repository.create(ic.in_memory_storage(), configuration)
    session = repository.writable_session("main")
    virtual.vz.to_icechunk(session.store)
    session.commit("references")
    documents(repository.readonly_session("main").store, folder)


STORES = {
    "xarray": [xarray_plain, xarray_packed, xarray_appended, xarray_tree],
    "zarr": [zarr_python],
    "anndata": [anndata],
    "ome-zarr": [ome_zarr],
    "ngff-zarr": [ngff_zarr],
    "tensorstore": [tensorstore],
    "icechunk": [icechunk],
    "virtualizarr": [virtualizarr],
}


def main() -> None:
    out = Path(sys.argv[1]).resolve()
    out.mkdir(parents=True)
    for library, makers in STORES.items():
        for make in makers:
            folder = out / make.__name__
            make(folder)
            print(f"{library} {version(library)}: {make.__name__}, {len(list(folder.rglob('zarr.json')))} documents")


if __name__ == "__main__":
    main()
