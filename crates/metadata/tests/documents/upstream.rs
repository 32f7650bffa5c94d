//! Documents that the registry's published schemas get wrong: the tables of
//! `spec/upstream-schemas.md`, against the readers and schemas here.
//!
//! What the published schemas say is computed from their facts, restated below; the files
//! themselves are not here.

use exactum_metadata::{parse_array, parse_fill_value};
use serde_json::Value;

use crate::Expect::{self, Good, Meaning, Structure};
use crate::common::document;
use crate::{array, check};

const PAGE: &str = include_str!("../../../../spec/upstream-schemas.md");

/// Returns the rows below a heading, as their cells, without backticks.
fn rows(heading: &str) -> Vec<Vec<&'static str>> {
    let heading = format!("## {heading}\n");
    let start = PAGE.find(&heading).expect("the heading") + heading.len();
    let section = &PAGE[start..];
    let section = &section[..section.find("\n## ").unwrap_or(section.len())];
    let rows: Vec<Vec<&str>> = section
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix('|'))
        .skip(1)
        .map(|row| {
            row.split('|')
                .map(|cell| cell.trim().trim_matches('`'))
                .collect()
        })
        .collect();
    assert!(!rows.is_empty(), "{heading}");
    rows
}

/// The rule of a published schema for a value.
enum Rule {
    Anything,
    OneOf(&'static [&'static str]),
    NaturalOrNull,
    Object(&'static [(&'static str, Rule)]),
    PairsOfAnything,
    StringOrObject,
}

impl Rule {
    fn accepts(&self, value: &Value) -> bool {
        match self {
            Rule::Anything => true,
            Rule::OneOf(names) => value.as_str().is_some_and(|it| names.contains(&it)),
            Rule::NaturalOrNull => value.is_null() || value.as_u64().is_some(),
            Rule::Object(members) => value.as_object().is_some_and(|object| {
                object.iter().all(|(key, value)| {
                    members
                        .iter()
                        .any(|(name, rule)| name == key && rule.accepts(value))
                })
            }),
            Rule::PairsOfAnything => value.as_array().is_some_and(|list| {
                list.iter()
                    .all(|pair| pair.as_array().is_some_and(|pair| pair.len() == 2))
            }),
            Rule::StringOrObject => value.is_string() || value.is_object(),
        }
    }
}

/// A published schema: the bare strings that it accepts, and the configuration of an object.
struct Published {
    path: &'static str,
    short_form: bool,
    configuration: Rule,
    /// The members that the configuration must have; the configuration itself is then required too.
    required: &'static [&'static str],
}

/// The facts of the codecs' schemas.
const CODECS: &[Published] = &[
    Published {
        path: "codecs/bytes",
        short_form: true,
        configuration: Rule::Object(&[("endian", Rule::OneOf(&["little", "big"]))]),
        required: &[],
    },
    Published {
        path: "codecs/cast_value",
        short_form: false,
        configuration: Rule::Object(&[
            ("data_type", Rule::StringOrObject),
            (
                "rounding",
                Rule::OneOf(&[
                    "nearest-even",
                    "towards-zero",
                    "towards-positive",
                    "towards-negative",
                    "nearest-away",
                ]),
            ),
            ("out_of_range", Rule::OneOf(&["clamp", "wrap"])),
            (
                "scalar_map",
                Rule::Object(&[
                    ("encode", Rule::PairsOfAnything),
                    ("decode", Rule::PairsOfAnything),
                ]),
            ),
        ]),
        required: &["data_type"],
    },
    Published {
        path: "codecs/packbits",
        short_form: false,
        configuration: Rule::Object(&[
            (
                "padding_encoding",
                Rule::OneOf(&["start_byte", "end_byte", "none"]),
            ),
            ("start_bit", Rule::NaturalOrNull),
            ("end_bit", Rule::NaturalOrNull),
        ]),
        required: &[],
    },
    Published {
        path: "codecs/scale_offset",
        short_form: false,
        configuration: Rule::Object(&[("offset", Rule::Anything), ("scale", Rule::Anything)]),
        required: &[],
    },
];

/// All schemas of data types, which differ only in the name.
const DATA_TYPE: Published = Published {
    path: "data-types",
    short_form: true,
    configuration: Rule::Object(&[]),
    required: &[],
};

impl Published {
    fn accepts(&self, name: &str, document: &Value) -> bool {
        if let Some(text) = document.as_str() {
            return self.short_form && text == name;
        }
        let Some(object) = document.as_object() else {
            return false;
        };
        let configuration = object.get("configuration");
        object.get("name").is_some_and(|it| it == name)
            && object
                .keys()
                .all(|key| key == "name" || key == "configuration")
            && configuration.is_none_or(|it| self.configuration.accepts(it))
            && self
                .required
                .iter()
                .all(|key| configuration.is_some_and(|it| it.get(key).is_some()))
    }
}

/// Returns whether the published schema of this path accepts a document.
fn published(path: &str, document: &Value) -> bool {
    if let Some(name) = path.strip_prefix("data-types/") {
        let wrong = rows("Names").into_iter().find(|row| row[0] == name);
        return DATA_TYPE.accepts(wrong.map_or(name, |row| row[1]), document);
    }
    let schema = CODECS
        .iter()
        .find(|schema| schema.path == path)
        .unwrap_or_else(|| panic!("{path}: no such schema"));
    let name = path.strip_prefix("codecs/").expect("a codec");
    schema.accepts(name, document)
}

fn expected(text: &'static str, seen: &str, pointer: &'static str) -> Expect {
    match (text, seen) {
        ("accepts", "") => Good,
        (clause, "yes") => Structure(clause, pointer),
        (clause, "no") => Meaning(clause, pointer),
        other => panic!("{other:?}"),
    }
}

#[test]
fn documents_that_published_schemas_get_wrong() {
    for row in rows("Documents") {
        let [path, data_type, text, published_says, text_says, seen] = row[..] else {
            panic!("{row:?}: six cells");
        };
        let value: Value = serde_json::from_str(text).expect("JSON");
        let accepted = published(path, &value);
        assert_eq!(accepted, published_says == "accepts", "{path} {text}");
        assert_ne!(
            accepted,
            text_says == "accepts",
            "{path} {text}: they agree"
        );
        // Tests the value as a part of an array document. The clause shows whether the fault is in that part.
        let little = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;
        let (data_type, codecs) = match path.split_once('/') {
            Some(("data-types", _)) => (text.to_owned(), format!("[{little}]")),
            Some((_, "bytes" | "packbits")) => (format!("\"{data_type}\""), format!("[{text}]")),
            _ => (format!("\"{data_type}\""), format!("[{text}, {little}]")),
        };
        let fill_value = match data_type.as_str() {
            it if it.contains("complex") => "[1, 1]",
            "\"bool\"" => "false",
            _ => "1",
        };
        let members = [
            ("data_type", data_type.as_str()),
            ("fill_value", fill_value),
            ("codecs", &codecs),
        ];
        // The place of the fault is tested elsewhere; only the clause matters here.
        let found = parse_array(&document(&members));
        let pointer = match found.as_ref().err().and_then(|it| it.at.clone()) {
            Some(exactum_model::At::Pointer(pointer)) => pointer.leak(),
            _ => "",
        };
        array(&members, expected(text_says, seen, pointer));
    }
}

/// Every listed name is wrong, and each of the ten types is listed once.
#[test]
fn names_of_published_schemas() {
    let names = rows("Names");
    assert_eq!(names.len(), 10);
    for row in &names {
        assert_ne!(row[0], row[1]);
        let own = Value::from(row[0]);
        let path = format!("data-types/{}", row[0]);
        assert!(!published(&path, &own), "{path}");
        assert!(published(&path, &Value::from(row[1])), "{path}");
    }
    for data_type in exactum_model::DataType::ALL
        .iter()
        .filter(|it| it.is_registered())
    {
        let path = format!("data-types/{data_type}");
        let listed = names.iter().any(|row| row[0] == data_type.name());
        let own = Value::from(data_type.name());
        assert_eq!(published(&path, &own), !listed, "{path}");
    }
}

/// JSON Schema cannot detect how an integer is written.
#[test]
fn integers_that_are_none() {
    for row in rows("Integers") {
        let [data_type, text, "accepts", clause] = row[..] else {
            panic!("{row:?}: four cells");
        };
        let result = parse_fill_value(data_type.parse().expect("a data type"), text);
        check("fill_value.json", text, result, Meaning(clause, ""));
        let data_type = format!("\"{data_type}\"");
        array(
            &[("data_type", &data_type), ("fill_value", text)],
            Meaning(clause, "/fill_value"),
        );
    }
}
