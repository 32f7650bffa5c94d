//! float32 to float16 by the instruction for it.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "functions with target features are unsafe to call"
    )
)]

#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{Level, Set};

impl Level {
    /// Rounds as many float32 of `source` to float16, nearest-even, as go in whole vectors: how
    /// many, or `None` where a result is an infinity or a NaN, of which the instruction says neither
    /// whether they were that before nor which NaN it is to be. Then the target holds anything.
    ///
    /// Where there is no such instruction, none go.
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
