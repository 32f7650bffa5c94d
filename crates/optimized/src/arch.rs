//! Machine-dependent code, and all unsafe code of the crate.
//!
//! The loops themselves are portable ([`Kernel::run`]). This module compiles them again for the wider vectors
//! of newer processors and selects a version at run time. Every hand-written routine has a portable twin next
//! to it.

mod bits;
mod halves;
mod outlet;
mod planes;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use bits::{Compress, Expand};
pub(crate) use outlet::{Outlet, UNCACHED};
pub(crate) use planes::{Lanes, Lift, Order, Transpose, Transposing, along};

use crate::lanes::Element;

/// The flags of a block, or-ed over all elements. A flag only makes the caller examine the elements one by
/// one, so a spurious flag is harmless, but a missing flag is a bug.
pub(crate) type Flags = u8;

/// No flag is set.
pub(crate) const NO_FLAGS: Flags = 0;
/// A rounded value lies outside the target's range.
pub(crate) const RANGE: Flags = 1;
/// An element cannot be converted: NaN or infinity into a type that lacks it.
pub(crate) const INVALID: Flags = 2;

/// The bits of a float64 that a float32 lacks, if both are normal.
pub(crate) const LOST: u64 = (1 << (f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS)) - 1;

/// A loop over a block of elements. Input and output are little-endian bytes of any alignment.
pub(crate) trait Kernel {
    /// Whether AVX-512 makes the loop faster. In a loop that does next to nothing, its wide loads and stores
    /// measurably slow down access to memory, so such a loop uses AVX2.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(dead_code, reason = "no other architecture has a choice yet")
    )]
    const WIDE: bool = true;

    /// Runs the loop. Every kernel implements this function or [`run_on`](Self::run_on), and marks it
    /// `#[inline(always)]`, so that it is compiled with the caller's target features.
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        self.run_on::<true>(source, target)
    }

    /// Does the same as [`run`](Self::run) on a machine that has instructions for rounding to integers (`ROUNDS`), or
    /// on one that has none, as the baseline of x86-64.
    #[inline(always)]
    fn run_on<const ROUNDS: bool>(&self, source: &[u8], target: &mut [u8]) -> Flags {
        self.run(source, target)
    }
}

/// Sets of instructions. Each set includes the ones before it.
///
/// ```
/// assert!(exactum_optimized::Instructions::Portable < exactum_optimized::Instructions::Avx2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instructions {
    /// The baseline of the architecture.
    Portable,
    /// AVX2, BMI, F16C and FMA of x86-64.
    Avx2,
    /// AVX-512 F, BW, DQ and VL of x86-64, and VBMI and GFNI if the processor has them.
    Avx512,
}

/// The largest set that may be used.
#[cfg(feature = "limit")]
static ALLOWED: core::sync::atomic::AtomicU8 =
    core::sync::atomic::AtomicU8::new(Instructions::Avx512 as u8);

impl Instructions {
    /// Returns the instructions that conversions use on this machine.
    ///
    /// ```
    /// use exactum_optimized::Instructions;
    ///
    /// assert!(Instructions::best() >= Instructions::Portable);
    /// ```
    #[must_use]
    pub fn best() -> Self {
        match SimdLevel::best().set {
            Set::Portable => Instructions::Portable,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => Instructions::Avx2,
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => Instructions::Avx512,
        }
    }

    /// Restricts all later conversions of this process to these instructions, so that benchmarks can measure
    /// the code for older processors.
    ///
    /// ```
    /// exactum_optimized::Instructions::Avx2.limit();
    /// ```
    #[cfg(feature = "limit")]
    pub fn limit(self) {
        ALLOWED.store(self as u8, core::sync::atomic::Ordering::Relaxed);
    }

    #[cfg(target_arch = "x86_64")]
    #[cfg_attr(
        not(feature = "limit"),
        expect(
            clippy::unused_self,
            reason = "without a limit, every level is allowed"
        )
    )]
    fn are_allowed(self) -> bool {
        #[cfg(feature = "limit")]
        return self as u8 <= ALLOWED.load(core::sync::atomic::Ordering::Relaxed);
        #[cfg(not(feature = "limit"))]
        true
    }
}

/// A set of instructions that this machine supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SimdLevel {
    set: Set,
    /// Whether moving bits to and from the positions of a mask takes only a few cycles.
    moves_bits: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl SimdLevel {
    /// The baseline of the architecture.
    pub(crate) const PORTABLE: SimdLevel = SimdLevel {
        set: Set::Portable,
        moves_bits: false,
    };

    /// Returns the best level of this machine.
    pub(crate) fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if Instructions::Avx512.are_allowed() && x86::has_avx512() {
                return SimdLevel::of(Set::Avx512);
            }
            if Instructions::Avx2.are_allowed() && x86::has_avx2() {
                return SimdLevel::of(Set::Avx2);
            }
        }
        SimdLevel::PORTABLE
    }

    /// Returns the level of a set that this machine supports.
    #[cfg(target_arch = "x86_64")]
    fn of(set: Set) -> Self {
        SimdLevel {
            set,
            moves_bits: x86::moves_bits(),
        }
    }

    /// Returns whether a kernel may use fused multiply-add, which is a function call on other levels.
    pub(crate) fn fuses(self) -> bool {
        cfg!(feature = "std") && self != SimdLevel::PORTABLE
    }

    /// Returns the name of the level in test messages.
    #[cfg(test)]
    pub(crate) fn name(self) -> &'static str {
        match self.set {
            Set::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
        }
    }

    /// Returns every level that this machine supports, fast or slow, for tests.
    #[cfg(test)]
    pub(crate) fn available() -> Vec<Self> {
        #[cfg_attr(
            not(target_arch = "x86_64"),
            expect(unused_mut, reason = "no other architecture has more levels yet")
        )]
        let mut levels = vec![SimdLevel::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            let sets = [
                (Set::Avx2, x86::has_avx2()),
                (Set::Avx512, x86::has_avx512()),
            ];
            levels.extend(
                sets.into_iter()
                    .filter(|it| it.1)
                    .map(|(set, _)| SimdLevel {
                        set,
                        moves_bits: true,
                    }),
            );
        }
        levels
    }

    /// Returns the levels of [`available`](Self::available). Those with vectors are also returned in a variant
    /// that does not move bits by instruction, for tests of code that depends on it.
    #[cfg(test)]
    pub(crate) fn available_with_bits() -> Vec<Self> {
        let quick = Self::available().into_iter();
        let both = quick.flat_map(|level| {
            let slow = SimdLevel {
                moves_bits: false,
                ..level
            };
            [slow, level]
        });
        both.skip(1).collect()
    }

    /// Runs a kernel, compiled for this level.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(
            unsafe_code,
            reason = "functions with target features are unsafe to call"
        )
    )]
    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: &K, source: &[u8], target: &mut [u8]) -> Flags {
        match self.set {
            #[cfg(target_arch = "x86_64")]
            Set::Portable => kernel.run_on::<false>(source, target),
            #[cfg(not(target_arch = "x86_64"))]
            Set::Portable => kernel.run(source, target),
            // SAFETY: the constructors of these levels have detected the features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { x86::run_avx2(kernel, source, target) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 if !K::WIDE => unsafe { x86::run_avx2(kernel, source, target) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { x86::run_avx512(kernel, source, target) },
        }
    }

    /// Runs a transposition of words, compiled for this level.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(
            unsafe_code,
            reason = "functions with target features are unsafe to call"
        )
    )]
    pub(crate) fn transposing<J: Transposing>(self, job: J) -> J::Output {
        match self.set {
            Set::Portable => job.run(planes::Squares),
            // SAFETY: `has_wide` has just detected the features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 if self.moves_bits && x86::has_wide() => unsafe {
                x86::transposing_wide(job)
            },
            // SAFETY: the constructors of these levels have detected the features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 if !self.moves_bits => unsafe {
                x86::transposing::<J, false>(job)
            },
            // SAFETY: the constructors of these levels have detected the features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 => unsafe { x86::transposing::<J, true>(job) },
        }
    }
}

/// Prefetches the cache lines of memory that is about to be read or written, on machines that support it.
/// Loops that do next to nothing run faster with explicit prefetching than with the processor's own.
pub(crate) fn prefetch(source: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch(source);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = source;
}

/// Prefetches the cache lines that lie a distance beyond those of a slice, even if they belong to something else.
fn prefetch_beyond(slice: &[u8], distance: usize) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch_beyond(slice, distance);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, distance);
}

/// Like [`prefetch`], for lines that are read only once.
fn prefetch_once(source: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch_once(source);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = source;
}

/// Returns the bytes of a slice of elements in memory order.
#[expect(unsafe_code, reason = "a view of numbers as bytes")]
pub(crate) fn bytes_of<E: Element>(elements: &[E]) -> &[u8] {
    // SAFETY: `Element` is sealed, and its types are plain numbers without padding, so every byte is
    // initialized. `u8` has no alignment requirement, and the length is that of the slice.
    unsafe { core::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

/// Returns the bytes of a slice of elements in memory order, for writing.
#[expect(unsafe_code, reason = "a view of numbers as bytes")]
pub(crate) fn bytes_of_mut<E: Element>(elements: &mut [E]) -> &mut [u8] {
    // SAFETY: as in `bytes_of`. In addition, every bit pattern is a valid plain number.
    unsafe { core::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), size_of_val(elements)) }
}

/// Returns a float, which must be an integer, clamped to `min..=max`, and the same value as an `i32`. NaN
/// becomes `min`. The operator `as` needs more instructions for the same result.
#[expect(
    unsafe_code,
    reason = "the conversion instruction without the checks of `as`"
)]
#[inline(always)]
pub(crate) fn clamp_f64(value: f64, min: i32, max: i32) -> (f64, i32) {
    let (low, high) = (f64::from(min), f64::from(max));
    let value = if value > low { value } else { low };
    let value = if value < high { value } else { high };
    // SAFETY: the first comparison has replaced NaN by `low`, so `value` lies between `low` and `high`, both
    // of which are in the range of `i32`.
    (value, unsafe { value.to_int_unchecked() })
}

/// Like [`clamp_f64`], for limits of at most 24 bits, which float32 can represent.
#[expect(
    unsafe_code,
    reason = "the conversion instruction without the checks of `as`"
)]
#[expect(clippy::cast_precision_loss, reason = "limits of at most 24 bits")]
#[inline(always)]
pub(crate) fn clamp_f32(value: f32, min: i32, max: i32) -> (f32, i32) {
    let (low, high) = (min as f32, max as f32);
    let value = if value > low { value } else { low };
    let value = if value < high { value } else { high };
    // SAFETY: as in `clamp_f64`.
    (value, unsafe { value.to_int_unchecked() })
}

/// Returns a float, which must be an integer, clamped to the values of int32 that float32 has, and clamped to those
/// of int32. NaN becomes the least one.
#[expect(
    unsafe_code,
    reason = "the conversion instruction without the checks of `as`"
)]
#[inline(always)]
pub(crate) fn clamp_f32_to_i32(value: f32) -> (f32, i32) {
    let (low, high) = (-2_147_483_648.0, 2_147_483_520.0);
    let greater = if value > low { value } else { low };
    let within = if greater < high { greater } else { high };
    // SAFETY: as in `clamp_f64`.
    let integer: i32 = unsafe { within.to_int_unchecked() };
    (within, if value > high { i32::MAX } else { integer })
}
