//! Mutants of `cf` that encode.

use super::*;

pub(super) fn mutants() -> Vec<Mutant> {
    [packed_values(), packed_limits()].concat()
}

#[rustfmt::skip] // A table.
fn packed_values() -> Vec<Mutant> {
    vec![
        pack("cf-pack-multiplies", "cf.encode",
            "Packing multiplies, as scale_offset does.",
            |it| it.packed(&it.format, [(it.offset(), Exact::subtract), (it.scale(), Exact::multiply)])),
        pack("cf-pack-adds", "cf.encode",
            "Packing adds the offset.",
            |it| it.packed(&it.format, [(it.offset(), Exact::add), (it.scale(), Exact::divide)])),
        pack("cf-pack-divides-first", "cf.encode",
            "value / scale_factor - add_offset.",
            |it| it.packed(&it.format, [(it.scale(), Exact::divide), (it.offset(), Exact::subtract)])),
        pack("cf-pack-by-the-reciprocal", "cf.encode.steps",
            "Packing multiplies by 1 / scale_factor, computed once.",
            |it| {
                let reciprocal = through(&Exact::integer(1).divide(&it.scale()?), &it.format);
                it.packed(&it.format, [(it.offset(), Exact::subtract), (Some(reciprocal), Exact::multiply)])
            }),
        pack("cf-pack-float32-in-float64", "cf.encode.steps",
            "Values of float32 are packed in float64.",
            |it| it.packed(&BINARY64, [(it.offset(), Exact::subtract), (it.scale(), Exact::divide)])),
        pack("cf-pack-float64-in-float32", "cf.encode.steps",
            "Values of float64 are packed in float32.",
            |it| it.packed(&BINARY32, [(it.offset(), Exact::subtract), (it.scale(), Exact::divide)])),
        pack("cf-truncates", "cf.encode.round",
            "The quotient is cut off, as a cast in C does it.",
            |it| {
                it.is_number(Direction::Encode)?;
                give(saturated(&it.quotient(), &it.counted))
            }),
        pack("cf-rounds-ties-away", "cf.encode.round",
            "Ties go away from zero, as nint of Fortran and round of C have it.",
            |it| {
                it.is_number(Direction::Encode)?;
                match round(&it.quotient(), &it.counted, Rounding::NearestAway) {
                    Rounded::Bits(bits) => give(bits),
                    _ => reject(),
                }
            }),
        pack("cf-rounds-ties-up", "cf.encode.round",
            "floor(x + 0.5).",
            |it| {
                it.is_number(Direction::Encode)?;
                give(saturated(&floor(&it.quotient().add(&half())), &it.counted))
            }),
    ]
}

#[rustfmt::skip] // A table.
fn packed_limits() -> Vec<Mutant> {
    vec![
        pack("cf-wraps", "cf.encode.range",
            "400.0 at 0.01 becomes -25536, as xarray and netCDF4-python store it.",
            |it| give(wrap(&integer(&it.counted)?, &it.beyond()?))),
        pack("cf-clamps", "cf.encode.range",
            "What is out of range becomes the nearest code, as GDAL does it.",
            |it| give(saturated(&it.beyond()?, &it.counted))),
        pack("cf-out-of-range-is-missing", "cf.encode.range",
            "What is out of range becomes missing.",
            |it| {
                it.beyond()?;
                give(*it.codec.missing.first()?)
            }),
        pack("cf-nan-is-zero", "cf.encode.nan",
            "NaN without a code becomes 0, as xarray stores it.",
            |it| (it.value() == Exact::Nan && it.codec.missing.is_empty()).then(|| give(0))?),
        pack("cf-nan-is-never-missing", "cf.encode.nan",
            "NaN becomes 0 beside a fill value too, as netCDF4-python stores it.",
            |it| (it.value() == Exact::Nan).then(|| give(0))?),
        pack("cf-fill-is-packed", "cf.encode.nan",
            "NaN becomes _FillValue before the values are packed.",
            |it| {
                let fill = Exact::from_bits(&it.counted, *it.codec.missing.first()?);
                (it.value() == Exact::Nan).then_some(())?;
                let operations: [(_, Operation); 2] =
                    [(it.offset(), Exact::subtract), (it.scale(), Exact::divide)];
                let packed = it.steps(fill, &it.format, operations);
                give(saturated(&nearest(&packed), &it.counted))
            }),
        pack("cf-last-missing-value", "cf.encode.nan",
            "NaN becomes the last code of missing_value.",
            |it| {
                (it.value() == Exact::Nan).then_some(())?;
                give(*it.codec.missing.last()?)
            }),
        pack("cf-infinity-is-zero", "cf.encode.infinity",
            "An infinity becomes 0, as xarray and netCDF4-python store it.",
            |it| matches!(it.value(), Exact::Infinite { .. }).then(|| give(0))?),
        pack("cf-infinity-is-missing", "cf.encode.infinity",
            "An infinity becomes the fill value.",
            |it| {
                matches!(it.value(), Exact::Infinite { .. }).then_some(())?;
                give(*it.codec.missing.first()?)
            }),
        pack("cf-packs-onto-missing", "cf.encode.reserved",
            "A value is packed as a code that is missing, and is read back as NaN (xarray issue 7691).",
            |it| {
                matches!(it.value(), Exact::Finite(_) | Exact::Zero { .. }).then_some(())?;
                it.with(Direction::Encode, nothing_missing)
            }),
        pack("cf-packs-out-of-the-valid-range", "cf.encode.reserved",
            "A value is packed as a code that is not valid.",
            |it| it.with(Direction::Encode, |codec| codec.valid = (i64::MIN, i64::MAX))),
    ]
}
