"""What libraries make of plans: LIBRARY, with a list of jobs on standard input.

`zarr` stores the values, float64 of a file, in the array that the job's folder describes; `xarray` stores them with
an encoding, and the codes of the file go into another one, as they are; `stores` writes arrays for others to read.
"""

import json
import sys

import numpy


def values(job):
    return numpy.fromfile(job["values"], "<f8").reshape(job["shape"])


def by_zarr(job):
    import zarr

    zarr.open_array(job["folder"], mode="r+")[...] = values(job)


def by_xarray(job):
    import netCDF4
    import xarray

    file = job["codes"] + ".nc"
    dataset = xarray.Dataset({"v": (["y", "x"], values(job))})
    dataset.to_netcdf(file, engine="netcdf4", encoding={"v": job["encoding"]})
    with netCDF4.Dataset(file) as stored:
        stored.set_auto_maskandscale(False)
        codes = stored["v"][:]
    codes.astype(codes.dtype.newbyteorder("<")).tofile(job["codes"])


def stores(job):
    import zarr
    from zarr.codecs import BloscCodec, GzipCodec, ZstdCodec

    field = values(job)
    group = zarr.create_group(job["folder"])
    inner = group.create_group("inner")
    chunks = [16, 16]
    of = {"chunks": chunks, "fill_value": 0.0}
    group.create_array("default", data=field, chunks=chunks)
    for name, codec in [("zstd", ZstdCodec()), ("gzip", GzipCodec()), ("blosc", BloscCodec())]:
        inner.create_array(name, data=field, chunks=chunks, compressors=codec)
    for cname in ("blosclz", "lz4", "lz4hc", "zlib", "zstd"):
        for shuffle in ("noshuffle", "shuffle", "bitshuffle"):
            blosc = BloscCodec(cname=cname, shuffle=shuffle)
            inner.create_array(f"{cname}-{shuffle}", data=field, chunks=chunks, compressors=blosc)
    inner.create_array("sharded", data=field, chunks=[8, 16], shards=[16, 32])
    inner.create_array("none", data=field, chunks=chunks, compressors=None)
    inner.create_array("float32", shape=field.shape, dtype="float32", **of)[...] = field.astype("float32")
    zarr.consolidate_metadata(job["folder"])
    old = zarr.create_group(job["old"], zarr_format=2)
    old.create_array("a", data=field)
    for descr in ("<f8", ">f8", "<f4", ">f4"):
        for order in "CF":
            numpy.save(f"{job['npy']}{order}{descr[1:]}{'lb'['<>'.index(descr[0])]}.npy", numpy.array(field, descr, order=order))


library = {"zarr": by_zarr, "xarray": by_xarray, "stores": stores}[sys.argv[1]]
for job in json.load(sys.stdin):
    library(job)
