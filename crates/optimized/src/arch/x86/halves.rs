//! F16C: eight float32 to float16 at a time.

use core::arch::x86_64::{
    _MM_FROUND_TO_NEAREST_INT, _mm_and_si128, _mm_cmpeq_epi16, _mm_movemask_epi8, _mm_or_si128,
    _mm_set1_epi16, _mm_setzero_si128, _mm_storeu_si128, _mm256_cvtps_ph, _mm256_loadu_ps,
};

/// Bytes of a vector of float32, and of the float16 that it becomes.
const WIDE: usize = 32;
const NARROW: usize = 16;

/// # Safety
/// The machine must have AVX2 and F16C.
#[target_feature(enable = "avx2,f16c")]
pub(in crate::arch) unsafe fn float16_of_float32(
    source: &[u8],
    target: &mut [u8],
) -> Option<usize> {
    let (source, target) = (
        source.as_chunks::<WIDE>().0,
        target.as_chunks_mut::<NARROW>().0,
    );
    let exponent = _mm_set1_epi16(0x7c00);
    let mut special = _mm_setzero_si128();
    for (wide, narrow) in source.iter().zip(target.iter_mut()) {
        // SAFETY: 32 bytes are readable there; the load takes any alignment.
        let wide = unsafe { _mm256_loadu_ps(wide.as_ptr().cast()) };
        // The mode is the instruction's own, whatever the thread's is.
        let halves = _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(wide);
        let all_ones = _mm_cmpeq_epi16(_mm_and_si128(halves, exponent), exponent);
        special = _mm_or_si128(special, all_ones);
        // SAFETY: 16 bytes are writable there; the store takes any alignment.
        unsafe { _mm_storeu_si128(narrow.as_mut_ptr().cast(), halves) };
    }
    let done = source.len().min(target.len()) * WIDE / size_of::<f32>();
    (_mm_movemask_epi8(special) == 0).then_some(done)
}
