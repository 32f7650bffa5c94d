//! The steps of the row `cf` (spec/cf.md), whose codes may be missing.

use exactum_exact::Exact;
use exactum_model::{Cf, Format};

use super::step::{Step, Work, step};

/// Adds the steps of packing. The difference and the quotient are each rounded in the unpacked type
/// (cf.encode.steps), and the result is rounded to the nearest integer, with ties to even (cf.encode.round). A value
/// that overflows has no code either, so the steps reject it (cf.encode.range).
pub(super) fn encode<'a>(codec: &'a Cf, index: usize, steps: &mut Vec<Step<'a>>) {
    let [unpacked, packed, counted] = formats(codec);
    if unpacked.float().is_some() {
        if let Some(offset) = parameter(codec, codec.add_offset) {
            steps.push(step(index, Work::Subtract(offset), unpacked, unpacked));
        }
        if let Some(scale) = parameter(codec, codec.scale_factor) {
            let work = Work::Divide(scale.clone(), scale);
            steps.push(step(index, work, unpacked, unpacked));
        }
        steps.push(step(index, Work::Cast, unpacked, counted));
        // cf.encode.reserved: a missing code does not represent a number.
        steps.push(Step {
            missing: Some(codec),
            ..step(index, Work::Cast, counted, counted)
        });
    }
    if packed != counted {
        steps.push(step(index, Work::Recount, counted, packed));
    }
}

/// Adds the steps of unpacking. First the product and then the sum is rounded in the unpacked type
/// (cf.decode.steps). `start` is the number of steps before the steps of packing.
pub(super) fn decode<'a>(codec: &'a Cf, index: usize, start: usize, steps: &mut Vec<Step<'a>>) {
    let [unpacked, packed, counted] = formats(codec);
    let mut push = |work, from, to, missing| {
        steps.push(Step {
            mirror: Some(start),
            missing,
            ..overflowing(step(index, work, from, to))
        });
    };
    if packed != counted {
        push(Work::Recount, packed, counted, None);
    }
    if unpacked.float().is_some() {
        push(Work::Cast, counted, unpacked, Some(codec));
        if let Some(scale) = parameter(codec, codec.scale_factor) {
            push(Work::Multiply(scale), unpacked, unpacked, None);
        }
        if let Some(offset) = parameter(codec, codec.add_offset) {
            push(Work::Add(offset.clone(), offset), unpacked, unpacked, None);
        }
    }
}

/// Makes the overflow of a step of unpacking an infinity (cf.decode.steps).
fn overflowing(step: Step<'_>) -> Step<'_> {
    Step {
        out_of_range: step.to.float().map(|_| exactum_model::OutOfRange::Clamp),
        ..step
    }
}

fn formats(codec: &Cf) -> [Format; 3] {
    [codec.unpacked, codec.packed, codec.counted].map(|it| it.format())
}

fn parameter(codec: &Cf, bits: Option<u64>) -> Option<Exact> {
    bits.map(|bits| Exact::from_bits(&codec.unpacked.format(), bits))
}
