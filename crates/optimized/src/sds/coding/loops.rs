//! The loops over blocks. They compute in doubles. Their results are nearly always certain, and the loops
//! report any doubt.

use core::marker::PhantomData;

use super::super::Codes;
use super::super::line::{Line, SAFE, double};
use super::super::stored::{Reals, Special};
use super::{Code, Real};
use crate::arch::{Flags, Kernel, NO_FLAGS};
use crate::lanes::Lane;

/// The number of minima and maxima that are computed side by side: twice as many as the widest vectors hold.
const LANES: usize = 16;

/// The flag of a block with an element that has to be examined again.
pub(super) const DOUBT: Flags = 1;
/// The flag of a code that is above the integers that `r4` holds reliably.
const PRECISION: Flags = 2;

/// 1.5 * 2^52: adding it rounds a double below 2^51 in magnitude to an integer, to nearest-even, and the low
/// bits of the sum are those of the integer.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// Four times the relative error of one operation.
const ERROR: f64 = f64::EPSILON * 2.0;

/// The loop of [`Extremes::of`]. Its output is the result of each lane, which it continues.
pub(super) struct Span<R> {
    /// The missing value besides NaN; NaN if none is defined.
    pub(super) missing: f64,
    pub(super) of: PhantomData<R>,
}

impl<R> Span<R> {
    /// The result before the first value: the least one, the greatest one, and whether there is an infinity.
    pub(super) const NOTHING: [[f64; LANES]; 3] = [
        [f64::INFINITY; LANES],
        [f64::NEG_INFINITY; LANES],
        [0.0; LANES],
    ];
}

impl<R: Real> Kernel for Span<R> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut found = Self::NOTHING;
        for (found, from) in found.as_flattened_mut().iter_mut().zip(f64::split(target)) {
            *found = f64::load(*from);
        }
        let [least, greatest, infinite] = &mut found;
        let mut add = |lane: usize, from: R::Bytes| {
            let value: f64 = R::load(from).into();
            let magnitude = value.abs();
            let is_there = value != self.missing;
            let counts = (magnitude < f64::INFINITY) & is_there;
            least[lane] = if counts & (value < least[lane]) {
                value
            } else {
                least[lane]
            };
            greatest[lane] = if counts & (value > greatest[lane]) {
                value
            } else {
                greatest[lane]
            };
            // An infinity may itself represent a missing value.
            infinite[lane] = if (magnitude == f64::INFINITY) & is_there {
                1.0
            } else {
                infinite[lane]
            };
        };
        let (blocks, rest) = R::split(source).as_chunks::<LANES>();
        for block in blocks {
            for (lane, &from) in block.iter().enumerate() {
                add(lane, from);
            }
        }
        for (lane, &from) in rest.iter().enumerate() {
            add(lane, from);
        }
        for (to, found) in f64::split_mut(target).iter_mut().zip(found.as_flattened()) {
            *to = found.store();
        }
        NO_FLAGS
    }
}

/// The loop of [`Encoder::encode`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Encode<R, C> {
    line: Line,
    /// The missing value besides NaN; NaN if none is defined.
    missing: f64,
    fill: f64,
    /// The limits of the codes between which no code is reserved.
    allowed: (f64, f64),
    of: PhantomData<(R, C)>,
}

impl<R, C> Encode<R, C> {
    pub(super) fn new(line: Line, missing: f64, codes: &Codes) -> Self {
        let (low, high) = codes.allowed();
        Self {
            line,
            missing,
            fill: double(codes.fill),
            allowed: (double(low), double(high)),
            of: PhantomData,
        }
    }
}

impl<R: Real, C: Code> Kernel for Encode<R, C> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let Line { scale, offset } = self.line;
        let (low, high) = self.allowed;
        // The word is as wide as the numbers, so that it stays in their vector lanes.
        let mut doubt = 0u64;
        for (to, from) in C::split_mut(target).iter_mut().zip(R::split(source)) {
            let value: f64 = R::load(*from).into();
            let product = value * scale;
            let sum = product + offset;
            let whole = (sum + WHOLE) - WHOLE;
            // The error of two roundings must not reach the nearest half-integer.
            let error = (product.abs() + sum.abs()) * ERROR;
            let is_certain = 0.5 - (sum - whole).abs() > error;
            let is_allowed = (whole >= low) & (whole <= high);
            let is_missing = value.is_nan() | (value == self.missing);
            doubt |= u64::from(!(is_missing | (is_certain & is_allowed)));
            let code = if is_missing { self.fill } else { whole };
            *to = C::of_bits((code + WHOLE).to_bits()).store();
        }
        if doubt == 0 { NO_FLAGS } else { DOUBT }
    }
}

/// The loop of [`Decoder::decode`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Decode<C, R> {
    line: Line,
    /// SCALE as the sum of two numbers with half as many bits.
    halves: (f64, f64),
    inverse: f64,
    /// Whether SCALE is far from the limits of the doubles.
    is_safe: bool,
    fill: f64,
    infinite: [f64; 2],
    trusted: f64,
    of: PhantomData<(C, R)>,
}

impl<C, R> Decode<C, R> {
    pub(super) fn new(reals: &Reals) -> Self {
        let Special { fill, infinite } = reals.special;
        let code = |code: Option<i64>| code.map_or(f64::NAN, double);
        let line = reals.line;
        Self {
            line,
            halves: halves(line.scale),
            inverse: 1.0 / line.scale,
            is_safe: SAFE.contains(&line.scale.abs()),
            fill: code(fill),
            infinite: [
                code(infinite.map(|it| it.positive)),
                code(infinite.and_then(|it| it.negative)),
            ],
            trusted: double(reals.trusted),
            of: PhantomData,
        }
    }
}

impl<C: Code, R: Real> Kernel for Decode<C, R> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        self.decode::<false>(source, target)
    }
}

/// The same loop, for machines with a fused multiply-add.
pub(super) struct FusedDecode<'a, C, R>(pub(super) &'a Decode<C, R>);

impl<C: Code, R: Real> Kernel for FusedDecode<'_, C, R> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        self.0.decode::<true>(source, target)
    }
}

impl<C: Code, R: Real> Decode<C, R> {
    #[inline(always)]
    fn decode<const FUSED: bool>(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let Line { scale, offset } = self.line;
        let [positive, negative] = self.infinite;
        // The words are as wide as the numbers, so that they stay in their vector lanes.
        let (mut doubt, mut imprecise) = (u64::from(!self.is_safe), 0u64);
        let safe = |number: f64| (number.abs() >= SAFE.start) & (number.abs() < SAFE.end);
        for (to, from) in R::split_mut(target).iter_mut().zip(C::split(source)) {
            let code: f64 = C::load(*from).into();
            // The exact difference is `high + low`.
            let high = code - offset;
            let back = high - code;
            let low = (code - (high - back)) + (-offset - back);
            // An approximate quotient, its exact remainder, and the correction for that.
            let first = high * self.inverse;
            let left = remainder::<FUSED>(high, first, scale, self.halves);
            let is_exact = (left == 0.0) & (low == 0.0);
            let second = (left + low) * self.inverse;
            let value = first + second;
            let rest = (first - value) + second;
            let (value, is_nearest) = R::nearest(value, rest, is_exact);
            // Products must neither overflow nor lose low bits.
            let is_certain = is_nearest & (safe(high) & safe(first) | (code == offset));
            let is_missing = code == self.fill;
            let is_infinite = (code == positive) | (code == negative);
            doubt |= u64::from(!(is_missing | (is_certain & !is_infinite)));
            imprecise |= u64::from(!is_missing & (code.abs() > self.trusted));
            let missing = R::of_value(f64::NAN);
            *to = if is_missing { missing } else { value }.store();
        }
        let doubt = if doubt == 0 { NO_FLAGS } else { DOUBT };
        let imprecise = if imprecise == 0 { NO_FLAGS } else { PRECISION };
        doubt | imprecise
    }
}

/// Returns a double as the sum of two with at most 26 bits each.
#[inline(always)]
fn halves(number: f64) -> (f64, f64) {
    let large = number * 134_217_729.0;
    let high = large - (large - number);
    (high, number - high)
}

/// Returns `dividend - quotient * divisor` to a double's precision, and exactly if it is 0. The quotient may
/// be off by at most a few units in the last place.
#[inline(always)]
fn remainder<const FUSED: bool>(
    dividend: f64,
    quotient: f64,
    divisor: f64,
    (b, d): (f64, f64),
) -> f64 {
    // `core` does not offer the instruction.
    #[cfg(feature = "std")]
    if FUSED {
        return (-quotient).mul_add(divisor, dividend);
    }
    let (a, c) = halves(quotient);
    let product = quotient * divisor;
    let error = ((a * b - product) + a * d + c * b) + c * d;
    (dividend - product) - error
}
