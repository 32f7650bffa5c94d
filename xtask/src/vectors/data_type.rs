//! The vectors of `data_type`: the meaning of every bit pattern of the small types, and of the patterns at the borders
//! of the wide ones.
//!
//! Each value is tested three times: as an exact decimal, which a reader of fill values must parse; as the result of a
//! cast to a wide type, which can hold it exactly; and as the result of the cast back from that type.

use exactum_model::{Array, DataType, Format};
use exactum_vectors::{Expect, File, Group, Level};
use serde_json::json;

use super::Topics;
use super::builder::{
    TENSORSTORE, ZARR_EXTENSIONS, ZARR_SPECS, each_type, hex, is_core, request, row,
};
use super::recipes::Computed;
use crate::oracle;
use crate::oracle::data_type::{Description, Kind, Layout, Meaning, description};

mod registry;

pub(super) const COMPUTED: [Computed; 1] = [("data_type", "registry", registry::add)];

const LAYOUT: &str = "data_type.float.layout";
const SUBNORMAL: &str = "data_type.float.subnormal";
const NEGATIVE_ZERO: &str = "data_type.float.negative-zero";

/// Returns all topics of the row except the documents.
pub(crate) fn topics() -> Topics {
    each_type(topic)
}

/// Returns whether the core specification leaves it to implementations whether to support this type.
fn is_optional(data_type: DataType) -> bool {
    data_type == DataType::Float16
}

/// Returns the text that defines a data type.
fn upstream(data_type: DataType) -> &'static str {
    if !data_type.is_registered() {
        TENSORSTORE
    } else if is_core(data_type) {
        ZARR_SPECS
    } else {
        ZARR_EXTENSIONS
    }
}

fn topic(data_type: DataType) -> Result<File, String> {
    let mut file = File::new("data_type", data_type.name(), upstream(data_type));
    match description(data_type) {
        Description::Bool => {
            let both = [value("false", "false", 0), value("true", "true", 1)];
            values(&mut file, data_type, &["data_type.bool"], &both)?;
        }
        Description::Integer(bits, signed) => integers(&mut file, data_type, *bits, *signed)?,
        Description::Float(layout) => floats(&mut file, data_type, layout)?,
        Description::Complex(layout) => complex(&mut file, data_type, layout)?,
    }
    Ok(file)
}

/// A text that denotes one element, and that element.
struct Value {
    id: String,
    text: String,
    bits: u128,
    clauses: Vec<&'static str>,
}

fn value(id: impl Into<String>, text: impl Into<String>, bits: u128) -> Value {
    Value {
        id: id.into(),
        text: text.into(),
        bits,
        clauses: Vec::new(),
    }
}

/// Adds the group of texts with the elements that they denote.
fn values(
    file: &mut File,
    data_type: DataType,
    clauses: &[&str],
    values: &[Value],
) -> Result<(), String> {
    let shared = request([
        ("op", "fill_value.parse".into()),
        ("data_type", data_type.name().into()),
    ]);
    // Whether a zero keeps the sign of its text is an open question.
    let signed_zero = |value: &&Value| {
        let mut parts = value.text.split(['[', ',', ']']);
        parts.any(|part| part == "-0")
    };
    let named = [
        ("values", Level::Must, clauses.to_vec()),
        (
            "values-negative-zero",
            Level::Ruling,
            [clauses, &["fill_value.float.negative-zero"]].concat(),
        ),
    ];
    for (name, level, clauses) in named {
        let of_group = |value: &&Value| signed_zero(value) == (level == Level::Ruling);
        let values: Vec<&Value> = values.iter().filter(of_group).collect();
        if values.is_empty() {
            continue;
        }
        let group = file.group(name, level, &clauses, shared.clone());
        add_values(group, data_type, &values)?;
    }
    Ok(())
}

fn add_values(group: &mut Group, data_type: DataType, values: &[&Value]) -> Result<(), String> {
    let width = data_type.element_bytes();
    for value in values {
        let expected = &value.bits.to_le_bytes()[..width];
        let first = exactum_metadata::parse_fill_value(data_type, &value.text).ok();
        let second = oracle::fill_value::parse(data_type, &value.text).ok();
        for found in [first, second] {
            if found.map(|scalar| scalar.to_bytes()).as_deref() != Some(expected) {
                return Err(format!(
                    "data_type/{data_type}/values/{}: {} is {found:x?}, not {:x}",
                    value.id, value.text, value.bits
                ));
            }
        }
        group.case(
            &value.id,
            &value.clauses,
            request([("json", value.text.as_str().into())]),
            Expect::ok(json!({"bits": hex(expected)})),
        );
    }
    Ok(())
}

/// Adds the group of names whose values the type lacks.
fn absent(
    file: &mut File,
    data_type: DataType,
    clause: &str,
    names: &[(&str, &str)],
) -> Result<(), String> {
    let shared = request([
        ("op", "fill_value.parse".into()),
        ("data_type", data_type.name().into()),
    ]);
    let group = file.group("absent", Level::Must, &[clause], shared);
    for (id, text) in names {
        let first = exactum_metadata::parse_fill_value(data_type, text);
        let second = oracle::fill_value::parse(data_type, text);
        let (Err(rejection), Err(_)) = (&first, &second) else {
            return Err(format!(
                "data_type/{data_type}/absent/{id}: {first:x?}, {second:x?}"
            ));
        };
        group.case(
            id,
            &[],
            request([("json", (*text).into())]),
            Expect::reject(rejection.reason),
        );
    }
    Ok(())
}

/// Adds all elements in one array, cast to a type that can hold each of them, and back.
fn casts(
    file: &mut File,
    clauses: &[&str],
    there: (DataType, &[u64]),
    back: (DataType, &[u64]),
    nan: Option<u64>,
) -> Result<(), String> {
    // A NaN of the wide type becomes the NaN that "NaN" names, whatever its origin.
    let is_nan = |bits: u64| {
        let float = back.0.format().float();
        float.is_some_and(|format| format.is_nan(bits))
    };
    let returned: Vec<u64> = there
        .1
        .iter()
        .zip(back.1)
        .map(|(bits, wide)| {
            if is_nan(*wide) {
                nan.unwrap_or(*bits)
            } else {
                *bits
            }
        })
        .collect();
    for (name, (from, inputs), (to, outputs)) in [
        ("to", there, back),
        ("from", back, (there.0, returned.as_slice())),
    ] {
        let (input, expected) = (row(from, inputs)?, row(to, outputs)?);
        let configuration = format!(r#"{{"data_type":"{to}"}}"#);
        let codec = exactum_metadata::parse_cast_value(&configuration, from)
            .map_err(|rejection| rejection.message)?;
        let found = exactum_reference::cast_value::encode(&codec, &input);
        if found.as_ref().map(Array::data) != Ok(expected.data()) {
            return Err(format!(
                "data_type/{}/{name}-{}: {found:x?}, not {expected:x?}",
                there.0, back.0
            ));
        }
        let shared = request([
            ("op", "cast_value.encode".into()),
            ("configuration", configuration.into()),
        ]);
        let group = file.group(&format!("{name}-{}", back.0), Level::Must, clauses, shared);
        group.case(
            "all",
            &[],
            request([("input", exactum_vectors::array_to_json(&input))]),
            Expect::output(&expected),
        );
    }
    Ok(())
}

fn integers(file: &mut File, data_type: DataType, bits: u32, signed: bool) -> Result<(), String> {
    const CLAUSES: &[&str] = &["data_type.integer"];
    let mask = u64::MAX >> (64 - bits);
    let half = 1u64 << (bits - 1);
    let codes: Vec<u64> = if bits <= 8 {
        (0..=mask).collect()
    } else {
        let mut codes = vec![0, 1, 2, 0x7f, 0x80, 0xff, 0x100, half - 2, half - 1];
        codes.extend([half, half + 1, half + 2, mask - 0x80, mask - 1, mask]);
        codes
    };
    let wide = |code: u64| {
        // A signed number in 64 bits.
        let spare = 64 - bits;
        if signed {
            ((code << spare).cast_signed() >> spare).cast_unsigned()
        } else {
            code
        }
    };
    let all: Vec<Value> = codes
        .iter()
        .map(|&code| {
            let text = if signed {
                wide(code).cast_signed().to_string()
            } else {
                code.to_string()
            };
            value(id(bits, code), text, code.into())
        })
        .collect();
    values(file, data_type, CLAUSES, &all)?;
    let target = if signed {
        DataType::Int64
    } else {
        DataType::Uint64
    };
    let outputs: Vec<u64> = codes.iter().map(|&code| wide(code)).collect();
    casts(file, CLAUSES, (data_type, &codes), (target, &outputs), None)
}

fn floats(file: &mut File, data_type: DataType, layout: &Layout) -> Result<(), String> {
    let codes: Vec<u64> = if layout.bits() <= 8 {
        (0..1 << layout.bits()).collect()
    } else {
        borders(layout)
    };
    let mut all = Vec::new();
    // For a type that is only used in practice, the elements at the borders are enough as single cases, since the casts
    // contain all of them.
    let named = if data_type.is_registered() {
        codes.clone()
    } else {
        let mut named = borders(layout);
        named.sort_unstable();
        named.dedup();
        named
    };
    for &code in &named {
        // A NaN that has no name is written in hex: fill_value.float.hex-bits.
        if let Some(text) = spelled(layout, code) {
            all.push(Value {
                clauses: clauses_of(layout, code),
                ..value(id(layout.bits(), code), text, code.into())
            });
        }
    }
    values(file, data_type, &[], &all)?;
    let infinities = [
        ("infinity", "\"Infinity\""),
        ("negative-infinity", "\"-Infinity\""),
    ];
    match layout.kind {
        Kind::Ieee => {}
        Kind::Fn => absent(
            file,
            data_type,
            kind_clause(layout.kind),
            &[("nan", "\"NaN\""), infinities[0], infinities[1]],
        )?,
        Kind::FnNan | Kind::Fnuz | Kind::Fnu => {
            absent(file, data_type, kind_clause(layout.kind), &infinities)?;
        }
    }
    let outputs: Vec<u64> = codes.iter().map(|&code| as_float64(layout, code)).collect();
    let mut clauses = vec![kind_clause(layout.kind)];
    if layout.kind != Kind::Fnu {
        clauses.extend([LAYOUT, SUBNORMAL]);
    }
    if matches!(layout.kind, Kind::Ieee | Kind::Fn | Kind::FnNan) {
        clauses.push(NEGATIVE_ZERO);
    }
    casts(
        file,
        &clauses,
        (data_type, &codes),
        (DataType::Float64, &outputs),
        layout.nan,
    )
}

/// Returns bit patterns around every border of a float type, with both signs.
fn borders(layout: &Layout) -> Vec<u64> {
    let normal = layout.first_normal();
    let one = layout.one();
    let infinity = layout.infinity().unwrap_or_default();
    let quiet = layout.nan.unwrap_or_default();
    let magnitudes = [
        0,
        1,
        2,
        normal - 1,
        normal,
        normal + 1,
        one - 1,
        one,
        one + 1,
        one + normal,
        one + normal + normal / 2,
        layout.largest() - 1,
        layout.largest(),
        infinity,
        infinity + 1,
        quiet,
        quiet + 1,
        layout.sign_bit() - 1,
    ];
    let both = |sign: u64| magnitudes.iter().map(move |magnitude| magnitude | sign);
    both(0).chain(both(layout.sign_bit())).collect()
}

/// Returns a JSON text other than hex that denotes exactly this element, if there is one.
fn spelled(layout: &Layout, code: u64) -> Option<String> {
    match layout.meaning(code) {
        Meaning::Nan => (Some(code) == layout.nan).then(|| "\"NaN\"".into()),
        Meaning::Infinity(false) => Some("\"Infinity\"".into()),
        Meaning::Infinity(true) => Some("\"-Infinity\"".into()),
        Meaning::Number(negative, decimal) => {
            let sign = if negative { "-" } else { "" };
            Some(format!("{sign}{}", decimal.plain()))
        }
    }
}

/// Returns the result of the standard library for the exact decimal; binary64 can hold every value.
fn as_float64(layout: &Layout, code: u64) -> u64 {
    let float = match layout.meaning(code) {
        Meaning::Nan => return 0x7ff8_0000_0000_0000,
        Meaning::Infinity(false) => f64::INFINITY,
        Meaning::Infinity(true) => f64::NEG_INFINITY,
        Meaning::Number(negative, decimal) => {
            let magnitude: f64 = decimal.plain().parse().unwrap_or_default();
            if negative { -magnitude } else { magnitude }
        }
    };
    float.to_bits()
}

fn kind_clause(kind: Kind) -> &'static str {
    match kind {
        Kind::Ieee => "data_type.float.ieee",
        Kind::Fn => "data_type.float.fn",
        Kind::FnNan => "data_type.float.fn-nan",
        Kind::Fnuz => "data_type.float.fnuz",
        Kind::Fnu => "data_type.float.fnu",
    }
}

/// Returns the clauses that define the meaning of a bit pattern.
fn clauses_of(layout: &Layout, code: u64) -> Vec<&'static str> {
    let magnitude = code & !layout.sign_bit();
    let kind = kind_clause(layout.kind);
    match layout.meaning(code) {
        Meaning::Nan | Meaning::Infinity(_) => vec![kind],
        Meaning::Number(..) if layout.kind == Kind::Fnu => vec![kind],
        Meaning::Number(true, decimal) if decimal.is_zero() => vec![NEGATIVE_ZERO],
        Meaning::Number(..) if magnitude < layout.first_normal() => vec![SUBNORMAL],
        Meaning::Number(..) if layout.has_full_exponent(magnitude) => vec![LAYOUT, kind],
        Meaning::Number(..) => vec![LAYOUT],
    }
}

fn complex(file: &mut File, data_type: DataType, layout: &Layout) -> Result<(), String> {
    let codes: Vec<u64> = if layout.bits() <= 8 {
        let largest = layout.largest();
        let one = layout.one();
        let mut codes = vec![0, 1, one - 1, one, one + 1, largest - 1, largest];
        codes.extend(layout.infinity());
        codes.extend(layout.nan);
        if layout.sign_bit() > 0 {
            codes.extend([layout.sign_bit() | 1, layout.sign_bit() | largest]);
        }
        codes
    } else {
        borders(layout)
    };
    let named: Vec<(u64, String)> = codes
        .into_iter()
        .filter_map(|code| Some((code, spelled(layout, code)?)))
        .collect();
    let width = Format::component_bytes(&data_type.format()) * 8;
    let mut all = Vec::new();
    // Each element is the real part of one number and the imaginary part of another.
    for (index, (real, text)) in named.iter().enumerate() {
        let (imaginary, other) = &named[(index + 1) % named.len()];
        all.push(value(
            format!(
                "{}-{}",
                id(layout.bits(), *real),
                id(layout.bits(), *imaginary)
            ),
            format!("[{text},{other}]"),
            u128::from(*real) | u128::from(*imaginary) << width,
        ));
    }
    let clauses: &[&str] = match data_type {
        DataType::ComplexFloat32 | DataType::ComplexFloat64 => {
            &["data_type.complex", "data_type.alias"]
        }
        _ => &["data_type.complex"],
    };
    values(file, data_type, clauses, &all)
}

/// Returns the id of a case about one bit pattern.
fn id(bits: u32, code: u64) -> String {
    let width = bits.div_ceil(4) as usize;
    format!("{code:0width$x}")
}
