//! The values of an array: those that attributes of CF pack, or the elements themselves.

use exactum_exact::canonical;
use exactum_metadata::{Packing, of_attributes};
use exactum_model::{Cf, Chain, Scalar};
use exactum_plan::{of_variable, unpacked_chain};
use serde_json::{Map, Value, json};

use super::open::{Closed, open_array, read_array};
use super::*;

/// An array in the form that commands about its values need.
#[derive(Debug)]
pub(crate) struct Values {
    /// The codecs. If attributes of CF pack the elements, `cf` is the first codec, and the data type and the
    /// fill value are those of unpacked values.
    pub(crate) chain: Chain,
    /// Notes on the attributes, one per line.
    pub(crate) notes: Vec<String>,
    /// The packing attributes, if the values are read with them.
    pub(crate) packing: Option<Value>,
    /// The bits of the values that readers of CF treat as missing, with the names of the attributes, if the
    /// elements are not unpacked.
    pub(crate) missing: Vec<(&'static str, u64)>,
}

/// Opens the array document of a file, a folder, or the standard input, or the attributes of a packed
/// variable. With `raw`, attributes are ignored, and the values are the elements that the codecs return.
///
/// # Errors
/// If there is no such document, it is rejected, or it is not known how readers treat its elements.
pub(crate) fn open_values(path: &Path, raw: bool) -> Result<Values, Closed> {
    let name = name_of(path);
    let other = |why: &str| Closed::Other(format!("{name}: {why}"));
    let bytes = read_array(path)?;
    if let Some(attributes) = packed_variable(&bytes) {
        if raw {
            return Err(other(
                "these are the attributes of a packed variable; with --raw there are no codecs to work on",
            ));
        }
        let scanned = Document::scan_as(&bytes, DocumentKind::Cf);
        let read = scanned.and_then(|document| document.all_errors().variable());
        let codec = read.map_err(|report| {
            let judgement = Judgement {
                kind: DocumentKind::Cf,
                ..rejected(report, Vec::new(), false)
            };
            Closed::rejected(&name, &bytes, &judgement)
        })?;
        return Ok(Values {
            notes: vec![headline(&codec, &attributes, "")],
            chain: of_variable(codec),
            packing: Some(attributes.into()),
            missing: Vec::new(),
        });
    }
    let document = open_array(&name, &bytes)?;
    let stored = |chain| Values {
        chain,
        notes: Vec::new(),
        packing: None,
        missing: Vec::new(),
    };
    if raw {
        return Ok(stored(document.chain));
    }
    // `open_array` has checked that this is text.
    let text = std::str::from_utf8(&bytes).unwrap_or_default();
    let packing = of_attributes(text, &document).map_err(|fault| {
        other(&format!(
            "{}; --raw uses the stored elements",
            fault.rejection.message
        ))
    })?;
    let Some(packing) = packing else {
        return Ok(stored(document.chain));
    };
    if let Some(why) = &packing.unknown {
        return Err(other(&format!("{why}; --raw uses the stored elements")));
    }
    Ok(of_packing(&packing, document.chain))
}

/// Runs a command on the values of an array: those that a reader of CF gets, or the elements if `raw` is set.
/// If the document is rejected, prints the findings and returns exit code 1.
///
/// # Errors
/// The same as those of [`open_values`], and the errors of the command.
pub(crate) fn with_values(
    path: &Path,
    raw: bool,
    work: impl FnOnce(&Values) -> Result<ExitCode, String>,
) -> Result<ExitCode, String> {
    match open_values(path, raw) {
        Ok(values) => work(&values),
        Err(Closed::Other(why)) => Err(why),
        Err(Closed::Rejected { words, .. }) => {
            output::print(&crate::style::verdicts(&words))?;
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Returns the members of a document that has the attributes of a packed variable at its top level.
fn packed_variable(bytes: &[u8]) -> Option<Map<String, Value>> {
    let members: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
    let has = |name: &str| members.contains_key(name);
    let is_of_zarr = has("zarr_format") || has("node_type");
    let names = ["scale_factor", "add_offset", "_FillValue", "missing_value"];
    (!is_of_zarr && names.into_iter().any(has)).then_some(members)
}

/// Returns the values of an array with packing attributes.
fn of_packing(packing: &Packing, chain: Chain) -> Values {
    let mut notes = Vec::new();
    let read: Map<String, Value> = packing
        .attributes
        .iter()
        .map(|attribute| {
            let value = serde_json::from_str(&attribute.text).unwrap_or_default();
            (attribute.name.to_owned(), value)
        })
        .collect();
    let codec = packing.codec.as_ref().filter(|_| packing.changes_values());
    if let Some(codec) = codec {
        notes.push(headline(codec, &read, "; --raw uses the codes"));
    }
    let warnings = packing.warnings.listed.iter();
    notes.extend(warnings.map(|warning| clean(&format!("warning: {}", warning.rejection.message))));
    if codec.is_none() {
        notes.extend(packing.missing.iter().map(|missing| {
            format!(
                "readers of CF treat {} {} as missing",
                missing.name,
                canonical(&missing.value)
            )
        }));
    }
    match codec {
        Some(codec) => Values {
            chain: unpacked_chain(codec.clone(), chain),
            notes,
            packing: Some(read.into()),
            missing: Vec::new(),
        },
        None => Values {
            chain,
            notes,
            packing: None,
            missing: packing
                .missing
                .iter()
                .map(|it| (it.name, it.value.component(0)))
                .collect(),
        },
    }
}

/// Describes the values, and the attributes that unpack them.
fn headline(codec: &Cf, attributes: &Map<String, Value>, behind: &str) -> String {
    const SHOWN: [&str; 9] = [
        "scale_factor",
        "add_offset",
        "_FillValue",
        "missing_value",
        "valid_min",
        "valid_max",
        "valid_range",
        "_Unsigned",
        "reader",
    ];
    let attributes = SHOWN
        .into_iter()
        .filter_map(|name| Some(format!("{name} {}", attributes.get(name)?)));
    let attributes: Vec<String> = attributes.collect();
    let text = format!(
        "values are {}, as CF unpacks {}: {}{behind}",
        codec.unpacked,
        codec.packed,
        attributes.join(", ")
    );
    clean(&text)
}

/// Checks the packing attributes of an array document for contradictions. Also returns
/// the codecs preceded by the packing, if readers of CF get other values than those stored.
pub(super) fn judge_attributes(
    document: &Document<'_>,
    array: &ArrayDocument,
    problems: &mut Vec<Finding>,
) -> Option<Chain> {
    document.place("/attributes")?;
    // Attributes belong to the user, so that unreadable ones are not faults.
    let packing = of_attributes(document.text(), array).ok().flatten()?;
    let unwritten = unwritten(&packing, array);
    problems.extend(findings(packing.warnings));
    problems.extend(unwritten);
    problems.sort_by_key(|problem| problem.diagnostic.place.start);
    let codec = packing.codec.filter(|codec| codec.unpacked != codec.packed);
    codec.map(|codec| unpacked_chain(codec, array.chain.clone()))
}

/// Returns a line about the values that readers of CF get.
pub(super) fn words(packed: Option<&Chain>) -> String {
    let Some(chain) = packed else {
        return String::new();
    };
    let numbers = numbers::sentence(chain).unwrap_or_default();
    format!(
        "  unpacked by CF: {}, fill value {}; {numbers}\n",
        chain.data_type,
        canonical(&chain.fill_value)
    )
}

/// Returns the values that readers of CF get, in JSON.
pub(super) fn document(chain: &Chain) -> Value {
    json!({
        "codec": "cf",
        "data_type": chain.data_type.name(),
        "fill_value": numbers::scalar(&canonical(&chain.fill_value)),
        "holds": numbers::document(chain),
    })
}

/// Returns a finding if unwritten elements are read as values although attributes declare missing values
/// (cf.array.fill).
fn unwritten(packing: &Packing, document: &ArrayDocument) -> Option<Finding> {
    let codec = packing.codec.as_ref()?;
    let missing = packing.missing.first()?;
    let fill_value = &document.chain.fill_value;
    let is_missing = |it: &exactum_metadata::Missing| it.value.same_value(fill_value);
    if packing.missing.iter().any(is_missing) {
        return None;
    }
    let bits = exactum_reference::cf::decode_element(codec, fill_value.component(0)).ok()?;
    let value = Scalar::new(codec.unpacked, bits.into());
    let is_nan = |float: exactum_model::FloatFormat| float.is_nan(bits);
    if codec.unpacked.format().float().is_some_and(is_nan) {
        return None;
    }
    let (code, wanted) = (canonical(fill_value), canonical(&missing.value));
    let message = format!(
        "unwritten elements are read as {}: the fill value is {code}, but missing elements are \
         {wanted} according to {}",
        canonical(&value),
        missing.name
    );
    let help = format!(
        "write \"fill_value\": {wanted} before the first chunk; in a store with data, writers may \
         have left out chunks that contain only {code}, and these have to be written first"
    );
    let place = document.fill_value_place.clone();
    let mut finding = Finding::warning("cf.array.fill", message, help, "/fill_value", place);
    let attribute = packing.attribute(missing.name);
    let related = attribute.map(|attribute| Related {
        place: attribute.place.clone(),
        message: "the missing value".into(),
    });
    finding.diagnostic.related.extend(related);
    Some(finding)
}

impl Values {
    /// Returns the packing as JSON: the attributes and the stored data type, or null.
    pub(crate) fn packing_document(&self) -> Value {
        match &self.packing {
            Some(attributes) => json!({"codec": "cf", "attributes": attributes}),
            None => Value::Null,
        }
    }

    /// Returns the notes as lines before an answer.
    pub(crate) fn heading(&self) -> String {
        self.notes.iter().map(|note| format!("{note}\n")).collect()
    }
}

#[cfg(test)]
mod tests {
    use exactum_model::DataType;

    use super::*;

    const PACKED: &str = r#""scale_factor": 0.01, "add_offset": 273.15, "_FillValue": -32767"#;

    fn array(data_type: &str, fill_value: &str, attributes: &str) -> String {
        format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "{data_type}",
  "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
  "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill_value},
  "codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}],
  "attributes": {{"units": "K", {attributes}}}}}"#
        )
    }

    /// Checks the clauses of the findings, and the values that readers of CF get.
    #[track_caller]
    fn check(document: &str, clauses: &[&str], unpacked: Option<(DataType, &str)>) {
        let judgement = judge(document.as_bytes(), false);
        let found = judgement.problems.iter();
        let found = found.map(|problem| problem.diagnostic.rejection.clause);
        assert_eq!(found.collect::<Vec<_>>(), clauses, "{document}");
        assert_eq!(judgement.verdict, Verdict::Valid, "{document}");
        let chain = judgement.packed.as_ref();
        let read = chain.map(|chain| (chain.data_type, canonical(&chain.fill_value)));
        let unpacked = unpacked.map(|(data_type, fill)| (data_type, fill.to_owned()));
        assert_eq!(read, unpacked, "{document}");
    }

    #[test]
    fn attributes_are_judged_beside_the_fill_value() {
        let float64 = |fill| Some((DataType::Float64, fill));
        let fill = "cf.array.fill";
        check(&array("int16", "0", PACKED), &[fill], float64("273.15"));
        check(&array("int16", "-32767", PACKED), &[], float64("\"NaN\""));
        check(
            &array("int16", "0", r#""scale_factor": 0.5"#),
            &[],
            float64("0.0"),
        );
        check(&array("int16", "0", r#""_FillValue": 7"#), &[fill], None);
        let both = r#""_FillValue": 7, "missing_value": 0"#;
        check(&array("int16", "0", both), &[], None);
        // A value outside of the valid range is missing, too.
        let valid = r#""scale_factor": 0.5, "_FillValue": -1, "valid_min": 1"#;
        check(&array("int16", "0", valid), &[], float64("\"NaN\""));
        let unsigned = r#""_Unsigned": "true", "_FillValue": -1"#;
        check(
            &array("int8", "-2", unsigned),
            &[fill],
            Some((DataType::Uint8, "254")),
        );
    }

    #[test]
    fn validate_reports_the_values_that_readers_get() {
        let document = array("int16", "0", PACKED);
        let judgement = judge(document.as_bytes(), false);
        let text = Text::new(document.as_bytes());
        let words = report::words("zarr.json", &text, &judgement, false, false);
        let json = report::document("zarr.json", &text, &judgement, false);
        insta::assert_snapshot!("values", format!("{words}{:#}", json["unpacked"]));
    }

    /// Returns the values that commands get from a document in a file.
    fn opened(name: &str, document: &str, raw: bool) -> Result<Values, String> {
        let name = format!("exactum-values-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, document).expect("a file");
        let values = open_values(&path, raw);
        std::fs::remove_file(&path).expect("the file is there");
        values.map_err(|closed| match closed {
            Closed::Other(why) => why,
            Closed::Rejected { words, .. } => words,
        })
    }

    #[test]
    fn values_are_those_of_a_reader_unless_elements_are_asked_for() {
        let document = array("int16", "0", PACKED);
        let values = opened("packed", &document, false).expect("values");
        assert_eq!(values.chain.data_type, DataType::Float64);
        assert_eq!(
            values.heading(),
            "values are float64, as CF unpacks int16: scale_factor 0.01, add_offset 273.15, \
             _FillValue -32767; --raw uses the codes\n"
        );
        let raw = opened("raw", &document, true).expect("elements");
        assert_eq!(
            (raw.chain.data_type, raw.heading()),
            (DataType::Int16, String::new())
        );
        let variable = format!(r#"{{"data_type": "int16", "units": "K", {PACKED}}}"#);
        let values = opened("variable", &variable, false).expect("values");
        assert_eq!(values.chain.data_type, DataType::Float64);
        let missing = opened("missing", &array("int16", "0", r#""_FillValue": 7"#), false);
        assert_eq!(
            missing.expect("elements").heading(),
            "readers of CF treat _FillValue 7 as missing\n"
        );
        for (name, document, why) in [
            ("untyped", "{\"scale_factor\": 0.5}", "data_type"),
            (
                "wide",
                &array("int64", "0", "\"scale_factor\": 0.5"),
                "integers of 8 to 32 bits; --raw",
            ),
            (
                "text",
                &array("int16", "0", "\"scale_factor\": \"0.5\""),
                "cannot be read; --raw",
            ),
        ] {
            let reported = opened(name, document, false).expect_err(name);
            assert!(reported.contains(why), "{reported}");
        }
    }
}
