//! Mutants of `cast_value`: zeros.

use super::*;

const SIGNED_ZERO: &[&str] = &["cast_value.special.signed-zero"];
const ZERO_SIGN_LOST: &[&str] = &["cast_value.special.zero-sign-lost"];
const NO_ZERO: &[&str] = &["cast_value.rounding.no-zero"];

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "negative-zero-lost",
        SIGNED_ZERO,
        |codec, direction, bits| {
            unless(codec, direction, bits, |_, value| {
                matches!(value, Exact::Zero { negative: true }).then_some(Ok(0))
            })
        },
        "-0 becomes 0 between floats: a value that went through an integer, or had 0 added.",
        Witness::Cast("float64", r#"{"data_type":"float32"}"#, "[-0.0]"),
    ),
    mutant(
        "rounded-zero-loses-sign",
        SIGNED_ZERO,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let Format::Float(to) = cast.to.format() else {
                    return None;
                };
                let zero = matches!(value, Exact::Finite(_))
                    && cast_element(cast, bits).is_ok_and(|result| to.is_zero(result));
                zero.then_some(Ok(0))
            })
        },
        "A negative value that rounds to zero becomes +0: the path for underflow returns a constant.",
        Witness::Cast("float64", r#"{"data_type":"float32"}"#, "[-1e-50]"),
    ),
    mutant(
        "negative-zero-rejected",
        ZERO_SIGN_LOST,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let lost = matches!(value, Exact::Zero { negative: true })
                    && matches!(cast.to.format(), Format::Integer(_));
                lost.then(|| Err(refuse("cast_value.special.zero-sign-lost")))
            })
        },
        "-0 into an integer is rejected, for its bits do not come back (zarrs rejects it as a fill value).",
        Witness::Cast("float64", r#"{"data_type":"int8"}"#, "[-0.0]"),
    ),
    mutant(
        "negative-zero-below-unsigned",
        ZERO_SIGN_LOST,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let Format::Integer(to) = cast.to.format() else {
                    return None;
                };
                let zero = match round(value, &cast.to.format(), cast.rounding) {
                    Rounded::Bits(bits) => bits == 0 && value.is_negative(),
                    _ => false,
                };
                (zero && !to.signed && cast.out_of_range.is_none())
                    .then(|| Err(refuse("cast_value.special.zero-sign-lost")))
            })
        },
        "Whatever has its sign bit set is below an unsigned type, -0 among it.",
        Witness::Cast("float32", r#"{"data_type":"uint8"}"#, "[-0.0]"),
    ),
    mutant(
        "no-zero-takes-zero",
        NO_ZERO,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let to = cast.to.format().float()?;
                (!to.zero && matches!(value, Exact::Zero { .. })).then_some(Ok(0))
            })
        },
        "Zero becomes the code 0, which is 2^-127 there (tensorstore accepts it in a fill value).",
        Witness::Cast("float32", r#"{"data_type":"float8_e8m0fnu"}"#, "[0.0]"),
    ),
    mutant(
        "no-zero-ties-to-smaller",
        NO_ZERO,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let to = cast.to.format().float()?;
                let Exact::Finite(finite) = value else {
                    return None;
                };
                // 3 * 2^n lies halfway between two powers of two.
                let tie = finite.in_quanta(finite.floor_log2() - 1);
                let three = tie.0.bits() == 2 && tie.0.bit(0) && tie.1.bits() == 0;
                let nearest = cast.rounding == Rounding::NearestEven;
                let down = Cast {
                    rounding: Rounding::TowardsZero,
                    map: &[],
                    ..*cast
                };
                (!to.zero && three && nearest).then(|| cast_element(&down, bits))
            })
        },
        "Ties keep the smaller power of two, as a mantissa that is cut off does.",
        Witness::Cast("float32", r#"{"data_type":"float8_e8m0fnu"}"#, "[3.0]"),
    ),
];
