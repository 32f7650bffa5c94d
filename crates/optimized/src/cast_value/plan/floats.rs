//! The stages of casts into floats.

use exactum_model::{DataType, Rounding};

use super::{Stage, Stages, byte_of, is_float, widen_sub_byte, widened};
use crate::cast_value::entry::{Entry, OfBits};
use crate::cast_value::float16::{
    IntegerToFloat16, float16_of_float64, float32_of_float16, narrow_integer_to_float16,
    narrow_to_float16,
};
use crate::cast_value::from_integer::{
    CommonToFloat32, Direct, LongToFloat32, Saturate, WideToFloat64,
};
use crate::cast_value::mode;
use crate::cast_value::small::{
    Float32ToBfloat16, Float32ToBfloat16Fast, Float32ToPower, Float32ToSmall, Float32ToSmallFast,
    Small,
};
use crate::cast_value::to_float::{
    Canonical, Float32ToFloat64, Float64ToFloat32, Float64ToFloat32Common, Float64ToFloat32Fast,
    Float64ToFloat32Odd,
};

/// Returns the stages into a float without separate kernels.
pub(super) fn to_small_float(from: DataType, to: DataType, rounding: Rounding) -> Option<Stages> {
    let last = match to {
        DataType::Bfloat16 => with_mode!(rounding, M => stage!(2, Float32ToBfloat16::<M>)),
        DataType::Float8E8m0fnu => with_mode!(rounding, M => stage!(1, Float32ToPower::<M>)),
        _ => with_mode!(rounding, M => stage!(1, stage => Float32ToSmall::<M>(stage.small)))
            .of_small(Small::of(&to.format().float()?)?),
    };
    through_float32(from, to, odd_float32(), last)
}

/// Returns stages that convert only common elements and flag a block with a rare one, or `None` if they would
/// not be faster.
pub(super) fn to_small_float_fast(
    from: DataType,
    to: DataType,
    rounding: Rounding,
    check: bool,
) -> Option<Stages> {
    if rounding != Rounding::NearestEven {
        return None;
    }
    if to == DataType::Bfloat16 {
        let last = if check {
            stage!(2, Float32ToBfloat16Fast::<true>)
        } else {
            stage!(2, Float32ToBfloat16Fast::<false>)
        };
        return through_float32(from, to, odd_float32(), last);
    }
    let small = Small::of(&to.format().float()?).filter(Small::is_fast)?;
    let last = if check {
        stage!(1, stage => Float32ToSmallFast::<true>(stage.small))
    } else {
        stage!(1, stage => Float32ToSmallFast::<false>(stage.small))
    };
    through_float32(from, to, common_odd_float32(), last.of_small(small))
}

/// Returns the stages into a float32, which is exact or rounded to odd (by `odd` from float64), and from there into
/// a smaller float by `last`.
fn through_float32(from: DataType, to: DataType, odd: Stage, last: Stage) -> Option<Stages> {
    let format = to.format().float()?;
    if let Some(byte) = byte_of(from) {
        return Some(Stages::after(
            widen_sub_byte(from)?,
            through_float32(byte, to, odd, last)?,
        ));
    }
    let float32 = match from {
        DataType::Float32 => return Some(Stages::one(last)),
        DataType::Float64 => odd,
        _ if from.format().float().is_some() => widened(from)?,
        // A value above 2^16 is out of the range of a type with a shorter exponent.
        _ if format.exponent_bits < 8 => small_float32(from)?,
        DataType::Int8 | DataType::Int16 | DataType::Uint8 | DataType::Uint16 => {
            small_float32(from)?
        }
        _ => long_float32::<{ mode::ODD }>(from)?,
    };
    Some(Stages::one(float32).before(last))
}

/// Returns the stage from float64 to float32, rounded to odd.
fn odd_float32() -> Stage {
    stage!(4, stage => Float64ToFloat32::<{ mode::ODD }, true>(u32::of(stage.output)))
}

/// Like [`odd_float32`], for common elements, a target with a smaller range, and a mode that rounds tiny numbers to
/// zero.
fn common_odd_float32() -> Stage {
    stage!(4, Float64ToFloat32Odd)
}

/// Like [`to_small_float_fast`], for a float with separate kernels.
pub(super) fn to_float_fast(
    from: DataType,
    to: DataType,
    rounding: Rounding,
    check: bool,
) -> Option<Stages> {
    use Rounding as R;
    match (from, to, rounding) {
        (DataType::Float64, DataType::Float32, R::NearestEven) if check => Some(Stages::one(
            stage!(4, stage => Float64ToFloat32Fast(u32::of(stage.output))),
        )),
        (
            DataType::Float64,
            DataType::Float16,
            R::NearestEven | R::NearestAway | R::TowardsZero,
        ) => Some(Stages::one(
            with_mode!(rounding, M => Stage::new(2, |level, stage, source, target| {
                float16_of_float64::<M>(level, u16::of(stage.output), source, target)
            })),
        )),
        (DataType::Float64, DataType::Float32, _) if rounding != R::NearestEven => {
            Some(Stages::one(with_mode!(rounding, M => {
                stage!(4, stage => Float64ToFloat32Common::<M>(u32::of(stage.output)))
            })))
        }
        (_, DataType::Float16, _) => common_to_float16::<false>(from, rounding),
        _ => None,
    }
}

/// Returns the stage from float32 to float16.
fn float16(rounding: Rounding) -> Stage {
    with_mode!(rounding, M => Stage::new(2, |level, stage, source, target| {
        narrow_to_float16::<M>(level, u16::of(stage.output), source, target)
    }))
}

/// Returns the stage from a float32 that [`integer_to_float16`] makes to float16.
fn integer_float16(rounding: Rounding) -> Stage {
    with_mode!(rounding, M => Stage::new(2, |level, _, source, target| {
        narrow_integer_to_float16::<M>(level, source, target)
    }))
}

/// Returns the stages from an integer to float16. With `KEYED`, the first one also applies an entry of a map, whose output
/// is zero or a normal number.
pub(super) fn integer_to_float16<const KEYED: bool>(
    from: DataType,
    rounding: Rounding,
) -> Option<Stages> {
    // Integers of 8 bits are exact, in every mode.
    let bytes = with_integer!(from, S => {
        stage!(2, stage => IntegerToFloat16::<S, { mode::TOWARDS_ZERO }, KEYED>::new(entry(stage)))
    }; Int8 i8, Uint8 u8);
    let short = with_integer!(from, S => {
        with_mode!(rounding, M => stage!(2, stage => IntegerToFloat16::<S, M, KEYED>::new(entry(stage))))
    }; Int16 i16, Uint16 u16);
    if let Some(stage) = bytes.or(short) {
        return Some(Stages::one(stage));
    }
    let (away, rounding) = through_factor(rounding);
    let first = with_integer!(from, S => if away {
        stage!(4, stage => Saturate::<S, true, KEYED>(entry(stage)))
    } else {
        stage!(4, stage => Saturate::<S, false, KEYED>(entry(stage)))
    }; Int32 i32, Int64 i64, Uint32 u32, Uint64 u64)?;
    Some(Stages::one(first).before(integer_float16(rounding)))
}

/// Like [`integer_to_float16`], for integers of 64 bits that are common.
pub(super) fn common_to_float16<const KEYED: bool>(
    from: DataType,
    rounding: Rounding,
) -> Option<Stages> {
    let (away, rounding) = through_factor(rounding);
    let first = with_integer!(from, S => if away {
        stage!(4, stage => CommonToFloat32::<S, true, KEYED>(entry(stage)))
    } else {
        stage!(4, stage => CommonToFloat32::<S, false, KEYED>(entry(stage)))
    }; Int64 i64, Uint64 u64)?;
    Some(Stages::one(first).before(integer_float16(rounding)))
}

/// Returns the entry of a map into float16. Without a map it is unused.
fn entry<S: OfBits>(stage: &Stage) -> Entry<S, f32> {
    Entry {
        key: S::of(stage.key),
        output: f32::from_bits(float32_of_float16(u16::of(stage.output))),
    }
}

pub(super) fn to_float(
    from: DataType,
    to: DataType,
    rounding: Rounding,
    check: bool,
) -> Option<Stages> {
    use DataType as D;
    let float64_to_float32 = || {
        with_mode!(rounding, check, M, C => {
            stage!(4, stage => Float64ToFloat32::<M, C>(u32::of(stage.output)))
        })
    };
    let float64 = || stage!(8, stage => Float32ToFloat64(stage.output));
    let one = |stage| Some(Stages::one(stage));
    let two = |first, second| Some(Stages::after(first, Stages::one(second)));
    if let Some(byte) = byte_of(from) {
        let rest = to_float(byte, to, rounding, check)?;
        return Some(Stages::after(widen_sub_byte(from)?, rest));
    }
    if from.format().float().is_some() && !is_float(from) {
        let first = widened(from)?;
        return match to {
            D::Float32 => one(first),
            _ => Some(Stages::after(
                first,
                to_float(D::Float32, to, rounding, check)?,
            )),
        };
    }
    match (from, to) {
        (D::Float16, D::Float16) => one(stage!(2, stage => Canonical(u16::of(stage.output)))),
        (D::Float32, D::Float32) => one(stage!(4, stage => Canonical(f32::of(stage.output)))),
        (D::Float64, D::Float64) => one(stage!(8, stage => Canonical(f64::of(stage.output)))),
        (D::Float16, D::Float32) => one(widened(from)?),
        (D::Float16, D::Float64) => two(widened(from)?, float64()),
        (D::Float32, D::Float64) => one(float64()),
        (D::Float64, D::Float32) => one(float64_to_float32()),
        (D::Float32, D::Float16) => one(float16(rounding)),
        (D::Float64, D::Float16) => two(
            stage!(4, stage => Float64ToFloat32::<{ mode::ODD }, false>(u32::of(stage.output))),
            float16(rounding),
        ),

        (_, D::Float16) => integer_to_float16::<false>(from, rounding),

        (D::Int32 | D::Uint32 | D::Int64 | D::Uint64, D::Float32)
            if rounding == Rounding::NearestEven =>
        {
            with_integer!(from, S => Stages::one(stage!(4, Direct::<S, f32>::NEW));
                Int32 i32, Uint32 u32, Int64 i64, Uint64 u64)
        }
        (D::Int32 | D::Uint32 | D::Int64 | D::Uint64, D::Float32) => {
            one(with_mode!(rounding, M => long_float32::<M>(from)?))
        }
        (_, D::Float32) => one(small_float32(from)?),

        (D::Int64, D::Float64) => {
            one(with_mode!(rounding, M => stage!(8, WideToFloat64::<i64, M>::NEW)))
        }
        (D::Uint64, D::Float64) => {
            one(with_mode!(rounding, M => stage!(8, WideToFloat64::<u64, M>::NEW)))
        }
        (_, D::Float64) => one(exact_float64(from)?),
        _ => None,
    }
}

/// Returns whether a factor moves ties away from zero, and the rounding after it.
fn through_factor(rounding: Rounding) -> (bool, Rounding) {
    match rounding {
        Rounding::NearestAway => (true, Rounding::NearestEven),
        _ => (false, rounding),
    }
}

/// Returns the stage from an integer to a float32, exact up to 2^16.
fn small_float32(from: DataType) -> Option<Stage> {
    let short = with_integer!(from, S => stage!(4, Direct::<S, f32>::NEW);
        Int8 i8, Int16 i16, Uint8 u8, Uint16 u16);
    let long = with_integer!(from, S => stage!(4, stage => Saturate::<S, false, false>(entry(stage)));
        Int32 i32, Int64 i64, Uint32 u32, Uint64 u64);
    short.or(long)
}

/// Returns the stage from an integer of at most 32 bits to float64.
fn exact_float64(from: DataType) -> Option<Stage> {
    with_integer!(from, S => stage!(8, Direct::<S, f64>::NEW);
        Int8 i8, Int16 i16, Int32 i32, Uint8 u8, Uint16 u16, Uint32 u32)
}

/// Returns the stage from an integer of 32 or 64 bits to float32.
fn long_float32<const MODE: u8>(from: DataType) -> Option<Stage> {
    with_integer!(from, S => stage!(4, LongToFloat32::<S, MODE>::NEW);
        Int32 i32, Uint32 u32, Int64 i64, Uint64 u64)
}
