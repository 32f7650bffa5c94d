//! x86-64: the same loops for AVX2 and AVX-512.
#![expect(
    unsafe_code,
    reason = "target features, detected by the caller, and streaming stores"
)]

use std::arch::x86_64::{__m256i, _mm_sfence, _mm256_loadu_si256, _mm256_stream_si256};

use super::{Flags, Kernel};

pub(super) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}

pub(super) fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}

/// # Safety
/// The machine must have what [`has_avx2`] asks for.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
pub(super) unsafe fn run_avx2<K: Kernel>(kernel: &K, source: &[u8], target: &mut [u8]) -> Flags {
    kernel.run(source, target)
}

/// # Safety
/// The machine must have what [`has_avx512`] asks for.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) unsafe fn run_avx512<K: Kernel>(kernel: &K, source: &[u8], target: &mut [u8]) -> Flags {
    kernel.run(source, target)
}

/// Copies with streaming stores. Both slices must have the same length.
///
/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn stream_avx2(source: &[u8], target: &mut [u8]) {
    assert_eq!(source.len(), target.len());
    // SAFETY: every bit pattern is a value of both types.
    let (head, body, tail) = unsafe { target.align_to_mut::<__m256i>() };
    let (first, rest) = source.split_at(head.len());
    let (middle, last) = rest.split_at(size_of_val(body));
    head.copy_from_slice(first);
    tail.copy_from_slice(last);
    for (to, from) in body.iter_mut().zip(middle.as_chunks::<32>().0) {
        // SAFETY: `from` has 32 bytes and may have any alignment; `to` is aligned.
        unsafe { _mm256_stream_si256(to, _mm256_loadu_si256(from.as_ptr().cast())) };
    }
    // Streaming stores are not ordered with others: whoever reads the output on another thread
    // after a synchronization must find it written.
    _mm_sfence();
}
