//! The derivation of one element: its exact value, its neighbours in the target type, and the rule that decides.

use std::cmp::Ordering;

use exactum_exact::{Exact, Rounded, clamp, round, wrap};
use exactum_model::{CastSpec, DataType, Format, OutOfRange, Rounding, Scalar, ScaleOffset};

use crate::call::{Call, Codec, Stored};
use crate::request::Request;
use crate::value::{bits_text, text};

/// The number of significant digits of an exact value that are shown.
const DIGITS: usize = 60;

/// A step of a derivation: what is computed, and the facts about it by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is computed, such as `cast to int8`.
    pub title: String,
    /// Names and values, in the order in which each follows from the one before.
    pub facts: Vec<(&'static str, String)>,
}

/// The number of elements that are searched for one that shows the rule.
const SOUGHT: usize = 16;

/// Returns the derivation of one element of a request's input, and the element's place. The element is the one that is
/// answered differently or, if there is none, the first that has to be rounded or is out of range. Returns `None` for
/// requests other than casts and scalings of real numbers.
#[must_use]
pub fn derivation(request: &Request, differs: Option<usize>) -> Option<(usize, Vec<Step>)> {
    let decides =
        |step: &Step| (step.facts.iter()).any(|(name, _)| matches!(*name, "nearer" | "range"));
    let place = differs.unwrap_or_else(|| {
        (0..SOUGHT)
            .find(|place| derive(request, *place).iter().any(decides))
            .unwrap_or_default()
    });
    let steps = derive(request, place);
    (!steps.is_empty()).then_some((place, steps))
}

/// Returns the steps for the element at `place`, or none for requests other than casts and scalings of real numbers.
fn derive(request: &Request, place: usize) -> Vec<Step> {
    let Ok(call) = request.call() else {
        return Vec::new();
    };
    let Some(input) = call.input().filter(|input| place < input.len()) else {
        return Vec::new();
    };
    let bits = input.component(place);
    match call {
        Call::Encode(Codec::CastValue(codec), _) => vec![cast(&codec.encoding(), bits)],
        Call::Decode(Codec::CastValue(codec), Stored::Array(_)) => {
            vec![cast(&codec.decoding(), bits)]
        }
        Call::Encode(Codec::ScaleOffset(codec), _) => scaled(
            codec,
            bits,
            [
                ("-", codec.offset, Exact::subtract),
                ("*", codec.scale, Exact::multiply),
            ],
        ),
        Call::Decode(Codec::ScaleOffset(codec), Stored::Array(_)) => scaled(
            codec,
            bits,
            [
                ("/", codec.scale, Exact::divide),
                ("+", codec.offset, Exact::add),
            ],
        ),
        _ => Vec::new(),
    }
}

/// Returns the value of some bits, followed by the bits.
fn shown(data_type: DataType, bits: u64) -> String {
    let element = Scalar::new(data_type, bits.into());
    format!("{} {}", text(&element), bits_text(&element))
}

fn cast(spec: &CastSpec<'_>, bits: u64) -> Step {
    let mut facts = vec![("input", shown(spec.from, bits))];
    let format = spec.from.format();
    if let Some(entry) = spec
        .map
        .iter()
        .find(|entry| format.same_value(entry.input, bits))
    {
        let rule =
            "the scalar map has this value, and is applied first (cast_value.scalar_map.first)";
        facts.push(("rule", rule.into()));
        facts.push(("result", shown(spec.to, entry.output)));
    } else {
        let exact = Exact::from_bits(&format, bits);
        let rounding = spec.rounding.name();
        let rule = format!("{rounding} (cast_value.rounding.{rounding})");
        facts.extend(between(&exact, spec.to, Some(&rule)));
        facts.extend(decided(&exact, spec));
    }
    Step {
        title: format!("cast from {} to {}", spec.from, spec.to),
        facts,
    }
}

/// Returns the exact value, its neighbours in the target type, which of them is nearer, and the rule for a value
/// between two.
fn between(exact: &Exact, target: DataType, rule: Option<&str>) -> Vec<(&'static str, String)> {
    let mut facts = vec![("exact value", exact.to_decimal(DIGITS))];
    if !matches!(exact, Exact::Finite(_)) {
        return facts;
    }
    let format = target.format();
    let neighbour = |mode| match round(exact, &format, mode) {
        Rounded::Bits(bits) => {
            let value = Exact::from_bits(&format, bits);
            matches!(value, Exact::Finite(_) | Exact::Zero { .. }).then_some((bits, value))
        }
        _ => None,
    };
    let below = neighbour(Rounding::TowardsNegative);
    let above = neighbour(Rounding::TowardsPositive);
    let distance = |value: &Exact| exact.subtract(value);
    if let Some((_, value)) = &below
        && matches!(distance(value), Exact::Zero { .. })
    {
        facts.push((
            "rule",
            format!("{target} has this value: nothing is rounded"),
        ));
        return facts;
    }
    let side = |it: &Option<(u64, Exact)>| match it {
        Some((bits, value)) => {
            let away = distance(value).to_decimal(DIGITS);
            format!(
                "{}, {} away",
                shown(target, *bits),
                away.trim_start_matches('-')
            )
        }
        None => format!("no number of {target}"),
    };
    facts.push(("below", side(&below)));
    facts.push(("above", side(&above)));
    if let (Some((_, low)), Some((_, high))) = (&below, &above) {
        let closer = match magnitude(&distance(low)).compare(&magnitude(&distance(high))) {
            Some(Ordering::Less) => "the one below",
            Some(Ordering::Greater) => "the one above",
            _ => "neither: it is halfway between them",
        };
        facts.push(("nearer", closer.into()));
    }
    facts.extend(rule.map(|rule| ("rule", rule.into())));
    facts
}

fn magnitude(value: &Exact) -> Exact {
    if value.is_negative() {
        value.negate()
    } else {
        value.clone()
    }
}

/// Returns the result of rounding and of the rule for values out of range.
fn decided(exact: &Exact, spec: &CastSpec<'_>) -> Vec<(&'static str, String)> {
    let format = spec.to.format();
    let (rounded, above) = match round(exact, &format, spec.rounding) {
        Rounded::Bits(bits) => return vec![("result", shown(spec.to, bits))],
        Rounded::NotANumber => return rejected("cast_value.special.nan-error"),
        Rounded::NotFinite => return rejected("cast_value.special.infinity-error"),
        Rounded::OutOfRange { rounded, above } => (rounded, above),
    };
    let side = if above { "above" } else { "below" };
    let mut facts = vec![(
        "range",
        format!(
            "{} lies {side} the range of {}",
            rounded.to_decimal(DIGITS),
            spec.to
        ),
    )];
    let (clause, bits) = match (spec.out_of_range, &format) {
        (Some(OutOfRange::Clamp), _) => ("cast_value.range.clamp", clamp(&format, above)),
        (Some(OutOfRange::Wrap), Format::Integer(integer)) => {
            ("cast_value.range.wrap", wrap(integer, &rounded))
        }
        _ => {
            facts.extend(rejected("cast_value.range.error"));
            return facts;
        }
    };
    facts.push(("result", format!("{} ({clause})", shown(spec.to, bits))));
    facts
}

fn rejected(clause: &str) -> Vec<(&'static str, String)> {
    vec![("result", format!("rejected ({clause})"))]
}

/// A step of a scaling: its sign, its parameter and the operation.
type Operation = (&'static str, Option<u64>, fn(&Exact, &Exact) -> Exact);

fn scaled(codec: &ScaleOffset, bits: u64, operations: [Operation; 2]) -> Vec<Step> {
    let data_type = codec.data_type;
    let format = data_type.format();
    let is_integer = matches!(format, Format::Integer(_));
    let (mut bits, mut steps) = (bits, Vec::new());
    for (sign, parameter, operation) in operations {
        let Some(parameter) = parameter else { continue };
        let [a, b] = [bits, parameter].map(|bits| Exact::from_bits(&format, bits));
        let exact = operation(&a, &b);
        let mut facts = vec![
            ("input", shown(data_type, bits)),
            ("parameter", shown(data_type, parameter)),
        ];
        let is_whole = match &exact {
            Exact::Finite(finite) => finite.in_quanta(0).1.bits() == 0,
            _ => true,
        };
        let rule = match is_integer {
            false => Some("nearest-even (scale_offset.arithmetic.rounding)"),
            true if is_whole => None,
            true => Some("the division must leave no remainder (scale_offset.integer.division)"),
        };
        facts.extend(between(&exact, data_type, rule));
        let outcome = match round(&exact, &format, Rounding::NearestEven) {
            _ if is_integer && !is_whole => Err("scale_offset.integer.division"),
            Rounded::Bits(made) => Ok(made),
            Rounded::NotANumber => Err("scale_offset.special.invalid"),
            _ if is_integer => Err("scale_offset.range.intermediate"),
            _ => Err("scale_offset.range.overflow"),
        };
        match outcome {
            Ok(made) => facts.push(("result", shown(data_type, made))),
            Err(clause) => facts.extend(rejected(clause)),
        }
        steps.push(Step {
            title: format!("input {sign} parameter, in {data_type}"),
            facts,
        });
        match outcome {
            Ok(made) => bits = made,
            Err(_) => break,
        }
    }
    steps
}
