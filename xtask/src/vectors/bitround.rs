//! The computed vectors of `bitround`: every element of the types of 16 bits or fewer. The other groups are recipes in
//! the folder beside this file.

use exactum_model::{BitRound, DataType, Format};
use exactum_vectors::{Expect, Level, array_to_json, checksums, sweep_input};
use serde_json::{Value, json};

use super::builder::{Topic, request, row};
use super::opinions::{Direction, Elementwise};
use super::recipes::Computed;

pub(super) const COMPUTED: [Computed; 1] = [("bitround", "every", every)];

/// A kind of elements that has clauses of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    Nan,
    Integer,
    /// An integer that cannot be rounded up.
    Largest,
    Negative,
}

impl Kind {
    const ALL: [Self; 5] = [
        Self::Number,
        Self::Nan,
        Self::Integer,
        Self::Largest,
        Self::Negative,
    ];

    /// Returns the name of the case, and the clauses that its elements test.
    fn case(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Number => (
                "numbers",
                &[
                    "bitround.float",
                    "bitround.float.nearest",
                    "bitround.float.carry",
                    "bitround.float.largest",
                    "bitround.float.subnormal",
                ],
            ),
            Self::Nan => ("nan", &["bitround.special.nan"]),
            Self::Integer => (
                "integers",
                &[
                    "bitround.integer",
                    "bitround.integer.nearest",
                    "bitround.integer.few",
                ],
            ),
            Self::Largest => ("largest", &["bitround.integer.fits"]),
            Self::Negative => ("negative", &["bitround.integer.negative"]),
        }
    }

    /// Returns the kind of an element, given the result of its rounding.
    fn of(data_type: DataType, keep_bits: u32, bits: u64, rounded: u64) -> Self {
        match data_type.format() {
            Format::Integer(format) if format.value(bits) < 0 => Self::Negative,
            Format::Integer(_) => {
                let dropped = (u64::BITS - bits.leading_zeros()).saturating_sub(keep_bits);
                let is_half = rounded < bits && (bits - rounded) * 2 >= 1 << dropped;
                match is_half && rounded >> dropped & 1 == 1 {
                    true => Self::Largest,
                    false => Self::Integer,
                }
            }
            format => match format.float().is_some_and(|format| format.is_nan(bits)) {
                true => Self::Nan,
                false => Self::Number,
            },
        }
    }
}

/// Adds a group for every number of kept bits that drops some bits.
fn every(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.own_type()?;
    let bits = match data_type.format() {
        Format::Integer(format) => format.bits,
        format => format.float().map_or(0, |format| format.mantissa_bits),
    };
    for keep_bits in 1..bits {
        let codec = Elementwise::new(BitRound::new(data_type, keep_bits.into()));
        let mut of_kinds = Kind::ALL.map(|kind| (kind, Vec::new(), Vec::new()));
        for bits in 0..=data_type.format().component_mask() {
            let answer = codec.answer("every", Direction::Encode, bits)?;
            let rounded = answer.map_err(|reason| reason.name().to_owned())?;
            let of = Kind::of(data_type, keep_bits, bits, rounded);
            if let Some((_, inputs, outputs)) = of_kinds.iter_mut().find(|it| it.0 == of) {
                inputs.push(bits);
                outputs.push(rounded);
            }
        }
        let shared = request([
            ("op", "bitround.encode".into()),
            (
                "configuration",
                format!(r#"{{"keepbits":{keep_bits}}}"#).into(),
            ),
        ]);
        let (level, clauses): (_, &[&str]) = match is_listed(data_type) {
            true => (Level::Ruling, &[]),
            false => (Level::May, &["bitround.data_types.other"]),
        };
        let name = format!("every-{keep_bits}");
        let group = topic.file.group(&name, level, clauses, shared);
        for (kind, inputs, outputs) in of_kinds {
            if !inputs.is_empty() {
                let (name, clauses) = kind.case();
                let (input, expect) = exchanged(data_type, inputs, outputs)?;
                group.case(name, clauses, request([("input", input)]), expect);
            }
        }
    }
    Ok(())
}

/// Returns the input and the expectation: elements of a small type are listed, and those of a larger type are ranges,
/// with checksums of the results.
fn exchanged(
    data_type: DataType,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
) -> Result<(Value, Expect), String> {
    let output = row(data_type, &outputs)?;
    if data_type.element_bytes() == 1 {
        let input = array_to_json(&row(data_type, &inputs)?);
        return Ok((input, Expect::output(&output)));
    }
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for bits in inputs {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == bits => *last = bits,
            _ => ranges.push((bits, bits)),
        }
    }
    let expect = Expect::ok(json!({"output": {
        "data_type": data_type.name(),
        "shape": [output.len()],
        "crc32": checksums(&output),
    }}));
    Ok((sweep_input(data_type, &ranges), expect))
}

/// Returns whether the text lists the data type, at least as a component of complex numbers
/// (bitround.data_types.other).
fn is_listed(data_type: DataType) -> bool {
    data_type.format().component_bits() >= 8 && !data_type.name().contains("float8")
}
