//! Coefficients as bits: plane by plane from the highest one, each in the order of the
//! coefficients (zfp.planes).

use crate::bits::{BitReader, BitWriter};

/// How much of a block's coefficients is coded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// The bits of a coefficient.
    pub(super) width: u32,
    /// The planes that are coded at most, from the highest one down.
    pub(super) precision: u32,
    /// The bits that are written at most.
    pub(super) budget: u64,
}

impl Extent {
    /// The places of the planes that are coded.
    fn planes(self) -> impl Iterator<Item = u32> {
        (self.width.saturating_sub(self.precision)..self.width).rev()
    }
}

/// Writes coefficients, which stand in their order.
pub(super) fn encode(extent: Extent, coefficients: &[u64], out: &mut BitWriter) {
    let end = out.len() + extent.budget;
    // The coefficients from here on have had no one in any plane so far.
    let mut significant = 0;
    for plane in extent.planes() {
        let bit = |coefficient: u64| coefficient >> plane & 1 == 1;
        for &coefficient in &coefficients[..significant] {
            if out.len() == end {
                return;
            }
            out.push(bit(coefficient));
        }
        while significant < coefficients.len() {
            if out.len() == end {
                return;
            }
            let some = coefficients[significant..].iter().any(|&c| bit(c));
            out.push(some);
            if !some {
                break;
            }
            // The zeros up to the next one; if that is the last bit of the plane it goes without
            // saying.
            while significant + 1 < coefficients.len() && out.len() < end {
                let one = bit(coefficients[significant]);
                out.push(one);
                if one {
                    break;
                }
                significant += 1;
            }
            significant += 1;
        }
    }
}

/// Reads so many coefficients. What was not written of them is zero.
pub(super) fn decode(extent: Extent, count: usize, bits: &mut BitReader<'_>) -> Vec<u64> {
    let end = bits.position() + extent.budget;
    let mut coefficients = vec![0; count];
    let mut significant = 0;
    for plane in extent.planes() {
        for coefficient in &mut coefficients[..significant] {
            if bits.position() == end {
                return coefficients;
            }
            *coefficient |= u64::from(bits.bit()) << plane;
        }
        while significant < count {
            if bits.position() == end {
                return coefficients;
            }
            if !bits.bit() {
                break;
            }
            while significant + 1 < count && bits.position() < end && !bits.bit() {
                significant += 1;
            }
            // Also where the budget ends before the one is seen (zfp.planes.implied).
            coefficients[significant] |= 1 << plane;
            significant += 1;
        }
    }
    coefficients
}
