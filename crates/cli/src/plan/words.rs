//! Prints a plan as text.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets};
use exactum_metadata::sds::number_to_json;
use exactum_model::DataType;
use exactum_plan::{
    Candidate, Request, Scaling, Tolerance, cf, cf_error, codes, encoding, error_figure, missing,
};

use super::scan::Found;

/// Returns a plan as text.
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

/// Returns the table of packings, the smallest first.
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
        row.push(format!("{}", candidate.target.bytes()));
        let room = candidate.headroom();
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

/// Returns all numbers of a packing, and its metadata.
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
    if let Some(room) = candidate.headroom() {
        let room = format!("{:.1} % of the range on either side", room * 100.0);
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
        None => "not proved to keep the values that have to survive".to_owned(),
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
