//! Which kernels make up a cast.

use exactum_model::{Cast, DataType, OutOfRange, Rounding};

use super::integers::{Clamp, Narrow, Wrap};
use super::mode;
use super::to_float::{
    Canonical, Direct, Float16ToFloat32, Float32ToFloat16, Float32ToFloat64, Float64ToFloat32,
    Saturate, WideToFloat64,
};
use super::to_integer::{ToInteger, ToResidue};
use crate::arch::{FINE, Flags, INVALID, Level, RANGE};

/// A kernel and the data type (or its bits as an integer) that it writes.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    pub(super) run: fn(Level, &[u8], &mut [u8]) -> Flags,
    /// Bytes of one element of the output.
    pub(super) bytes: usize,
}

/// Kernels one after another; at most [`MAX_STAGES`].
#[derive(Clone, Copy)]
pub(super) struct Stages {
    list: [Stage; MAX_STAGES],
    count: usize,
}

pub(super) const MAX_STAGES: usize = 3;

impl Stages {
    fn one(stage: Stage) -> Self {
        Self {
            list: [stage; MAX_STAGES],
            count: 1,
        }
    }

    fn after(stage: Stage, rest: Self) -> Self {
        let mut all = Self::one(stage);
        all.list[1..].copy_from_slice(&rest.list[..MAX_STAGES - 1]);
        all.count += rest.count;
        all
    }

    pub(super) fn list(&self) -> &[Stage] {
        &self.list[..self.count]
    }
}

/// A cast between the data types that have kernels.
pub(super) struct Plan {
    /// The stages.
    pub(super) stages: Stages,
    /// The flags that mean a rejection.
    pub(super) rejected: Flags,
    /// The stages that wrap, for blocks where something was out of range.
    pub(super) wrapping: Option<Stages>,
}

macro_rules! stage {
    ($bytes:expr, $kernel:expr) => {
        Stage {
            run: |level, source, target| level.run(&$kernel, source, target),
            bytes: $bytes,
        }
    };
}

/// Names the Rust type of an integer data type.
macro_rules! with_integer {
    ($data_type:expr, $name:ident => $body:expr) => {
        with_integer!($data_type, $name => $body;
            Int8 i8, Int16 i16, Int32 i32, Int64 i64,
            Uint8 u8, Uint16 u16, Uint32 u32, Uint64 u64)
    };
    ($data_type:expr, $name:ident => $body:expr; $($variant:ident $type:ident),*) => {
        match $data_type {
            $(DataType::$variant => {
                type $name = $type;
                Some($body)
            })*
            _ => None,
        }
    };
}

/// Makes a constant of a rounding.
macro_rules! with_mode {
    ($rounding:expr, $mode:ident => $body:expr) => {
        with_mode!($rounding, $mode => $body;
            NearestEven, TowardsZero, TowardsPositive, TowardsNegative, NearestAway)
    };
    ($rounding:expr, $mode:ident => $body:expr; $($variant:ident),*) => {
        match $rounding {
            $(Rounding::$variant => {
                const $mode: u8 = mode::of(Rounding::$variant);
                $body
            })*
        }
    };
}

impl Plan {
    /// The plan of a cast; `None` where a data type has no kernels.
    pub(super) fn of(cast: &Cast<'_>) -> Option<Self> {
        let (from, to, rounding) = (cast.from, cast.to, cast.rounding);
        let stages = if is_float(to) {
            to_float(from, to, rounding)
        } else if is_float(from) {
            float_to_integer(from, to, rounding)
        } else {
            integer_to_integer(from, to, cast.out_of_range)
        }?;
        let wraps = cast.out_of_range == Some(OutOfRange::Wrap) && !is_float(to);
        let (rejected, wrapping) = match cast.out_of_range {
            Some(OutOfRange::Clamp) => (INVALID, None),
            Some(OutOfRange::Wrap) if wraps && is_float(from) => {
                (INVALID, float_to_residue(from, to, rounding))
            }
            Some(OutOfRange::Wrap) if wraps => (FINE, None),
            // Wrapping into a float counts as absent (cast_value.range.wrap-into-float).
            Some(OutOfRange::Wrap) | None => (INVALID | RANGE, None),
        };
        Some(Self {
            stages,
            rejected,
            wrapping,
        })
    }
}

fn is_float(data_type: DataType) -> bool {
    matches!(
        data_type,
        DataType::Float16 | DataType::Float32 | DataType::Float64
    )
}

fn integer_to_integer(
    from: DataType,
    to: DataType,
    out_of_range: Option<OutOfRange>,
) -> Option<Stages> {
    let bytes = to.element_bytes();
    let stage = with_integer!(from, S => with_integer!(to, T => match out_of_range {
        None => stage!(bytes, Narrow::<S, T>::NEW),
        Some(OutOfRange::Clamp) => stage!(bytes, Clamp::<S, T>::NEW),
        Some(OutOfRange::Wrap) => stage!(bytes, Wrap::<S, T>::NEW),
    })?)?;
    Some(Stages::one(stage))
}

fn float_to_integer(from: DataType, to: DataType, rounding: Rounding) -> Option<Stages> {
    let bytes = to.element_bytes();
    match from {
        DataType::Float16 => Some(Stages::after(
            stage!(4, Float16ToFloat32),
            float_to_integer(DataType::Float32, to, rounding)?,
        )),
        DataType::Float32 => Some(Stages::one(with_integer!(to, T =>
            with_mode!(rounding, M => stage!(bytes, ToInteger::<f32, T, M>::NEW)))?)),
        DataType::Float64 => Some(Stages::one(with_integer!(to, T =>
            with_mode!(rounding, M => stage!(bytes, ToInteger::<f64, T, M>::NEW)))?)),
        _ => None,
    }
}

fn float_to_residue(from: DataType, to: DataType, rounding: Rounding) -> Option<Stages> {
    let residue = match from {
        DataType::Float16 => {
            return Some(Stages::after(
                stage!(4, Float16ToFloat32),
                float_to_residue(DataType::Float32, to, rounding)?,
            ));
        }
        DataType::Float32 => {
            with_mode!(rounding, M => stage!(8, ToResidue::<f32, M>::NEW))
        }
        DataType::Float64 => {
            with_mode!(rounding, M => stage!(8, ToResidue::<f64, M>::NEW))
        }
        _ => return None,
    };
    if to.element_bytes() == 8 {
        return Some(Stages::one(residue));
    }
    // The low bits of a residue modulo 2^64 are the residue modulo 2^N.
    let narrow = integer_to_integer(DataType::Uint64, to, Some(OutOfRange::Wrap))?;
    Some(Stages::after(residue, narrow))
}

fn to_float(from: DataType, to: DataType, rounding: Rounding) -> Option<Stages> {
    use DataType as D;
    let float64_to_float32 = || with_mode!(rounding, M => stage!(4, Float64ToFloat32::<M>));
    let float32_to_float16 = || with_mode!(rounding, M => stage!(2, Float32ToFloat16::<M>));
    let one = |stage| Some(Stages::one(stage));
    let two = |first, second| Some(Stages::after(first, Stages::one(second)));
    match (from, to) {
        (D::Float16, D::Float16) => one(stage!(2, Canonical::<u16>::NEW)),
        (D::Float32, D::Float32) => one(stage!(4, Canonical::<u32>::NEW)),
        (D::Float64, D::Float64) => one(stage!(8, Canonical::<u64>::NEW)),
        (D::Float16, D::Float32) => one(stage!(4, Float16ToFloat32)),
        (D::Float16, D::Float64) => two(stage!(4, Float16ToFloat32), stage!(8, Float32ToFloat64)),
        (D::Float32, D::Float64) => one(stage!(8, Float32ToFloat64)),
        (D::Float64, D::Float32) => one(float64_to_float32()),
        (D::Float32, D::Float16) => one(float32_to_float16()),
        (D::Float64, D::Float16) => two(
            stage!(4, Float64ToFloat32::<{ mode::ODD }>),
            float32_to_float16(),
        ),

        (_, D::Float16) => Some(Stages::after(
            small_float32(from)?,
            Stages::one(float32_to_float16()),
        )),

        (D::Int32, D::Float32) if rounding == Rounding::NearestEven => {
            one(stage!(4, Direct::<i32, f32>::NEW))
        }
        (D::Uint32, D::Float32) if rounding == Rounding::NearestEven => {
            one(stage!(4, Direct::<u32, f32>::NEW))
        }
        (D::Int32 | D::Uint32, D::Float32) => two(exact_float64(from)?, float64_to_float32()),
        (D::Int64, D::Float32) => two(
            stage!(8, WideToFloat64::<i64, { mode::ODD }>::NEW),
            float64_to_float32(),
        ),
        (D::Uint64, D::Float32) => two(
            stage!(8, WideToFloat64::<u64, { mode::ODD }>::NEW),
            float64_to_float32(),
        ),
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

/// An integer as a float32, exact up to 2^17.
fn small_float32(from: DataType) -> Option<Stage> {
    Some(match from {
        DataType::Int8 => stage!(4, Direct::<i8, f32>::NEW),
        DataType::Int16 => stage!(4, Direct::<i16, f32>::NEW),
        DataType::Int32 => stage!(4, Saturate::<i32>::NEW),
        DataType::Int64 => stage!(4, Saturate::<i64>::NEW),
        DataType::Uint8 => stage!(4, Direct::<u8, f32>::NEW),
        DataType::Uint16 => stage!(4, Direct::<u16, f32>::NEW),
        DataType::Uint32 => stage!(4, Saturate::<u32>::NEW),
        DataType::Uint64 => stage!(4, Saturate::<u64>::NEW),
        _ => return None,
    })
}

/// An integer of 32 bits at most as a float64.
fn exact_float64(from: DataType) -> Option<Stage> {
    Some(match from {
        DataType::Int8 => stage!(8, Direct::<i8, f64>::NEW),
        DataType::Int16 => stage!(8, Direct::<i16, f64>::NEW),
        DataType::Int32 => stage!(8, Direct::<i32, f64>::NEW),
        DataType::Uint8 => stage!(8, Direct::<u8, f64>::NEW),
        DataType::Uint16 => stage!(8, Direct::<u16, f64>::NEW),
        DataType::Uint32 => stage!(8, Direct::<u32, f64>::NEW),
        _ => return None,
    })
}
