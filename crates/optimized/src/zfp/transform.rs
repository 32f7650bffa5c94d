//! The transforms of blocks: a function of four words in a row, along every dimension
//! (zfp.lift.lossy, zfp.lift.reversible).

use super::word::Word;
use crate::arch::{Lanes, Lift, Transpose, along};

/// Transforms integers to coefficients, in the lossy modes.
#[derive(Clone, Copy)]
pub(super) struct Decorrelate;

impl Lift for Decorrelate {
    #[inline(always)]
    fn apply<L: Lanes>(self, [mut x, mut y, mut z, mut w]: [L; 4]) -> [L; 4] {
        x = x.plus(w).half();
        w = w.minus(x);
        z = z.plus(y).half();
        y = y.minus(z);
        x = x.plus(z).half();
        z = z.minus(x);
        w = w.plus(y).half();
        y = y.minus(w);
        w = w.plus(y.half());
        y = y.minus(w.half());
        [x, y, z, w]
    }
}

/// Transforms coefficients to integers, in the lossy modes.
#[derive(Clone, Copy)]
pub(super) struct Recorrelate;

impl Lift for Recorrelate {
    #[inline(always)]
    fn apply<L: Lanes>(self, [mut x, mut y, mut z, mut w]: [L; 4]) -> [L; 4] {
        y = y.plus(w.half());
        w = w.minus(y.half());
        y = y.plus(w);
        w = w.plus(w).minus(y);
        z = z.plus(x);
        x = x.plus(x).minus(z);
        y = y.plus(z);
        z = z.plus(z).minus(y);
        w = w.plus(x);
        x = x.plus(x).minus(w);
        [x, y, z, w]
    }
}

/// Transforms integers to coefficients without loss.
#[derive(Clone, Copy)]
pub(super) struct Difference;

impl Lift for Difference {
    #[inline(always)]
    fn apply<L: Lanes>(self, [x, mut y, mut z, mut w]: [L; 4]) -> [L; 4] {
        (w, z, y) = (w.minus(z), z.minus(y), y.minus(x));
        (w, z) = (w.minus(z), z.minus(y));
        w = w.minus(z);
        [x, y, z, w]
    }
}

/// Transforms coefficients to integers without loss.
#[derive(Clone, Copy)]
pub(super) struct Accumulate;

impl Lift for Accumulate {
    #[inline(always)]
    fn apply<L: Lanes>(self, [x, mut y, mut z, mut w]: [L; 4]) -> [L; 4] {
        w = w.plus(z);
        z = z.plus(y);
        w = w.plus(z);
        y = y.plus(x);
        z = z.plus(y);
        w = w.plus(z);
        [x, y, z, w]
    }
}

/// Transforms integers to coefficients, along x first.
#[inline(always)]
pub(super) fn forward<W: Word, const D: usize, T: Transpose>(
    arch: T,
    slabs: &mut [[W; 64]],
    lift: impl Lift,
) {
    for slab in &mut *slabs {
        W::forward::<T, D>(arch, slab, lift);
    }
    if D > 3 {
        along::<W, 64>(slabs.as_flattened_mut(), lift);
    }
}

/// Transforms coefficients to integers, along x last.
#[inline(always)]
pub(super) fn inverse<W: Word, const D: usize, T: Transpose>(
    arch: T,
    slabs: &mut [[W; 64]],
    lift: impl Lift,
) {
    if D > 3 {
        along::<W, 64>(slabs.as_flattened_mut(), lift);
    }
    for slab in slabs {
        W::inverse::<T, D>(arch, slab, lift);
    }
}
