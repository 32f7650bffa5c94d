//! The stages of casts into integers.

use exactum_model::{DataType, OutOfRange, Rounding};

use super::{Stage, Stages, byte_of, widen_sub_byte, widened};
use crate::cast_value::integers::{Clamp, Narrow, Same, Wrap};
use crate::cast_value::mode;
use crate::cast_value::short::{Float16ToInteger, ShortToInt32};
use crate::cast_value::small::{CHECKED, CLAMPED, NarrowSubByte, WRAPPED};
use crate::cast_value::to_integer::{LowBits, ToCommon64, ToInteger, ToResidue};

pub(super) fn integer_to_integer(
    from: DataType,
    to: DataType,
    rule: Option<OutOfRange>,
) -> Option<Stages> {
    if let Some(byte) = byte_of(to) {
        return Some(integer_to_integer(from, byte, rule)?.before(narrow_sub_byte(to, rule)?));
    }
    if let Some(byte) = byte_of(from) {
        return Some(Stages::after(
            widen_sub_byte(from)?,
            integer_to_integer(byte, to, rule)?,
        ));
    }
    let bytes = to.element_bytes();
    let stage = with_integer!(from, S => with_integer!(to, T => match rule {
        None => stage!(bytes, Narrow::<S, T>::NEW),
        Some(OutOfRange::Clamp) => stage!(bytes, Clamp::<S, T>::NEW),
        Some(OutOfRange::Wrap) if size_of::<S>() == size_of::<T>() => stage!(bytes, Same),
        Some(OutOfRange::Wrap) => stage!(bytes, Wrap::<S, T>::NEW),
    })?)?;
    Some(Stages::one(stage))
}

/// Returns the stage from a byte to a sub-byte integer.
fn narrow_sub_byte(to: DataType, rule: Option<OutOfRange>) -> Option<Stage> {
    macro_rules! of {
        ($byte:ty, $bits:literal) => {
            match rule {
                None => stage!(1, NarrowSubByte::<$byte, $bits, CHECKED>::NEW),
                Some(OutOfRange::Clamp) => stage!(1, NarrowSubByte::<$byte, $bits, CLAMPED>::NEW),
                Some(OutOfRange::Wrap) => stage!(1, NarrowSubByte::<$byte, $bits, WRAPPED>::NEW),
            }
        };
    }
    Some(match to {
        DataType::Int2 => of!(i8, 2),
        DataType::Int4 => of!(i8, 4),
        DataType::Uint2 => of!(u8, 2),
        DataType::Uint4 => of!(u8, 4),
        _ => return None,
    })
}

/// Returns the stage from a float to an integer, for a rule that does not wrap.
pub(super) fn float_to_integer(
    from: DataType,
    to: DataType,
    rounding: Rounding,
    rule: Option<OutOfRange>,
) -> Option<Stages> {
    if let Some(byte) = byte_of(to) {
        return Some(
            float_to_integer(from, byte, rounding, rule)?.before(narrow_sub_byte(to, rule)?),
        );
    }
    let (bytes, check) = (to.element_bytes(), rule.is_none());
    match from {
        DataType::Float32 => Some(Stages::one(with_integer!(to, T =>
            with_mode!(rounding, check, M, C => stage!(bytes, ToInteger::<f32, T, M, C>::NEW)))?)),
        DataType::Float64 => Some(Stages::one(with_integer!(to, T =>
            with_mode!(rounding, check, M, C => stage!(bytes, ToInteger::<f64, T, M, C>::NEW)))?)),
        _ => Some(Stages::after(
            widened(from)?,
            float_to_integer(DataType::Float32, to, rounding, rule)?,
        )),
    }
}

/// Returns the stages from a type with at most the range of float16 to an integer.
pub(super) fn short_to_integer(
    from: DataType,
    to: DataType,
    rounding: Rounding,
    rule: Option<OutOfRange>,
) -> Option<Stages> {
    if let Some(byte) = byte_of(to) {
        return Some(
            short_to_integer(from, byte, rounding, rule)?.before(narrow_sub_byte(to, rule)?),
        );
    }
    if from == DataType::Float16 {
        return Some(Stages::one(float16_to_integer(to, rounding, rule)?));
    }
    // A kernel from float32 clamps and narrows in one stage.
    if to.element_bytes() < 4 && rule != Some(OutOfRange::Wrap) {
        return float_to_integer(from, to, rounding, rule);
    }
    // The range of such a type lies within that of int32.
    let last = with_mode!(rounding, M => stage!(4, ShortToInt32::<M>));
    let integer = Stages::one(widened(from)?).before(last);
    Some(integer.and_then(from_int32(to, rule)?))
}

/// Returns the stage from float16 to an integer.
fn float16_to_integer(to: DataType, rounding: Rounding, rule: Option<OutOfRange>) -> Option<Stage> {
    let bytes = to.element_bytes();
    with_integer!(to, T => with_mode!(rounding, M => match rule {
        None => stage!(bytes, Float16ToInteger::<T, M, CHECKED>::NEW),
        Some(OutOfRange::Clamp) => stage!(bytes, Float16ToInteger::<T, M, CLAMPED>::NEW),
        Some(OutOfRange::Wrap) => stage!(bytes, Float16ToInteger::<T, M, WRAPPED>::NEW),
    }))
}

/// Returns the stages from int32 to an integer, of which there are none if that is int32.
fn from_int32(to: DataType, rule: Option<OutOfRange>) -> Option<Stages> {
    let stages = integer_to_integer(DataType::Int32, to, rule)?;
    Some(match to {
        DataType::Int32 => Stages { count: 0, ..stages },
        _ => stages,
    })
}

/// Returns the stages from a float to an integer of 64 bits that convert only integers far within its range, and flag
/// a block with another.
pub(super) fn to_common_64(from: DataType, to: DataType, rounding: Rounding) -> Option<Stages> {
    macro_rules! of {
        ($float:ty) => {
            with_mode!(rounding, M => match to {
                DataType::Int64 => stage!(8, ToCommon64::<$float, M>::SIGNED),
                DataType::Uint64 => stage!(8, ToCommon64::<$float, M>::UNSIGNED),
                _ => return None,
            })
        };
    }
    Some(match from {
        DataType::Float64 => Stages::one(of!(f64)),
        DataType::Float32 => Stages::one(of!(f32)),
        _ => Stages::after(
            widened(from)?,
            to_common_64(DataType::Float32, to, rounding)?,
        ),
    })
}

/// Returns the stages that wrap integers of at most 32 bits, or those that [`LowBits`] converts from float32, into a
/// narrower type. Larger integers are flagged.
pub(super) fn low_bits(from: DataType, to: DataType, rounding: Rounding) -> Option<Stages> {
    if let Some(byte) = byte_of(to) {
        let narrow = narrow_sub_byte(to, Some(OutOfRange::Wrap))?;
        return Some(low_bits(from, byte, rounding)?.before(narrow));
    }
    let bytes = to.element_bytes();
    macro_rules! of {
        ($float:ty) => {
            // Signed and unsigned targets receive the same bits.
            with_integer!(to, T => with_mode!(rounding, M => stage!(bytes, LowBits::<$float, T, M>::NEW));
                Int8 u8, Int16 u16, Uint8 u8, Uint16 u16)
        };
    }
    Some(match from {
        DataType::Float64 => Stages::one(of!(f64)?),
        DataType::Float32 => Stages::one(of!(f32)?),
        _ => Stages::after(widened(from)?, low_bits(DataType::Float32, to, rounding)?),
    })
}

/// Returns the stages that wrap numbers within the range of int32 into a narrower type. Other numbers are
/// flagged.
pub(super) fn through_int32(from: DataType, to: DataType, rounding: Rounding) -> Option<Stages> {
    let wrap = integer_to_integer(DataType::Int32, to, Some(OutOfRange::Wrap))?;
    let integer = float_to_integer(from, DataType::Int32, rounding, None)?;
    Some(integer.and_then(wrap))
}

pub(super) fn float_to_residue(from: DataType, to: DataType, rounding: Rounding) -> Option<Stages> {
    let residue = match from {
        DataType::Float32 => {
            with_mode!(rounding, M => stage!(8, ToResidue::<f32, M>::NEW))
        }
        DataType::Float64 => {
            with_mode!(rounding, M => stage!(8, ToResidue::<f64, M>::NEW))
        }
        _ => {
            return Some(Stages::after(
                widened(from)?,
                float_to_residue(DataType::Float32, to, rounding)?,
            ));
        }
    };
    if to.element_bytes() == 8 {
        return Some(Stages::one(residue));
    }
    // The low bits of a residue modulo 2^64 are the residue modulo 2^N.
    let narrow = integer_to_integer(DataType::Uint64, to, Some(OutOfRange::Wrap))?;
    Some(Stages::after(residue, narrow))
}
