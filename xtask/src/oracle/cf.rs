//! The second oracle of `cf`: attributes parsed from raw JSON, software floats, and sums of machine integers.

use std::collections::BTreeMap;

use exactum_model::{Cf, DataType, Reason};
use rustc_apfloat::ieee::{Double, Single};
use rustc_apfloat::{Float, Round};
use serde_json::value::RawValue;

const ROUND: Round = Round::NearestTiesToEven;

/// Reads the attributes of a variable whose unpacked values have the given data type.
pub(crate) fn read(text: &str, unpacked: DataType) -> Option<Cf> {
    let members: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text).ok()?;
    let raw = |key: &str| members.get(key).map(|value| value.get());
    let name = |key: &str| raw(key).map(|text| text.trim_matches('"'));
    let packed: DataType = name("data_type")?.parse().ok()?;
    let width = 8 * packed.element_bytes();
    let code = |text: &str| -> Option<u64> {
        let value: i64 = text.trim().parse().ok()?;
        u64::try_from(value.rem_euclid(1 << width)).ok()
    };
    let list = |key: &str| -> Option<Vec<u64>> {
        let inner = raw(key).unwrap_or_default().trim_matches(['[', ']']);
        let texts = inner.split(',').filter(|text| !text.trim().is_empty());
        texts.map(code).collect()
    };
    let counted = match (name("_Unsigned"), packed.name().strip_prefix("int")) {
        (Some("true"), Some(bits)) => format!("uint{bits}").parse().ok()?,
        _ => packed,
    };
    let number = |key: &str| -> Option<Option<u64>> {
        let Some(text) = name(key) else {
            return Some(None);
        };
        let is_single = name("attribute_type") == Some("float32");
        let hex = text.strip_prefix("0x");
        let hex = hex
            .map(|digits| u64::from_str_radix(digits, 16))
            .transpose()
            .ok()?;
        Some(Some(match (is_single, unpacked) {
            (true, to) => {
                let single = match hex {
                    Some(bits) => f32::from_bits(bits.try_into().ok()?),
                    None => text.parse().ok()?,
                };
                match to {
                    DataType::Float32 => single.to_bits().into(),
                    _ => f64::from(single).to_bits(),
                }
            }
            (false, _) => hex.or_else(|| Some(text.parse::<f64>().ok()?.to_bits()))?,
        }))
    };
    let (fill, named) = (list("_FillValue")?, list("missing_value")?);
    let (mut missing, mut valid) = ([fill.clone(), named.clone()].concat(), None);
    let bounds = [list("valid_min")?, list("valid_max")?, list("valid_range")?];
    let value = |bits: &u64| integer(*bits, counted);
    match name("reader") {
        Some("xarray") => {}
        other => {
            let of = |bound: &[u64], or: i64| bound.first().map_or(or, value);
            valid = Some(match bounds[2].as_slice() {
                [least, most] => (value(least), value(most)),
                _ => (of(&bounds[0], i64::MIN), of(&bounds[1], i64::MAX)),
            });
            if other == Some("netcdf4") {
                let default = match (packed.name(), fill.is_empty()) {
                    (_, false) => fill,
                    ("int8", _) => list_of(-127, width)?,
                    ("int16", _) => list_of(-32767, width)?,
                    ("int32", _) => list_of(-2_147_483_647, width)?,
                    _ => list_of(-1, width)?,
                };
                missing = [named, default].concat();
            }
        }
    }
    Some(Cf {
        unpacked,
        packed,
        counted,
        scale_factor: number("scale_factor")?,
        add_offset: number("add_offset")?,
        missing,
        valid: valid.unwrap_or((i64::MIN, i64::MAX)),
    })
}

fn list_of(code: i64, width: usize) -> Option<Vec<u64>> {
    Some(vec![u64::try_from(code.rem_euclid(1 << width)).ok()?])
}

/// Returns the integer that a code represents.
fn integer(bits: u64, counted: DataType) -> i64 {
    match counted {
        DataType::Int8 => bits.to_le_bytes()[0].cast_signed().into(),
        DataType::Int16 => {
            let [low, high, ..] = bits.to_le_bytes();
            i16::from_le_bytes([low, high]).into()
        }
        DataType::Int32 => {
            let [a, b, c, d, ..] = bits.to_le_bytes();
            i32::from_le_bytes([a, b, c, d]).into()
        }
        _ => bits.cast_signed(),
    }
}

fn is_missing(codec: &Cf, code: i64) -> bool {
    let mut codes = codec.missing.iter();
    let (least, most) = codec.valid;
    code < least || code > most || codes.any(|bits| integer(*bits, codec.counted) == code)
}

/// Unpacks one code.
///
/// # Errors
/// This function never fails.
pub(crate) fn decode(codec: &Cf, bits: u64) -> Result<u64, Reason> {
    match codec.unpacked {
        DataType::Float32 => unpacked::<Single>(codec, bits),
        DataType::Float64 => unpacked::<Double>(codec, bits),
        _ => Ok(bits),
    }
}

fn unpacked<F: Float>(codec: &Cf, bits: u64) -> Result<u64, Reason> {
    let code = integer(bits, codec.counted);
    if is_missing(codec, code) {
        return low(F::qnan(None).to_bits());
    }
    let mut value = F::from_i128_r(code.into(), ROUND).value;
    if let Some(factor) = codec.scale_factor {
        value = value.mul_r(F::from_bits(factor.into()), ROUND).value;
    }
    if let Some(offset) = codec.add_offset {
        value = value.add_r(F::from_bits(offset.into()), ROUND).value;
    }
    low(value.to_bits())
}

/// Packs one value.
///
/// # Errors
/// If the value has no code, with the reason.
pub(crate) fn encode(codec: &Cf, bits: u64) -> Result<u64, Reason> {
    match codec.unpacked {
        DataType::Float32 => packed::<Single>(codec, bits),
        DataType::Float64 => packed::<Double>(codec, bits),
        _ => Ok(bits),
    }
}

fn packed<F: Float>(codec: &Cf, bits: u64) -> Result<u64, Reason> {
    let mut value = F::from_bits(bits.into());
    if value.is_nan() {
        let code = codec.missing.first().copied();
        return code.ok_or(Reason::NotANumber);
    }
    if value.is_infinite() {
        return Err(Reason::NotFinite);
    }
    if let Some(offset) = codec.add_offset {
        value = value.sub_r(F::from_bits(offset.into()), ROUND).value;
    }
    if let Some(factor) = codec.scale_factor {
        value = value.div_r(F::from_bits(factor.into()), ROUND).value;
    }
    if !value.is_finite() {
        return Err(Reason::OutOfRange);
    }
    let mut exact = false;
    let code = value.to_i128_r(64, ROUND, &mut exact).value;
    let code = i64::try_from(code).map_err(|_| Reason::OutOfRange)?;
    let residue = u64::try_from(code.rem_euclid(1 << (8 * codec.packed.element_bytes())));
    let residue = residue.map_err(|_| Reason::OutOfRange)?;
    if integer(residue, codec.counted) != code || is_missing(codec, code) {
        return Err(Reason::OutOfRange);
    }
    Ok(residue)
}

fn low(bits: u128) -> Result<u64, Reason> {
    u64::try_from(bits).map_err(|_| Reason::OutOfRange)
}
