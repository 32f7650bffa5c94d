//! Lies of `scale_offset` that live in one cell.

use exactum_conformance::model::{ArrayCodec, DataType};

use super::*;
use crate::cells::{Cell, Lie, numbers};

/// A kind of fault: its name and the fault.
type Kind = (&'static str, fn(&Element<'_>) -> Wrong);

/// Faults of elements.
const KINDS: &[Kind] = &[
    ("steps-exchanged", |it| {
        let [first, second] = it.steps();
        it.computed(&[second, first])
    }),
    ("intermediate-unchecked", |it| {
        it.when(it.right().is_err())?.fused()
    }),
    ("overflow-unchecked", |it| {
        it.each_step(|step| give(clamp(&step.format, step.over()?)))
    }),
    ("division-truncates", |it| {
        it.each_step(|step| give(saturated(&step.inexact_division()?.exact, &step.format)))
    }),
    ("steps-truncate", |it| {
        it.each_step(|step| step.accepted().and(step.float())?.by(Rounding::TowardsZero))
    }),
    ("nan-is-zero", |it| {
        it.when(it.value == Exact::Nan).and_then(|_| give(0))
    }),
    ("infinity-rejected", |it| {
        let infinite = matches!(it.value, Exact::Infinite { .. });
        it.when(infinite).and_then(|_| reject())
    }),
    ("zero-without-sign", |it| {
        let (float, result) = (it.format.float()?, it.right().ok()?);
        it.when(float.is_zero(result)).and_then(|_| give(0))
    }),
];

/// Every lie of one direction and one type.
pub(crate) fn lies() -> Vec<Lie> {
    let mut lies = Vec::new();
    for (direction, what) in [
        (Direction::Encode, "scale_offset.encode"),
        (Direction::Decode, "scale_offset.decode"),
    ] {
        for data_type in numbers() {
            let (from, to) = (data_type.name(), data_type.name());
            for &(kind, wrong) in KINDS {
                let overrides = elements(move |it| {
                    it.when(it.direction == direction && it.codec.data_type == data_type)?;
                    wrong(it)
                });
                lies.push(Lie {
                    cell: Cell { what, from, to },
                    kind,
                    overrides,
                    codecs: codecs(data_type),
                });
            }
        }
    }
    lies
}

/// Parameters that show what can be wrong: small ones, and those that lead out of the range.
fn codecs(data_type: DataType) -> Vec<ArrayCodec> {
    let format = data_type.format();
    let number = |value: i128| match round(&Exact::integer(value), &format, Rounding::NearestEven) {
        Rounded::Bits(bits) => Some(bits),
        _ => None,
    };
    let (high, low) = (largest(&format, true), largest(&format, false));
    let pairs = [
        (number(1), number(2)),
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
