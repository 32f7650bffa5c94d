//! Judges documents and reports the place of every finding.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use exactum_metadata::downsample::Bases;
use exactum_metadata::{Accepted, Diagnostic, Document, DocumentKind, Report, Severity};
use exactum_model::{At, Reason, Rejection};
use exactum_vectors::Level;
use exactum_vectors::spec;
use serde_json::{Value, json};

use crate::number;

/// The specification: the name and the text of each row.
const SPECIFICATION: [(&str, &str); 11] = [
    ("bitround", include_str!("../../spec/bitround.md")),
    ("bytes", include_str!("../../spec/bytes.md")),
    ("cast_value", include_str!("../../spec/cast_value.md")),
    ("cf", include_str!("../../spec/cf.md")),
    ("chain", include_str!("../../spec/chain.md")),
    ("data_type", include_str!("../../spec/data_type.md")),
    ("downsample", include_str!("../../spec/downsample.md")),
    ("fill_value", include_str!("../../spec/fill_value.md")),
    ("packbits", include_str!("../../spec/packbits.md")),
    ("scale_offset", include_str!("../../spec/scale_offset.md")),
    ("zfp", include_str!("../../spec/zfp.md")),
];

/// The level of every clause, with the number of the ruling that it rests on, if any.
static LEVELS: LazyLock<HashMap<String, (Level, Option<u32>)>> = LazyLock::new(|| {
    let sds = ("sds", include_str!("../../spec/sds.md"));
    let rows = SPECIFICATION.into_iter().chain([sds]);
    let clauses = rows.flat_map(|(row, text)| spec::parse(row, text).unwrap_or_default());
    clauses
        .map(|clause| (clause.id, (clause.level, clause.ruling)))
        .collect()
});

/// Judges a document. Returns the verdict, the findings and, for an array, the result of each codec. Positions are byte
/// offsets in the document.
pub(crate) fn validate(document: &[u8]) -> Value {
    let document = match Document::scan(document) {
        Ok(document) => document.all_errors(),
        Err(report) => return rejected("array", report),
    };
    let bases = Bases {
        documents: &|_| Ok(None),
        required: false,
    };
    let read = match document.kind() {
        DocumentKind::Array => return array(&document).unwrap_or_else(|it| rejected("array", it)),
        DocumentKind::Group => document.group().map(drop),
        DocumentKind::Downsample => document.view(Some(bases)).map(drop),
        DocumentKind::Sds => document.data_sets(None).map(drop),
        DocumentKind::Cf => document.variable().map(drop),
    };
    let kind = document.kind().name();
    match read {
        Ok(()) => judged(kind, true, Vec::new()),
        Err(report) => rejected(kind, report),
    }
}

/// Returns the judgement of a document that has exactly these `findings`.
fn judged(kind: &str, is_known: bool, findings: Vec<Value>) -> Value {
    let is_rejected = findings.iter().any(|it| it["severity"] == "error");
    let verdict = match (is_rejected, is_known) {
        (true, _) => "rejected",
        (false, true) => "valid",
        (false, false) => "not judged",
    };
    json!({ "kind": kind, "verdict": verdict, "findings": findings })
}

fn rejected(kind: &str, report: Report) -> Value {
    let more = report.more();
    let mut answer = judged(kind, false, findings(report));
    answer["more"] = more.into();
    answer
}

fn array(document: &Document<'_>) -> Result<Value, Report> {
    let judgement = document.array(Accepted::All)?;
    let is_known = !judgement.warnings.foreign;
    let mut findings = findings(judgement.warnings);
    let Some(array) = judgement.array else {
        return Ok(judged("array", is_known, findings));
    };
    let place = array.fill_value_place.clone();
    let resolution = match exactum_reference::chain::resolve(&array.chain) {
        Ok(resolution) => resolution,
        Err(mut rejection) => {
            rejection.help.get_or_insert_with(|| {
                "choose a fill value that every codec accepts, or map it with scalar_map".into()
            });
            findings.push(at_fill_value(rejection, "error", place));
            return Ok(judged("array", false, findings));
        }
    };
    if !resolution.round_trips {
        let message = "the fill value is not read back unchanged through the whole chain";
        let rejection = Rejection::new(Reason::FillValue, "chain.survives", message)
            .help("choose a fill value that all codecs return unchanged");
        findings.push(at_fill_value(rejection, "warning", place));
    }
    let stages: Vec<Value> = resolution
        .stages
        .iter()
        .map(|stage| {
            let bits = stage.fill_value.component(0);
            json!({
                "codec": stage.codec,
                "data_type": stage.data_type.name(),
                "shape": stage.shape,
                "fill_value": number::shown(stage.data_type, bits),
                "bits": number::hex(stage.data_type, bits),
            })
        })
        .collect();
    let mut answer = judged("array", is_known, findings);
    answer["stages"] = stages.into();
    answer["encoded_bytes"] = resolution.encoded_bytes.into();
    Ok(answer)
}

/// Returns a finding about the fill value.
fn at_fill_value(mut rejection: Rejection, severity: &str, place: Range<usize>) -> Value {
    rejection.at = Some(At::Pointer("/fill_value".into()));
    let mut found = finding(Diagnostic::new(rejection, place));
    found["severity"] = severity.into();
    found
}

fn findings(report: Report) -> Vec<Value> {
    report.listed.into_iter().map(finding).collect()
}

/// Returns a finding with the level of its clause. If only a ruling supports an error, it becomes a warning.
fn finding(mut diagnostic: Diagnostic) -> Value {
    let level = LEVELS.get(diagnostic.rejection.clause);
    if diagnostic.severity == Severity::Error && matches!(level, Some((Level::Ruling, _))) {
        diagnostic.severity = Severity::Warning;
    }
    let level = level.map(|(level, ruling)| match (level, ruling) {
        (Level::Ruling, Some(number)) => format!("ruling {number}"),
        (Level::Ruling, None) => "ruling".to_owned(),
        (Level::Must, _) => "MUST".to_owned(),
        (Level::May, _) => "MAY".to_owned(),
    });
    let mut found = json!(diagnostic);
    found["level"] = level.into();
    found
}
