//! The configuration of `scale_offset` (spec/scale_offset.md).

use exactum_model::{ArrayCodec, DataType, Rejection, ScaleOffset};
use schemars::Schema;
use serde_json::json;

use super::real::RealOnly;
use crate::description::{Configuration, Description, Found, Member, Of};
use crate::diagnostic::{Diagnostic, Read};
use crate::json::Node;
use crate::members::Extension;
use crate::pipeline::{Codec, CodecKind, Output, Reader};
use crate::scalar::{self, Parameter};
use crate::state::State;

const OFFSET: Member<Parameter> = Member {
    name: "offset",
    clause: "scale_offset.parameters",
    about: "The number that is subtracted first when encoding.",
    required: None,
    form: Parameter,
};

const SCALE: Member<Parameter> = Member {
    name: "scale",
    clause: "scale_offset.parameters",
    about: "The factor that is applied after the subtraction; not zero.",
    required: None,
    form: Parameter,
};

static CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "scale_offset",
        file: true,
        example: "{\"offset\": 0, \"scale\": 1}",
    },
    definition: "ScaleOffsetConfiguration",
    form: "scale_offset.configuration",
    keys: "scale_offset.configuration.keys",
    members: &[&OFFSET, &SCALE],
    rule: no_zero_scale,
};

/// The codec in a list.
pub(crate) static CODEC: Codec = Codec {
    name: "scale_offset",
    configuration: Some(&CONFIGURATION),
    kind: CodecKind::ArrayToArray(Some(read)),
    varies: false,
};

/// Requires that a scale is not zero (scale_offset.scale.zero, scale_offset.legacy.scale.zero).
pub(super) fn no_zero_scale(schema: &mut Schema) {
    schema.insert(
        "not".into(),
        json!({"properties": {"scale": {"const": 0}}, "required": ["scale"]}),
    );
}

/// Reads the configuration of a `scale_offset` codec from the text of a JSON object (`{}` if there is no
/// configuration), for an array of this data type.
///
/// # Errors
/// The clauses of `scale_offset.*` about documents, and those of `chain.json*`; pointers are relative to the
/// configuration.
pub fn parse_scale_offset(
    configuration: &str,
    data_type: DataType,
) -> Result<ScaleOffset, Rejection> {
    CONFIGURATION.parse(configuration, |found, root| {
        REAL.require(data_type, root)?;
        resolve(found, data_type, |_| {})
    })
}

fn read(codec: &Extension<'_>, input: Option<&State>, reader: &mut Reader) -> Read<Option<Output>> {
    let found = CONFIGURATION.of_codec(codec)?;
    let Some(input) = input else { return Ok(None) };
    if input.element.is_unknown() {
        return Ok(Some(Output {
            codec: None,
            state: input.clone(),
        }));
    }
    let data_type = REAL.of(input, codec.node)?;
    let resolved = resolve(found, data_type, |(node, name)| {
        let pointer = format!("{}/configuration/{name}", reader.pointer());
        reader
            .warnings
            .add_warning(|| non_finite(node, name, pointer));
    });
    let resolved = reader.or_go_on(resolved, input)?;
    Ok(Some(Output {
        codec: Some(ArrayCodec::ScaleOffset(resolved)),
        state: input.clone(),
    }))
}

/// The closed list of data types (scale_offset.data_types).
const REAL: RealOnly = RealOnly {
    codec: "scale_offset",
    clause: "scale_offset.data_types",
    help: "place the codec where the data type is an integer or a float",
};

fn non_finite(node: Node<'_>, name: &str, pointer: String) -> Box<Diagnostic> {
    const CLAUSE: &str = "scale_offset.parameters.non-finite";
    let warning = node.reject(CLAUSE, format!("the {name} is not finite"));
    let help = "the specification leaves its effect on elements open";
    warning.at(pointer).help(help)
}

/// Reads the scalars of a real data type. `odd` is called with those that are not finite.
fn resolve<'d>(
    found: Found<'d>,
    data_type: DataType,
    mut odd: impl FnMut((Node<'d>, &'static str)),
) -> Read<ScaleOffset> {
    let mut parameter = |member: &Member<Parameter>| -> Read<Option<u64>> {
        let Some(node) = found.optional(member)? else {
            return Ok(None);
        };
        let bits = scalar::parameter(data_type, node, member.clause)?.component(0);
        let format = data_type.format().float();
        if format.is_some_and(|format| format.is_nan(bits) || format.is_infinite(bits)) {
            odd((node, member.name));
        }
        Ok(Some(bits))
    };
    let offset = parameter(&OFFSET);
    let (offset, scale) = found.owner().both(offset, || parameter(&SCALE))?;
    if let (Some(bits), Some(node)) = (scale, found.node(&SCALE)) {
        let zero = match data_type.format().float() {
            Some(format) => format.is_zero(bits),
            None => bits == 0,
        };
        if zero {
            return Err(node
                .reject(
                    "scale_offset.scale.zero",
                    format!("this scale is zero in {data_type}, and decoding divides by it"),
                )
                .help("leave scale out if nothing is to be scaled"));
        }
    }
    Ok(ScaleOffset {
        data_type,
        offset,
        scale,
    })
}

impl From<&ScaleOffset> for Configuration {
    fn from(codec: &ScaleOffset) -> Self {
        let member = |member: &Member<Parameter>, bits: Option<u64>| {
            bits.and_then(|bits| member.with((codec.data_type, bits)))
        };
        CONFIGURATION.write([member(&OFFSET, codec.offset), member(&SCALE, codec.scale)])
    }
}
