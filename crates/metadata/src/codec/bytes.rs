//! The configuration of `bytes` (spec/bytes.md).

use exactum_model::{ArrayToBytes, Bytes, DataType, Endian, Reason, Rejection};

use crate::description::{Choice, Configuration, Description, Member, Of};
use crate::diagnostic::{Diagnostic, Read};
use crate::element::Element;
use crate::json::Node;
use crate::members::Extension;
use crate::pipeline::{Codec, CodecKind, Reader};
use crate::state::State;

const ENDIAN: Member<Choice<Endian>> = Member {
    name: "endian",
    clause: "bytes.endian",
    about: "The byte order; required if a number has more than one byte.",
    required: None,
    form: Choice {
        all: &Endian::ALL,
        name: Endian::name,
    },
};

static CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "bytes",
        file: true,
        example: "{\"endian\": \"little\"}",
    },
    definition: "BytesConfiguration",
    form: "bytes.configuration",
    keys: "bytes.configuration",
    members: &[&ENDIAN],
    rule: |_| {},
};

/// The codec in a list.
pub(crate) static CODEC: Codec = Codec {
    name: "bytes",
    configuration: Some(&CONFIGURATION),
    kind: CodecKind::ArrayToBytes(Some(read)),
    varies: false,
};

/// Reads the configuration of a `bytes` codec from the text of a JSON object (`{}` if there is no
/// configuration), for an array of this data type.
///
/// # Errors
/// `bytes.configuration`, `bytes.endian` and `chain.json*`; pointers are relative to the configuration.
pub fn parse_bytes(configuration: &str, data_type: DataType) -> Result<Bytes, Rejection> {
    CONFIGURATION.parse(configuration, |found, root| {
        resolve(found.optional(&ENDIAN)?, data_type, root)
    })
}

fn read(
    codec: &Extension<'_>,
    input: Option<&State>,
    _reader: &mut Reader,
) -> Read<Option<ArrayToBytes>> {
    let endian = CONFIGURATION.of_codec(codec)?.optional(&ENDIAN)?;
    let Some(input) = input else { return Ok(None) };
    if let Some(data_type) = input.element.number() {
        return resolve(endian, data_type, codec.node)
            .map(|bytes| Some(ArrayToBytes::Bytes(bytes)));
    }
    if input.element.varies() {
        return Err(codec
            .node
            .reject_as(
                Reason::UnsupportedDataType,
                "bytes.data_types",
                format!(
                    "elements of {} have no fixed size, which bytes requires",
                    input.element
                ),
            )
            .help("use vlen-utf8 for string, and vlen-bytes for bytes"));
    }
    if endian.is_none() && input.element.needs_endian() {
        return Err(no_endian(&input.element, codec.node));
    }
    Ok(None)
}

fn no_endian(element: &Element, node: Node<'_>) -> Box<Diagnostic> {
    node.reject(
        ENDIAN.clause,
        format!("bytes needs an endian here: {element} has numbers of several bytes"),
    )
    .help(ENDIAN_HELP)
}

const ENDIAN_HELP: &str =
    "write {\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}";

/// Resolves the configuration. The byte order may be absent only if a component has a single byte (bytes.endian).
/// Faults are reported at `node`.
fn resolve(endian: Option<Endian>, data_type: DataType, node: Node<'_>) -> Read<Bytes> {
    let bytes = data_type.format().component_bytes();
    if endian.is_none() && bytes > 1 {
        return Err(node
            .reject(
                ENDIAN.clause,
                format!("bytes needs an endian here: {data_type} has {bytes} bytes per number"),
            )
            .help(ENDIAN_HELP));
    }
    Ok(Bytes::new(data_type, endian))
}

impl From<Option<Endian>> for Configuration {
    fn from(endian: Option<Endian>) -> Self {
        CONFIGURATION.write([endian.and_then(|endian| ENDIAN.with(endian))])
    }
}
