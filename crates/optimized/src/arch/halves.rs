//! float32 to float16 by the hardware instruction.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "functions with target features are unsafe to call"
    )
)]

#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{Set, SimdLevel};

impl SimdLevel {
    /// Rounds the float32 values of `source` that fill whole vectors to float16, nearest-even: how
    /// many, or `None` where a result is an infinity or a NaN, of which the instruction says neither
    /// whether they were that before nor which NaN it is to be. Then the target holds anything.
    ///
    /// Returns 0 where the processor lacks the instruction.
    pub(crate) fn float16_of_float32(self, source: &[u8], target: &mut [u8]) -> Option<usize> {
        match self.0 {
            Set::Portable => {
                let _ = (source, target);
                Some(0)
            }
            // SAFETY: the two constructors of these levels have detected the features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 => unsafe { x86::float16_of_float32(source, target) },
        }
    }
}
