//! The names of codecs and data types in an array document that may be invalid in other respects.

use std::collections::BTreeSet;

use serde_json::Value;

/// The names in an array document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// The codecs, including those inside shards and of their indexes.
    pub codecs: BTreeSet<String>,
    /// The array's data type, and the target data types of `cast_value`.
    pub data_types: BTreeSet<String>,
}

impl Names {
    /// Reads all names that can be read. A text that is not JSON has none.
    pub(crate) fn of(document: &str) -> Self {
        let mut names = Self::default();
        // serde_json stops at a depth of 128, so the recursion is bounded.
        if let Ok(document) = serde_json::from_str::<Value>(document) {
            names.data_types.extend(name(&document["data_type"]));
            names.codecs_of(&document["codecs"]);
        }
        names
    }

    fn codecs_of(&mut self, codecs: &Value) {
        for codec in codecs.as_array().into_iter().flatten() {
            // An implementation that does not know such a codec may ignore it, so it need not be offered.
            if codec["must_understand"] == false {
                continue;
            }
            let configuration = &codec["configuration"];
            match name(codec) {
                Some(name) if name == "cast_value" => {
                    self.data_types
                        .extend(self::name(&configuration["data_type"]));
                    self.codecs.insert(name);
                }
                name => self.codecs.extend(name),
            }
            self.codecs_of(&configuration["codecs"]);
            self.codecs_of(&configuration["index_codecs"]);
        }
    }
}

/// Returns the name of something that is written as a bare name or as an object.
fn name(named: &Value) -> Option<String> {
    named
        .as_str()
        .or_else(|| named["name"].as_str())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::Names;

    fn check(document: &str, codecs: &[&str], data_types: &[&str]) {
        let names = Names::of(document);
        assert!(names.codecs.iter().eq(codecs), "{document}: {names:?}");
        assert!(
            names.data_types.iter().eq(data_types),
            "{document}: {names:?}"
        );
    }

    #[test]
    fn names_are_found_in_either_form_and_at_every_depth() {
        check(
            r#"{"data_type": "int16", "codecs": ["transpose", {"name": "bytes"}]}"#,
            &["bytes", "transpose"],
            &["int16"],
        );
        check(
            r#"{"data_type": {"name": "int16"}, "codecs": [{"name": "sharding_indexed", "configuration": {
                "codecs": [{"name": "cast_value", "configuration": {"data_type": {"name": "int4"}}}, "bytes"],
                "index_codecs": ["bytes", {"name": "crc32c"}]}}]}"#,
            &["bytes", "cast_value", "crc32c", "sharding_indexed"],
            &["int16", "int4"],
        );
    }

    #[test]
    fn what_may_be_passed_over_is_not_named() {
        check(
            r#"{"codecs": [{"name": "x.optional", "must_understand": false}, "bytes"]}"#,
            &["bytes"],
            &[],
        );
    }

    #[test]
    fn documents_of_another_form_have_no_names() {
        check("{", &[], &[]);
        check("[]", &[], &[]);
        check(r#"{"data_type": 8, "codecs": "bytes"}"#, &[], &[]);
        check(r#"{"codecs": [7, null, {"name": 7}]}"#, &[], &[]);
    }
}
