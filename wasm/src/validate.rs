//! Judges documents and reports the place of every finding.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use exactum_metadata::{Diagnostic, Faults, Judged, Warning, Warnings};
use exactum_model::At;
use exactum_vectors::Level;
use exactum_vectors::spec;
use serde_json::{Value, json};

use crate::number;

/// The specification: each row with its text.
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

/// The level of every clause, with the ruling that it rests on.
static LEVELS: LazyLock<HashMap<String, (Level, Option<u32>)>> = LazyLock::new(|| {
    let sds = ("sds", include_str!("../../spec/sds.md"));
    let rows = SPECIFICATION.into_iter().chain([sds]);
    let clauses = rows.flat_map(|(row, text)| spec::parse(row, text).unwrap_or_default());
    clauses
        .map(|clause| (clause.id, (clause.level, clause.ruling)))
        .collect()
});

/// Judges a document and returns the verdict, what was found, and, of an array, what its codecs make of it. Places are
/// bytes of the document.
pub(crate) fn validate(document: &[u8]) -> Value {
    if exactum_metadata::is_group(document) {
        return of_faults("group", exactum_metadata::judge_group(document).err());
    }
    if exactum_metadata::downsample::is_downsample(document) {
        let faults = exactum_metadata::downsample::judge_downsample_of(document, &|_| Ok(None));
        return of_faults("downsample", faults.err());
    }
    if exactum_metadata::sds::is_sds(document) {
        return of_faults("sds", exactum_metadata::sds::judge_sds(document).err());
    }
    array(document)
}

fn of_faults(kind: &str, faults: Option<Box<Faults>>) -> Value {
    match faults {
        Some(faults) => rejected(kind, &faults),
        None => judged(kind, true, Vec::new()),
    }
}

/// Returns the judgement of a document that has these `findings` and no other.
fn judged(kind: &str, is_known: bool, findings: Vec<Value>) -> Value {
    let is_rejected = findings.iter().any(|it| it["severity"] == "error");
    let verdict = match (is_rejected, is_known) {
        (true, _) => "rejected",
        (false, true) => "valid",
        (false, false) => "not judged",
    };
    json!({ "kind": kind, "verdict": verdict, "findings": findings })
}

fn rejected(kind: &str, faults: &Faults) -> Value {
    let mut findings: Vec<Value> = faults.listed.iter().map(diagnostic).collect();
    findings.extend(listed(&faults.warnings));
    findings.sort_by_key(|finding| finding["start"].as_u64());
    let more: u64 = faults.more.values().sum();
    let mut answer = judged(kind, false, findings);
    answer["more"] = (more + faults.warnings.more).into();
    answer
}

fn array(document: &[u8]) -> Value {
    let document = match exactum_metadata::judge_whole_array(document) {
        Err(faults) => return rejected("array", &faults),
        Ok(Judged::Known(document)) => document,
        Ok(Judged::NotNumbers(warnings)) => return judged("array", true, listed(&warnings)),
        Ok(Judged::Foreign(warnings)) => return judged("array", false, listed(&warnings)),
        Ok(_) => return judged("array", false, Vec::new()),
    };
    let mut findings = listed(&document.warnings);
    let resolution = match exactum_reference::chain::resolve(&document.chain) {
        Ok(resolution) => resolution,
        Err(rejection) => {
            findings.push(finding(
                "error",
                rejection.clause,
                &rejection.message,
                rejection.help.as_deref().unwrap_or(
                    "choose a fill value that every codec accepts, or map it with scalar_map",
                ),
                "/fill_value",
                &document.fill_value_place,
            ));
            return judged("array", false, findings);
        }
    };
    if !resolution.round_trips {
        findings.push(finding(
            "warning",
            "chain.survives",
            "the fill value is not read back unchanged through the whole chain",
            "choose a fill value that all codecs return unchanged",
            "/fill_value",
            &document.fill_value_place,
        ));
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
    let mut answer = judged("array", !document.warnings.foreign, findings);
    answer["stages"] = stages.into();
    answer["encoded_bytes"] = resolution.encoded_bytes.into();
    answer
}

/// Returns a diagnostic as a finding; one that only a ruling supports is a warning.
fn diagnostic(diagnostic: &Diagnostic) -> Value {
    let rejection = &diagnostic.rejection;
    let level = LEVELS.get(rejection.clause).map(|(level, _)| *level);
    let severity = match level {
        Some(Level::Ruling) => "warning",
        _ => "error",
    };
    let pointer = match &rejection.at {
        Some(At::Pointer(pointer)) => pointer.as_str(),
        _ => "",
    };
    let mut found = finding(
        severity,
        rejection.clause,
        &rejection.message,
        rejection.help.as_deref().unwrap_or_default(),
        pointer,
        &diagnostic.place,
    );
    let related = diagnostic.related.iter();
    found["related"] = related
        .map(|it| json!({ "start": it.place.start, "end": it.place.end, "message": it.message }))
        .collect();
    found
}

fn listed(warnings: &Warnings) -> Vec<Value> {
    warnings.listed.iter().map(warning).collect()
}

fn warning(warning: &Warning) -> Value {
    let severity = if warning.is_note { "note" } else { "warning" };
    finding(
        severity,
        warning.clause,
        &warning.message,
        &warning.help,
        &warning.pointer,
        &warning.place,
    )
}

fn finding(
    severity: &str,
    clause: &str,
    message: &str,
    help: &str,
    pointer: &str,
    place: &Range<usize>,
) -> Value {
    let level = LEVELS
        .get(clause)
        .map(|(level, ruling)| match (level, ruling) {
            (Level::Ruling, Some(number)) => format!("ruling {number}"),
            (Level::Ruling, None) => "ruling".to_owned(),
            (Level::Must, _) => "MUST".to_owned(),
            (Level::May, _) => "MAY".to_owned(),
        });
    json!({
        "severity": severity, "clause": clause, "level": level, "message": message,
        "help": help, "pointer": pointer, "start": place.start, "end": place.end,
    })
}
