//! The portable loops compiled for AVX2 and AVX-512 of x86-64.
#![expect(
    unsafe_code,
    reason = "functions with target features, which the caller detects, and a prefetch hint"
)]

mod bits;
mod halves;
mod planes;

use core::arch::x86_64::{
    __cpuid, __m128i, _MM_HINT_NTA, _MM_HINT_T0, _mm_loadu_si128, _mm_prefetch, _mm_sfence,
    _mm_stream_si128,
};
use core::sync::atomic::{AtomicU8, Ordering};

pub(super) use bits::{Compress, Expand, pack_bits, unpack_bits};
pub(super) use halves::{
    float16_of_float32, float16_of_float32_wide, float16_of_float64, float16_of_float64_wide,
    float32_of_float16, float32_of_float16_wide,
};
pub(super) use planes::{transposing, transposing_wide};

use super::{Flags, Kernel};

/// Whether the processor has the given features. Without `std`, the target features of the build decide.
macro_rules! has {
    ($($feature:tt)*) => {
        true $(&& {
            #[cfg(feature = "std")]
            let has = std::arch::is_x86_feature_detected!($feature);
            #[cfg(not(feature = "std"))]
            let has = cfg!(target_feature = $feature);
            has
        })*
    };
}

pub(super) fn has_avx2() -> bool {
    has!("avx2" "bmi1" "bmi2" "lzcnt" "popcnt" "f16c" "fma")
}

pub(super) fn has_avx512() -> bool {
    has_avx2() && has!("avx512f" "avx512bw" "avx512dq" "avx512vl")
}

/// Returns whether 512-bit vectors support byte shuffles and bit-matrix transposition.
pub(super) fn has_wide() -> bool {
    has_avx512() && has!("avx512vbmi" "gfni")
}

/// Returns whether moving bits to and from the positions of a mask takes only a few cycles. AMD processors
/// before Zen 3, and Hygon's, need up to a few hundred cycles in microcode, several times as long as other
/// code for the same purpose.
pub(super) fn moves_bits() -> bool {
    static KNOWN: AtomicU8 = AtomicU8::new(0);
    remembered(&KNOWN, || has!("bmi2") && !is_microcoded())
}

/// Returns an answer about the processor, which is determined once. The stored value is 0 while unknown, 1
/// for no and 2 for yes.
fn remembered(known: &AtomicU8, find: impl FnOnce() -> bool) -> bool {
    match known.load(Ordering::Relaxed) {
        0 => {
            let answer = find();
            known.store(1 + u8::from(answer), Ordering::Relaxed);
            answer
        }
        known => known == 2,
    }
}

fn is_microcoded() -> bool {
    let (vendor, family) = processor();
    match &vendor {
        b"AuthenticAMD" => family < 0x19,
        b"HygonGenuine" => true,
        _ => false,
    }
}

/// Returns the vendor and the family of the processor.
#[allow(
    unused_unsafe,
    reason = "the function is safe to call only in some versions of Rust"
)]
fn processor() -> ([u8; 12], u32) {
    // SAFETY: every x86-64 processor has the instruction.
    let (about, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let mut vendor = [0; 12];
    let words = [about.ebx, about.edx, about.ecx];
    for (part, word) in vendor.chunks_mut(4).zip(words) {
        part.copy_from_slice(&word.to_le_bytes());
    }
    let family = match version.eax >> 8 & 0xf {
        0xf => 0xf + (version.eax >> 20 & 0xff),
        family => family,
    };
    (vendor, family)
}

/// Returns whether non-temporal stores are faster than ordinary ones if an output is larger than the caches.
/// They were measured on AMD processors; newer Intel processors do not read a line before it is completely
/// overwritten.
pub(super) fn streams_pay() -> bool {
    static KNOWN: AtomicU8 = AtomicU8::new(0);
    remembered(&KNOWN, || {
        cfg!(not(miri)) && matches!(&processor().0, b"AuthenticAMD" | b"HygonGenuine")
    })
}

/// Writes a cache line, bypassing the caches.
///
/// # Safety
/// [`fence`] must be called before the line is accessed in any other way.
pub(super) unsafe fn stream(line: &[u8; 64], target: &mut [u8; 64]) {
    let (parts, targets) = (line.as_chunks::<16>().0, target.as_chunks_mut::<16>().0);
    for (part, target) in parts.iter().zip(targets) {
        let target: *mut __m128i = target.as_mut_ptr().cast();
        debug_assert!(target.is_aligned());
        // SAFETY: 16 bytes are readable at any alignment, and 16 are writable at the start of a line or of a
        // quarter of it. Every x86-64 processor has the instructions, and the caller issues the fence.
        unsafe { _mm_stream_si128(target, _mm_loadu_si128(part.as_ptr().cast())) };
    }
}

/// Orders all earlier non-temporal stores before everything that follows.
#[allow(
    unused_unsafe,
    reason = "the function is safe to call only in some versions of Rust"
)]
pub(super) fn fence() {
    // SAFETY: every x86-64 processor has the instruction.
    unsafe { _mm_sfence() };
}

/// # Safety
/// The machine must have the features that [`has_avx2`] detects.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,fma")]
pub(super) unsafe fn run_avx2<K: Kernel>(kernel: &K, source: &[u8], target: &mut [u8]) -> Flags {
    kernel.run(source, target)
}

/// # Safety
/// The machine must have the features that [`has_avx512`] detects.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,fma,avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) unsafe fn run_avx512<K: Kernel>(kernel: &K, source: &[u8], target: &mut [u8]) -> Flags {
    kernel.run(source, target)
}

pub(super) fn prefetch(source: &[u8]) {
    prefetch_beyond(source, 0);
}

pub(super) fn prefetch_beyond(source: &[u8], distance: usize) {
    if cfg!(miri) {
        return;
    }
    for line in source.chunks(64) {
        let beyond = line.as_ptr().wrapping_add(distance);
        // SAFETY: a prefetch is only a hint and does not access memory.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(beyond.cast()) };
    }
}

pub(super) fn prefetch_once(source: &[u8]) {
    for line in source.chunks(64) {
        // SAFETY: as in `prefetch`.
        unsafe { _mm_prefetch::<_MM_HINT_NTA>(line.as_ptr().cast()) };
    }
}
