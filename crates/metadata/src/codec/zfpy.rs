//! The configuration of `numcodecs.zfpy` (spec/zfp.md, "The legacy codec"). Its chunks are not streams of
//! `zfp`, since each begins with a header. They are known only by name.

use exactum_model::{ArrayToBytes, DataType, Zfp};
use schemars::{Schema, SchemaGenerator, json_schema};

use crate::description::{Description, Form, Found, Member, Of, Within};
use crate::diagnostic::{Diagnostic, Read};
use crate::json::{Kind, Node};
use crate::members::Extension;
use crate::pipeline::{Codec, CodecKind, Reader};
use crate::scalar;
use crate::state::State;

/// The name in documents.
pub(crate) const NAME: &str = "numcodecs.zfpy";

/// The lossless configuration of `zfp`.
const REVERSIBLE: &str = r#"{"mode": "reversible"}"#;

const MODE: Member<Within> = Member {
    name: "mode",
    clause: "zfp.legacy.mode",
    about: "The parameter that applies: 2 is a fixed rate, 3 a fixed precision, 4 (the default) a \
            fixed accuracy.",
    required: None,
    form: Within(2, 4),
};

const TOLERANCE: Member<Finite> = Member {
    name: "tolerance",
    clause: "zfp.legacy.parameters",
    about: "With mode 4: the tolerated absolute error; if it is negative or absent, the codec is lossless.",
    required: None,
    form: Finite,
};

const RATE: Member<Finite> = Member {
    name: "rate",
    clause: "zfp.legacy.parameters",
    about: "With mode 2: the average number of bits per element; if it is negative or absent, the \
            codec is lossless.",
    required: None,
    form: Finite,
};

const PRECISION: Member<Within> = Member {
    name: "precision",
    clause: "zfp.legacy.parameters",
    about: "With mode 3: the number of bit planes that are kept; if it is negative or absent, the \
            codec is lossless.",
    required: None,
    form: Within(i32::MIN as i64, i32::MAX as i64),
};

static CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: NAME,
        file: true,
        example: "{\"mode\": 4, \"tolerance\": 0.05}",
    },
    definition: "ZfpyConfiguration",
    form: "zfp.legacy.configuration",
    keys: "zfp.legacy.configuration",
    members: &[&MODE, &TOLERANCE, &RATE, &PRECISION],
    rule: |_| (),
};

/// The codec in a list.
pub(crate) static CODEC: Codec = Codec {
    name: NAME,
    configuration: Some(&CONFIGURATION),
    kind: CodecKind::ArrayToBytes(Some(read)),
    varies: false,
};

fn read(
    codec: &Extension<'_>,
    _input: Option<&State>,
    _reader: &mut Reader,
) -> Read<Option<ArrayToBytes>> {
    let found = CONFIGURATION.of_codec(codec)?;
    equivalent(found)?;
    Ok(None)
}

/// Reads all members, and returns the configuration with which `zfp` makes the same blocks, if there is one.
fn equivalent(found: Found<'_>) -> Read<Option<String>> {
    let mode = found.optional(&MODE)?.unwrap_or(4);
    let tolerance = found.optional(&TOLERANCE)?.filter(|it| *it >= 0.0);
    let rate = found.optional(&RATE)?.filter(|it| *it >= 0.0);
    let precision = found.optional(&PRECISION)?.filter(|it| *it >= 0);
    let most = i64::from(Zfp::MAX_PRECISION);
    let planes = |planes| format!(r#"{{"mode": "fixed_precision", "precision": {planes}}}"#);
    let raw = |node: Option<Node<'_>>| node.map_or_else(String::new, |node| node.raw().to_owned());
    Ok(Some(match (mode, tolerance, rate, precision) {
        // For these, `zfp` makes blocks without bits, or with only a header.
        (2, _, Some(0.0), _) => return Ok(None),
        (2, _, Some(_), _) => {
            format!(
                r#"{{"mode": "fixed_rate", "rate": {}}}"#,
                raw(found.node(&RATE))
            )
        }
        (3, _, _, Some(0)) | (4, Some(0.0), _, _) => planes(most),
        (3, _, _, Some(number)) => planes(number.min(most)),
        (4, Some(_), _, _) => format!(
            r#"{{"mode": "fixed_accuracy", "tolerance": {}}}"#,
            raw(found.node(&TOLERANCE))
        ),
        _ => REVERSIBLE.to_owned(),
    }))
}

/// Returns why `zfp` cannot replace this codec, whose document is valid (zfp.stream).
pub(crate) fn has_a_header(node: Node<'_>) -> Box<Diagnostic> {
    let configuration = match node.get("configuration") {
        Some(configuration) => {
            node.again(|| CONFIGURATION.open(configuration).and_then(equivalent))
        }
        None => Ok(Some(REVERSIBLE.to_owned())),
    };
    let fault = node.reject(
        "zfp.stream",
        format!("chunks of {NAME} begin with a header, which zfp does not have"),
    );
    match configuration {
        Ok(Some(configuration)) => fault.help(format!(
            "write the chunks again with {{\"name\": \"zfp\", \"configuration\": \
             {configuration}}}, which produces the same blocks"
        )),
        Ok(None) => fault.help("zfp does not support a rate of 0"),
        Err(fault) => fault,
    }
}

/// A finite number, as a float64.
struct Finite;

impl Form for Finite {
    type Value<'d> = f64;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<f64> {
        let number = if node.kind() == Kind::Number {
            let bits = scalar::parameter(DataType::Float64, node, clause)?.component(0);
            Some(f64::from_bits(bits)).filter(|number| number.is_finite())
        } else {
            None
        };
        number.ok_or_else(|| {
            node.reject(
                clause,
                format!("{name} must be a finite number, not {}", node.describe()),
            )
            .help("leave it out if the mode does not use it")
        })
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number"})
    }
}
