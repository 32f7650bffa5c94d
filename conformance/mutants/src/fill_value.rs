//! Mutants of `fill_value`: parsing scalars from text and formatting them as text.

mod absent;
mod canonical;
mod float;
mod integer;

use std::sync::Arc;

use exactum_conformance::model::{DataType, FloatFormat, Format, Rounding, Scalar};
use exactum_conformance::{Fault, parse_fill_value};
use exactum_exact::{Exact, Rounded, canonical, round};

use super::arithmetic::{
    BINARY32, BINARY64, bits_through_binary64, integer as integer_of, is_integer, is_subnormal,
    largest, same, saturated, through,
};
use super::{Mutant, NONE, Overrides, some_rejection};

pub(super) fn mutants() -> Vec<Mutant> {
    [
        integer::mutants(),
        float::mutants(),
        canonical::mutants(),
        absent::mutants(),
    ]
    .concat()
}

/// A text, with the scalar that the clauses assign to it.
struct Read<'a> {
    data_type: DataType,
    text: &'a str,
    scalar: Scalar,
}

/// Returns a mutant that accepts what the clause rejects.
fn accepts(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    wrong: fn(DataType, &str) -> Option<Scalar>,
) -> Mutant {
    let parse = move |data_type, json: &str| match parse_fill_value(data_type, json) {
        Err(Fault::Reject(rejection)) if rejection.clause == clause => {
            wrong(data_type, json.trim()).ok_or(Fault::Reject(rejection))
        }
        outcome => outcome,
    };
    let overrides = Overrides {
        parse: Some(Arc::new(parse)),
        ..NONE
    };
    super::mutant(name, clause, fault, overrides)
}

/// Returns a mutant that parses a text as another scalar.
fn reads(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    wrong: fn(&Read<'_>) -> Option<Scalar>,
) -> Mutant {
    let parse = move |data_type, json: &str| {
        let scalar = parse_fill_value(data_type, json)?;
        let text = json.trim();
        let read = Read {
            data_type,
            text,
            scalar,
        };
        Ok(wrong(&read).unwrap_or(scalar))
    };
    let overrides = Overrides {
        parse: Some(Arc::new(parse)),
        ..NONE
    };
    super::mutant(name, clause, fault, overrides)
}

/// Returns a mutant that refuses a valid text.
fn refuses(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    wrong: fn(&Read<'_>) -> bool,
) -> Mutant {
    let parse = move |data_type, json: &str| {
        let scalar = parse_fill_value(data_type, json)?;
        let text = json.trim();
        match wrong(&Read {
            data_type,
            text,
            scalar,
        }) {
            true => Err(Fault::Reject(some_rejection())),
            false => Ok(scalar),
        }
    };
    let overrides = Overrides {
        parse: Some(Arc::new(parse)),
        ..NONE
    };
    super::mutant(name, clause, fault, overrides)
}

/// Returns a mutant that writes a different text.
fn format(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    format: fn(&Scalar) -> Option<String>,
) -> Mutant {
    let overrides = Overrides {
        format: Some(format),
        ..NONE
    };
    super::mutant(name, clause, fault, overrides)
}

impl Read<'_> {
    fn bits(&self) -> u64 {
        self.scalar.component(0)
    }

    /// Returns the format of a float type that is not complex.
    fn float(&self) -> Option<FloatFormat> {
        float_of(self.data_type)
    }

    /// Returns the format of a float that is written as a number.
    fn number(&self) -> Option<FloatFormat> {
        self.float().filter(|_| is_number(self.text))
    }

    /// Returns the format of a float that is written as a number but became infinite.
    fn overflow(&self) -> Option<FloatFormat> {
        self.number().filter(|float| float.is_infinite(self.bits()))
    }

    /// Returns the format of a float that is written as `"NaN"`.
    fn nan(&self) -> Option<FloatFormat> {
        self.float().filter(|_| self.text == "\"NaN\"")
    }

    fn give(&self, bits: u64) -> Option<Scalar> {
        Some(real(self.data_type, bits))
    }
}

/// Returns the float format of a data type that is not complex.
fn float_of(data_type: DataType) -> Option<FloatFormat> {
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

/// Returns the content of a JSON string without escapes.
fn string(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.strip_suffix('"')
}

/// Returns the digits of a hex string.
fn hex(text: &str) -> Option<&str> {
    string(text)?.strip_prefix("0x")
}

/// Returns the elements of a list without the brackets.
fn list(text: &str) -> Option<&str> {
    text.strip_prefix('[')?.strip_suffix(']')
}

/// Returns a number as the host language reads it: rounded to binary64.
fn double(text: &str) -> Option<Exact> {
    let value: f64 = text.parse().ok()?;
    Some(Exact::from_bits(&BINARY64, value.to_bits()))
}

/// Rounds a value into a data type; returns `None` if it does not fit.
fn nearest(data_type: DataType, value: &Exact, mode: Rounding) -> Option<Scalar> {
    match round(value, &data_type.format(), mode) {
        Rounded::Bits(bits) => Some(real(data_type, bits)),
        _ => None,
    }
}

/// Returns the value of a finite float as binary64.
fn as_double(scalar: &Scalar) -> Option<f64> {
    let format = float_of(scalar.data_type())?;
    match Exact::from_bits(&Format::Float(format), scalar.component(0)) {
        Exact::Nan | Exact::Infinite { .. } => None,
        value => match round(&value, &BINARY64, Rounding::NearestEven) {
            Rounded::Bits(bits) => Some(f64::from_bits(bits)),
            _ => None,
        },
    }
}
