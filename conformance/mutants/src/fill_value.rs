//! Mutants of `fill_value`: scalars read from text and written as text.

pub(super) mod absent;
pub(super) mod canonical;
pub(super) mod float;
pub(super) mod integer;

use exactum_conformance::model::{DataType, FloatFormat, Format, Rounding, Scalar};
use exactum_conformance::{Fault, Outcome, parse_fill_value};
use exactum_exact::{Exact, Rounded, canonical, round};

use super::arithmetic::{BINARY32, BINARY64, bits_through_binary64, largest, saturated};
use super::{Mutant, Parts, RIGHT, Witness, refuse};

const fn parse(
    name: &'static str,
    breaks: &'static [&'static str],
    part: fn(DataType, &str) -> Outcome<Scalar>,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks,
        fault,
        parts: Parts {
            parse: Some(part),
            ..RIGHT
        },
        witness,
    }
}

const fn format(
    name: &'static str,
    part: fn(&Scalar) -> Outcome<String>,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks: CANONICAL,
        fault,
        parts: Parts {
            format: Some(part),
            ..RIGHT
        },
        witness,
    }
}

/// Right, but where the right answer is a rejection by this clause the fault decides.
fn accepted(
    clause: &str,
    data_type: DataType,
    json: &str,
    fault: impl FnOnce(&str) -> Option<Scalar>,
) -> Outcome<Scalar> {
    match parse_fill_value(data_type, json) {
        Err(Fault::Reject(rejection)) if rejection.clause == clause => {
            fault(json.trim()).ok_or(Fault::Reject(rejection))
        }
        outcome => outcome,
    }
}

/// Right, but where the right answer is a scalar the fault may change it.
fn changed(
    data_type: DataType,
    json: &str,
    fault: impl FnOnce(&str, Scalar) -> Option<Outcome<Scalar>>,
) -> Outcome<Scalar> {
    let scalar = parse_fill_value(data_type, json)?;
    fault(json.trim(), scalar).unwrap_or(Ok(scalar))
}

/// The float format of a data type that is no complex one.
fn float(data_type: DataType) -> Option<FloatFormat> {
    match data_type.format() {
        Format::Float(format) => Some(format),
        _ => None,
    }
}

fn real(data_type: DataType, bits: u64) -> Scalar {
    Scalar::new(data_type, bits.into())
}

fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

/// The content of a JSON string without escapes.
fn string(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.strip_suffix('"')
}

/// A number of the host language: rounded to binary64.
fn double(text: &str) -> Option<Exact> {
    let value: f64 = text.parse().ok()?;
    Some(Exact::from_bits(&BINARY64, value.to_bits()))
}

/// A value rounded into a data type; nothing where it has none.
fn nearest(data_type: DataType, value: &Exact, mode: Rounding) -> Option<Scalar> {
    match round(value, &data_type.format(), mode) {
        Rounded::Bits(bits) => Some(real(data_type, bits)),
        _ => None,
    }
}

/// The value of a finite float as binary64.
fn as_double(scalar: &Scalar) -> Option<f64> {
    let format = float(scalar.data_type())?;
    match Exact::from_bits(&Format::Float(format), scalar.component(0)) {
        Exact::Nan | Exact::Infinite { .. } => None,
        value => match round(&value, &BINARY64, Rounding::NearestEven) {
            Rounded::Bits(bits) => Some(f64::from_bits(bits)),
            _ => None,
        },
    }
}

/// Whether a fill value overflows a float: it is a number, and it became infinite.
fn overflow(text: &str, scalar: &Scalar) -> Option<FloatFormat> {
    float(scalar.data_type())
        .filter(|format| is_number(text) && format.is_infinite(scalar.component(0)))
}

const CANONICAL: &[&str] = &["fill_value.canonical"];
