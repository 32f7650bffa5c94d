"""Runs a library on plans: LIBRARY, with a list of jobs on standard input.

`zarr` stores the float64 values of a file in the array that the job's folder describes. `xarray` stores them in a
netCDF file with an encoding, and the codes in that file are then copied unchanged into another file. `stores` writes
arrays that other programs read. The jobs whose names end in `_within` read an array and check its errors.
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


def require_within(job, back):
    """Requires NaN to be NaN, and other values to be within the error. CF does not round values to float32 again."""
    field = numpy.fromfile(job["values"], "<f4").reshape(job["shape"]).astype("f8")
    missing = numpy.isnan(field)
    assert (numpy.isnan(back) == missing).all(), "other values are missing"
    errors = numpy.abs(back[~missing].astype("f8") - field[~missing])
    rounding = 0.0 if back.dtype == "f4" else numpy.spacing(numpy.float32(numpy.nanmax(field))) / 2
    assert errors.max() <= job["error"] + rounding, (errors.max(), job["error"])


def zarr_within(job):
    import zarr

    require_within(job, zarr.open_array(job["folder"], mode="r")[...])


def attributes_of(job):
    with open(job["folder"] + "/zarr.json") as file:
        return json.load(file)["attributes"]


def tensorstore_within(job):
    import tensorstore

    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": job["folder"]}}
    codes = tensorstore.open(spec, read=True).result().read().result()
    attributes = attributes_of(job)
    back = codes * attributes["scale_factor"] + attributes["add_offset"]
    require_within(job, numpy.where(codes == attributes["_FillValue"], numpy.nan, back))


def xarray_within(job):
    """xarray is set up without zarr, so it gets the codes of the chunks and the attributes of the document."""
    import xarray

    chunks = [numpy.fromfile(f"{job['folder']}/c/{at}/0/0", "<i2") for at in range(2)]
    codes = numpy.concatenate(chunks).reshape(job["shape"])
    variable = xarray.Variable(["time", "latitude", "longitude"], codes, attributes_of(job))
    require_within(job, xarray.conventions.decode_cf_variable("t2m", variable).to_numpy())


LIBRARIES = {
    "zarr": by_zarr,
    "xarray": by_xarray,
    "stores": stores,
    "zarr_within": zarr_within,
    "tensorstore_within": tensorstore_within,
    "xarray_within": xarray_within,
}
library = LIBRARIES[sys.argv[1]]
for job in json.load(sys.stdin):
    library(job)
