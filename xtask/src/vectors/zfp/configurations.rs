//! Configurations that say nothing zfp could do, and types that it does not have, as requests to encode
//! and to decode. Documents say the same of whole arrays.

use exactum_model::{Array, DataType};
use exactum_vectors::{Expect, Level};

use super::Topic;
use super::values::smooth;
use crate::vectors::builder::request;

/// Group, level, clause, configurations by id.
type Rows = &'static [(
    &'static str,
    Level,
    &'static str,
    &'static [(&'static str, &'static str)],
)];

/// Of every type.
const ALL: Rows = &[
    (
        "no-mode",
        Level::Must,
        "zfp.mode",
        &[
            ("empty", "{}"),
            ("unknown", r#"{"mode":"lossless"}"#),
            ("number", r#"{"mode":4,"tolerance":0.5}"#),
            ("upper-case", r#"{"mode":"Reversible"}"#),
            ("dash", r#"{"mode":"fixed-rate","rate":8}"#),
        ],
    ),
    (
        "no-such-keys",
        Level::Must,
        "zfp.mode.keys",
        &[
            ("none-of-rate", r#"{"mode":"fixed_rate"}"#),
            ("none-of-precision", r#"{"mode":"fixed_precision"}"#),
            ("none-of-accuracy", r#"{"mode":"fixed_accuracy"}"#),
            ("of-another", r#"{"mode":"fixed_rate","precision":8}"#),
            (
                "three-of-expert",
                r#"{"mode":"expert","minbits":1,"maxbits":30,"maxprec":19}"#,
            ),
        ],
    ),
    (
        "keys-of-another-mode",
        Level::Ruling,
        "zfp.mode.others",
        &[
            ("of-two", r#"{"mode":"fixed_rate","rate":8,"precision":8}"#),
            ("of-reversible", r#"{"mode":"reversible","rate":8}"#),
        ],
    ),
    (
        "other-keys",
        Level::Ruling,
        "zfp.configuration.keys",
        &[
            (
                "write-header",
                r#"{"mode":"reversible","write_header":false}"#,
            ),
            ("misspelt", r#"{"mode":"fixed_rate","rate":8,"Rate":8}"#),
            ("extra", r#"{"mode":"reversible","extra":1}"#),
        ],
    ),
    (
        "no-such-rate",
        Level::Ruling,
        "zfp.rate",
        &[
            ("zero", r#"{"mode":"fixed_rate","rate":0}"#),
            ("negative", r#"{"mode":"fixed_rate","rate":-8}"#),
            ("no-bit", r#"{"mode":"fixed_rate","rate":0.1}"#),
            ("too-many-bits", r#"{"mode":"fixed_rate","rate":4164.625}"#),
            ("huge", r#"{"mode":"fixed_rate","rate":1e300}"#),
            ("text", r#"{"mode":"fixed_rate","rate":"8"}"#),
            ("nan", r#"{"mode":"fixed_rate","rate":"NaN"}"#),
        ],
    ),
    (
        "no-such-precision",
        Level::Ruling,
        "zfp.precision",
        &[
            ("zero", r#"{"mode":"fixed_precision","precision":0}"#),
            ("beyond", r#"{"mode":"fixed_precision","precision":65}"#),
            ("negative", r#"{"mode":"fixed_precision","precision":-1}"#),
            ("fraction", r#"{"mode":"fixed_precision","precision":8.5}"#),
            (
                "wraps",
                r#"{"mode":"fixed_precision","precision":4294967304}"#,
            ),
        ],
    ),
    (
        "no-such-bits",
        Level::Ruling,
        "zfp.expert.bits",
        &[
            (
                "beyond",
                r#"{"mode":"expert","minbits":1,"maxbits":16659,"maxprec":64,"minexp":-1074}"#,
            ),
            (
                "negative",
                r#"{"mode":"expert","minbits":-1,"maxbits":64,"maxprec":64,"minexp":-1074}"#,
            ),
            (
                "wraps",
                r#"{"mode":"expert","minbits":1,"maxbits":4294967360,"maxprec":64,"minexp":-1074}"#,
            ),
        ],
    ),
    (
        "no-such-order",
        Level::Ruling,
        "zfp.expert.order",
        &[
            (
                "above",
                r#"{"mode":"expert","minbits":65,"maxbits":64,"maxprec":64,"minexp":-1074}"#,
            ),
            (
                "far-above",
                r#"{"mode":"expert","minbits":16658,"maxbits":20,"maxprec":64,"minexp":-1074}"#,
            ),
        ],
    ),
    (
        "no-such-maxprec",
        Level::Ruling,
        "zfp.expert.precision",
        &[
            (
                "zero",
                r#"{"mode":"expert","minbits":1,"maxbits":64,"maxprec":0,"minexp":-1074}"#,
            ),
            (
                "beyond",
                r#"{"mode":"expert","minbits":1,"maxbits":64,"maxprec":65,"minexp":-1074}"#,
            ),
        ],
    ),
    (
        "no-such-minexp",
        Level::Ruling,
        "zfp.expert.exponent",
        &[
            (
                "beyond",
                r#"{"mode":"expert","minbits":1,"maxbits":64,"maxprec":64,"minexp":2147483648}"#,
            ),
            (
                "below",
                r#"{"mode":"expert","minbits":1,"maxbits":64,"maxprec":64,"minexp":-2147483649}"#,
            ),
            (
                "fraction",
                r#"{"mode":"expert","minbits":1,"maxbits":64,"maxprec":64,"minexp":-0.5}"#,
            ),
        ],
    ),
    (
        "no-header",
        Level::Ruling,
        "zfp.expert.header",
        &[
            (
                "none",
                r#"{"mode":"expert","minbits":0,"maxbits":0,"maxprec":64,"minexp":-1074}"#,
            ),
            (
                "reversible",
                r#"{"mode":"expert","minbits":0,"maxbits":4,"maxprec":64,"minexp":-1075}"#,
            ),
        ],
    ),
];

/// Of floats.
const FLOATS: Rows = &[
    (
        "no-such-tolerance",
        Level::Ruling,
        "zfp.accuracy.tolerance",
        &[
            ("zero", r#"{"mode":"fixed_accuracy","tolerance":0}"#),
            ("negative", r#"{"mode":"fixed_accuracy","tolerance":-1}"#),
            ("nan", r#"{"mode":"fixed_accuracy","tolerance":"NaN"}"#),
            (
                "infinity",
                r#"{"mode":"fixed_accuracy","tolerance":"Infinity"}"#,
            ),
            ("overflow", r#"{"mode":"fixed_accuracy","tolerance":1e309}"#),
            (
                "underflow",
                r#"{"mode":"fixed_accuracy","tolerance":1e-325}"#,
            ),
        ],
    ),
    (
        "no-header-of-floats",
        Level::Ruling,
        "zfp.expert.header",
        &[
            (
                "lossy",
                r#"{"mode":"expert","minbits":0,"maxbits":8,"maxprec":64,"minexp":-1074}"#,
            ),
            (
                "reversible",
                r#"{"mode":"expert","minbits":0,"maxbits":14,"maxprec":64,"minexp":-1075}"#,
            ),
        ],
    ),
    (
        "filled-zeros",
        Level::Ruling,
        "zfp.expert.reversible",
        &[
            (
                "two",
                r#"{"mode":"expert","minbits":2,"maxbits":64,"maxprec":64,"minexp":-1075}"#,
            ),
            (
                "all",
                r#"{"mode":"expert","minbits":64,"maxbits":64,"maxprec":64,"minexp":-2000}"#,
            ),
        ],
    ),
];

/// Of integers.
const INTEGERS: Rows = &[(
    "accuracy",
    Level::Ruling,
    "zfp.accuracy.integers",
    &[
        ("half", r#"{"mode":"fixed_accuracy","tolerance":0.5}"#),
        ("ten", r#"{"mode":"fixed_accuracy","tolerance":10}"#),
    ],
)];

pub(super) const REVERSIBLE: &str = r#"{"mode":"reversible"}"#;

pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    let own = if topic.is_float() { FLOATS } else { INTEGERS };
    let input = smooth(topic.data_type, &[4]);
    let rows = if topic.own { ALL } else { &ALL[..1] };
    for (name, level, clause, texts) in rows.iter().chain(own) {
        let texts: Vec<(&str, &str)> = texts.to_vec();
        no_such(topic, name, *level, clause, &input, &texts)?;
    }
    if topic.data_type == DataType::Float32 {
        other_chunks(topic)?;
    }
    Ok(())
}

/// Requests that are rejected for their configuration.
fn no_such(
    topic: &mut Topic,
    name: &str,
    level: Level,
    clause: &'static str,
    input: &Array,
    texts: &[(&str, &str)],
) -> Result<(), String> {
    let level = match topic.base.first() {
        Some(&"zfp.data_type.promoted") => Level::May,
        Some(_) => Level::Ruling,
        None => level,
    };
    let clauses = [topic.base.as_slice(), &[clause]].concat();
    let (data_type, rank) = (input.data_type(), input.shape().len());
    let encode = request([
        ("op", "zfp.encode".into()),
        ("input", exactum_vectors::array_to_json(input)),
    ]);
    let decode = request([
        ("op", "zfp.decode".into()),
        ("data_type", data_type.name().into()),
        ("shape", input.shape().into()),
        ("bytes", "0100000000000000".into()),
    ]);
    for (way, shared) in [("encode", encode), ("decode", decode)] {
        let group = topic
            .file
            .group(&format!("{name}-{way}"), level, &clauses, shared);
        for (id, text) in texts {
            match exactum_metadata::parse_zfp(text, data_type, rank) {
                Err(rejection) if rejection.clause == clause => {
                    let own = request([("configuration", (*text).into())]);
                    group.case(id, &[], own, Expect::reject(rejection.reason));
                }
                other => return Err(format!("zfp/{data_type} {text}: {other:?}")),
            }
        }
    }
    Ok(())
}

/// Chunks of five dimensions and of types that zfp has no form of.
fn other_chunks(topic: &mut Topic) -> Result<(), String> {
    let five = smooth(topic.data_type, &[1, 2, 1, 2, 1]);
    let modes = [
        ("reversible", REVERSIBLE),
        ("rate", r#"{"mode":"fixed_rate","rate":8}"#),
    ];
    no_such(
        topic,
        "five-dimensions",
        Level::Must,
        "zfp.rank",
        &five,
        &modes,
    )?;
    for data_type in [DataType::Bool, DataType::Complex64] {
        let zeros = vec![0; 2 * data_type.format().components()];
        let input = Array::from_components(data_type, vec![2], zeros)
            .map_err(|rejection| rejection.message)?;
        let name = format!("without-{}", data_type.name());
        no_such(
            topic,
            &name,
            Level::Ruling,
            "zfp.data_type.others",
            &input,
            &[("reversible", REVERSIBLE)],
        )?;
    }
    Ok(())
}
