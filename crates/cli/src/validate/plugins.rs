//! The data types that `exactum-zarrs-plugins` adds to those of the registry. Their configurations and fill
//! values are checked by the rules of that crate.

use std::collections::BTreeMap;

use exactum_metadata::{Document, Severity, parse_fill_value};
use exactum_model::{At, DataType, Reason, Rejection};
use exactum_zarrs_plugins::data_type::decimal::Decimal;
use exactum_zarrs_plugins::data_type::uint12::Uint12;
use serde_json::value::RawValue;

use super::Finding;

/// The clause for all faults of these data types: upstream does not define them, so that they have no clauses
/// of their own.
const OWN: &str = "data_type.unknown";

/// The parts of an `exactum.sample`.
const PARTS: [(&str, DataType); 2] = [("time", DataType::Int64), ("value", DataType::Float32)];

/// Returns the faults of a document that concern such a data type. There are none for any other document.
pub(super) fn findings(document: &Document<'_>) -> Vec<Finding> {
    let value = |pointer| document.value(pointer);
    let name = value("/data_type/name").or_else(|| value("/data_type"));
    let name: Option<String> = name.and_then(|name| serde_json::from_str(name).ok());
    let fill_value = match name.as_deref() {
        Some("uint12") => uint12,
        Some("exactum.decimal") => decimal,
        Some("exactum.sample") => sample,
        _ => return Vec::new(),
    };
    let name = name.unwrap_or_default();
    let mut faults: Vec<Rejection> = value("/data_type/configuration")
        .and_then(|text| serde_json::from_str(text).ok())
        .map(|members: BTreeMap<String, &RawValue>| members.into_keys())
        .into_iter()
        .flatten()
        .map(|key| {
            let pointer = format!("/data_type/configuration/{}", token(&key));
            let message = format!("the configuration of {name} has no key {key:?}");
            Rejection::new(Reason::Metadata, "data_type.configuration", message)
                .at_pointer(pointer)
                .help("remove it")
        })
        .collect();
    if let Some(text) = value("/fill_value") {
        faults.extend(fill_value(text));
    }
    let found = faults.into_iter().map(|fault| {
        let mut finding = Finding::new(document.locate(fault));
        // A document that uses this name means the data type of the plugins, and that data type rejects the document.
        if finding.diagnostic.rejection.clause == OWN {
            finding.level = None;
            finding.diagnostic.severity = Severity::Error;
        }
        finding
    });
    found.collect()
}

/// Returns a key as a part of a JSON pointer.
fn token(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn refused(clause: &'static str, message: String, pointer: &str, help: &str) -> Rejection {
    Rejection::new(Reason::FillValue, clause, message)
        .at_pointer(format!("/fill_value{pointer}"))
        .help(help)
}

fn uint12(text: &str) -> Vec<Rejection> {
    const RANGE: &str = "fill_value.integer.range";
    let (clause, message) = match parse_fill_value(DataType::Uint16, text) {
        Ok(scalar) if scalar.component(0) <= Uint12::MAX.get().into() => return Vec::new(),
        Ok(_) => (RANGE, format!("{text} is not a value of uint12")),
        Err(fault) => (fault.clause, fault.message.replace("uint16", "uint12")),
    };
    const HELP: &str = "write a plain JSON integer from 0 to 4095";
    vec![refused(clause, message, "", HELP)]
}

fn decimal(text: &str) -> Vec<Rejection> {
    const HELP: &str = "write the decimal as a string, such as \"-12.50\"";
    let message = match serde_json::from_str::<String>(text) {
        Err(_) => "the fill value of exactum.decimal must be a string".to_owned(),
        Ok(decimal) => match Decimal::try_from(decimal.as_str()) {
            Ok(_) => return Vec::new(),
            Err(fault) => fault.to_string(),
        },
    };
    vec![refused(OWN, message, "", HELP)]
}

fn sample(text: &str) -> Vec<Rejection> {
    const HELP: &str = "write {\"time\": 0, \"value\": \"NaN\"}";
    let Ok(parts) = serde_json::from_str::<BTreeMap<String, &RawValue>>(text) else {
        let message = "the fill value of exactum.sample must be an object".to_owned();
        return vec![refused(OWN, message, "", HELP)];
    };
    let of_part = |(name, data_type)| match parts.get(name) {
        Some(part) => parse_fill_value(data_type, part.get()).err().map(|fault| {
            let below = match &fault.at {
                Some(At::Pointer(pointer)) => pointer.as_str(),
                _ => "",
            };
            let pointer = format!("/fill_value/{name}{below}");
            Rejection {
                at: Some(At::Pointer(pointer)),
                ..fault
            }
        }),
        None => {
            let message = format!("the part \"{name}\" has no fill value");
            Some(refused(OWN, message, "", HELP))
        }
    };
    let mut faults: Vec<Rejection> = PARTS.into_iter().filter_map(of_part).collect();
    let is_part = |key: &str| PARTS.iter().any(|(name, _)| *name == key);
    faults.extend(parts.keys().filter(|key| !is_part(key)).map(|key| {
        let message = format!("exactum.sample has no part {key:?}");
        let pointer = format!("/{}", token(key));
        refused(OWN, message, &pointer, HELP)
    }));
    faults
}
