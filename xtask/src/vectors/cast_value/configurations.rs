//! Configurations to accept and to reject, read where an implementation reads them first: when it
//! is asked to encode, or to decode if that is all it does.

mod map;

use exactum_model::DataType;
use exactum_vectors::{Expect, File, Level};
use serde_json::Value;

use super::{Direction, answer, array, resolve};
use crate::vectors::builder::{ZARR_EXTENSIONS, request};

/// Whether a configuration is valid.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Accept,
    Reject,
}

use Verdict::{Accept, Reject};

/// Configurations of one clause for arrays of one data type.
struct Configurations {
    name: &'static str,
    level: Level,
    clause: &'static str,
    decoded: DataType,
    /// The bits of the one element that is sent along.
    element: u64,
    cases: &'static [(&'static str, Verdict, &'static str)],
}

/// float64 1.
const ONE: u64 = 0x3ff0_0000_0000_0000;

const fn of_float64(
    name: &'static str,
    clause: &'static str,
    cases: &'static [(&'static str, Verdict, &'static str)],
) -> Configurations {
    Configurations {
        name,
        level: Level::Must,
        clause,
        decoded: DataType::Float64,
        element: ONE,
        cases,
    }
}

const GROUPS: [Configurations; 11] = [
    of_float64(
        "object",
        "cast_value.configuration",
        &[
            ("object", Accept, r#"{"data_type":"uint8"}"#),
            (
                "white-space",
                Accept,
                " {\n\t\"data_type\" : \"uint8\" }\r\n",
            ),
            ("null", Reject, "null"),
            ("list", Reject, r#"["uint8"]"#),
            ("string", Reject, r#""uint8""#),
            ("boolean", Reject, "true"),
            ("number", Reject, "8"),
            ("empty-text", Reject, ""),
            ("cut-off", Reject, r#"{"data_type":"uint8""#),
            ("trailing-text", Reject, r#"{"data_type":"uint8"}}"#),
        ],
    ),
    of_float64(
        "keys",
        "cast_value.configuration.keys",
        &[
            (
                "all-four",
                Accept,
                r#"{"data_type":"uint8","rounding":"nearest-even","out_of_range":"clamp","scalar_map":{"encode":[],"decode":[]}}"#,
            ),
            (
                "any-order",
                Accept,
                r#"{"scalar_map":{"decode":[],"encode":[]},"out_of_range":"clamp","rounding":"towards-zero","data_type":"uint8"}"#,
            ),
            (
                "misspelled",
                Reject,
                r#"{"data_type":"uint8","roundng":"towards-zero"}"#,
            ),
            (
                "other-case",
                Reject,
                r#"{"data_type":"uint8","Rounding":"towards-zero"}"#,
            ),
            (
                "name",
                Reject,
                r#"{"name":"cast_value","data_type":"uint8"}"#,
            ),
            ("foreign", Reject, r#"{"data_type":"uint8","scale":1}"#),
            ("null-value", Reject, r#"{"data_type":"uint8","x":null}"#),
            ("empty-key", Reject, r#"{"data_type":"uint8","":0}"#),
            (
                "in-the-map",
                Reject,
                r#"{"data_type":"uint8","scalar_map":{"encode":[],"both":[]}}"#,
            ),
            (
                "other-case-in-the-map",
                Reject,
                r#"{"data_type":"uint8","scalar_map":{"Encode":[]}}"#,
            ),
        ],
    ),
    of_float64(
        "data-type",
        "cast_value.data_type",
        &[
            ("name", Accept, r#"{"data_type":"uint8"}"#),
            ("object", Accept, r#"{"data_type":{"name":"uint8"}}"#),
            (
                "object-with-empty-configuration",
                Accept,
                r#"{"data_type":{"name":"uint8","configuration":{}}}"#,
            ),
            ("escaped", Accept, r#"{"data_type":"\u0075int8"}"#),
            ("missing", Reject, "{}"),
            (
                "missing-beside-others",
                Reject,
                r#"{"rounding":"towards-zero"}"#,
            ),
            ("null", Reject, r#"{"data_type":null}"#),
            ("number", Reject, r#"{"data_type":8}"#),
            ("list", Reject, r#"{"data_type":["uint8"]}"#),
            ("object-without-name", Reject, r#"{"data_type":{}}"#),
            ("object-with-number", Reject, r#"{"data_type":{"name":8}}"#),
            ("other-case", Reject, r#"{"data_type":"Uint8"}"#),
            ("numpy", Reject, r#"{"data_type":"|u1"}"#),
            ("unknown", Reject, r#"{"data_type":"uint7"}"#),
            ("empty", Reject, r#"{"data_type":""}"#),
        ],
    ),
    of_float64(
        "encoded-type",
        "cast_value.data_types",
        &[
            ("int64", Accept, r#"{"data_type":"int64"}"#),
            ("float16", Accept, r#"{"data_type":"float16"}"#),
            ("same", Accept, r#"{"data_type":"float64"}"#),
            ("bool", Reject, r#"{"data_type":"bool"}"#),
            ("complex64", Reject, r#"{"data_type":"complex64"}"#),
            ("complex128", Reject, r#"{"data_type":"complex128"}"#),
            ("raw", Reject, r#"{"data_type":"r8"}"#),
            ("string", Reject, r#"{"data_type":"string"}"#),
        ],
    ),
    Configurations {
        name: "decoded-bool",
        level: Level::Must,
        clause: "cast_value.data_types",
        decoded: DataType::Bool,
        element: 1,
        cases: &[("uint8", Reject, r#"{"data_type":"uint8"}"#)],
    },
    Configurations {
        name: "decoded-complex",
        level: Level::Must,
        clause: "cast_value.data_types",
        decoded: DataType::Complex64,
        element: 0,
        cases: &[
            ("float32", Reject, r#"{"data_type":"float32"}"#),
            ("complex64", Reject, r#"{"data_type":"complex64"}"#),
        ],
    },
    of_float64(
        "rounding",
        "cast_value.rounding.values",
        &[
            (
                "nearest-even",
                Accept,
                r#"{"data_type":"uint8","rounding":"nearest-even"}"#,
            ),
            (
                "towards-zero",
                Accept,
                r#"{"data_type":"uint8","rounding":"towards-zero"}"#,
            ),
            (
                "towards-positive",
                Accept,
                r#"{"data_type":"uint8","rounding":"towards-positive"}"#,
            ),
            (
                "towards-negative",
                Accept,
                r#"{"data_type":"uint8","rounding":"towards-negative"}"#,
            ),
            (
                "nearest-away",
                Accept,
                r#"{"data_type":"uint8","rounding":"nearest-away"}"#,
            ),
            (
                "unknown",
                Reject,
                r#"{"data_type":"uint8","rounding":"banana"}"#,
            ),
            (
                "nearest",
                Reject,
                r#"{"data_type":"uint8","rounding":"nearest"}"#,
            ),
            (
                "underscore",
                Reject,
                r#"{"data_type":"uint8","rounding":"nearest_even"}"#,
            ),
            (
                "other-case",
                Reject,
                r#"{"data_type":"uint8","rounding":"Nearest-Even"}"#,
            ),
            (
                "trailing-space",
                Reject,
                r#"{"data_type":"uint8","rounding":"nearest-even "}"#,
            ),
            ("empty", Reject, r#"{"data_type":"uint8","rounding":""}"#),
            ("null", Reject, r#"{"data_type":"uint8","rounding":null}"#),
            ("number", Reject, r#"{"data_type":"uint8","rounding":0}"#),
            (
                "list",
                Reject,
                r#"{"data_type":"uint8","rounding":["nearest-even"]}"#,
            ),
        ],
    ),
    of_float64(
        "out-of-range",
        "cast_value.out_of_range.values",
        &[
            (
                "clamp",
                Accept,
                r#"{"data_type":"uint8","out_of_range":"clamp"}"#,
            ),
            (
                "wrap",
                Accept,
                r#"{"data_type":"uint8","out_of_range":"wrap"}"#,
            ),
            (
                "error",
                Reject,
                r#"{"data_type":"uint8","out_of_range":"error"}"#,
            ),
            (
                "saturate",
                Reject,
                r#"{"data_type":"uint8","out_of_range":"saturate"}"#,
            ),
            (
                "other-case",
                Reject,
                r#"{"data_type":"uint8","out_of_range":"Clamp"}"#,
            ),
            (
                "empty",
                Reject,
                r#"{"data_type":"uint8","out_of_range":""}"#,
            ),
            (
                "null",
                Reject,
                r#"{"data_type":"uint8","out_of_range":null}"#,
            ),
            (
                "boolean",
                Reject,
                r#"{"data_type":"uint8","out_of_range":false}"#,
            ),
        ],
    ),
    of_float64(
        "wrap",
        "cast_value.range.wrap-integers-only",
        &[
            (
                "int8",
                Accept,
                r#"{"data_type":"int8","out_of_range":"wrap"}"#,
            ),
            (
                "uint64",
                Accept,
                r#"{"data_type":"uint64","out_of_range":"wrap"}"#,
            ),
            (
                "float16",
                Reject,
                r#"{"data_type":"float16","out_of_range":"wrap"}"#,
            ),
            (
                "float32",
                Reject,
                r#"{"data_type":"float32","out_of_range":"wrap"}"#,
            ),
            (
                "float64",
                Reject,
                r#"{"data_type":"float64","out_of_range":"wrap"}"#,
            ),
            (
                "bfloat16",
                Reject,
                r#"{"data_type":"bfloat16","out_of_range":"wrap"}"#,
            ),
        ],
    ),
    Configurations {
        name: "wrap-of-integers",
        level: Level::Must,
        clause: "cast_value.range.wrap-integers-only",
        decoded: DataType::Int32,
        element: 1,
        cases: &[
            (
                "uint8",
                Accept,
                r#"{"data_type":"uint8","out_of_range":"wrap"}"#,
            ),
            (
                "float64",
                Reject,
                r#"{"data_type":"float64","out_of_range":"wrap"}"#,
            ),
        ],
    },
    Configurations {
        level: Level::Ruling,
        ..of_float64(
            "repeated-keys",
            "chain.json.duplicates",
            &[
                (
                    "once",
                    Accept,
                    r#"{"data_type":"uint8","rounding":"towards-zero"}"#,
                ),
                (
                    "data-type",
                    Reject,
                    r#"{"data_type":"uint8","data_type":"uint8"}"#,
                ),
                (
                    "rounding",
                    Reject,
                    r#"{"data_type":"uint8","rounding":"towards-zero","rounding":"nearest-even"}"#,
                ),
                (
                    "in-the-map",
                    Reject,
                    r#"{"data_type":"uint8","scalar_map":{"encode":[],"encode":[[1,2]]}}"#,
                ),
            ],
        )
    },
];

/// The topic.
pub(super) fn topic() -> Result<File, String> {
    let mut file = File::new("cast_value", "configurations", ZARR_EXTENSIONS);
    for group in GROUPS.iter().chain(&map::GROUPS) {
        encoded(&mut file, group)?;
    }
    Ok(file)
}

/// The same configurations, asked to decode.
pub(super) fn decoding_topic() -> Result<File, String> {
    let mut file = File::new("cast_value", "configurations-decode", ZARR_EXTENSIONS);
    for group in GROUPS.iter().chain(&map::GROUPS) {
        decoded(&mut file, group)?;
    }
    Ok(file)
}

/// The data type that a configuration names, right or wrong; uint8 where it names none.
fn named_data_type(text: &str) -> DataType {
    serde_json::from_str::<Value>(text)
        .ok()
        .and_then(|value| value.get("data_type")?.as_str()?.parse().ok())
        .unwrap_or(DataType::Uint8)
}

fn decoded(file: &mut File, configurations: &Configurations) -> Result<(), String> {
    let Configurations {
        name,
        level,
        clause,
        decoded,
        element,
        cases,
    } = *configurations;
    let shared = request([
        ("op", Value::from("cast_value.decode")),
        ("data_type", decoded.name().into()),
    ]);
    let group = file.group(name, level, &[clause], shared);
    for &(id, verdict, text) in cases {
        let what = format!("cast_value/configurations-decode/{name}/{id}");
        let (sent, expect) = match (resolve(text, decoded), verdict) {
            (Ok(codec), Accept) => {
                // What encoding makes of the element, so that there is something to decode.
                let said = |reason: exactum_model::Reason| format!("{what}: {}", reason.name());
                let stored =
                    answer(&what, &Direction::Encode.of(&codec), element)?.map_err(said)?;
                let cast = Direction::Decode.of(&codec);
                let output = answer(&what, &cast, stored)?.map_err(said)?;
                (
                    array(cast.from, &[stored])?,
                    Expect::output(&array(cast.to, &[output])?),
                )
            }
            (Err(rejection), Reject) => {
                let sent = named_data_type(text);
                let zeros = vec![0; sent.format().components()];
                let zero = exactum_model::Array::from_components(sent, vec![1], zeros)
                    .map_err(|rejection| rejection.message)?;
                (zero, Expect::reject(rejection.reason))
            }
            (Ok(_), Reject) => return Err(format!("{what}: accepted")),
            (Err(rejection), Accept) => return Err(format!("{what}: rejected: {rejection}")),
        };
        let request = request([
            ("configuration", text.into()),
            ("input", exactum_vectors::array_to_json(&sent)),
        ]);
        group.case(id, &[], request, expect);
    }
    Ok(())
}

fn encoded(file: &mut File, configurations: &Configurations) -> Result<(), String> {
    let Configurations {
        name,
        level,
        clause,
        decoded,
        element,
        cases,
    } = *configurations;
    let components = vec![element; decoded.format().components()];
    let mut shared = request([("op", Value::from("cast_value.encode"))]);
    let one = exactum_model::Array::from_components(decoded, vec![1], components)
        .map_err(|rejection| rejection.message)?;
    shared.insert("input".into(), exactum_vectors::array_to_json(&one));
    let group = file.group(name, level, &[clause], shared);
    for &(id, verdict, text) in cases {
        let what = format!("cast_value/configurations/{name}/{id}");
        let request = request([("configuration", text.into())]);
        let expect = match (resolve(text, decoded), verdict) {
            (Ok(codec), Accept) => {
                let cast = Direction::Encode.of(&codec);
                let output = answer(&what, &cast, element)?
                    .map_err(|reason| format!("{what}: {}", reason.name()))?;
                Expect::output(&array(cast.to, &[output])?)
            }
            (Err(rejection), Reject) => Expect::reject(rejection.reason),
            (Ok(_), Reject) => return Err(format!("{what}: accepted")),
            (Err(rejection), Accept) => return Err(format!("{what}: rejected: {rejection}")),
        };
        group.case(id, &[], request, expect);
    }
    Ok(())
}
