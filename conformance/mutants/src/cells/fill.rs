//! Lies about fill values that are confined to one cell.

use std::sync::Arc;

use exactum_conformance::model::{
    ArrayCodec, ArrayToArray, ArrayToBytes, Bytes, CastValue, Chain, CodecPipeline, DataType,
    Format, OutOfRange, Rounding, Scalar, ScaleOffset,
};
use exactum_reference::chain::{Reference, Steps};

use super::inputs::{inputs, is_complete};
use super::{
    ANY, Cell, CellMutant, Trial, cast, has_nan, has_negative_zero, is_always_in_range,
    is_exact_in_range, numbers, of_fill,
};
use crate::arithmetic::largest;
use crate::{Fill, NONE, Overrides, Wrong, give, some_rejection};

/// A kind of fault: its name, what is wrong, the formats for which it is not a fault, and the clauses that fit.
struct Kind {
    name: &'static str,
    wrong: fn(&Fill<'_>) -> Wrong<Scalar>,
    nothing: fn(&Format, &Format, Option<OutOfRange>) -> bool,
    fits: &'static [&'static str],
}

const SURVIVES: &[&str] = &[
    "cast_value.fill.cast",
    "cast_value.fill.survives",
    "cast_value.fill.by-value",
];

/// Accepts a fill value that does not survive.
const LOST: Kind = Kind {
    name: "lost-fill-accepted",
    wrong: |it| it.encoded().ok().map(Ok),
    nothing: |from, to, rule| {
        let kept = match (rule, from, to) {
            (None, ..) => true,
            // A value that is wrapped into at least as many bits wraps back to itself.
            (Some(OutOfRange::Wrap), Format::Integer(from), Format::Integer(to)) => {
                to.bits >= from.bits
            }
            _ => is_in_range(from, to),
        };
        is_exact_in_range(from, to) && kept
    },
    fits: SURVIVES,
};

/// Faults in the default mode without a rule.
#[rustfmt::skip] // A table.
const KINDS: &[Kind] = &[
    LOST,
    Kind { name: "rejected-fill-is-zero", wrong: |it| match it.encoded() { Ok(_) => None, Err(_) => it.give(0) }, fits: SURVIVES,
        nothing: |from, to, _| {
            is_in_range(from, to)
                && (!has_nan(from) || has_nan(to))
                && (!has_infinity(from) || has_infinity(to))
        } },
    Kind { name: "fill-compared-bitwise", wrong: |it| it.if_back(|back, _| back == it.before),
        nothing: |from, _, _| from.float().is_none(), fits: SURVIVES },
    Kind { name: "fill-becomes-zero", wrong: |it| match it.of(it.before) { Ok(_) => it.give(0), Err(_) => None },
        nothing: |_, _, _| false, fits: SURVIVES },
    Kind { name: "nan-fill-refused", nothing: |from, to, _| !has_nan(from) || !has_nan(to), fits: SURVIVES,
        wrong: |it| {
            let float = it.before.data_type().format().float()?;
            let nan = float.is_nan(it.before.component(0));
            nan.then(|| Err(some_rejection()))
        } },
    Kind { name: "infinite-fill-refused", nothing: |from, to, _| !has_infinity(from) || !has_infinity(to), fits: SURVIVES,
        wrong: |it| {
            let float = it.before.data_type().format().float()?;
            let infinite = float.is_infinite(it.before.component(0));
            infinite.then(|| Err(some_rejection()))
        } },
    Kind { name: "negative-zero-fill-refused", wrong: |it| is_negative_zero(&it.before).then(|| Err(some_rejection())),
        nothing: |from, to, _| !has_negative_zero(from) || !has_zero(to), fits: SURVIVES },
    Kind { name: "negative-zero-fill-accepted",
        wrong: |it| match (is_negative_zero(&it.before), it.encoded()) { (true, Err(_)) => it.give(0), _ => None },
        nothing: |from, to, _| !has_negative_zero(from) || has_zero(to), fits: SURVIVES },
];

fn is_negative_zero(of: &Scalar) -> bool {
    let format = of.data_type().format();
    let sign = format.float().filter(|it| it.negative_zero);
    sign.is_some_and(|it| of.component(0) == it.sign_mask())
}

fn has_zero(format: &Format) -> bool {
    format.float().is_none_or(|float| float.zero)
}

fn is_in_range(from: &Format, to: &Format) -> bool {
    is_always_in_range(from, to, Rounding::NearestEven)
}

fn has_infinity(format: &Format) -> bool {
    format.float().is_some_and(|float| float.infinity)
}

/// Returns the lies about fill values through a cast: one pair of types each or, in the modes other than the default,
/// one type each.
pub(crate) fn fill_values() -> Vec<CellMutant> {
    let mut lies = Vec::new();
    for from in numbers() {
        for to in numbers() {
            for rule in [None, Some(OutOfRange::Clamp), Some(OutOfRange::Wrap)] {
                let integer = matches!(to.format(), Format::Integer(_));
                if rule == Some(OutOfRange::Wrap) && !integer {
                    continue;
                }
                let codec = CastValue {
                    out_of_range: rule,
                    ..cast(from, to)
                };
                let kinds = if rule.is_none() { KINDS } else { &[LOST] };
                lies.extend(
                    kinds
                        .iter()
                        .map(|kind| lie(kind, vec![codec.clone()], rule)),
                );
            }
        }
        for &rounding in Rounding::ALL {
            if rounding != Rounding::NearestEven {
                let codec = |to| CastValue {
                    rounding,
                    ..cast(from, to)
                };
                lies.push(lie(&LOST, numbers().map(codec).collect(), None));
            }
        }
    }
    lies
}

/// Confines a fault of fill values to one cell.
fn within(cell: Cell, wrong: fn(&Fill<'_>) -> Wrong<Scalar>) -> Overrides {
    let fill = move |it: &Fill<'_>| match of_fill(&it.step.codec).contains(&cell) {
        true => wrong(it),
        false => None,
    };
    Overrides {
        fill: Some(Arc::new(fill)),
        ..NONE
    }
}

fn lie(kind: &Kind, codecs: Vec<CastValue>, rule: Option<OutOfRange>) -> CellMutant {
    let of_first = ArrayCodec::CastValue(codecs[0].clone());
    let cell = of_fill(&of_first)[0];
    let (wrong, nothing) = (kind.wrong, kind.nothing);
    CellMutant {
        cell,
        kind: kind.name,
        overrides: within(cell, wrong),
        fits: kind.fits,
        trial: Arc::new(move |overrides| {
            Trial::of(codecs.iter().map(|codec| {
                let types = [codec.decoded, codec.encoded];
                let formats = types.map(|it| it.format());
                if cell.to != ANY && nothing(&formats[0], &formats[1], rule) {
                    Trial::Truth
                } else {
                    tried(overrides, &ArrayCodec::CastValue(codec.clone()), types)
                }
            }))
        }),
    }
}

/// Returns the lies about fill values through `scale_offset`, one type each.
pub(crate) fn scaled_fill_values() -> Vec<CellMutant> {
    let unchanged: fn(&Fill<'_>) -> Wrong<Scalar> = |it| give(it.before);
    let rejected_unchanged: fn(&Fill<'_>) -> Wrong<Scalar> = |it| match it.of(it.before) {
        Ok(_) => None,
        Err(_) => give(it.before),
    };
    let kinds = [
        ("fill-unchanged", unchanged),
        ("rejected-fill-unchanged", rejected_unchanged),
    ];
    let mut lies = Vec::new();
    for data_type in numbers() {
        for (kind, wrong) in kinds {
            let codecs = scaled(data_type);
            let cell = of_fill(&codecs[0])[0];
            lies.push(CellMutant {
                cell,
                kind,
                overrides: within(cell, wrong),
                fits: &["scale_offset.fill"],
                trial: Arc::new(move |overrides| {
                    let types = [data_type, data_type];
                    Trial::of(codecs.iter().map(|it| tried(overrides, it, types)))
                }),
            });
        }
    }
    lies
}

/// Returns codecs with offsets that change a fill value or make it leave the range.
fn scaled(data_type: DataType) -> Vec<ArrayCodec> {
    let format = data_type.format();
    [1, largest(&format, true), largest(&format, false)]
        .map(|offset| ArrayCodec::ScaleOffset(ScaleOffset::new(data_type).offset(offset)))
        .into()
}

/// Tries fill values of every kind before a codec.
fn tried(overrides: &Overrides, codec: &ArrayCodec, [from, to]: [DataType; 2]) -> Trial {
    let step = ArrayToArray {
        name: String::new(),
        pointer: String::new(),
        codec: codec.clone(),
        data_type: to,
        shape: Vec::new(),
    };
    let chain = one_step(from, to);
    let shows = |bits: u64| {
        let before = Scalar::new(from, bits.into());
        let right = Reference.fill_value(&chain, &step, before).ok();
        right != overrides.fill_value(&chain, &step, before).ok()
    };
    if inputs(from, to).into_iter().any(shows) {
        Trial::Wrong
    } else if is_complete(from, to) {
        Trial::Truth
    } else {
        Trial::Undecided
    }
}

fn one_step(from: DataType, to: DataType) -> Chain {
    Chain {
        data_type: from,
        chunk_shape: Vec::new(),
        fill_value: Scalar::new(from, 0),
        pipeline: CodecPipeline::new(Vec::new(), ArrayToBytes::Bytes(Bytes::new(to, None))),
    }
}
