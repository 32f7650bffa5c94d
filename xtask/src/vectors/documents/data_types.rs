//! Documents whose data type is right or wrong.

use exactum_model::{DataType, Format};
use exactum_vectors::Level;

use super::{Group, document};
use crate::vectors::chain::LITTLE;
use crate::vectors::data_type::{is_core, is_optional};

/// A document with this text as its data type, and a fill value that fits.
fn typed(text: &str, fill_value: &str) -> String {
    document(&[
        ("data_type", text),
        ("fill_value", fill_value),
        ("codecs", &format!("[{LITTLE}]")),
    ])
}

/// As [`typed`], for a text that names a real type or none at all.
fn real(text: &str) -> String {
    typed(text, "0")
}

/// A fill value that a data type has.
fn fill_value(data_type: DataType) -> &'static str {
    match data_type.format() {
        Format::Bool => "false",
        Format::Complex(_) => "[1,1]",
        Format::Integer(_) | Format::Float(_) => "1",
    }
}

pub(super) fn groups() -> Vec<Group> {
    let (must, may): (Vec<DataType>, Vec<DataType>) = DataType::ALL
        .iter()
        .copied()
        .partition(|data_type| is_core(*data_type) && !is_optional(*data_type));
    let id = |data_type: DataType| data_type.name().replace('_', "-");
    let mut core = Group::must("names-core", "data_type.name");
    for data_type in must {
        let text = format!("\"{data_type}\"");
        core = core.accept(&id(data_type), typed(&text, fill_value(data_type)));
    }
    // Nobody has to have the types of the registry, so these are at level `may`.
    let mut registry = Group::new("names-registry", Level::May, "data_type.name");
    let mut objects = Group::new("objects-registry", Level::May, "data_type.form");
    let mut empty = Group::new("empty-registry", Level::May, "data_type.configuration");
    let mut aliases = Group::new("aliases", Level::May, "data_type.alias");
    for data_type in may {
        let fill_value = fill_value(data_type);
        let id = id(data_type);
        registry = registry.accept(&id, typed(&format!("\"{data_type}\""), fill_value));
        if is_core(data_type) {
            continue;
        }
        let object = format!(r#"{{"name":"{data_type}"}}"#);
        objects = objects.accept(&id, typed(&object, fill_value));
        let configured = format!(r#"{{"name":"{data_type}","configuration":{{}}}}"#);
        empty = empty.accept(&id, typed(&configured, fill_value));
        if matches!(
            data_type,
            DataType::ComplexFloat32 | DataType::ComplexFloat64
        ) {
            aliases = aliases.accept(&id, typed(&format!("\"{data_type}\""), fill_value));
        }
    }
    [
        vec![
            core.reject_all(OTHER_SPELLINGS, real),
            registry,
            objects,
            empty,
            aliases,
        ],
        forms(),
    ]
    .concat()
}

/// Names that somebody might write.
const OTHER_SPELLINGS: &[(&str, &str)] = &[
    ("other-case", "\"Uint8\""),
    ("upper-case", "\"FLOAT32\""),
    ("space-before", "\" float32\""),
    ("space-after", "\"float32 \""),
    ("nul-after", "\"float32\\u0000\""),
    ("hyphen", "\"float-32\""),
    ("without-width", "\"float\""),
    ("c-double", "\"double\""),
    ("c-int", "\"int\""),
    ("numpy-char", "\"f4\""),
    ("numpy-little", "\"<f4\""),
    ("numpy-one-byte", "\"|u1\""),
    ("numpy-module", "\"numpy.float32\""),
    ("rust", "\"f32\""),
    ("uint7", "\"uint7\""),
    ("int128", "\"int128\""),
    ("float128", "\"float128\""),
    ("complex32", "\"complex32\""),
    ("complex256", "\"complex256\""),
    (
        "made-up",
        r#"{"name":"urn:example:datetime","configuration":{"unit":"ns"}}"#,
    ),
];

fn forms() -> Vec<Group> {
    vec![
        // Names of formats that exist elsewhere.
        Group::must("names-unregistered", "data_type.name")
            .accept("float32", real("\"float32\""))
            .reject_all(
                &[
                    ("float8-e4m3fn", "\"float8_e4m3fn\""),
                    ("float4-e2m1", "\"float4_e2m1\""),
                    ("float8-e8m0", "\"float8_e8m0\""),
                    ("int1", "\"int1\""),
                    ("uint1", "\"uint1\""),
                    ("int6", "\"int6\""),
                    ("uint12", "\"uint12\""),
                    ("bf16", "\"bf16\""),
                    ("complex-float8-e4m3fn", "\"complex_float8_e4m3fn\""),
                    ("complex-int16", "\"complex_int16\""),
                ],
                real,
            ),
        Group::must("form", "data_type.form")
            .accept("name", real("\"uint8\""))
            .reject_all(
                &[
                    ("number", "8"),
                    ("null", "null"),
                    ("true", "true"),
                    ("list", "[\"uint8\"]"),
                    ("empty-list", "[]"),
                    ("empty-name", "\"\""),
                    ("empty-object", "{}"),
                    ("no-name", r#"{"configuration":{}}"#),
                    ("id", r#"{"id":"uint8"}"#),
                    ("name-number", r#"{"name":8}"#),
                    ("name-null", r#"{"name":null}"#),
                    ("name-list", r#"{"name":["uint8"]}"#),
                    ("name-object", r#"{"name":{"name":"uint8"}}"#),
                    ("name-empty", r#"{"name":""}"#),
                    ("other-key", r#"{"name":"uint8","bits":8}"#),
                    ("endian", r#"{"name":"int4","endian":"little"}"#),
                    (
                        "configuration-null",
                        r#"{"name":"uint8","configuration":null}"#,
                    ),
                    (
                        "configuration-list",
                        r#"{"name":"int4","configuration":[]}"#,
                    ),
                    (
                        "configuration-string",
                        r#"{"name":"uint8","configuration":""}"#,
                    ),
                    (
                        "configuration-false",
                        r#"{"name":"int4","configuration":false}"#,
                    ),
                ],
                real,
            ),
        Group::must("configuration", "data_type.configuration")
            .accept("none", real("\"uint8\""))
            .reject_all(
                &[
                    ("bits", r#"{"name":"uint8","configuration":{"bits":8}}"#),
                    (
                        "endian",
                        r#"{"name":"float32","configuration":{"endian":"little"}}"#,
                    ),
                    (
                        "null-member",
                        r#"{"name":"uint8","configuration":{"a":null}}"#,
                    ),
                    ("empty-key", r#"{"name":"uint8","configuration":{"":{}}}"#),
                    (
                        "name",
                        r#"{"name":"uint8","configuration":{"name":"uint8"}}"#,
                    ),
                    (
                        "in-a-small-type",
                        r#"{"name":"int4","configuration":{"packed":true}}"#,
                    ),
                    (
                        "in-a-float",
                        r#"{"name":"float8_e4m3","configuration":{"bias":7}}"#,
                    ),
                ],
                real,
            ),
        Group::must("must-understand", "chain.codec.must_understand")
            .accept("none", real("\"uint8\""))
            .reject_all(
                &[
                    ("false", r#"{"name":"uint8","must_understand":false}"#),
                    (
                        "false-of-the-registry",
                        r#"{"name":"int4","must_understand":false}"#,
                    ),
                    (
                        "false-of-nobody",
                        r#"{"name":"x.unknown","must_understand":false}"#,
                    ),
                    ("null", r#"{"name":"uint8","must_understand":null}"#),
                    ("number", r#"{"name":"uint8","must_understand":1}"#),
                    ("string", r#"{"name":"uint8","must_understand":"true"}"#),
                ],
                real,
            ),
        Group::ruling("core-object", "data_type.core-object").accept_all(
            &[
                ("object", r#"{"name":"uint8"}"#),
                ("float64", r#"{"name":"float64"}"#),
                (
                    "empty-configuration",
                    r#"{"name":"uint8","configuration":{}}"#,
                ),
                (
                    "must-understand-true",
                    r#"{"name":"float32","must_understand":true}"#,
                ),
                (
                    "everything",
                    r#"{"must_understand":true,"configuration":{},"name":"int16"}"#,
                ),
            ],
            real,
        ),
    ]
}
