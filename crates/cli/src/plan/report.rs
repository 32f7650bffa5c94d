//! What is reported of a plan: text for people, and JSON for programs.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets};
use exactum_exact::Exact;
use exactum_metadata::sds::number_to_json;
use exactum_model::{DataType, Format};
use serde_json::{Value, json};

use super::candidates::{Candidate, Request, Target};
use super::scan::Found;
use crate::number::{self, shown};
use crate::proof::{Proof, Tolerance, Verdict, error_figure};
use crate::validate::of_variable;

/// The scale and the offset as other conventions write them.
struct Scaling {
    /// SCALE of the note, which is that of the codec.
    scale: u64,
    /// OFFSET of the note.
    offset: u64,
    /// The size of a step.
    factor: u64,
    /// The value of the code 0, which is the offset of the codec.
    zero: u64,
    /// Whether the last two are exact.
    is_exact: bool,
}

impl Scaling {
    /// That of integers.
    fn of(candidate: &Candidate) -> Option<Self> {
        let target = candidate.target.data_type.format();
        let layout = &candidate.layout;
        // A map alone has no scale.
        let is_scaled = layout.scale.is_some() || layout.offset.is_some() || layout.map.is_empty();
        if !matches!(target, Format::Integer(_)) || !is_scaled || layout.keep_bits.is_some() {
            return None;
        }
        let (scale, zero) = (layout.scale(), layout.offset());
        let factor = Exact::integer(1).divide(&scale);
        let offset = match &zero {
            Exact::Zero { .. } => Exact::integer(0),
            zero => zero.negate().multiply(&scale),
        };
        let binary64 = DataType::Float64.format();
        let is_exact = |value: &Exact| {
            let rounded = Exact::from_bits(&binary64, number::nearest(value));
            rounded
                .compare(value)
                .is_some_and(std::cmp::Ordering::is_eq)
        };
        Some(Self {
            scale: number::nearest(&scale),
            offset: number::nearest(&offset),
            factor: number::nearest(&factor),
            zero: number::nearest(&zero),
            is_exact: is_exact(&factor) && is_exact(&zero),
        })
    }
}

/// The codes of NaN and infinities, with their names.
fn codes(candidate: &Candidate) -> Vec<(String, String)> {
    let layout = &candidate.layout;
    let entries = layout.map.iter();
    entries
        .map(|&(value, code)| {
            (
                shown(layout.work, value),
                shown(layout.target.data_type, code),
            )
        })
        .collect()
}

/// The code of NaN.
fn missing(candidate: &Candidate) -> Option<Value> {
    let nan = codes(candidate).into_iter().find(|(name, _)| name == "NaN");
    nan.and_then(|(_, code)| serde_json::from_str(&code).ok())
}

/// The attributes of CF, for integers that NetCDF has. NaN is all that they have a code for.
pub(super) fn cf(candidate: &Candidate) -> Option<Value> {
    let Target { data_type, bits } = candidate.target;
    let is_plain = matches!(bits, 8 | 16 | 32) && !candidate.target.is_packed();
    let scaling = Scaling::of(candidate).filter(|_| is_plain)?;
    let mut attributes = json!({
        "scale_factor": number_to_json(scaling.factor),
        "add_offset": number_to_json(scaling.zero),
    });
    if let Some(code) = missing(candidate) {
        attributes["_FillValue"] = code;
    }
    debug_assert!(matches!(data_type.format(), Format::Integer(_)));
    Some(attributes)
}

/// The largest error of the values of the range that a reader of CF gets by these attributes, if it is proved to be within
/// the tolerance and everything else that has to survive does: such a reader computes in float64 with the numbers of the
/// attributes, and not in the data type of the codecs.
pub(super) fn cf_error(
    request: &Request,
    candidate: &Candidate,
    tolerance: &Tolerance,
) -> Option<Exact> {
    let mut variable = cf(candidate)?;
    variable["data_type"] = candidate.target.data_type.name().into();
    let codec = exactum_metadata::judge_cf(variable.to_string().as_bytes()).ok()?;
    let format = request.data_type.format();
    let [least, greatest] = request.range.map(|bits| Exact::from_bits(&format, bits));
    let range = [number::below(&least), number::above(&greatest)];
    let chain = of_variable(codec);
    let proof = Proof::of(&chain, range, &request.needs(), tolerance).ok()?;
    let is_proved = proof.verdict() == Verdict::Proved;
    let error = proof.analysis.error.as_ref().filter(|_| is_proved)?;
    Some(error.bound.clone())
}

/// The encoding of a variable for xarray.
pub(super) fn encoding(candidate: &Candidate) -> Option<Value> {
    let mut encoding = cf(candidate)?;
    encoding["dtype"] = candidate.target.data_type.name().into();
    Some(encoding)
}

/// A part as a number of binary64.
fn part(room: &Exact) -> f64 {
    f64::from_bits(number::nearest(room))
}

fn bytes(target: Target) -> f64 {
    f64::from(target.bits) / 8.0
}

/// A plan as JSON.
pub(super) fn document(request: &Request, first: &Candidate, all: &[Candidate]) -> Value {
    let mut document = one(request, first);
    if !all.is_empty() {
        document["candidates"] = all.iter().map(|it| one(request, it)).collect();
    }
    document
}

/// A packing as JSON.
fn one(request: &Request, candidate: &Candidate) -> Value {
    let scaling = Scaling::of(candidate);
    let code = |name: &str| {
        let code = codes(candidate).into_iter().find(|(it, _)| it == name);
        code.and_then(|(_, code)| serde_json::from_str::<Value>(&code).ok())
    };
    let (positive, negative) = (code("Infinity"), code("-Infinity"));
    let infinite = match (&positive, &negative) {
        (None, None) => Value::Null,
        _ => json!({"pos": positive, "neg": negative}),
    };
    let error = |error: &Exact| number_to_json(number::above(error));
    json!({
        "data_type": request.data_type.name(),
        "range": request.range.map(|bits| end(request.data_type, bits)),
        "target": candidate.target.data_type.name(),
        "bytes": bytes(candidate.target),
        "keepbits": candidate.layout.keep_bits,
        "scale": scaling.as_ref().map(|it| number_to_json(it.scale)),
        "offset": scaling.as_ref().map(|it| number_to_json(it.offset)),
        "fill": code("NaN"),
        "infinite": infinite,
        "maximum_error": error(&candidate.error),
        "maximum_relative_error": candidate.relative_error.as_ref().map(error),
        "headroom": candidate.room.as_ref().map(part),
        "codecs": candidate.codecs,
        "fill_value": candidate.fill_value,
        "cf": cf(candidate),
        "cf_maximum_error": cf_error(request, candidate, &Tolerance::any(DataType::Float64)).as_ref().map(error),
        "xarray": encoding(candidate),
    })
}

/// An end of a range; which zero it is does not matter.
fn end(data_type: DataType, bits: u64) -> String {
    let is_zero = data_type.format().same_value(bits, 0);
    shown(data_type, if is_zero { 0 } else { bits })
}

/// A plan for people.
pub(super) fn words(
    request: &Request,
    first: &Candidate,
    all: &[Candidate],
    found: Option<&Found>,
) -> String {
    let mut text = String::new();
    if let Some(found) = found {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{:<15}{found}", "found");
    }
    if !all.is_empty() {
        let _ = writeln!(text, "{}\n", table(all));
    }
    text.push_str(&details(request, first));
    text
}

/// The packings, the smallest first.
fn table(all: &[Candidate]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let has_relative = all.iter().any(|it| it.relative_error.is_some());
    let mut header = vec!["stored as", "codecs", "largest error"];
    header.extend(has_relative.then_some("relative"));
    header.extend(["bytes", "room"]);
    table.set_header(header);
    for candidate in all {
        let names = candidate.codecs.as_array().into_iter().flatten();
        let names: Vec<&str> = names.filter_map(|codec| codec["name"].as_str()).collect();
        let mut row = vec![
            candidate.target.name(),
            names.join(", "),
            error_figure(&candidate.error),
        ];
        if has_relative {
            let error = candidate.relative_error.as_ref();
            row.push(error.map(error_figure).unwrap_or_default());
        }
        row.push(format!("{}", bytes(candidate.target)));
        let room = candidate.room.as_ref().map(part);
        row.push(
            room.map(|room| format!("{:.1} %", room * 100.0))
                .unwrap_or_default(),
        );
        table.add_row(row);
    }
    let last = table.column_count().saturating_sub(1);
    for index in [last.saturating_sub(1), last] {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let lines = table.lines().map(|line| line.trim_end().to_owned());
    lines.collect::<Vec<String>>().join("\n")
}

/// All numbers of a packing, and its metadata.
fn details(request: &Request, candidate: &Candidate) -> String {
    let target = candidate.target;
    let mut text = String::new();
    let mut line = |name: &str, what: String| {
        let _ = writeln!(text, "{name:<15}{what}");
    };
    let scaling = Scaling::of(candidate);
    line("stored as", target.name());
    if let Some(scaling) = &scaling {
        line("scale", number_to_json(scaling.scale).to_string());
        line("offset", number_to_json(scaling.offset).to_string());
    }
    if let Some(keep_bits) = candidate.layout.keep_bits {
        line("kept bits", keep_bits.to_string());
    }
    line("largest error", error_figure(&candidate.error));
    if let Some(error) = &candidate.relative_error {
        line("relative error", error_figure(error));
    }
    for (name, code) in codes(candidate) {
        line(&name, code);
    }
    line(
        "fill value",
        candidate
            .fill_value
            .to_string()
            .trim_matches('"')
            .to_owned(),
    );
    if let Some(room) = &candidate.room {
        let room = format!("{:.1} % of the range on either side", part(room) * 100.0);
        line("room", room);
    }
    let _ = writeln!(
        text,
        "\nZarr codecs, for {}\n  {}",
        request.data_type,
        crate::style::json_list(&candidate.codecs, 2)
    );
    let (Some(scaling), Some(cf), Some(encoding)) = (scaling, cf(candidate), encoding(candidate))
    else {
        return text;
    };
    let rounded = if scaling.is_exact { "" } else { " (rounded)" };
    let name = target.data_type;
    let within = match cf_error(request, candidate, &Tolerance::any(DataType::Float64)) {
        Some(error) => format!("largest error {}", error_figure(&error)),
        None => "not proved to keep what has to survive".to_owned(),
    };
    let _ = writeln!(
        text,
        "\nCF attributes of a variable of {name}{rounded}, {within}\n  {cf}"
    );
    if matches!(name, DataType::Uint8 | DataType::Int16 | DataType::Int32) {
        let blank = missing(candidate).map(|code| format!(", BLANK = {code}"));
        let _ = writeln!(
            text,
            "\nFITS keywords{rounded}\n  BITPIX = {}, BSCALE = {}, BZERO = {}{}",
            target.bits,
            number_to_json(scaling.factor),
            number_to_json(scaling.zero),
            blank.unwrap_or_default(),
        );
    }
    let _ = writeln!(text, "\nxarray encoding{rounded}\n  {encoding}");
    text
}
