//! Documents to accept and to reject: reader and JSON Schema on the same table.

use std::sync::LazyLock;

use exactum_metadata::{Accepted, Document, DocumentKind, schema};
use exactum_model::{At, Rejection};
use jsonschema::Validator;
use serde_json::Value;

mod agreement;
mod codecs;
#[path = "../common/mod.rs"]
mod common;
mod configurations;
mod fill_values;
mod fixed_scale_offset;
mod groups;
mod members;
mod mutations;
mod packed;
mod sets;
mod sets_good;
mod upstream;
mod vectors;
mod zfp;

use common::document;

/// The verdicts of reader and schema.
#[derive(Clone, Copy, Debug)]
enum Expect {
    /// Both accept it.
    Good,
    /// Both reject it; the reader names this clause and pointer.
    Structure(&'static str, &'static str),
    /// The reader rejects it. The schema of array documents detects the reason, but that of a single
    /// configuration cannot.
    Joint(&'static str, &'static str),
    /// The reader rejects it, but the schema cannot detect the reason.
    Meaning(&'static str, &'static str),
}
use Expect::{Good, Joint, Meaning, Structure};

impl Expect {
    /// Converts the verdicts on a configuration to those on a document whose first codec has that configuration.
    fn in_first_codec(self) -> Self {
        let below = |pointer: &str| -> &'static str {
            Box::leak(format!("/codecs/0/configuration{pointer}").into_boxed_str())
        };
        match self {
            Good => Good,
            Structure(clause, pointer) => Structure(clause, below(pointer)),
            Joint(clause, pointer) => Joint(clause, below(pointer)),
            Meaning(clause, pointer) => Meaning(clause, below(pointer)),
        }
    }
}

static SCHEMAS: LazyLock<Vec<(String, Validator)>> = LazyLock::new(|| {
    let validator = |schema: &Value| {
        jsonschema::meta::validate(schema).expect("a schema");
        jsonschema::options()
            .with_draft(jsonschema::Draft::Draft202012)
            .build(schema)
            .expect("a schema")
    };
    schema::all()
        .iter()
        .map(|(file, schema)| (file.clone(), validator(schema)))
        .collect()
});

fn check<T: std::fmt::Debug>(file: &str, text: &str, result: Result<T, Rejection>, expect: Expect) {
    let (_, validator) = SCHEMAS
        .iter()
        .find(|(name, _)| name == file)
        .expect("a schema of this name");
    let value: Value = serde_json::from_str(text).expect("JSON");
    let valid = validator.is_valid(&value);
    let (clause, pointer) = match expect {
        Good => {
            assert!(result.is_ok(), "{text}\nis rejected: {result:?}");
            let error = validator
                .validate(&value)
                .err()
                .map(|error| error.to_string());
            assert!(valid, "{text}\nis rejected by {file}: {error:?}");
            return;
        }
        Structure(clause, pointer) | Joint(clause, pointer)
            if file == "array.json" || matches!(expect, Structure(..)) =>
        {
            assert!(!valid, "{text}\nis accepted by {file}");
            (clause, pointer)
        }
        Structure(clause, pointer) | Joint(clause, pointer) | Meaning(clause, pointer) => {
            assert!(
                valid,
                "{text}\nis rejected by {file}: is this not Structure?"
            );
            (clause, pointer)
        }
    };
    let rejection = match result {
        Ok(accepted) => panic!("{text}\nis accepted: {accepted:?}"),
        Err(rejection) => rejection,
    };
    let found = (rejection.clause, rejection.at.clone());
    let expected = (clause, Some(At::Pointer(pointer.into())));
    assert_eq!(found, expected, "{text}\n{rejection}");
    assert!(rejection.help.is_some(), "no help: {rejection}");
}

fn array(members: &[(&str, &str)], expect: Expect) {
    let text = document(members);
    let judged = Document::scan_as(text.as_bytes(), DocumentKind::Array)
        .and_then(|document| document.array(Accepted::All))
        .map_err(Rejection::from);
    check("array.json", &text, judged, expect);
}

/// Documents that differ in one member.
fn member(name: &str, rows: &[(&str, Expect)]) {
    for &(value, expect) in rows {
        array(&[(name, value)], expect);
    }
}

/// Codecs of a `float64` array with chunks of 20 x 30.
fn codecs(rows: &[(&str, Expect)]) {
    member("codecs", rows);
}
