//! The configuration of `packbits` (spec/packbits.md).

use exactum_model::{ArrayToBytes, DataType, PackBits, PaddingEncoding, Rejection};
use schemars::{Schema, SchemaGenerator, json_schema};

use crate::description::{Choice, Configuration, Description, Form, Found, Member, Of, Written};
use crate::diagnostic::{Diagnostic, Read};
use crate::json::{Kind, Node};
use crate::members::Extension;
use crate::pipeline::{Codec, CodecKind, Reader};
use crate::state::State;

const PADDING_ENCODING: Member<Choice<PaddingEncoding>> = Member {
    name: "padding_encoding",
    clause: "packbits.padding_encoding",
    about: "The position of the byte that holds the number of padding bits; by default, there is no such byte.",
    required: None,
    form: Choice {
        all: &PaddingEncoding::ALL,
        name: PaddingEncoding::name,
    },
};

const FIRST_BIT: Member<BitIndex> = Member {
    name: "first_bit",
    clause: "packbits.bits",
    about: "The lowest bit of a component that is packed; 0 by default.",
    required: None,
    form: BitIndex,
};

const LAST_BIT: Member<BitIndex> = Member {
    name: "last_bit",
    clause: "packbits.bits",
    about: "The highest bit of a component that is packed; the highest bit of the data type by default.",
    required: None,
    form: BitIndex,
};

static CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "packbits",
        file: true,
        example: "{\"first_bit\": 0}",
    },
    definition: "PackBitsConfiguration",
    form: "packbits.configuration",
    keys: "packbits.configuration.keys",
    members: &[&PADDING_ENCODING, &FIRST_BIT, &LAST_BIT],
    rule: |_| {},
};

/// The codec in a list.
pub(crate) static CODEC: Codec = Codec {
    name: "packbits",
    configuration: Some(&CONFIGURATION),
    kind: CodecKind::ArrayToBytes(Some(read)),
    varies: false,
};

/// Reads the configuration of a `packbits` codec from the text of a JSON object (`{}` if there is no
/// configuration), for an array of this data type.
///
/// # Errors
/// The clauses of `packbits.*` about documents, and those of `chain.json*`; pointers are relative to the configuration.
pub fn parse_packbits(configuration: &str, data_type: DataType) -> Result<PackBits, Rejection> {
    CONFIGURATION.parse(configuration, |found, _| {
        Members::read(found)?.resolve(data_type)
    })
}

fn read(
    codec: &Extension<'_>,
    input: Option<&State>,
    _reader: &mut Reader,
) -> Read<Option<ArrayToBytes>> {
    let members = Members::read(CONFIGURATION.of_codec(codec)?)?;
    // No specification says whether elements that are not numbers have bits to pack.
    input
        .and_then(|input| input.element.number())
        .map(|data_type| members.resolve(data_type).map(ArrayToBytes::PackBits))
        .transpose()
}

/// The index of a bit; null has the same meaning as an absent member (packbits.bits).
struct BitIndex;

/// The index of a bit, and its place.
#[derive(Clone, Copy, Debug)]
struct Bit<'d> {
    index: u64,
    node: Node<'d>,
}

impl Form for BitIndex {
    type Value<'d> = Option<Bit<'d>>;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<Option<Bit<'d>>> {
        if node.kind() == Kind::Null {
            return Ok(None);
        }
        let digits = node.raw().bytes().all(|byte| byte.is_ascii_digit());
        if node.kind() != Kind::Number || !digits {
            return Err(node
                .reject(
                    clause,
                    format!("{name} must be the index of a bit, not {}", node.describe()),
                )
                .help("write 0 for the least significant bit, or null for the default"));
        }
        // An index of more than 64 bits is as invalid as the largest 64-bit index.
        let index = node.raw().parse().unwrap_or(u64::MAX);
        Ok(Some(Bit { index, node }))
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"anyOf": [
            {"type": "integer", "minimum": 0},
            {"type": "null"},
        ]})
    }
}

impl Written for BitIndex {
    type Input<'i> = u32;

    fn text(&self, index: u32) -> String {
        index.to_string()
    }
}

/// A configuration whose bits depend on a data type that is not known yet.
struct Members<'d> {
    padding: PaddingEncoding,
    first: Option<Bit<'d>>,
    last: Option<Bit<'d>>,
}

/// Returns the rejection of a range without bits (packbits.bits.order).
fn order(node: Node<'_>, first: u64, last: u64) -> Box<Diagnostic> {
    node.reject(
        "packbits.bits.order",
        format!("last_bit {last} is less than first_bit {first}"),
    )
    .help("both bits are packed, and all bits between them")
}

impl<'d> Members<'d> {
    fn read(found: Found<'d>) -> Read<Self> {
        let members = Self {
            padding: found.or_default(&PADDING_ENCODING)?,
            first: found.optional(&FIRST_BIT)?.flatten(),
            last: found.optional(&LAST_BIT)?.flatten(),
        };
        if let (Some(first), Some(last)) = (members.first, members.last)
            && last.index < first.index
        {
            return Err(order(last.node, first.index, last.index));
        }
        Ok(members)
    }

    /// Replaces absent bits by those of a data type, and refuses bits that the data type does not have
    /// (packbits.bits.width).
    fn resolve(&self, data_type: DataType) -> Read<PackBits> {
        let bits = data_type.format().component_bits();
        let mut codec = PackBits {
            padding: self.padding,
            ..PackBits::whole(data_type)
        };
        if let Some(last) = self.last {
            codec.last_bit = index(last.index)
                .filter(|&index| index < bits)
                .ok_or_else(|| {
                    last.node
                        .reject(
                            "packbits.bits.width",
                            format!(
                                "{data_type} has no bit {}: it has {bits} bits per component",
                                last.node.raw()
                            ),
                        )
                        .help(format!("the highest bit is {}", bits - 1))
                })?;
        }
        if let Some(first) = self.first {
            codec.first_bit = index(first.index)
                .filter(|&index| index <= codec.last_bit)
                .ok_or_else(|| order(first.node, first.index, codec.last_bit.into()))?;
        }
        Ok(codec)
    }
}

fn index(index: u64) -> Option<u32> {
    u32::try_from(index).ok()
}

impl From<&PackBits> for Configuration {
    fn from(codec: &PackBits) -> Self {
        let whole = PackBits::whole(codec.data_type);
        let bit = |member: &Member<BitIndex>, bit: u32, default: u32| {
            (bit != default).then(|| member.with(bit)).flatten()
        };
        CONFIGURATION.write([
            PADDING_ENCODING.unless_default(codec.padding),
            bit(&FIRST_BIT, codec.first_bit, whole.first_bit),
            bit(&LAST_BIT, codec.last_bit, whole.last_bit),
        ])
    }
}
