//! Mutants of `cf` that affect encoding.

use super::*;

pub(super) fn mutants() -> Vec<Mutant> {
    [packed_values(), packed_limits()].concat()
}

#[rustfmt::skip] // A table.
fn packed_values() -> Vec<Mutant> {
    vec![
        pack("cf-pack-multiplies", "cf.encode",
            "Packing multiplies, as scale_offset does.",
            wrong!(Packing: fn packing(&self, codec: &Cf) -> [Step; 2] { [(codec.add_offset, Exact::subtract), (codec.scale_factor, Exact::multiply)] })),
        pack("cf-pack-adds", "cf.encode",
            "Packing adds the offset.",
            wrong!(Packing: fn packing(&self, codec: &Cf) -> [Step; 2] { [(codec.add_offset, Exact::add), (codec.scale_factor, Exact::divide)] })),
        pack("cf-pack-divides-first", "cf.encode",
            "value / scale_factor - add_offset.",
            wrong!(Packing: fn packing(&self, codec: &Cf) -> [Step; 2] { [(codec.scale_factor, Exact::divide), (codec.add_offset, Exact::subtract)] })),
        pack("cf-pack-by-the-reciprocal", "cf.encode.steps",
            "Packing multiplies by 1 / scale_factor, computed once.",
            wrong!(Packing: fn packing(&self, codec: &Cf) -> [Step; 2] {
                let format = codec.unpacked.format();
                let reciprocal = codec.scale_factor.map(|bits| {
                    let exact = Exact::integer(1).divide(&Exact::from_bits(&format, bits));
                    saturated(&through(&exact, &format), &format)
                });
                [(codec.add_offset, Exact::subtract), (reciprocal, Exact::multiply)]
            })),
        pack("cf-pack-float32-in-float64", "cf.encode.steps",
            "Values of float32 are packed in float64.",
            Through(|_| BINARY64)),
        pack("cf-pack-float64-in-float32", "cf.encode.steps",
            "Values of float64 are packed in float32.",
            Through(|_| BINARY32)),
        pack("cf-truncates", "cf.encode.round",
            "The quotient is truncated, as by a cast in C.",
            wrong!(Packing: fn code(&self, quotient: &Exact, counted: &Format) -> Rounded { round(quotient, counted, Rounding::TowardsZero) })),
        pack("cf-rounds-ties-away", "cf.encode.round",
            "Ties go away from zero, as in Fortran's nint and C's round.",
            wrong!(Packing: fn code(&self, quotient: &Exact, counted: &Format) -> Rounded { round(quotient, counted, Rounding::NearestAway) })),
        pack("cf-rounds-ties-up", "cf.encode.round",
            "floor(x + 0.5).",
            wrong!(Packing: fn code(&self, quotient: &Exact, counted: &Format) -> Rounded { Reference.code(&floor(&quotient.add(&half())), counted) })),
    ]
}

#[rustfmt::skip] // A table.
fn packed_limits() -> Vec<Mutant> {
    vec![
        pack("cf-wraps", "cf.encode.range",
            "400.0 at 0.01 becomes -25536, as xarray and netCDF4-python store it.",
            wrong!(Packing: fn beyond(&self, codec: &Cf, quotient: &Exact) -> Option<u64> {
                match self.code(quotient, &codec.counted.format()) {
                    Rounded::OutOfRange { rounded, .. } => Some(wrap(&integer(&codec.counted.format())?, &rounded)),
                    _ => None,
                }
            })),
        pack("cf-clamps", "cf.encode.range",
            "A value out of range becomes the nearest code, as in GDAL.",
            wrong!(Packing: fn beyond(&self, codec: &Cf, quotient: &Exact) -> Option<u64> { Some(saturated(quotient, &codec.counted.format())) })),
        pack("cf-out-of-range-is-missing", "cf.encode.range",
            "A value out of range becomes missing.",
            wrong!(Packing: fn beyond(&self, codec: &Cf, _: &Exact) -> Option<u64> { codec.missing.first().copied() })),
        pack("cf-nan-is-zero", "cf.encode.nan",
            "NaN without a code becomes 0, as xarray stores it.",
            wrong!(Packing: fn nan(&self, codec: &Cf) -> Option<u64> { Reference.nan(codec).or(Some(0)) })),
        pack("cf-nan-is-never-missing", "cf.encode.nan",
            "NaN becomes 0 even if there is a fill value, as netCDF4-python stores it.",
            wrong!(Packing: fn nan(&self, _: &Cf) -> Option<u64> { Some(0) })),
        pack("cf-fill-is-packed", "cf.encode.nan",
            "NaN becomes _FillValue before the values are packed.",
            wrong!(Packing: fn nan(&self, codec: &Cf) -> Option<u64> {
                let (unpacked, counted) = (codec.unpacked.format(), codec.counted.format());
                let fill = through(&Exact::from_bits(&counted, *codec.missing.first()?), &unpacked);
                encode_element_with(&NothingMissing, codec, saturated(&fill, &unpacked)).ok()
            })),
        pack("cf-last-missing-value", "cf.encode.nan",
            "NaN becomes the last code of missing_value.",
            wrong!(Packing: fn nan(&self, codec: &Cf) -> Option<u64> { codec.missing.last().copied() })),
        pack("cf-infinity-is-zero", "cf.encode.infinity",
            "An infinity becomes 0, as xarray and netCDF4-python store it.",
            wrong!(Packing: fn infinity(&self, _: &Cf) -> Option<u64> { Some(0) })),
        pack("cf-infinity-is-missing", "cf.encode.infinity",
            "An infinity becomes the fill value.",
            wrong!(Packing: fn infinity(&self, codec: &Cf) -> Option<u64> { codec.missing.first().copied() })),
        pack("cf-packs-onto-missing", "cf.encode.reserved",
            "A value is packed as a code that is missing, and is read back as NaN (xarray issue 7691).",
            NothingMissing),
        pack("cf-packs-out-of-the-valid-range", "cf.encode.reserved",
            "A value is packed as a code that is not valid.",
            wrong!(Packing: fn is_missing(&self, codec: &Cf, code: u64) -> bool { codec.missing.contains(&code) })),
    ]
}
