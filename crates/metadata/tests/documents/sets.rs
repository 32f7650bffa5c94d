//! Data sets and packed variables: reader and schema on every document of the vectors, and on thousands of modified
//! documents.

use exactum_metadata::{Document, DocumentKind, Report};
use serde_json::Value;

use crate::agreement::{Stated, first_fault, is_written_otherwise};
use crate::mutations::{mutated, replacements};
use crate::vectors::each_case;
use crate::{SCHEMAS, sets_good};

/// The kinds of faults that a schema cannot detect, each with the clauses that find them.
const KINDS: &[(&str, &[&str])] = &[
    (
        "what a parser of JSON has lost",
        &["chain.json", "chain.json.duplicates", "chain.json.depth"],
    ),
    ("one code that stands for two things", &["sds.7.1"]),
    (
        "what one attribute says of another",
        &["cf.types", "cf.missing.type", "cf.missing.value.type"],
    ),
    ("which number is nearest", &["cf.attributes.number"]),
    (
        "which name is a slip away from another",
        &["cf.document.keys"],
    ),
];

/// The schema and the reader of a kind of document.
struct Kind {
    file: &'static str,
    kind: DocumentKind,
    read: fn(&Document<'_>) -> Result<(), Report>,
}

const SDS: Kind = Kind {
    file: "sds.json",
    kind: DocumentKind::Sds,
    read: |document| document.data_sets(None).map(drop),
};

const CF: Kind = Kind {
    file: "cf.json",
    kind: DocumentKind::Cf,
    read: |document| document.variable().map(drop),
};

impl Kind {
    /// Returns the verdicts of reader and schema on a document.
    fn stated(&self, text: &str, value: &Value) -> Result<Stated, String> {
        let (_, schema) = SCHEMAS
            .iter()
            .find(|(file, _)| file == self.file)
            .ok_or("no schema")?;
        let seen = schema.validate(value).err().map(|error| error.to_string());
        let first = first_fault(text, self.kind, self.read)?;
        let fault = match (first, seen) {
            (None, None) => return Ok(Stated::Accepted),
            (None, Some(error)) => return Err(format!("only the schema rejects\n{text}\n{error}")),
            (Some(_), Some(_)) => return Ok(Stated::Rejected),
            (Some(fault), None) => fault,
        };
        let listed = KINDS
            .iter()
            .any(|(_, clauses)| clauses.contains(&fault.rejection.clause));
        match listed || is_written_otherwise(&text[fault.place.clone()]) {
            true => Ok(Stated::Unseen),
            false => Err(format!("only the reader rejects\n{text}\n{fault:?}")),
        }
    }

    /// Returns the places of all faults of a document.
    fn places<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let document = Document::scan_as(text.as_bytes(), self.kind).expect("JSON");
        let report = (self.read)(&document.all_errors()).expect_err("many faults");
        let places = report.listed.into_iter().map(|it| &text[it.place]);
        places.collect()
    }

    fn agree(&self, documents: impl IntoIterator<Item = String>) -> [usize; 3] {
        let (mut counts, mut faults) = ([0; 3], Vec::new());
        for text in documents {
            // The schema is not used for texts that are not JSON.
            let Ok(value) = serde_json::from_str::<Value>(&text) else {
                continue;
            };
            match self.stated(&text, &value) {
                Ok(stated) => counts[stated as usize] += 1,
                Err(fault) => faults.push(fault),
            }
        }
        let some = faults.len().min(10);
        assert!(
            faults.is_empty(),
            "{counts:?} {}: {}",
            faults.len(),
            faults[..some].join("\n\n")
        );
        counts
    }
}

/// Returns the documents of a kind in all requests: those that are validated, and the data sets of others.
fn of_vectors(kind: &str) -> Vec<String> {
    let mut documents = Vec::new();
    each_case(|_, request, _| {
        let op = request["op"].as_str().unwrap_or_default();
        if op == "metadata.validate" && request["kind"] == kind {
            documents.extend(request["document"].as_str().map(str::to_owned));
        } else if kind == "sds" && op.starts_with("sds.") && request["input"].is_object() {
            let mut input = request["input"].clone();
            if let Some(profile) = request.get("profile") {
                input["profile"] = profile.clone();
            }
            documents.push(input.to_string());
        } else if kind == "cf" && op.starts_with("cf.") {
            // Packing by attributes that may not be written is not a document.
            documents.extend(request["configuration"].as_str().map(str::to_owned));
        }
    });
    documents
}

fn changed(good: &[&str]) -> Vec<String> {
    let good = good
        .iter()
        .map(|text| serde_json::from_str(text).expect("JSON"));
    let mut others = replacements();
    others.extend(
        sets_good::OTHERS
            .iter()
            .map(|text| serde_json::from_str(text).expect("JSON")),
    );
    let all = good.flat_map(|good: Value| mutated(&good, &others));
    all.map(|it| it.to_string()).collect()
}

#[test]
fn data_sets_of_the_vectors() {
    let [accepted, rejected, unseen] = SDS.agree(of_vectors("sds"));
    assert!(
        accepted > 500 && rejected > 50 && rejected > 3 * unseen,
        "{accepted} {rejected} {unseen}"
    );
}

#[test]
fn changed_data_sets() {
    let [accepted, rejected, unseen] = SDS.agree(changed(sets_good::SDS));
    assert!(
        accepted > 500 && rejected > 3_000 && rejected > 10 * unseen,
        "{accepted} {rejected} {unseen}"
    );
}

#[test]
fn packed_variables_of_the_vectors() {
    let [accepted, rejected, unseen] = CF.agree(of_vectors("cf"));
    assert!(
        accepted > 100 && rejected > 30,
        "{accepted} {rejected} {unseen}"
    );
}

#[test]
fn changed_packed_variables() {
    let [accepted, rejected, unseen] = CF.agree(changed(sets_good::CF));
    assert!(
        accepted > 100 && rejected > 900,
        "{accepted} {rejected} {unseen}"
    );
}

/// All faults of a document, each at its place.
#[test]
fn all_faults_are_reported() {
    let text = r#"{"data_type": "int8", "attribute_type": "float32", "scale_factor": 0, "add_offset": "NaN",
        "_FillValue": 200, "missing_value": [1, 999, 1.5], "valid_min": -1000, "valid_range": [0, 300], "_Unsigned": "yes", "units": "m", "valid_mx": 1}"#;
    assert_eq!(
        CF.places(text),
        [
            "0",
            "\"NaN\"",
            "200",
            "999",
            "1.5",
            "-1000",
            "[0, 300]",
            "300",
            "\"yes\"",
            "\"valid_mx\""
        ]
    );
    let text = r#"{"type": "i1", "values": [1, 200, "x"], "scaling": {"scale": 0, "offset": "a"}, "fill": 0.5, "infinite": {"neg": 1}}"#;
    assert_eq!(SDS.places(text), ["\"x\"", "\"a\"", "0.5", "{\"neg\": 1}"]);
}
