//! Compares the schemas with the golden vectors: no schema refuses what must be accepted.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use exactum_metadata::schema;
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::agreement::stated;

/// Returns the files of all vectors.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let mut files = Vec::new();
    for row in fs::read_dir(folder).expect("the vectors") {
        let row = row.expect("a row").path();
        if row.is_dir() && !row.ends_with("schema") && !row.ends_with("src") {
            for file in fs::read_dir(row).expect("a row") {
                files.push(file.expect("a file").path());
            }
        }
    }
    files.sort();
    files
}

/// The validators of each type's fill values.
struct Schemas {
    fill_values: BTreeMap<String, Validator>,
}

impl Schemas {
    fn new() -> Self {
        let of = |name: &str| {
            let all = schema::all();
            all.into_iter()
                .find(|(file, _)| file == name)
                .expect("a schema")
                .1
        };
        let build = |schema: &Value| {
            jsonschema::options()
                .with_draft(jsonschema::Draft::Draft202012)
                .build(schema)
                .expect("a schema")
        };
        let fill_value = of("fill_value.json");
        let definitions = fill_value["$defs"].as_object().expect("definitions");
        Self {
            fill_values: definitions
                .keys()
                .map(|name| {
                    let one = json!({"$ref": format!("#/$defs/{name}"), "$defs": definitions});
                    (name.clone(), build(&one))
                })
                .collect(),
        }
    }

    /// Returns whether the schema accepts the document of a request. Returns nothing if the request is about
    /// something else, or if a number in the text, such as 1e400, is not one to `serde_json`.
    fn accepts(&self, request: &Value) -> Option<bool> {
        let text = |key: &str| request.get(key)?.as_str();
        let (validator, text) = match text("op")? {
            "fill_value.parse" => (self.fill_values.get(text("data_type")?)?, text("json")?),
            _ => return None,
        };
        let value: Value = serde_json::from_str(text).ok()?;
        Some(validator.is_valid(&value))
    }
}

/// Calls a function for every case, with its id.
pub(crate) fn each_case(mut see: impl FnMut(&str, &Value, &Value)) {
    for path in files() {
        let text = fs::read_to_string(&path).expect("a file");
        let file: Value = serde_json::from_str(&text).expect("JSON");
        for group in file["groups"].as_array().expect("groups") {
            for case in group["cases"].as_array().expect("cases") {
                let mut request = group["request"].clone();
                for (key, value) in case["request"].as_object().into_iter().flatten() {
                    request[key] = value.clone();
                }
                let id = format!("{}/{}", group["id"], case["id"]);
                see(&id, &request, &case["expect"]);
            }
        }
    }
}

#[test]
fn reader_and_schema_agree_on_every_document() {
    let (mut counts, mut faults) = ([0; 3], Vec::new());
    each_case(|id, request, _| {
        let text = match request["op"].as_str() {
            Some("metadata.validate") if request["kind"] == "array" => &request["document"],
            Some("chain.resolve") => &request["metadata"],
            _ => return,
        };
        let text = text.as_str().expect("a document");
        // The schemas are not used for texts that are not JSON.
        let Ok(value) = serde_json::from_str::<Value>(text) else {
            return;
        };
        match stated(text, &value) {
            Ok(stated) => counts[stated as usize] += 1,
            Err(fault) => faults.push(format!("{id}: {fault}")),
        }
    });
    let (some, [accepted, rejected, unseen]) = (faults.len().min(10), counts);
    assert!(
        faults.is_empty(),
        "{counts:?} {}: {}",
        faults.len(),
        faults[..some].join("\n\n")
    );
    assert!(
        accepted > 500 && rejected > 500 && rejected > 4 * unseen,
        "{counts:?}"
    );
}

#[test]
fn what_must_be_accepted_passes_the_schemas() {
    let schemas = Schemas::new();
    let (mut accepted, mut seen, mut unseen) = (0, 0, 0);
    each_case(|id, request, expect| {
        let Some(valid) = schemas.accepts(request) else {
            return;
        };
        if expect.get("ok").is_some() {
            assert!(valid, "{id}: {request}");
            accepted += 1;
        } else if expect.get("reject").is_some() {
            *if valid { &mut unseen } else { &mut seen } += 1;
        }
    });
    // Most faults are of a kind that a schema can detect.
    assert!(
        accepted > 3_000 && seen > 500 && seen > 5 * unseen,
        "{accepted} {seen} {unseen}"
    );
}
