//! Planes of bits with AVX2, and bits that are moved with BMI2.

mod vectors;

use core::arch::x86_64::{_pdep_u64, _pext_u64};

use crate::arch::planes::{Transpose, Transposing};

/// A machine that has what [`has_avx2`](super::has_avx2) asks for: made by the functions below only.
#[derive(Clone, Copy)]
struct Vectors(());

impl Transpose for Vectors {
    #[inline(always)]
    fn extract(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: who made `self` has BMI2.
        unsafe { _pext_u64(bits, mask) }
    }

    #[inline(always)]
    fn deposit(self, bits: u64, mask: u64) -> u64 {
        // SAFETY: who made `self` has BMI2.
        unsafe { _pdep_u64(bits, mask) }
    }

    #[inline(always)]
    fn planes_32(self, words: &[u32; 64], lowest: usize) -> [u64; 32] {
        // SAFETY: who made `self` has AVX2.
        unsafe { vectors::planes_32(words, lowest) }
    }

    #[inline(always)]
    fn planes_64(self, words: &[u64; 64], lowest: usize) -> [u64; 64] {
        // SAFETY: who made `self` has AVX2.
        unsafe { vectors::planes_64(words, lowest) }
    }

    #[inline(always)]
    fn words_32(self, planes: &[u64; 32], words: &mut [u32; 64]) {
        // SAFETY: who made `self` has AVX2.
        unsafe { vectors::words_32(planes, words) }
    }

    #[inline(always)]
    fn words_64(self, planes: &[u64; 64], words: &mut [u64; 64]) {
        // SAFETY: who made `self` has AVX2.
        unsafe { vectors::words_64(planes, words) }
    }

    #[inline(always)]
    fn turn_32(self, squares: &mut [[u32; 16]]) {
        // SAFETY: who made `self` has AVX2.
        unsafe { vectors::turn_32(squares) }
    }

    #[inline(always)]
    fn turn_64(self, squares: &mut [[u64; 16]]) {
        // SAFETY: who made `self` has AVX2.
        unsafe { vectors::turn_64(squares) }
    }
}

/// # Safety
/// The machine must have what [`has_avx2`](super::has_avx2) asks for.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(in crate::arch) unsafe fn transposing<J: Transposing>(job: J) -> J::Output {
    job.run(Vectors(()))
}
