//! Invalid configurations, and types that zfp does not have, as requests to encode and to decode. Documents say the
//! same of whole arrays.

use exactum_model::{Array, DataType};
use exactum_vectors::Level::{self, Must, Ruling};
use exactum_vectors::array_to_json;

use super::values::smooth;
use super::{REVERSIBLE, is_float, is_own};
use crate::vectors::builder::request;
use crate::vectors::bytes_codecs::{Topic, encoded};

/// Group, level, clause, and configurations behind their ids.
type Rows = &'static [(&'static str, Level, &'static str, &'static str)];

/// Of every type.
const ALL: Rows = &[
    (
        "no-mode",
        Must,
        "zfp.mode",
        r#"
        empty       {}
        unknown     {"mode":"lossless"}
        number      {"mode":4,"tolerance":0.5}
        upper-case  {"mode":"Reversible"}
        dash        {"mode":"fixed-rate","rate":8}
        "#,
    ),
    (
        "no-such-keys",
        Must,
        "zfp.mode.keys",
        r#"
        none-of-rate       {"mode":"fixed_rate"}
        none-of-precision  {"mode":"fixed_precision"}
        none-of-accuracy   {"mode":"fixed_accuracy"}
        of-another         {"mode":"fixed_rate","precision":8}
        three-of-expert    {"mode":"expert","minbits":1,"maxbits":30,"maxprec":19}
        "#,
    ),
    (
        "keys-of-another-mode",
        Ruling,
        "zfp.mode.others",
        r#"
        of-two         {"mode":"fixed_rate","rate":8,"precision":8}
        of-reversible  {"mode":"reversible","rate":8}
        "#,
    ),
    (
        "other-keys",
        Ruling,
        "zfp.configuration.keys",
        r#"
        write-header  {"mode":"reversible","write_header":false}
        misspelt      {"mode":"fixed_rate","rate":8,"Rate":8}
        extra         {"mode":"reversible","extra":1}
        "#,
    ),
    (
        "no-such-rate",
        Ruling,
        "zfp.rate",
        r#"
        zero           {"mode":"fixed_rate","rate":0}
        negative       {"mode":"fixed_rate","rate":-8}
        no-bit         {"mode":"fixed_rate","rate":0.1}
        too-many-bits  {"mode":"fixed_rate","rate":4164.625}
        huge           {"mode":"fixed_rate","rate":1e300}
        text           {"mode":"fixed_rate","rate":"8"}
        nan            {"mode":"fixed_rate","rate":"NaN"}
        "#,
    ),
    (
        "no-such-precision",
        Ruling,
        "zfp.precision",
        r#"
        zero      {"mode":"fixed_precision","precision":0}
        beyond    {"mode":"fixed_precision","precision":65}
        negative  {"mode":"fixed_precision","precision":-1}
        fraction  {"mode":"fixed_precision","precision":8.5}
        wraps     {"mode":"fixed_precision","precision":4294967304}
        "#,
    ),
    (
        "no-such-bits",
        Ruling,
        "zfp.expert.bits",
        r#"
        beyond    {"mode":"expert","minbits":1,"maxbits":16659,"maxprec":64,"minexp":-1074}
        negative  {"mode":"expert","minbits":-1,"maxbits":64,"maxprec":64,"minexp":-1074}
        wraps     {"mode":"expert","minbits":1,"maxbits":4294967360,"maxprec":64,"minexp":-1074}
        "#,
    ),
    (
        "no-such-order",
        Ruling,
        "zfp.expert.order",
        r#"
        above      {"mode":"expert","minbits":65,"maxbits":64,"maxprec":64,"minexp":-1074}
        far-above  {"mode":"expert","minbits":16658,"maxbits":20,"maxprec":64,"minexp":-1074}
        "#,
    ),
    (
        "no-such-maxprec",
        Ruling,
        "zfp.expert.precision",
        r#"
        zero    {"mode":"expert","minbits":1,"maxbits":64,"maxprec":0,"minexp":-1074}
        beyond  {"mode":"expert","minbits":1,"maxbits":64,"maxprec":65,"minexp":-1074}
        "#,
    ),
    (
        "no-such-minexp",
        Ruling,
        "zfp.expert.exponent",
        r#"
        beyond    {"mode":"expert","minbits":1,"maxbits":64,"maxprec":64,"minexp":2147483648}
        below     {"mode":"expert","minbits":1,"maxbits":64,"maxprec":64,"minexp":-2147483649}
        fraction  {"mode":"expert","minbits":1,"maxbits":64,"maxprec":64,"minexp":-0.5}
        "#,
    ),
    (
        "no-header",
        Ruling,
        "zfp.expert.header",
        r#"
        none        {"mode":"expert","minbits":0,"maxbits":0,"maxprec":64,"minexp":-1074}
        reversible  {"mode":"expert","minbits":0,"maxbits":4,"maxprec":64,"minexp":-1075}
        "#,
    ),
];

/// Of floats.
const FLOATS: Rows = &[
    (
        "no-such-tolerance",
        Ruling,
        "zfp.accuracy.tolerance",
        r#"
        zero       {"mode":"fixed_accuracy","tolerance":0}
        negative   {"mode":"fixed_accuracy","tolerance":-1}
        nan        {"mode":"fixed_accuracy","tolerance":"NaN"}
        infinity   {"mode":"fixed_accuracy","tolerance":"Infinity"}
        overflow   {"mode":"fixed_accuracy","tolerance":1e309}
        underflow  {"mode":"fixed_accuracy","tolerance":1e-325}
        "#,
    ),
    (
        "no-header-of-floats",
        Ruling,
        "zfp.expert.header",
        r#"
        lossy       {"mode":"expert","minbits":0,"maxbits":8,"maxprec":64,"minexp":-1074}
        reversible  {"mode":"expert","minbits":0,"maxbits":14,"maxprec":64,"minexp":-1075}
        "#,
    ),
    (
        "filled-zeros",
        Ruling,
        "zfp.expert.reversible",
        r#"
        two  {"mode":"expert","minbits":2,"maxbits":64,"maxprec":64,"minexp":-1075}
        all  {"mode":"expert","minbits":64,"maxbits":64,"maxprec":64,"minexp":-2000}
        "#,
    ),
];

/// Of integers.
const INTEGERS: Rows = &[(
    "accuracy",
    Ruling,
    "zfp.accuracy.integers",
    r#"
    half  {"mode":"fixed_accuracy","tolerance":0.5}
    ten   {"mode":"fixed_accuracy","tolerance":10}
    "#,
)];

pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    let own = if is_float(topic.data_type) {
        FLOATS
    } else {
        INTEGERS
    };
    let input = smooth(topic.data_type, &[4]);
    let rows = if is_own(topic) { ALL } else { &ALL[..1] };
    for &(name, level, clause, texts) in rows.iter().chain(own) {
        no_such(topic, (name, level, clause), &input, texts)?;
    }
    if topic.data_type == DataType::Float32 {
        other_chunks(topic)?;
    }
    Ok(())
}

/// Requests that are rejected for their configuration.
fn no_such(
    topic: &mut Topic,
    (name, level, clause): (&str, Level, &'static str),
    input: &Array,
    texts: &str,
) -> Result<(), String> {
    let (data_type, shape) = (input.data_type(), input.shape());
    let encode = request([("input", array_to_json(input))]);
    let decode = encoded("", data_type, shape, &[1, 0, 0, 0, 0, 0, 0, 0]);
    for (way, members) in [("encode", encode), ("decode", decode)] {
        let name = format!("{name}-{way}");
        let of = (data_type, shape.len());
        topic.no_such((&name, level, clause), (way, members), of, texts)?;
    }
    Ok(())
}

/// Chunks of five dimensions and of types that zfp has no form of.
fn other_chunks(topic: &mut Topic) -> Result<(), String> {
    let five = smooth(topic.data_type, &[1, 2, 1, 2, 1]);
    let reversible = format!("reversible {REVERSIBLE}");
    let modes = format!("{reversible}\nrate {{\"mode\":\"fixed_rate\",\"rate\":8}}");
    no_such(topic, ("five-dimensions", Must, "zfp.rank"), &five, &modes)?;
    for data_type in [DataType::Bool, DataType::Complex64] {
        let zeros = vec![0; 2 * data_type.format().components()];
        let input = Array::from_components(data_type, vec![2], zeros)
            .map_err(|rejection| rejection.message)?;
        let name = format!("without-{}", data_type.name());
        let group = (name.as_str(), Ruling, "zfp.data_type.others");
        no_such(topic, group, &input, &reversible)?;
    }
    Ok(())
}
