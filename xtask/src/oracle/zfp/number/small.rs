//! Floats of 8 bits or fewer, by the table of all their values.

use exactum_model::{DataType, Format, Nan};
use rustc_apfloat::ieee::{Quad, Single};
use rustc_apfloat::{Float, FloatConvert};

use crate::oracle::tables::{Number, table};

/// The bits of the float32 NaN in whose payload only the highest bit is set.
const NAN: u64 = 0x7fc0_0000;

/// Returns whether a type has NaNs with payloads, as in IEEE 754.
fn has_payloads(data_type: DataType) -> bool {
    data_type
        .format()
        .float()
        .is_some_and(|it| it.nan == Nan::Ieee)
}

/// Converts a small float to float32.
pub(super) fn widened(data_type: DataType, bits: u64) -> Option<u64> {
    let format = data_type.format().float()?;
    let (sign, payload) = (bits & format.sign_mask(), bits & format.mantissa_mask());
    let number = Number::of(data_type, bits);
    let signed = |wide: u64| if sign == 0 { wide } else { wide | 1 << 31 };
    match (number, format.nan) {
        (Number::Nan, Nan::Ieee) => {
            Some(signed(0x7f80_0000 | payload << (23 - format.mantissa_bits)))
        }
        (Number::Nan, Nan::AllOnes) => Some(signed(NAN)),
        (Number::Nan, _) => Some(NAN),
        _ => {
            let single: Single = number.quad().convert(&mut false).value;
            u64::try_from(single.to_bits()).ok()
        }
    }
}

/// Returns the small float nearest to a float32. Of two equally near ones it is the one with an even code, or, among
/// powers of two, the larger one. The value that would follow the largest one also counts, and represents everything
/// that is too large.
pub(super) fn narrowed(data_type: DataType, bits: u64) -> u64 {
    let (Some(table), Format::Float(format)) = (table(data_type), data_type.format()) else {
        return bits;
    };
    let single = Single::from_bits(bits.into());
    let sign = if single.is_negative() {
        format.sign_mask()
    } else {
        0
    };
    let nan = match format.nan {
        Nan::None => None,
        Nan::Only(code) => Some(code),
        Nan::AllOnes => Some(sign | (format.mask() & !format.sign_mask())),
        Nan::Ieee => {
            let kept = (bits & 0x7f_ffff) >> (23 - format.mantissa_bits);
            let kept = if kept == 0 {
                1 << (format.mantissa_bits - 1)
            } else {
                kept
            };
            Some(sign | format.max_exponent_field() << format.mantissa_bits | kept)
        }
    };
    if single.is_nan() {
        return nan.unwrap_or(0);
    }
    let (largest, last) = table.ascending[table.ascending.len() - 1];
    let beyond = match (format.infinity_bits(), nan) {
        (Some(infinity), _) => sign | infinity,
        (None, Some(nan)) if !has_payloads(data_type) => nan,
        _ => sign | last,
    };
    if !format.signed && single.is_negative() {
        return table.ascending[0].1;
    }
    let magnitude: Quad = single.abs().convert(&mut false).value;
    if magnitude.is_infinite() {
        return beyond;
    }
    let middle = (largest + table.past).value.scalbn(-1);
    if magnitude > middle || (magnitude == middle && (format.mantissa_bits == 0 || last & 1 == 1)) {
        return beyond;
    }
    let mut nearest = table.ascending[0];
    for &(value, code) in &table.ascending {
        let (old, new) = (
            (magnitude - nearest.0).value.abs(),
            (magnitude - value).value.abs(),
        );
        let tie = new == old && (format.mantissa_bits == 0 || code & 1 == 0);
        if new < old || tie {
            nearest = (value, code);
        }
    }
    match nearest.1 {
        0 if format.zero && !format.negative_zero => 0,
        code => sign | code,
    }
}
