"""Plans for xarray data sets: finds the smallest codecs that keep within an error, writes the data and reads them back.

>>> import numpy as np, xarray as xr
>>> import exactum.xarray
>>> values = np.linspace(250, 310, 5000, dtype="float32").reshape(50, 100)
>>> ds = xr.Dataset({"t2m": (("y", "x"), values)})
>>> report = exactum.xarray.plan(ds, max_error={"t2m": 0.005})
>>> report.plans["t2m"].target
'uint16'
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

import numpy as np
import xarray as xr

from . import cf
from ._commands import Plan, plan_found
from ._rejection import Rejection
from ._scan import Found, combine, found_of, summary

__all__ = ["Report", "decode", "encode", "pack", "plan"]

_PACKING = ("scale_factor", "add_offset", "_FillValue", "missing_value", "valid_min", "valid_max",
            "valid_range", "_Unsigned")  # fmt: skip


@dataclass(frozen=True)
class Report:
    """How the variables of a data set are packed."""

    encoding: dict[Hashable, dict[str, Any]]
    """The ``encoding`` of ``Dataset.to_zarr`` or ``Dataset.to_netcdf``."""
    plans: dict[Hashable, Plan]
    """The plan of each packed variable."""
    sizes: dict[Hashable, tuple[int, float]]
    """The bytes of each packed variable before and after, uncompressed."""
    errors: dict[Hashable, float] = field(default_factory=dict)
    """The largest observed error of each variable that was written and read back."""

    def __str__(self) -> str:
        lines = []
        for name, one in self.plans.items():
            before, after = self.sizes[name]
            seen = f", {self.errors[name]:g} observed" if name in self.errors else ""
            lines.append(
                f"{name}: {one.document['data_type']} as {one.target}, {before} to {after:.0f} bytes, "
                f"largest error {one.max_error:g}{seen}"
            )
        return "\n".join(lines)


def _found(ds: xr.Dataset, names: list[Hashable]) -> dict[Hashable, Found]:
    """The contents of variables; Dask variables are scanned by one reduction over all of their blocks."""
    parts: dict[Hashable, Any] = {}
    for name in names:
        data = ds[name].data
        if hasattr(data, "dask"):
            delayed = import_module("dask").delayed
            blocks = [delayed(summary)(block) for block in data.to_delayed().ravel()]
            parts[name] = delayed(lambda rows: combine(np.concatenate(rows)))(blocks)
        else:
            parts[name] = summary(np.asarray(data))
    if any(hasattr(part, "dask") for part in parts.values()):
        (parts,) = import_module("dask").compute(parts)
    return {name: found_of(ds[name].dtype, parts[name]) for name in names}


def plan(
    ds: xr.Dataset,
    max_error: Mapping[Any, float] | float,
    *,
    form: Literal["codecs", "cf"] = "codecs",
    **options: Any,
) -> Report:
    """Plans how the float variables of a data set are packed.

    Args:
        ds: The data set. Dask variables are read once, block by block.
        max_error: The largest error of each variable that is packed, or one error for all float variables.
        form: ``"codecs"`` for Zarr's ``scale_offset``, ``cast_value`` and ``packbits``; ``"cf"`` for the attributes
            of the CF conventions, which also work in NetCDF.
        options: As for :func:`exactum.plan`: ``need``, ``drop``, ``target``, ``policy`` and so on.

    Raises:
        Rejection: If a variable cannot be packed within its error.
        KeyError: For a variable that the data set does not have.
    """
    if isinstance(max_error, Mapping):
        errors = dict(max_error)
    else:
        errors = {name: max_error for name, it in ds.data_vars.items() if it.dtype.kind == "f"}
    found = _found(ds, list(errors))
    plans: dict[Hashable, Plan] = {}
    encoding: dict[Hashable, dict[str, Any]] = {}
    sizes: dict[Hashable, tuple[int, float]] = {}
    for name, error in errors.items():
        arguments = ["plan", "--json"]
        one = plan_found(found[name], arguments, max_error=error, **options)
        if form == "cf":
            one = _as_cf(one, name, error)
        plans[name] = one
        encoding[name] = _codecs(one) if form == "codecs" else dict(one.encoding or {})
        sizes[name] = (ds[name].nbytes, ds[name].size * one.bytes)
    return Report(encoding, plans, sizes)


def _as_cf(whole: Plan, name: Hashable, max_error: float) -> Plan:
    """The smallest candidate of a plan whose CF attributes keep within the error, with the error proved for them."""
    candidates = whole.document.get("candidates") or [whole.document]
    for document in candidates:
        proved = document["cf_maximum_error"]
        if proved is not None and proved <= max_error:
            return Plan({**document, "maximum_error": proved})
    raise Rejection(f"{name}: no CF attributes keep within this error", "findings", "")


def _codecs(one: Plan) -> dict[str, Any]:
    """The encoding of ``to_zarr`` for the codecs of a plan."""
    from zarr.codecs import BytesCodec

    from . import zarr as own

    classes: dict[str, Any] = {
        "scale_offset": own.ScaleOffset,
        "cast_value": own.CastValue,
        "packbits": own.PackBits,
        "zfp": own.Zfp,
        "bytes": BytesCodec,
    }
    codecs = [classes[it["name"]].from_dict(dict(it)) for it in one.codecs]
    fill = one.fill_value
    number = float(fill) if isinstance(fill, str) and not fill.startswith("0x") else fill
    return {
        "filters": codecs[:-1],
        "serializer": codecs[-1],
        "fill_value": number,
        "_FillValue": None,
    }


def pack(
    ds: xr.Dataset,
    store: Any,
    max_error: Mapping[Any, float] | float,
    *,
    form: Literal["codecs", "cf"] = "codecs",
    to_zarr: Mapping[str, Any] | None = None,
    **options: Any,
) -> Report:
    """Plans a packing of a data set, writes the data set, reads it back, and compares every value.

    Args:
        ds: The data set.
        store: The store that ``Dataset.to_zarr`` writes to.
        max_error, form, options: As for :func:`plan`.
        to_zarr: Other arguments of ``Dataset.to_zarr``.

    Returns:
        The report of the plan, with the largest observed errors.

    Raises:
        Rejection: If a variable cannot be packed within its error, or is not read back within it.
    """
    from .zarr import enabled

    report = plan(ds, max_error, form=form, **options)
    written, encoding = ds, dict(report.encoding)
    if form == "cf":
        written = ds.assign({name: encode(ds[name], it) for name, it in report.encoding.items()})
        encoding = {}
    arguments: dict[str, Any] = {"zarr_format": 3, "consolidated": False, **(to_zarr or {})}
    written.to_zarr(store, encoding=encoding, **arguments)
    with enabled():
        back = xr.open_zarr(store, consolidated=False, mask_and_scale=False, zarr_format=3, chunks={})
        errors = {
            name: _largest_error(ds[name], decode(back[name]) if form == "cf" else back[name]) for name in report.plans
        }
    for name, one in report.plans.items():
        if not errors[name] <= one.max_error:
            message = f"{name}: read back with an error of {errors[name]}, which exceeds the promised {one.max_error}"
            raise Rejection(message, "inexact", "")
    return Report(report.encoding, report.plans, report.sizes, errors)


def _largest_error(before: xr.DataArray, after: xr.DataArray) -> float:
    """The largest error of all values, which is infinite if a NaN or an infinity is not read back as itself."""

    def of(a: Any, b: Any) -> Any:
        wide = np.asarray(a, np.float64), np.asarray(b, np.float64)
        is_same = (wide[0] == wide[1]) | (np.isnan(wide[0]) & np.isnan(wide[1]))
        with np.errstate(invalid="ignore"):
            error = np.abs(wide[0] - wide[1])
        return np.where(is_same, 0.0, np.where(np.isfinite(error), error, np.inf))

    error = xr.apply_ufunc(of, before, after, dask="parallelized", output_dtypes=[np.float64], join="override")
    return float(error.max(skipna=False)) if before.size else 0.0


def encode(array: xr.DataArray, encoding: Mapping[str, Any], *, reader: cf.Reader = "cf") -> xr.DataArray:
    """Packs a variable with CF attributes. Unlike xarray's own encoding, it never wraps around.

    Args:
        array: A variable of ``float32`` or ``float64``, which may be lazy.
        encoding: ``dtype`` and the packing attributes, as in xarray's ``encoding``.
        reader: The reader whose rules apply where readers differ.

    Returns:
        The codes, with the packing attributes.

    Raises:
        Rejection: For the first value that has no code, when it is computed.
    """
    packing = {name: encoding[name] for name in _PACKING if encoding.get(name) is not None}
    dtype = np.dtype(encoding["dtype"])
    made: xr.DataArray = xr.apply_ufunc(
        lambda block: cf.encode(block, packing, dtype, reader=reader),
        array,
        dask="parallelized",
        output_dtypes=[dtype],
        keep_attrs=True,
    )
    made.attrs.update(packing)
    # Keeps xarray from transforming the codes by itself.
    made.encoding = {"_FillValue": None} if "_FillValue" not in packing else {}
    return made


def decode(array: xr.DataArray, dtype: Any = None, *, reader: cf.Reader = "cf") -> xr.DataArray:
    """Unpacks a variable with its CF attributes, bit for bit as the conventions define.

    Args:
        array: A variable of codes, opened with ``mask_and_scale=False``, which may be lazy.
        dtype: The data type of the values; the default is that of ``scale_factor``, or ``float64``.
        reader: The reader whose rules apply where readers differ.

    Returns:
        The values, without the packing attributes.

    Raises:
        Rejection: For attributes that contradict the conventions.
    """
    packing = {name: array.attrs[name] for name in _PACKING if name in array.attrs}
    if dtype is None:
        factor = packing.get("scale_factor", packing.get("add_offset"))
        dtype = np.float32 if isinstance(factor, np.float32) else np.float64
    made: xr.DataArray = xr.apply_ufunc(
        lambda block: cf.decode(block, packing, dtype, reader=reader),
        array,
        dask="parallelized",
        output_dtypes=[dtype],
        keep_attrs=True,
    )
    for name in packing:
        del made.attrs[name]
    return made
