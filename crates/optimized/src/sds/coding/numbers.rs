//! The Rust numbers between which data sets are coded.

use exactum_model::sds::SdsType;

use crate::lanes::{Element, Lane};

#[expect(
    private_bounds,
    reason = "other crates do not need to name these bounds"
)]
mod sealed {
    use super::Lane;

    pub trait Real: Lane + Into<f64> {
        /// Returns the number nearest to `value + rest`, and whether that is certain. Unless the sum is
        /// exact, it may lack a small amount far below its last place.
        fn nearest(value: f64, rest: f64, is_exact: bool) -> (Self, bool);

        /// Returns a value of this type.
        fn of_value(value: f64) -> Self;
    }

    pub trait Code: Lane + Into<f64> + Into<i64> {
        /// Returns the code in the low bits.
        fn of_bits(bits: u64) -> Self;
    }
}

/// A Rust number for `r4` or `r8`: `f32` or `f64`. Sealed, as [`Element`] is.
///
/// ```
/// use exactum_optimized::model::sds::SdsType;
/// use exactum_optimized::sds::Real;
///
/// assert_eq!((f32::TYPE, f64::TYPE), (SdsType::R4, SdsType::R8));
/// ```
pub trait Real: Element + sealed::Real {
    /// The note's type.
    const TYPE: SdsType;
}

/// A Rust number for an integer type: `i8` to `i32`, `u8` to `u32`. Sealed, as [`Element`] is.
///
/// ```
/// use exactum_optimized::model::sds::SdsType;
/// use exactum_optimized::sds::Code;
///
/// assert_eq!((i16::TYPE, u32::TYPE), (SdsType::I2, SdsType::U4));
/// ```
pub trait Code: Element + sealed::Code {
    /// The note's type.
    const TYPE: SdsType;
}

macro_rules! codes {
    ($($code:ident $of:ident;)*) => {$(
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_possible_wrap,
            reason = "only the low bits are intended"
        )]
        impl sealed::Code for $code {
            #[inline(always)]
            fn of_bits(bits: u64) -> Self {
                bits as Self
            }
        }

        impl Code for $code {
            const TYPE: SdsType = SdsType::$of;
        }
    )*};
}

codes! {
    i8 I1;
    i16 I2;
    i32 I4;
    u8 U1;
    u16 U2;
    u32 U4;
}

impl sealed::Real for f64 {
    #[inline(always)]
    fn nearest(value: f64, rest: f64, _: bool) -> (Self, bool) {
        // Near half a unit in the last place, the result is in doubt.
        (value, value + rest * (1.0 + 1e-9) == value)
    }

    #[inline(always)]
    fn of_value(value: f64) -> Self {
        value
    }
}

impl Real for f64 {
    const TYPE: SdsType = SdsType::R8;
}

impl sealed::Real for f32 {
    #[inline(always)]
    fn nearest(value: f64, _: f64, is_exact: bool) -> (Self, bool) {
        // The result is certain if slightly smaller and slightly larger numbers are rounded to the same
        // number.
        let below = Self::of_value(value * (1.0 - f64::EPSILON));
        let above = Self::of_value(value * (1.0 + f64::EPSILON));
        let single = Self::of_value(value);
        (
            single,
            (is_exact | (below == above)) & (single.abs() < f32::INFINITY),
        )
    }

    #[expect(clippy::cast_possible_truncation, reason = "the rounding is intended")]
    #[inline(always)]
    fn of_value(value: f64) -> Self {
        value as Self
    }
}

impl Real for f32 {
    const TYPE: SdsType = SdsType::R4;
}
