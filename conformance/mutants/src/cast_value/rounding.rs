//! Mutants of `cast_value`: rounding.

use exactum_conformance::Request;
use exactum_conformance::model::Rounding::{
    NearestAway, NearestEven, TowardsNegative, TowardsPositive, TowardsZero,
};
use serde_json::{Map, Value};

use super::*;
use crate::arithmetic::{BINARY32, half, magnitude};
use crate::misread;

/// Returns whether a value lies exactly halfway between two integers.
fn is_half(value: &Exact) -> bool {
    is_integer(&value.multiply(&Exact::integer(2))) && !is_integer(value)
}

/// Adds `rounding` to a configuration that has none, by editing the text, so that nothing else changes.
fn with_default(request: &mut Request, rounding: &str) {
    let Some(text) = request.text("configuration") else {
        return;
    };
    let without = serde_json::from_str::<Map<String, Value>>(text).is_ok_and(|members| {
        members.contains_key("data_type") && !members.contains_key("rounding")
    });
    if without && request.op().starts_with("cast_value.") {
        let text = text.replacen('{', &format!(r#"{{"rounding":"{rounding}","#), 1);
        request
            .members_mut()
            .insert("configuration".into(), text.into());
    }
}

pub(super) fn mutants() -> Vec<Mutant> {
    [wrong_modes(), double_roundings(), rounding_at_the_range()].concat()
}

#[rustfmt::skip] // A table.
fn wrong_modes() -> Vec<Mutant> {
    vec![
        misread("default-rounding-truncates", "cast_value.rounding.default",
            "Without `rounding` values are cut off, as the language's own conversion does.",
            |request| with_default(request, "towards-zero")),
        misread("default-rounding-nearest-away", "cast_value.rounding.default",
            "Without `rounding` ties go away from zero: C's round() and Rust's f64::round.",
            |request| with_default(request, "nearest-away")),
        mutant("nearest-even-is-nearest-away", "cast_value.rounding.nearest-even",
            "Ties go away from zero: round() in C, Rust and most hand-written code.",
            |it| it.mode(NearestEven)?.by(NearestAway)),
        mutant("nearest-even-truncates", "cast_value.rounding.nearest-even",
            "Values are cut off: C's conversion (ts.cast of tensorstore, numpy's astype).",
            |it| it.mode(NearestEven)?.by(TowardsZero)),
        mutant("nearest-even-half-up", "cast_value.rounding.nearest-even",
            "Ties go upwards: JavaScript's Math.round.",
            |it| {
                it.mode(NearestEven)?
                    .when(is_half(&it.value))?
                    .by(TowardsPositive)
            }),
        mutant("towards-zero-is-floor", "cast_value.rounding.towards-zero",
            "Truncation by floor(), right for positive values only.",
            |it| it.mode(TowardsZero)?.by(TowardsNegative)),
        mutant("towards-zero-is-nearest", "cast_value.rounding.towards-zero",
            "Into floats the machine's rounding stays, which is to nearest.",
            |it| it.mode(TowardsZero)?.to_float()?.by(NearestEven)),
        mutant("towards-positive-is-away-from-zero", "cast_value.rounding.towards-positive",
            "The magnitude is rounded up: the sign is put aside first.",
            |it| it.mode(TowardsPositive)?.negative()?.by(TowardsNegative)),
        mutant("towards-positive-is-nearest", "cast_value.rounding.towards-positive",
            "The mode falls through to the default of a switch.",
            |it| it.mode(TowardsPositive)?.by(NearestEven)),
        mutant("towards-negative-is-truncation", "cast_value.rounding.towards-negative",
            "floor() by an integer conversion, right for positive values only.",
            |it| it.mode(TowardsNegative)?.by(TowardsZero)),
        mutant("towards-negative-is-nearest", "cast_value.rounding.towards-negative",
            "Into floats the machine's rounding stays, which is to nearest.",
            |it| it.mode(TowardsNegative)?.to_float()?.by(NearestEven)),
        mutant("nearest-away-is-nearest-even", "cast_value.rounding.nearest-away",
            "Both nearest modes are the machine's.",
            |it| it.mode(NearestAway)?.by(NearestEven)),
        mutant("nearest-away-adds-a-half", "cast_value.rounding.nearest-away",
            "floor(|x| + 0.5) in the input's type: 0.49999999999999994 gives 1, 2^52 + 1 gives 2^52 + 2 (zarrita 0.7.5, cast-value 0.2.1, cast-value-rs 0.4.2).",
            |it| {
                it.mode(NearestAway)?.of_float()?.to_integer()?.finite()?;
                let more = floor(&through(&magnitude(&it.value).add(&half()), &it.from));
                let rounded = if it.value.is_negative() {
                    more.negate()
                } else {
                    more
                };
                it.nearest(&rounded)
            }),
        mutant("nearest-away-half-up", "cast_value.rounding.nearest-away",
            "floor(x + 0.5), JavaScript's Math.round: -0.5 gives 0.",
            |it| {
                it.mode(NearestAway)?
                    .negative()?
                    .when(is_half(&it.value))?
                    .by(TowardsZero)
            }),
    ]
}

#[rustfmt::skip] // A table.
fn double_roundings() -> Vec<Mutant> {
    vec![
        mutant("float16-through-binary32", "cast_value.rounding.once",
            "float64 reaches float16 through float32: 1 + 2^-11 + 2^-30 gives 1 (half 2.7.1 on x86 with F16C, and with it cast-value-rs 0.5.1, zarr-python, zarrs, tensorstore).",
            |it| {
                let sixteen = it.to.component_bits() == 16 && it.from == BINARY64;
                it.mode(NearestEven)?
                    .to_float()?
                    .when(sixteen)?
                    .via(&BINARY32)
            }),
        mutant("float32-from-integers-through-binary64", "cast_value.rounding.once",
            "int64 reaches float32 through a binary64 (zarrita 0.7.5).",
            |it| {
                it.mode(NearestEven)?
                    .of_integer()?
                    .when(it.to == BINARY32)?
                    .via(&BINARY64)
            }),
        mutant("integers-from-floats-through-binary32", "cast_value.rounding.once",
            "float64 is narrowed to float32 before it is rounded to an integer: a kernel written for float32 only.",
            |it| {
                it.mode(NearestEven)?
                    .to_integer()?
                    .when(it.from == BINARY64)?
                    .via(&BINARY32)
            }),
        mutant("rounding-ignored-from-integers", "cast_value.rounding.every-inexact",
            "Integers are converted to floats by the machine's conversion, regardless of `rounding` (zarrita 0.7.5).",
            |it| it.of_integer()?.by(NearestEven)),
        mutant("rounding-from-integers-compared-in-binary64", "cast_value.rounding.every-inexact",
            "The nearest float is corrected for directed modes by a comparison in binary64, which sees no difference above 2^53 (cast-value 0.2.1, cast-value-rs 0.4.2).",
            |it| {
                it.of_integer()?.to_float()?;
                let seen = through(&it.value, &BINARY64);
                it.when(same(&through(&it.value, &it.to), &seen))?
                    .by(NearestEven)
            }),
        mutant("rounding-ignored-between-floats", "cast_value.rounding.every-inexact",
            "Casts between floats use the machine's conversion, as if `rounding` applied to integers only.",
            |it| it.of_float()?.to_float()?.by(NearestEven)),
    ]
}

#[rustfmt::skip] // A table.
fn rounding_at_the_range() -> Vec<Mutant> {
    vec![
        mutant("range-before-rounding", "cast_value.rounding.before-range",
            "The unrounded value is tested: 255.4 has no uint8, 65519 no float16 (zarrs).",
            |it| {
                let above = beyond(&it.finite()?.value, &it.to)?;
                match (it.cast.out_of_range, integer(&it.to)) {
                    (CLAMP, _) => it.clamp(above),
                    (WRAP, Some(_)) => None,
                    _ => reject(),
                }
            }),
        mutant("range-of-the-truncated-value", "cast_value.rounding.before-range",
            "The truncated value is tested and the rounded one stored: 255.5 passes as 255 and is stored as 0.",
            |it| {
                let truncated = round(&it.value, &it.to, TowardsZero);
                it.over(ABSENT)?
                    .when(matches!(truncated, Rounded::Bits(_)))?
                    .wrap(it.far())
            }),
        mutant("directed-overflow-gives-largest", "cast_value.rounding.unbounded",
            "A directed mode turns an overflow into the largest finite value, as IEEE 754 defines \
             it (cast-value-rs 0.3 to 0.4.2).",
            |it| {
                let Rounded::OutOfRange { above, .. } = it.to_float()?.rounded else {
                    return None;
                };
                let back = match it.cast.rounding {
                    TowardsZero => true,
                    TowardsNegative => above,
                    TowardsPositive => !above,
                    NearestEven | NearestAway => false,
                };
                it.when(back)?.largest(above)
            }),
        mutant("nearest-overflow-gives-largest", "cast_value.range.overflow",
            "There is no value above the largest one, so what lies less than a unit beyond it is nearest to it: 65520 gives 65504.",
            |it| {
                let Rounded::OutOfRange { rounded, above } = &it.rounded else {
                    return None;
                };
                it.when(matches!(it.cast.rounding, NearestEven | NearestAway))?;
                it.to.float().filter(|to| to.zero)?;
                // Values less than one unit beyond the largest value.
                let before = Exact::from_bits(&it.to, largest(&it.to, *above) - 1);
                let bound = it.limit(*above);
                let next = bound.add(&bound.subtract(&before));
                it.when(same(rounded, &next) && !same(&it.value, &next))?
                    .largest(*above)
            }),
    ]
}
