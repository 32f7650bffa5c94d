//! x86-64: the same loops for AVX2 and AVX-512.
#![expect(
    unsafe_code,
    reason = "functions with target features, detected by the caller, and a hint"
)]

mod bits;
mod halves;
mod planes;

use core::arch::x86_64::{__cpuid, _MM_HINT_T0, _mm_prefetch};
use core::sync::atomic::{AtomicU8, Ordering};

pub(super) use bits::{Compress, Expand, pack_bits, unpack_bits};
pub(super) use halves::{
    float16_of_float32, float16_of_float32_wide, float32_of_float16, float32_of_float16_wide,
};
pub(super) use planes::{transposing, transposing_wide};

use super::{Flags, Kernel};

/// Whether there are these features: as the machine says or, without `std`, as the build says.
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

/// Returns whether bytes can be shuffled and bits be turned in vectors of 512 bits.
pub(super) fn has_wide() -> bool {
    has_avx512() && has!("avx512vbmi" "gfni")
}

/// Returns whether bits are moved to the places of a mask in a few cycles. AMD's processors before Zen 3, and Hygon's, take
/// up to some hundred, by microcode: several times as long as other code for the same purpose.
pub(super) fn moves_bits() -> bool {
    /// 0 before it is known; 1 for no, 2 for yes.
    static KNOWN: AtomicU8 = AtomicU8::new(0);
    match KNOWN.load(Ordering::Relaxed) {
        0 => {
            let moves = has!("bmi2") && !is_microcoded();
            KNOWN.store(1 + u8::from(moves), Ordering::Relaxed);
            moves
        }
        known => known == 2,
    }
}

#[allow(
    unused_unsafe,
    reason = "the function is safe to call in some versions of Rust, and not in others"
)]
fn is_microcoded() -> bool {
    // SAFETY: every processor for x86-64 has the instruction.
    let (about, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let vendor = [about.ebx, about.edx, about.ecx].map(u32::to_le_bytes);
    let family = match version.eax >> 8 & 0xf {
        0xf => 0xf + (version.eax >> 20 & 0xff),
        family => family,
    };
    match vendor.as_flattened() {
        b"AuthenticAMD" => family < 0x19,
        b"HygonGenuine" => true,
        _ => false,
    }
}

/// # Safety
/// The machine must have what [`has_avx2`] asks for.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,fma")]
pub(super) unsafe fn run_avx2<K: Kernel>(kernel: &K, source: &[u8], target: &mut [u8]) -> Flags {
    kernel.run(source, target)
}

/// # Safety
/// The machine must have what [`has_avx512`] asks for.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,fma,avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) unsafe fn run_avx512<K: Kernel>(kernel: &K, source: &[u8], target: &mut [u8]) -> Flags {
    kernel.run(source, target)
}

pub(super) fn prefetch(source: &[u8]) {
    for line in source.chunks(64) {
        // SAFETY: a hint, which touches nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}
