//! Lies of `scale_offset` that are confined to one cell.

use std::sync::Arc;

use exactum_conformance::model::{ArrayCodec, DataType};

use super::*;
use crate::cells::{Cell, CellMutant, Trial, coded, has_nan, has_negative_zero, numbers, tried};

/// A kind of fault.
struct Kind {
    name: &'static str,
    wrong: fn(&Element<'_>) -> Wrong,
    /// The types and directions for which it is not a fault.
    nothing: fn(&Format, Direction) -> bool,
    fits: &'static [&'static str],
}

const RANGE: &[&str] = &[
    "scale_offset.range.intermediate",
    "scale_offset.range.overflow",
    "scale_offset.range.no-zero",
];
const ROUNDING: &[&str] = &[
    "scale_offset.arithmetic",
    "scale_offset.range.intermediate",
    "scale_offset.range.overflow",
    "scale_offset.range.no-zero",
];

/// Faults of elements.
#[rustfmt::skip] // A table.
const KINDS: &[Kind] = &[
    Kind { name: "steps-exchanged", nothing: |_, _| false, fits: &["scale_offset."],
        wrong: |it| {
            let [first, second] = it.steps();
            it.computed([second, first])
        } },
    Kind { name: "offset-ignored", wrong: |it| it.with(|codec| codec.offset = None),
        nothing: |_, _| false, fits: &["scale_offset."] },
    Kind { name: "scale-ignored", wrong: |it| it.with(|codec| codec.scale = None),
        nothing: |_, _| false, fits: &["scale_offset."] },
    // In types without a sign, a value below the range stays below it, and quotients do not leave the range; nor do
    // differences in a type without zero.
    Kind { name: "intermediate-unchecked", wrong: |it| it.when(it.right().is_err())?.fused(), fits: RANGE,
        nothing: |format, direction| match format {
            Format::Float(float) => !float.zero && direction == Direction::Encode,
            _ => integer(format).is_some_and(|integer| !integer.signed),
        } },
    // A quotient of unsigned integers never exceeds its dividend.
    Kind { name: "first-step-unchecked", wrong: |it| it.each_step(|step| step.when(step.first)?.saturated()), fits: RANGE,
        nothing: |format, direction| {
            direction == Direction::Decode && integer(format).is_some_and(|it| !it.signed)
        } },
    Kind { name: "second-step-unchecked", wrong: |it| it.each_step(|step| step.when(!step.first)?.saturated()), nothing: |_, _| false,
        fits: RANGE },
    Kind { name: "division-truncates", wrong: |it| it.each_step(|step| give(saturated(&step.inexact_division()?.exact, &step.format))),
        nothing: |format, direction| direction == Direction::Encode || integer(format).is_none(), fits: &["scale_offset.integer.division"] },
    // Powers of two have exact quotients.
    Kind { name: "first-step-truncates", wrong: |it| it.each_step(|step| step.when(step.first)?.truncated()), fits: ROUNDING,
        nothing: |format, direction| match format.float() {
            Some(float) => !float.zero && direction == Direction::Decode,
            None => true,
        } },
    // The same holds for products.
    Kind { name: "second-step-truncates", wrong: |it| it.each_step(|step| step.when(!step.first)?.truncated()), fits: ROUNDING,
        nothing: |format, direction| match format.float() {
            Some(float) => !float.zero && direction == Direction::Encode,
            None => true,
        } },
    Kind { name: "nan-is-zero", wrong: |it| it.when(it.value == Exact::Nan).and_then(|_| give(0)),
        nothing: |format, _| !has_nan(format), fits: &["scale_offset.special.nan"] },
    Kind { name: "infinity-rejected", nothing: |format, _| !format.float().is_some_and(|it| it.infinity),
        fits: &["scale_offset.special.infinity"],
        wrong: |it| {
            let infinite = matches!(it.value, Exact::Infinite { .. });
            it.when(infinite).and_then(|_| reject())
        } },
    Kind { name: "zero-without-sign", nothing: |format, _| !has_negative_zero(format), fits: &["scale_offset."],
        wrong: |it| {
            let (float, result) = (it.format.float()?, it.right().ok()?);
            it.when(float.is_zero(result)).and_then(|_| give(0))
        } },
];

impl Done {
    /// Returns the limit instead of a rejection.
    fn saturated(&self) -> Wrong {
        give(clamp(&self.format, self.over()?))
    }

    /// Computes a float step without rounding.
    fn truncated(&self) -> Wrong {
        self.accepted().and(self.float())?.by(Rounding::TowardsZero)
    }
}

/// Returns all lies, each for one direction and one type.
pub(crate) fn lies() -> Vec<CellMutant> {
    let mut lies = Vec::new();
    for direction in [Direction::Encode, Direction::Decode] {
        for data_type in numbers() {
            for kind in KINDS {
                let &Kind {
                    name,
                    wrong,
                    nothing,
                    fits,
                } = kind;
                lies.push(CellMutant {
                    cell: Cell::of_type(coded!("scale_offset", direction), data_type.name()),
                    kind: name,
                    overrides: elements(move |it| {
                        it.when(it.direction == direction && it.codec.data_type == data_type)
                            .and_then(wrong)
                    }),
                    fits,
                    trial: Arc::new(move |overrides| {
                        if nothing(&data_type.format(), direction) {
                            return Trial::Truth;
                        }
                        let types = [data_type, data_type];
                        tried(overrides, &codecs(data_type), direction, types, false)
                    }),
                });
            }
        }
    }
    lies
}

/// Returns parameters that can show faults: small ones, and ones that make values leave the range.
fn codecs(data_type: DataType) -> Vec<ArrayCodec> {
    let format = data_type.format();
    let number = |value: i128| match round(&Exact::integer(value), &format, Rounding::NearestEven) {
        Rounded::Bits(bits) => Some(bits),
        _ => None,
    };
    let (high, low) = (largest(&format, true), largest(&format, false));
    let pairs = [
        (number(1), number(2)),
        (number(4), number(2)),
        (number(1), number(4)),
        (number(3), None),
        (None, number(3)),
        (None, number(-1)),
        (number(-1), number(-1)),
        (Some(high), number(-1)),
        (Some(low), number(2)),
        (Some(high), Some(high)),
    ];
    pairs
        .into_iter()
        .map(|(offset, scale)| {
            ArrayCodec::ScaleOffset(ScaleOffset {
                data_type,
                offset,
                scale,
            })
        })
        .collect()
}
