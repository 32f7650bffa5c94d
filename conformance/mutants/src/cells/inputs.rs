//! Elements that distinguish wrong casts from right ones.

use exactum_conformance::model::{ArrayCodec, DataType, Direction, Format, Rounding};
use exactum_exact::{Exact, Rounded, round};
use exactum_reference::chain::{Reference, Steps};

use super::Trial;
use crate::Overrides;
use crate::arithmetic::{half, largest};

/// Tries elements that distinguish an element-wise codec from the right one. `whole` states that no other codec could
/// show the fault.
pub(crate) fn tried(
    overrides: &Overrides,
    codecs: &[ArrayCodec],
    direction: Direction,
    [from, to]: [DataType; 2],
    whole: bool,
) -> Trial {
    let inputs = inputs(from, to);
    let format = to.format();
    let shows = |codec: &ArrayCodec, bits| {
        let right = Reference.element(codec, direction, bits).ok();
        let wrong = overrides.element(codec, direction, bits).ok();
        match (right, wrong) {
            // All NaNs are equal.
            (Some(right), Some(wrong)) => right != wrong && !both_nan(&format, right, wrong),
            (right, wrong) => right != wrong,
        }
    };
    let distinct = codecs
        .iter()
        .any(|codec| inputs.iter().any(|&bits| shows(codec, bits)));
    if distinct {
        Trial::Wrong
    } else if whole && is_complete(from, to) {
        Trial::Truth
    } else {
        Trial::Undecided
    }
}

fn both_nan(format: &Format, a: u64, b: u64) -> bool {
    let float = format.float();
    float.is_some_and(|format| format.is_nan(a) && format.is_nan(b))
}

/// Returns whether the inputs of a pair are all that matter: every element of a small type, or an element between any
/// two points at which a cast into a small type changes its answer.
pub(super) fn is_complete(from: DataType, to: DataType) -> bool {
    [from, to]
        .iter()
        .any(|of| of.format().component_bits() <= 8)
}

/// Returns elements that distinguish wrong casts from right ones. For a small type these are all elements. For other
/// types they are the special values, the limits of the other type, the points halfway between its values, and
/// neighbours of all these. If the other type is small, they include all points at which an answer changes.
pub(crate) fn inputs(from: DataType, to: DataType) -> Vec<u64> {
    let (format, other) = (from.format(), to.format());
    let bits = format.component_bits();
    if bits <= 8 {
        return (0..1 << bits).collect();
    }
    let mut values: Vec<Exact> = (-9..=9)
        .map(|eighths| Exact::integer(eighths).divide(&Exact::integer(4)))
        .collect();
    for above in [true, false] {
        let limit = Exact::from_bits(&other, largest(&other, above));
        let before = Exact::from_bits(&other, largest(&other, above).wrapping_sub(1));
        values.extend([limit.add(&half()), limit.subtract(&half())]);
        let beyond = limit.add(&limit.subtract(&before));
        values.extend([limit.add(&beyond).multiply(&half()), beyond]);
        values.push(limit.multiply(&Exact::integer(3)));
        values.push(limit);
    }
    // Halfway between two codes of the other type: between all codes of a small type, and between some codes of a
    // larger one.
    let width = other.component_bits();
    let codes = if width <= 8 {
        (0..1 << width).collect()
    } else {
        let digits = other.float().map_or(0, |float| float.mantissa_bits);
        let one = other
            .float()
            .map_or(1, |float| u64::from(float.bias.unsigned_abs()) << digits);
        vec![
            0,
            1,
            2,
            3,
            1 << (width / 2),
            1 << (width - 2),
            one,
            one + 1,
            one - 1,
        ]
    };
    // The first integers that the other type cannot represent.
    let first = other.float().map_or(0, |float| float.mantissa_bits + 1);
    for power in [first, first + 1] {
        for more in 1..=3 {
            let integer = Exact::integer((1 << power) + more);
            values.extend([integer.negate(), integer]);
        }
    }
    for code in codes {
        let next = (code + 1) & other.component_mask();
        let [a, b] = [code, next].map(|bits| Exact::from_bits(&other, bits));
        let between = a.add(&b).multiply(&half());
        values.extend([between.negate(), between, a.negate(), a]);
    }
    let mut inputs = vec![0, 1, 2, 3];
    if let Some(float) = format.float() {
        let specials = [float.nan_bits(), float.infinity_bits(), Some(0)];
        let specials = specials.into_iter().flatten();
        inputs.extend(specials.flat_map(|bits| [bits, bits | float.sign_mask()]));
    }
    for value in &values {
        for mode in [Rounding::TowardsNegative, Rounding::TowardsPositive] {
            if let Rounded::Bits(bits) = round(value, &format, mode) {
                inputs.extend([bits, bits.wrapping_add(1), bits.wrapping_sub(1)]);
            }
        }
    }
    for above in [true, false] {
        let bits = largest(&format, above);
        inputs.extend([bits, bits.wrapping_sub(1)]);
    }
    for input in &mut inputs {
        *input &= format.component_mask();
    }
    inputs.sort_unstable();
    inputs.dedup();
    inputs
}
