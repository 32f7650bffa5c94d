//! Bit planes with AVX2 or AVX-512, and bits that are moved with BMI2.

mod vectors;
mod wide;

use core::arch::x86_64::{_pdep_u64, _pext_u64};

use crate::arch::planes::{Lift, Order, Transpose, Transposing, forward, inverse, ordered, placed};

/// Evidence that the machine has the features that [`has_avx2`](super::has_avx2) detects. `MOVES_BITS` states
/// whether it moves bits quickly. Only the functions below construct it.
#[derive(Clone, Copy)]
struct Vectors<const MOVES_BITS: bool>(());

impl<const MOVES_BITS: bool> Transpose for Vectors<MOVES_BITS> {
    const MOVES_BITS: bool = MOVES_BITS;

    #[inline(always)]
    fn extract(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: `self` is only constructed on a machine with BMI2.
        unsafe { _pext_u64(bits, mask) }
    }

    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: `self` is only constructed on a machine with BMI2.
        unsafe { _pdep_u64(bits, mask) }
    }

    #[inline(always)]
    fn planes_32<const SLABS: usize>(
        self,
        words: &[[u32; 64]; SLABS],
        order: &Order<SLABS>,
        lowest: usize,
        planes: &mut [[u64; 32]; SLABS],
    ) {
        for (planes, part) in planes.iter_mut().zip(&order.words) {
            // SAFETY: `self` is only constructed on a machine with AVX2.
            unsafe { vectors::planes_32(&ordered(words, part), lowest, planes) }
        }
    }

    #[inline(always)]
    fn planes_64<const SLABS: usize>(
        self,
        words: &[[u64; 64]; SLABS],
        order: &Order<SLABS>,
        lowest: usize,
        planes: &mut [[u64; 64]; SLABS],
    ) {
        for (planes, part) in planes.iter_mut().zip(&order.words) {
            // SAFETY: `self` is only constructed on a machine with AVX2.
            unsafe { vectors::planes_64(&ordered(words, part), lowest, planes) }
        }
    }

    #[inline(always)]
    fn words_32<const SLABS: usize>(
        self,
        planes: &[[u64; 32]; SLABS],
        order: &Order<SLABS>,
        words: &mut [[u32; 64]; SLABS],
    ) {
        for (planes, part) in planes.iter().zip(&order.words) {
            let mut own = [0; 64];
            // SAFETY: `self` is only constructed on a machine with AVX2.
            unsafe { vectors::words_32(planes, &mut own) };
            placed(&own, part, words);
        }
    }

    #[inline(always)]
    fn words_64<const SLABS: usize>(
        self,
        planes: &[[u64; 64]; SLABS],
        order: &Order<SLABS>,
        words: &mut [[u64; 64]; SLABS],
    ) {
        for (planes, part) in planes.iter().zip(&order.words) {
            let mut own = [0; 64];
            // SAFETY: `self` is only constructed on a machine with AVX2.
            unsafe { vectors::words_64(planes, &mut own) };
            placed(&own, part, words);
        }
    }

    #[inline(always)]
    fn forward_32<const D: usize>(self, slab: &mut [u32; 64], lift: impl Lift) {
        // SAFETY: `self` is only constructed on a machine with AVX2.
        let turn = |squares: &mut [[u32; 16]]| unsafe { vectors::turn_32(squares) };
        forward::<_, D>(slab, turn, lift);
    }

    #[inline(always)]
    fn forward_64<const D: usize>(self, slab: &mut [u64; 64], lift: impl Lift) {
        // SAFETY: `self` is only constructed on a machine with AVX2.
        let turn = |squares: &mut [[u64; 16]]| unsafe { vectors::turn_64(squares) };
        forward::<_, D>(slab, turn, lift);
    }

    #[inline(always)]
    fn inverse_32<const D: usize>(self, slab: &mut [u32; 64], lift: impl Lift) {
        // SAFETY: `self` is only constructed on a machine with AVX2.
        let turn = |squares: &mut [[u32; 16]]| unsafe { vectors::turn_32(squares) };
        inverse::<_, D>(slab, turn, lift);
    }

    #[inline(always)]
    fn inverse_64<const D: usize>(self, slab: &mut [u64; 64], lift: impl Lift) {
        // SAFETY: `self` is only constructed on a machine with AVX2.
        let turn = |squares: &mut [[u64; 16]]| unsafe { vectors::turn_64(squares) };
        inverse::<_, D>(slab, turn, lift);
    }
}

/// Evidence that the machine has the features that [`has_wide`](super::has_wide) detects. Only the functions
/// below construct it.
#[derive(Clone, Copy)]
struct Wide(());

impl Transpose for Wide {
    const MOVES_BITS: bool = true;

    #[inline(always)]
    fn extract(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: `self` is only constructed on a machine with BMI2.
        unsafe { _pext_u64(bits, mask) }
    }

    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: `self` is only constructed on a machine with BMI2.
        unsafe { _pdep_u64(bits, mask) }
    }

    #[inline(always)]
    fn planes_32<const SLABS: usize>(
        self,
        words: &[[u32; 64]; SLABS],
        order: &Order<SLABS>,
        lowest: usize,
        planes: &mut [[u64; 32]; SLABS],
    ) {
        // SAFETY: `self` is only constructed on a machine with the features.
        unsafe { wide::planes_32(words, order, lowest, planes) }
    }

    #[inline(always)]
    fn planes_64<const SLABS: usize>(
        self,
        words: &[[u64; 64]; SLABS],
        order: &Order<SLABS>,
        lowest: usize,
        planes: &mut [[u64; 64]; SLABS],
    ) {
        // SAFETY: `self` is only constructed on a machine with the features.
        unsafe { wide::planes_64(words, order, lowest, planes) }
    }

    #[inline(always)]
    fn words_32<const SLABS: usize>(
        self,
        planes: &[[u64; 32]; SLABS],
        order: &Order<SLABS>,
        words: &mut [[u32; 64]; SLABS],
    ) {
        // SAFETY: `self` is only constructed on a machine with the features.
        unsafe { wide::words_32(planes, order, words) }
    }

    #[inline(always)]
    fn words_64<const SLABS: usize>(
        self,
        planes: &[[u64; 64]; SLABS],
        order: &Order<SLABS>,
        words: &mut [[u64; 64]; SLABS],
    ) {
        // SAFETY: `self` is only constructed on a machine with the features.
        unsafe { wide::words_64(planes, order, words) }
    }

    #[inline(always)]
    fn forward_32<const D: usize>(self, slab: &mut [u32; 64], lift: impl Lift) {
        // SAFETY: `self` is only constructed on a machine with the features.
        unsafe { wide::forward_32::<D>(slab, lift) }
    }

    #[inline(always)]
    fn forward_64<const D: usize>(self, slab: &mut [u64; 64], lift: impl Lift) {
        // SAFETY: `self` is only constructed on a machine with the features.
        unsafe { wide::forward_64::<D>(slab, lift) }
    }

    #[inline(always)]
    fn inverse_32<const D: usize>(self, slab: &mut [u32; 64], lift: impl Lift) {
        // SAFETY: `self` is only constructed on a machine with the features.
        unsafe { wide::inverse_32::<D>(slab, lift) }
    }

    #[inline(always)]
    fn inverse_64<const D: usize>(self, slab: &mut [u64; 64], lift: impl Lift) {
        // SAFETY: `self` is only constructed on a machine with the features.
        unsafe { wide::inverse_64::<D>(slab, lift) }
    }
}

/// # Safety
/// The machine must have the features that [`has_avx2`](super::has_avx2) detects.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::arch) unsafe fn transposing<J: Transposing, const MOVES_BITS: bool>(
    job: J,
) -> J::Output {
    job.run(Vectors::<MOVES_BITS>(()))
}

/// # Safety
/// The machine must have the features that [`has_wide`](super::has_wide) detects.
#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,gfni"
)]
pub(in crate::arch) unsafe fn transposing_wide<J: Transposing>(job: J) -> J::Output {
    job.run(Wide(()))
}
