//! A map of one entry in the constants of a kernel.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "the bits of an entry fit their types"
)]

use crate::lanes::Lane;

/// An element that can be made from its bits.
pub(super) trait OfBits: Lane {
    fn of(bits: u64) -> Self;
}

macro_rules! of_bits {
    ($($lane:ty: $of:expr;)*) => {$(
        impl OfBits for $lane {
            #[inline(always)]
            fn of(bits: u64) -> Self {
                $of(bits)
            }
        }
    )*};
}
of_bits! {
    i8: |bits| bits as i8;
    i16: |bits| bits as i16;
    i32: |bits| bits as i32;
    i64: |bits| bits as i64;
    u8: |bits| bits as u8;
    u16: |bits| bits as u16;
    u32: |bits| bits as u32;
    u64: |bits| bits;
    f32: |bits| f32::from_bits(bits as u32);
    f64: f64::from_bits;
}

/// An element, and the number that it becomes.
#[derive(Clone, Copy)]
pub(super) struct Entry<S, T> {
    pub(super) key: S,
    pub(super) output: T,
}

impl<S: Copy + PartialEq, T> Entry<S, T> {
    /// Returns what becomes of an element, which is converted if it is not the key. Without `KEYED`, there is no entry.
    #[inline(always)]
    pub(super) fn or<const KEYED: bool>(self, value: S, convert: impl FnOnce(S) -> T) -> T {
        if KEYED && value == self.key {
            self.output
        } else {
            convert(value)
        }
    }
}
