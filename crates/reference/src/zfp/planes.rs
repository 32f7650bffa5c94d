//! The coding of coefficients as bits: plane by plane, beginning with the highest plane, and within a plane in the
//! order of the coefficients (zfp.planes).

use super::Coding;
use crate::bits::{BitReader, BitWriter};

/// Returns the bit indices of the coded planes in descending order, which are the highest `precision` of `width`.
fn places(width: u32, precision: u32) -> impl Iterator<Item = u32> {
    (width.saturating_sub(precision)..width).rev()
}

/// Writes the highest `precision` planes of ordered coefficients of `width` bits.
pub(super) fn encode(
    by: &dyn Coding,
    (width, precision): (u32, u32),
    coefficients: &[u64],
    out: &mut BitWriter,
) {
    // The coefficients from this index on have not had a one-bit in any plane so far.
    let mut significant = 0;
    for plane in places(width, precision) {
        let bit = |coefficient: u64| coefficient >> plane & 1 == 1;
        significant = by.reached(significant);
        for &coefficient in &coefficients[..significant] {
            out.push(bit(coefficient));
        }
        while significant < coefficients.len() {
            let some = coefficients[significant..].iter().any(|&c| bit(c));
            out.push(some);
            if !some {
                break;
            }
            // Write the zeros up to the next one-bit, and the one-bit itself unless it is implied.
            while significant < by.implied(coefficients.len()) {
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

/// Reads `count` coefficients from the bits before the position `end`. Bits that were not written are zeros.
pub(super) fn decode(
    by: &dyn Coding,
    (width, precision): (u32, u32),
    count: usize,
    end: u64,
    bits: &mut BitReader<'_>,
) -> Vec<u64> {
    let end = end.max(bits.position());
    let mut coefficients = vec![0; count];
    let mut significant = 0;
    for plane in places(width, precision) {
        significant = by.reached(significant);
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
            let mut one = 1;
            while significant < by.implied(count) {
                if bits.position() == end {
                    one = by.unseen();
                    break;
                }
                if bits.bit() {
                    break;
                }
                significant += 1;
            }
            if let Some(coefficient) = coefficients.get_mut(significant) {
                *coefficient |= one << plane;
                significant += 1;
            }
        }
    }
    coefficients
}
