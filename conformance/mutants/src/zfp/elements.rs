//! Mutants of `zfp` in how elements are promoted and demoted.

use super::*;

fn is_half(data_type: DataType) -> bool {
    matches!(data_type.format(), Format::Float(format) if format.bits() == 16)
}

fn small_unsigned(data_type: DataType) -> Option<IntegerFormat> {
    match data_type.format() {
        Format::Integer(format) if format.bits < 32 && !format.signed => Some(format),
        _ => None,
    }
}

/// Reduces a NaN of 16 bits to its quiet bit; returns other values unchanged.
fn without_payload(data_type: DataType, bits: u64) -> u64 {
    match data_type.format().float() {
        Some(format) if is_half(data_type) && format.is_nan(bits) => {
            bits & !format.mantissa_mask() | 1 << (format.mantissa_bits - 1)
        }
        _ => bits,
    }
}

#[rustfmt::skip] // A table.
pub(super) fn promotions() -> Vec<Mutant> {
    vec![
        row("zfp-promoted-without-shift", "zfp.promotion.integers zfp.demotion",
            "Small integers are compressed unscaled, in the low bits of an int32.",
            faulty(wrong!(Coding: fn promotion_shift(&self, _: &IntegerFormat) -> u32 { 0 }))),
        row("zfp-promoted-without-centre", "zfp.promotion.integers",
            "Small unsigned integers are halved, not centred.",
            faulty(wrong!(Coding:
                fn promote(&self, data_type: DataType, scalar: ZfpScalar, bits: u64) -> u64 {
                    match small_unsigned(data_type) {
                        Some(format) => (bits / 2) << self.promotion_shift(&format),
                        None => Reference.promote(data_type, scalar, bits),
                    }
                }
                fn demote(&self, data_type: DataType, scalar: ZfpScalar, bits: u64) -> u64 {
                    match small_unsigned(data_type) {
                        Some(format) => {
                            let value = Width(32).wrap(bits.into()) >> self.promotion_shift(&format);
                            bits_of((2 * value).clamp(format.min(), format.max()), 32)
                        }
                        None => Reference.demote(data_type, scalar, bits),
                    }
                }
            ))),
        row("zfp-half-floats-as-integers", "zfp.promotion",
            "Floats of 16 bits are compressed as int16.",
            faulty(wrong!(Coding:
                fn scalar(&self, codec: &Zfp) -> Option<ZfpScalar> {
                    if is_half(codec.data_type) { Some(ZfpScalar::Int32) } else { codec.scalar() }
                }
                fn promote(&self, data_type: DataType, scalar: ZfpScalar, bits: u64) -> u64 {
                    match is_half(data_type) {
                        true => bits_of(Width(16).wrap(bits.into()) << 15, 32),
                        false => Reference.promote(data_type, scalar, bits),
                    }
                }
                fn demote(&self, data_type: DataType, scalar: ZfpScalar, bits: u64) -> u64 {
                    match is_half(data_type) {
                        true => bits_of(Width(32).wrap(bits.into()) >> 15, 16),
                        false => Reference.demote(data_type, scalar, bits),
                    }
                }
            ))),
        row("zfp-payload-lost", "zfp.promotion.floats zfp.demotion.floats",
            "NaNs of 16 bits become the default NaN on conversion.",
            faulty(wrong!(Coding:
                fn promote(&self, data_type: DataType, scalar: ZfpScalar, bits: u64) -> u64 { Reference.promote(data_type, scalar, without_payload(data_type, bits)) }
                fn demote(&self, data_type: DataType, scalar: ZfpScalar, bits: u64) -> u64 { without_payload(data_type, Reference.demote(data_type, scalar, bits)) }
            ))),
        row("zfp-demoted-to-nearest", "zfp.demotion",
            "Integers are rounded to nearest when they are shifted down.",
            faulty(wrong!(Coding: fn shifted_down(&self, value: i128, shift: u32) -> i128 { (value + (1 << shift >> 1)) >> shift }))),
        row("zfp-demoted-unclamped", "zfp.demotion",
            "Integers beyond the type wrap around.",
            faulty(wrong!(Coding: fn clamped(&self, _: &IntegerFormat, value: i128) -> i128 { value }))),
        row("zfp-demoted-between-swapped-limits", "zfp.demotion",
            "The limits are those of the text, whose lower limit is above the upper one.",
            faulty(wrong!(Coding: fn clamped(&self, format: &IntegerFormat, value: i128) -> i128 {
                match format.signed {
                    true => value.max(1 << (format.bits - 1)).min(format.max()),
                    false => Reference.clamped(format, value),
                }
            }))),
    ]
}

#[rustfmt::skip] // A table.
pub(super) fn narrow_floats() -> Vec<Mutant> {
    vec![
        row("zfp-narrow-floats-cut", "zfp.demotion.floats",
            "A float32 is truncated to its upper 16 bits, which are a bfloat16.",
            faulty(wrong!(Coding: fn narrowing(&self) -> Rounding { Rounding::TowardsZero }))),
        row("zfp-narrow-floats-saturate", "zfp.demotion.floats",
            "A value that is too large becomes the largest finite number.",
            faulty(wrong!(Coding: fn demote(&self, data_type: DataType, scalar: ZfpScalar, bits: u64) -> u64 {
                let right = Reference.demote(data_type, scalar, bits);
                match data_type.format().float() {
                    Some(format) if is_half(data_type) && format.is_infinite(right) && bits << 33 != 0xff << 56 => right - 1,
                    _ => right,
                }
            }))),
        row("zfp-lossy-nan", "zfp.lossy.finite",
            "NaN and infinities are converted by the machine (C on x86-64).",
            faulty(wrong!(Coding:
                fn check(&self, _: &Zfp, _: u64) -> Result<(), Rejection> { Ok(()) }
                fn truncated(&self, scalar: ZfpScalar, float: Option<Float>, scale: i64) -> i128 {
                    // The result on x86 for anything that is not an integer of the type.
                    float.map_or(-1 << (scalar.bits() - 1), |float| float.truncated(scale).0)
                }
            ))),
        row("zfp-lossy-range-unchecked", "zfp.lossy.range",
            "Integers without room for the transform are stored, as others (C, zfpy, zarrs).",
            CODER.encoding(|codec, input| match encode(codec, input) {
                Err(_) if !codec.is_reversible() => unchecked(codec, input),
                answer => answer,
            })),
    ]
}
