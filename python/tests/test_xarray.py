"""Tests that data sets are planned, written and read back within their error, lazily if they are lazy."""

import numpy as np
import pytest

xr = pytest.importorskip("xarray")
pytest.importorskip("zarr")

import exactum  # noqa: E402
import exactum.xarray  # noqa: E402

VALUES = np.linspace(250, 310, 4000, dtype="float32").reshape(40, 100)


def dataset(lazy=False, nan=False):
    values = VALUES.copy()
    if nan:
        values[3, 5] = np.nan
    ds = xr.Dataset(
        {"t2m": (("y", "x"), values, {"units": "K"}), "mask": (("y", "x"), values > 280)},
        coords={"x": np.arange(100.0)},
    )
    return ds.chunk({"y": 7, "x": 100}) if lazy else ds


@pytest.mark.parametrize("nan", [False, True])
@pytest.mark.parametrize("form", ["codecs", "cf"])
@pytest.mark.parametrize("lazy", [False, True])
def test_values_are_packed_within_their_error(tmp_path, form, lazy, nan):
    ds = dataset(lazy, nan)
    report = exactum.xarray.pack(ds, str(tmp_path / "a.zarr"), {"t2m": 0.005}, form=form)
    assert 0 < report.errors["t2m"] <= report.plans["t2m"].max_error <= 0.005
    assert "t2m" in str(report)
    with exactum.zarr.enabled():
        back = xr.open_zarr(str(tmp_path / "a.zarr"), consolidated=False)["t2m"].load()
    assert back.attrs["units"] == "K"
    np.testing.assert_array_equal(np.isnan(back), np.isnan(ds["t2m"]))
    assert float(abs(back.astype("float64") - ds["t2m"]).max()) <= 0.0051


def test_lazy_and_loaded_data_have_the_same_plan():
    plans = [exactum.xarray.plan(dataset(lazy, True), 0.005) for lazy in (False, True)]
    assert plans[0].plans["t2m"].document == plans[1].plans["t2m"].document
    assert "NaN" in str(plans[0].plans["t2m"].codecs)


def test_cf_is_encoded_and_decoded_without_wrapping():
    array = xr.DataArray(np.array([1.25, np.nan, -3.5]), dims="x", attrs={"units": "K"})
    encoding = {"dtype": "int16", "scale_factor": 0.01, "add_offset": 1.0, "_FillValue": -32768}
    codes = exactum.xarray.encode(array, encoding)
    np.testing.assert_array_equal(codes, [25, -32768, -450])
    back = exactum.xarray.decode(codes)
    assert back.attrs == {"units": "K"}
    np.testing.assert_allclose(back, array)
    with pytest.raises(exactum.Rejection) as caught:
        exactum.xarray.encode(array + 400, encoding)
    assert caught.value.reason == "out_of_range"


def test_an_error_that_nothing_keeps_is_refused():
    with pytest.raises(exactum.Rejection):
        exactum.xarray.plan(dataset(), {"t2m": 1e-12}, target="int8")
    with pytest.raises(KeyError):
        exactum.xarray.plan(dataset(), {"nothing": 0.1})
