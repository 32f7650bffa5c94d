//! The configurations of other codecs of the registry (spec/chain.md). Their effect on elements or bytes is
//! not specified here.

use exactum_model::{ArrayToBytes, Reason};
use schemars::{Schema, SchemaGenerator, json_schema};

use super::compressors::KEYS;
use super::sharding::Codecs;
use crate::description::{Description, Form, Member, Of, Required};
use crate::diagnostic::Read;
use crate::element::Layout;
use crate::json::{Kind, Node};
use crate::members::{Extension, array, natural};
use crate::pipeline::{Codec, CodecKind, Reader};
use crate::state::State;

const N5: &str = "chain.n5";
const CONDITIONAL: &str = "chain.conditional";
const VLEN: &str = "chain.vlen";

/// Returns a configuration without members.
const fn empty(name: &'static str, definition: &'static str, form: &'static str) -> Description {
    Description {
        of: Of::Codec {
            name,
            file: false,
            example: "{}",
        },
        definition,
        form,
        keys: KEYS,
        members: &[],
        rule: |_| {},
    }
}

static UTF8_CONFIGURATION: Description = empty("vlen-utf8", "VlenUtf8Configuration", VLEN);
static BYTES_CONFIGURATION: Description = empty("vlen-bytes", "VlenBytesConfiguration", VLEN);
static CHECKSUM_CONFIGURATION: Description = empty("crc32c", "Crc32cConfiguration", KEYS);

pub(crate) static UTF8_CODEC: Codec = Codec {
    name: "vlen-utf8",
    configuration: Some(&UTF8_CONFIGURATION),
    kind: CodecKind::ArrayToBytes(Some(|codec, input, _| {
        UTF8_CONFIGURATION.of_codec(codec)?;
        variable(codec, input, "string", |layout| {
            matches!(layout, Layout::Text)
        })
    })),
    varies: true,
};

pub(crate) static BYTES_CODEC: Codec = Codec {
    name: "vlen-bytes",
    configuration: Some(&BYTES_CONFIGURATION),
    kind: CodecKind::ArrayToBytes(Some(|codec, input, _| {
        BYTES_CONFIGURATION.of_codec(codec)?;
        variable(codec, input, "bytes", |layout| {
            matches!(layout, Layout::Octets)
        })
    })),
    varies: true,
};

/// Refuses elements of a data type other than the one for which a codec is made.
fn variable(
    codec: &Extension<'_>,
    input: Option<&State>,
    data_type: &str,
    is: fn(&Layout) -> bool,
) -> Read<Option<ArrayToBytes>> {
    let known = input.filter(|input| !input.element.is_unknown());
    let Some(input) = known else { return Ok(None) };
    if input.element.layout().is_some_and(is) {
        return Ok(None);
    }
    let (name, element) = (&codec.name, &input.element);
    Err(codec
        .node
        .reject_as(
            Reason::UnsupportedDataType,
            VLEN,
            format!("{name} is for the data type {data_type}, but its input is {element}"),
        )
        .help("use bytes for elements of a fixed size"))
}

pub(crate) static CHECKSUM_CODEC: Codec = Codec {
    name: "crc32c",
    configuration: Some(&CHECKSUM_CONFIGURATION),
    kind: CodecKind::BytesToBytes(None),
    varies: false,
};

const N5_CODECS: Member<Codecs> = Member {
    name: "codecs",
    clause: N5,
    about: "A full transpose, big-endian bytes, and at most one bytes -> bytes codec.",
    required: Some(Required {
        clause: N5,
        what: "codecs",
        help: N5_HELP,
    }),
    form: Codecs { whole: true },
};

const N5_HELP: &str = "write a transpose that reverses all dimensions, bytes with the endian big, \
    and optionally one bytes -> bytes codec";

static N5_CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "n5_default",
        file: false,
        example: "{\"codecs\": [...]}",
    },
    definition: "N5Configuration",
    form: N5,
    keys: KEYS,
    members: &[&N5_CODECS],
    rule: |_| {},
};

pub(crate) static N5_CODEC: Codec = Codec {
    name: "n5_default",
    configuration: Some(&N5_CONFIGURATION),
    kind: CodecKind::ArrayToBytes(Some(n5)),
    varies: true,
};

/// Reads the codecs of an N5 block, whose list must have a fixed structure.
fn n5(
    codec: &Extension<'_>,
    input: Option<&State>,
    reader: &mut Reader,
) -> Read<Option<ArrayToBytes>> {
    reader.reads_n5 |= reader.is_outermost();
    let list = N5_CONFIGURATION.of_codec(codec)?.required(&N5_CODECS)?;
    let before = list.count_faults();
    reader.pipeline(list, input)?;
    if list.count_faults() > before {
        return Ok(None);
    }
    let wrong = |node: Node<'_>, message: &str| Err(node.reject(N5, message).help(N5_HELP));
    let mut codecs = list.elements();
    let (Some(first), Some(second)) = (codecs.next(), codecs.next()) else {
        return wrong(list, "n5_default must have at least a transpose and bytes");
    };
    if name_of(first) != Some("transpose".into()) {
        return wrong(first, "the first codec of n5_default must be a transpose");
    }
    let order = first.find("/configuration/order");
    let elements: Vec<&str> = order
        .iter()
        .flat_map(|order| order.elements())
        .map(Node::raw)
        .collect();
    let falls = elements
        .iter()
        .rev()
        .enumerate()
        .all(|(index, element)| *element == index.to_string());
    if !falls {
        return wrong(
            first,
            "the transpose of n5_default must reverse all dimensions",
        );
    }
    if name_of(second) != Some("bytes".into()) {
        return wrong(second, "the second codec of n5_default must be bytes");
    }
    let endian = second.find("/configuration/endian");
    if endian.is_some_and(|endian| endian.raw() == "\"little\"")
        && input.is_none_or(|input| input.element.is_unknown() || input.element.needs_endian())
    {
        return wrong(second, "the bytes of n5_default must have the endian big");
    }
    let _compressor = codecs.next();
    match codecs.next() {
        Some(fourth) => wrong(fourth, "n5_default must have at most three codecs"),
        None => Ok(None),
    }
}

fn name_of(codec: Node<'_>) -> Option<String> {
    let name = match codec.kind() {
        Kind::String => codec,
        _ => codec.get("name")?,
    };
    name.text().ok().map(|name| name.into_owned())
}

const CONDITIONAL_CODECS: Member<Codecs> = Member {
    name: "codecs",
    clause: CONDITIONAL,
    about: "The bytes -> bytes codecs that may be left out.",
    required: Some(Required {
        clause: CONDITIONAL,
        what: "codecs",
        help: "list the bytes -> bytes codecs that may be left out of a chunk",
    }),
    form: Codecs { whole: false },
};

const HEADER_BITS: Member<EightTimes> = Member {
    name: "header_bits",
    clause: CONDITIONAL,
    about: "The number of bits in the header: one for each codec, and possibly spare bits.",
    required: None,
    form: EightTimes,
};

static CONDITIONAL_CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "conditional",
        file: false,
        example: "{\"codecs\": [...]}",
    },
    definition: "ConditionalConfiguration",
    form: CONDITIONAL,
    keys: KEYS,
    members: &[&CONDITIONAL_CODECS, &HEADER_BITS],
    rule: |_| {},
};

pub(crate) static CONDITIONAL_CODEC: Codec = Codec {
    name: "conditional",
    configuration: Some(&CONDITIONAL_CONFIGURATION),
    kind: CodecKind::BytesToBytes(Some(conditional)),
    varies: true,
};

fn conditional(codec: &Extension<'_>, reader: &mut Reader) -> Read<()> {
    let found = CONDITIONAL_CONFIGURATION.of_checked(codec)?;
    let list = found.required(&CONDITIONAL_CODECS)?;
    array(list, CONDITIONAL, "codecs")?;
    reader.compressors(list, CONDITIONAL)?;
    let count = list.elements().count() as u64;
    match (found.optional(&HEADER_BITS)?, found.node(&HEADER_BITS)) {
        (Some(bits), Some(node)) if bits < count => Err(node
            .reject(
                CONDITIONAL,
                format!("{bits} bits are not enough for {count} codecs"),
            )
            .help("leave header_bits out to get as many as are needed")),
        _ => Ok(()),
    }
}

/// A multiple of eight that is not negative.
struct EightTimes;

impl Form for EightTimes {
    type Value<'d> = u64;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<u64> {
        natural(node)
            .filter(|number| number.is_multiple_of(8))
            .ok_or_else(|| {
                let message = format!("{name} must be a multiple of 8, not {}", node.describe());
                node.reject(clause, message)
                    .help("leave header_bits out to get as many as are needed")
            })
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": 0, "multipleOf": 8})
    }
}
