//! Planes of bits with AVX2 and AVX-512.

use crate::arch::planes::{Squares, Transposing};

/// # Safety
/// The machine must have what [`has_avx2`](super::has_avx2) asks for.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
pub(in crate::arch) unsafe fn transposing_avx2<J: Transposing>(job: J) -> J::Output {
    job.run(Squares)
}

/// # Safety
/// The machine must have what [`has_avx512`](super::has_avx512) asks for.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::arch) unsafe fn transposing_avx512<J: Transposing>(job: J) -> J::Output {
    job.run(Squares)
}
