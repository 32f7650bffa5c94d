//! Conversions between float16 and wider floats with the hardware instructions.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "functions with target features are unsafe to call"
    )
)]
#![cfg_attr(
    not(target_arch = "x86_64"),
    expect(
        unused_variables,
        reason = "no other architecture uses such an instruction yet"
    )
)]

use exactum_model::Rounding;

#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{Flags, NO_FLAGS, Set, SimdLevel};

impl SimdLevel {
    /// Rounds the float32 values of `source` that fill whole vectors to float16. Returns their number, which
    /// is 0 without the instruction, and [`RANGE`](super::RANGE) if a finite value lies outside the range;
    /// such a value becomes an infinity. NaN becomes the float16 with the value of `nan`, the bits of a float32.
    pub(crate) fn float16_of_float32(
        self,
        rounding: Rounding,
        nan: u32,
        source: &[u8],
        target: &mut [u8],
    ) -> (usize, Flags) {
        match self.set {
            Set::Portable => (0, NO_FLAGS),
            // SAFETY: the constructors of these levels have detected the features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::float16_of_float32(rounding, nan, source, target) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { x86::float16_of_float32_wide(rounding, nan, source, target) },
        }
    }

    /// Does the same as [`float16_of_float32`](Self::float16_of_float32) for float64 values and modes that round tiny
    /// numbers to zero. An infinity also counts as out of the range.
    pub(crate) fn float16_of_float64(
        self,
        rounding: Rounding,
        nan: u32,
        source: &[u8],
        target: &mut [u8],
    ) -> (usize, Flags) {
        match self.set {
            Set::Portable => (0, NO_FLAGS),
            // SAFETY: the constructors of these levels have detected the features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::float16_of_float64(rounding, nan, source, target) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { x86::float16_of_float64_wide(rounding, nan, source, target) },
        }
    }

    /// Widens the float16 values of `source` that fill whole vectors to float32. Returns their number, which
    /// is 0 without the instruction. NaN becomes the bits `nan`.
    pub(crate) fn float32_of_float16(self, nan: u32, source: &[u8], target: &mut [u8]) -> usize {
        match self.set {
            Set::Portable => 0,
            // SAFETY: the constructors of these levels have detected the features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::float32_of_float16(nan, source, target) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { x86::float32_of_float16_wide(nan, source, target) },
        }
    }
}
