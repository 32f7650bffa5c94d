//! Compares schema and reader on the same documents. The schema accepts what the reader accepts. What the
//! reader rejects, the schema rejects too, unless the fault is of a kind that no schema can detect.

use std::collections::HashSet;

use exactum_metadata::{Accepted, Diagnostic, Document, DocumentKind, Report, Severity};
use exactum_model::At;
use serde_json::Value;

use crate::SCHEMAS;

/// The kinds of faults that a schema cannot detect, each with the clauses that find them.
const KINDS: &[(&str, &[&str])] = &[
    (
        "whether shapes and lists fit each other",
        &[
            "chain.members",
            "chain.grid",
            "chain.grid.rectilinear",
            "chain.transpose",
            "chain.reshape",
            "chain.shard",
            "chain.size",
            "zfp.rank",
        ],
    ),
    (
        "the order of codecs that may be of several kinds",
        &["chain.codecs", "chain.n5", "chain.conditional"],
    ),
    (
        "what a parser of JSON has lost",
        &["chain.json.duplicates", "chain.json.depth", "chain.json"],
    ),
    (
        "which number is nearest",
        &[
            "fill_value.float.range",
            "scale_offset.scale.zero",
            "scale_offset.legacy.scale.zero",
            "scale_offset.parameters",
            "zfp.rate",
        ],
    ),
    (
        "what one number says of another",
        &[
            "packbits.bits.order",
            "zfp.expert.order",
            "zfp.expert.header",
            "zfp.expert.reversible",
        ],
    ),
    (
        "what one part of a struct or a text says of another",
        &[
            "data_type.struct",
            "data_type.name",
            "fill_value.struct",
            "fill_value.structured",
            "fill_value.utf32",
            "fill_value.raw.length",
        ],
    ),
    (
        "the data type that reaches a codec behind others",
        &[
            "scale_offset.legacy.dtype",
            "scale_offset.legacy.parameters.range",
        ],
    ),
];

/// The verdicts of reader and schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stated {
    Accepted,
    Rejected,
    /// Only the reader rejects the document.
    Unseen,
}

/// Returns whether a codec follows others, so that a schema does not know its input, or whether a value is
/// that of a struct field, whose data type a schema does not know.
fn is_beyond(pointer: &str) -> bool {
    let mut lists = pointer.match_indices("codecs/");
    let behind = lists.any(|(at, list)| !pointer[at + list.len()..].starts_with('0'));
    behind || pointer.starts_with("/fill_value/")
}

/// Returns whether a number is an integer in another notation, or beyond 64 bits: to JSON Schema, `1.0`,
/// `1e3` and `-0` are integers, and a JSON parser has lost the digits of larger numbers.
pub(crate) fn is_written_otherwise(number: &str) -> bool {
    let plain = number.strip_prefix('-').unwrap_or(number);
    let fits = number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok();
    let is_plain = plain.bytes().all(|it| it.is_ascii_digit()) && fits && number != "-0";
    let value: Option<f64> = number.parse().ok();
    !is_plain && value.is_some_and(|value| value.fract() == 0.0)
}

/// Returns the fault at which a reader stops, after checking that all faults include it, and that none occurs
/// twice. `read` reads the document.
pub(crate) fn first_fault(
    text: &str,
    kind: DocumentKind,
    read: fn(&Document<'_>) -> Result<(), Report>,
) -> Result<Option<Diagnostic>, String> {
    let scan = || Document::scan_as(text.as_bytes(), kind);
    let faults = |read: Result<(), Report>| read.err().map(|it| it.listed).unwrap_or_default();
    let first = faults(scan().and_then(|document| read(&document))).pop();
    let all = faults(scan().and_then(|document| read(&document.all_errors())));
    let all: Vec<_> = all
        .iter()
        .filter(|it| it.severity == Severity::Error)
        .collect();
    let reported = |fault: &Diagnostic| (fault.place.clone(), fault.rejection.message.clone());
    let different: HashSet<_> = all.iter().map(|it| reported(it)).collect();
    let has_first = match &first {
        Some(first) => different.contains(&reported(first)),
        None => all.is_empty(),
    };
    match has_first && different.len() == all.len() {
        true => Ok(first),
        false => Err(format!("{text}\n{first:?}\n{all:?}")),
    }
}

/// Returns the verdicts of reader and schema on a document.
pub(crate) fn stated(text: &str, value: &Value) -> Result<Stated, String> {
    let (_, schema) = &SCHEMAS[0];
    let seen = schema.validate(value).err().map(|error| error.to_string());
    let array = |document: &Document<'_>| document.array(Accepted::All).map(drop);
    let fault = match (first_fault(text, DocumentKind::Array, array)?, seen) {
        (None, None) => return Ok(Stated::Accepted),
        (None, Some(error)) => return Err(format!("only the schema rejects\n{text}\n{error}")),
        (Some(_), Some(_)) => return Ok(Stated::Rejected),
        (Some(fault), None) => fault,
    };
    let written = is_written_otherwise(&text[fault.place]);
    let fault = fault.rejection;
    let listed = KINDS
        .iter()
        .any(|(_, clauses)| clauses.contains(&fault.clause));
    let beyond = matches!(&fault.at, Some(At::Pointer(pointer)) if is_beyond(pointer));
    match listed || beyond || written {
        true => Ok(Stated::Unseen),
        false => Err(format!("only the reader rejects\n{text}\n{fault:?}")),
    }
}
