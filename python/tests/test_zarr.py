"""Tests that arrays written with this package are read by other libraries, and the other way round."""

import json

import ml_dtypes
import numpy as np
import pytest

zarr = pytest.importorskip("zarr")
ts = pytest.importorskip("tensorstore")

import exactum  # noqa: E402
import exactum.zarr as ours  # noqa: E402
from exactum._exactum import call  # noqa: E402

FIELD = np.linspace(250, 310, 4 * 6 * 10, dtype="float32").reshape(4, 6, 10)


def create(path, data, chunks=(2, 3, 5), **options):
    array = zarr.create_array(
        str(path), shape=data.shape, dtype=data.dtype, chunks=chunks[: data.ndim],
        compressors=None, **options,
    )  # fmt: skip
    array[...] = data
    return array


def read_by_zarrs(path):
    """The elements that the crate zarrs reads, through its own package for zarr-python."""
    pytest.importorskip("zarrs")
    with zarr.config.set({"codec_pipeline.path": "zarrs.ZarrsCodecPipeline"}):
        return zarr.open_array(str(path))[...]


CODECS = {
    # Integers below 512 are stored without loss.
    "bitround": (np.rint(FIELD), {"filters": [ours.BitRound(keepbits=8)]}),
    "packbits": (
        np.arange(240, dtype="uint16").reshape(4, 6, 10),
        {"serializer": ours.PackBits(last_bit=8)},
    ),
    "packbits-bool": (FIELD > 280, {"serializer": ours.PackBits(padding_encoding="first_byte")}),
    "zfp": (FIELD, {"serializer": ours.Zfp()}),
    "zfp-int": (np.arange(240).reshape(4, 6, 10), {"serializer": ours.Zfp()}),
    "scale": (FIELD, {"filters": [ours.ScaleOffset(offset=256.0, scale=2.0)]}),
    "cast": (np.rint(FIELD), {"filters": [ours.CastValue(data_type="uint16")]}),
    "cast-packed": (
        np.rint(FIELD),
        {
            "filters": [ours.ScaleOffset(offset=250.0), ours.CastValue(data_type="uint8")],
            "serializer": ours.PackBits(last_bit=5),
            "fill_value": 250.0,
        },
    ),
}


@pytest.mark.parametrize("name", CODECS)
def test_what_is_written_is_read_by_zarr_python_and_zarrs(tmp_path, name):
    data, options = CODECS[name]
    create(tmp_path / "a", data, **options)
    with ours.enabled():
        back = zarr.open_array(str(tmp_path / "a"))[...]
    np.testing.assert_array_equal(back, data)
    # zarrs for Python has neither zfp nor cast_value; the command has both, and checks them below.
    if name.startswith("packbits"):
        np.testing.assert_array_equal(read_by_zarrs(tmp_path / "a"), data)
    if data.dtype == np.float32:
        create(tmp_path / "plain", data)
        check = ["exactum", "pack", "--check", "--max-error=0"]
        code, _, complaints = call([*check, str(tmp_path / "plain"), str(tmp_path / "a")])
        assert code == 0, complaints


def test_what_zarrs_writes_is_read(tmp_path):
    create(tmp_path / "a", FIELD)
    codecs = tmp_path / "codecs.json"
    codecs.write_text(json.dumps(exactum.plan(FIELD, max_error=0.005).document))
    arguments = [str(tmp_path / "a"), str(tmp_path / "b"), f"--codecs={codecs}"]
    code, _, complaints = call(["exactum", "pack", *arguments])
    assert code == 0, complaints
    document = json.loads((tmp_path / "b/zarr.json").read_text())
    assert "packbits" in [it["name"] for it in document["codecs"]]
    with ours.enabled():
        back = zarr.open_array(str(tmp_path / "b"))[...]
    assert np.abs(back.astype("float64") - FIELD).max() <= 0.005


def test_arrays_in_shards_are_written_and_read(tmp_path):
    array = zarr.create_array(
        str(tmp_path / "a"), shape=(8, 8), dtype="int16", chunks=(2, 2), shards=(4, 4),
        serializer=ours.PackBits(), compressors=None,
    )  # fmt: skip
    data = np.arange(64, dtype="int16").reshape(8, 8)
    array[...] = data
    np.testing.assert_array_equal(zarr.open_array(str(tmp_path / "a"))[...], data)
    np.testing.assert_array_equal(read_by_zarrs(tmp_path / "a"), data)


TENSORSTORE = ["int4", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz"]


@pytest.mark.parametrize("name", TENSORSTORE)
def test_small_types_are_exchanged_with_tensorstore(tmp_path, name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    data = np.array([[-2, -1, 0], [1, 2, 3]], "float32").astype(dtype)
    create(tmp_path / "ours", data, (1, 3))
    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": str(tmp_path / "ours")}}
    theirs = ts.open(spec).result().read().result()
    np.testing.assert_array_equal(theirs.astype("float32"), data.astype("float32"))
    spec["kvstore"]["path"] = str(tmp_path / "theirs")
    made = ts.open({**spec, "create": True, "dtype": name, "schema": {"domain": {"shape": [2, 3]}}})
    made.result().write(data).result()
    back = zarr.open_array(str(tmp_path / "theirs"))
    assert back.dtype == dtype
    np.testing.assert_array_equal(back[...].astype("float32"), data.astype("float32"))


@pytest.mark.parametrize("name", ours.DATA_TYPES)
def test_every_small_type_is_written_with_its_fill_value(tmp_path, name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    data = np.array([1, 1, 1, 1], "float32").astype(dtype)
    made = create(tmp_path / "a", data, (2,), fill_value=dtype.type(1))
    document = json.loads((tmp_path / "a/zarr.json").read_text())
    assert document["data_type"] == name
    assert document["fill_value"] == 1
    assert bool(exactum.validate(tmp_path / "a")), exactum.validate(tmp_path / "a").problems
    back = zarr.open_array(str(tmp_path / "a"))
    assert back.fill_value == made.fill_value
    np.testing.assert_array_equal(back[...], data)


def test_fill_values_in_hex_and_nan_survive(tmp_path):
    create(tmp_path / "a", np.zeros(2, ml_dtypes.bfloat16), (2,), fill_value="0x7fc1")
    document = json.loads((tmp_path / "a/zarr.json").read_text())
    assert document["fill_value"] == "0x7fc1"
    fill = zarr.open_array(str(tmp_path / "a")).fill_value
    assert np.array(fill).view("uint16") == 0x7FC1


def test_nothing_is_replaced_unless_asked_for(tmp_path):
    from zarr.codecs import CastValue
    from zarr.registry import get_codec_class

    assert get_codec_class("cast_value") is CastValue
    with ours.enabled():
        assert get_codec_class("cast_value") is ours.CastValue
        assert get_codec_class("scale_offset") is ours.ScaleOffset
    assert get_codec_class("cast_value") is CastValue


def test_wrong_documents_are_refused_when_they_are_opened(tmp_path):
    create(tmp_path / "a", np.zeros(4, "uint8"), (2,), serializer=ours.PackBits(last_bit=3))
    path = tmp_path / "a/zarr.json"
    text = path.read_text()
    path.write_text(text.replace('"last_bit": 3', '"last_bit": 8'))
    with pytest.raises(exactum.Rejection) as caught:
        zarr.open_array(str(tmp_path / "a"))
    assert caught.value.clause.startswith("packbits.")
    bad = ours.CastValue(data_type="uint8")
    with pytest.raises(exactum.Rejection) as caught:
        create(tmp_path / "b", FIELD, filters=[bad], fill_value=1.5)
    assert caught.value.clause == "cast_value.fill.survives"


def test_zarr_opens_without_ml_dtypes(tmp_path):
    import subprocess
    import sys

    code = (
        "import sys; sys.modules['ml_dtypes'] = None\n"
        "import numpy as np, zarr\n"
        "assert zarr.create_array({}, data=np.arange(3))[2] == 2\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
