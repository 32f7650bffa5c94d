//! The configuration of `bitround` (spec/bitround.md).

use exactum_model::{ArrayCodec, BitRound, DataType, Format, Reason, Rejection};

use super::compressors::KEYS;
use crate::description::{Configuration, Description, Found, Member, Of, Required, Within};
use crate::diagnostic::{Diagnostic, Read};
use crate::json::Node;
use crate::members::Extension;
use crate::pipeline::{Codec, CodecKind, Output, Reader};
use crate::state::State;

const CLAUSE: &str = "bitround.keepbits";

const KEEPBITS: Member<Within> = Member {
    name: "keepbits",
    clause: CLAUSE,
    about: "The number of bits that are kept.",
    required: Some(Required {
        clause: CLAUSE,
        what: "keepbits",
        help: "write \"keepbits\": 10 for about three decimals",
    }),
    form: Within(1, i64::MAX),
};

const fn description(name: &'static str, definition: &'static str, file: bool) -> Description {
    Description {
        of: Of::Codec {
            name,
            file,
            example: "{\"keepbits\": 10}",
        },
        definition,
        form: CLAUSE,
        keys: KEYS,
        members: &[&KEEPBITS],
        rule: |_| {},
    }
}

static CONFIGURATION: Description = description("bitround", "BitroundConfiguration", true);
static ALIAS_CONFIGURATION: Description = description(
    "numcodecs.bitround",
    "NumcodecsBitroundConfiguration",
    false,
);

const fn codec(name: &'static str, configuration: &'static Description) -> Codec {
    Codec {
        name,
        configuration: Some(configuration),
        kind: CodecKind::ArrayToArray(Some(read)),
        varies: false,
    }
}

/// The codec in a list.
pub(crate) static CODEC: Codec = codec("bitround", &CONFIGURATION);
/// The same codec with its older name.
pub(crate) static ALIAS: Codec = codec("numcodecs.bitround", &ALIAS_CONFIGURATION);

/// Reads the configuration of a `bitround` codec from the text of a JSON object, for an array of this data
/// type.
///
/// # Errors
/// The clauses of `bitround.*` about documents, and those of `chain.json*`; pointers are relative to the configuration.
pub fn parse_bitround(configuration: &str, data_type: DataType) -> Result<BitRound, Rejection> {
    CONFIGURATION.parse(configuration, |found, root| {
        let number = number(Some(data_type));
        let data_type = number.ok_or_else(|| refused(&data_type, root))?;
        resolve(found, data_type)
    })
}

fn read(codec: &Extension<'_>, input: Option<&State>, reader: &mut Reader) -> Read<Option<Output>> {
    let found = match &*codec.name {
        "bitround" => CONFIGURATION.of_codec(codec)?,
        _ => ALIAS_CONFIGURATION.of_codec(codec)?,
    };
    let Some(input) = input else {
        return found.required(&KEEPBITS).map(|_| None);
    };
    let state = input.clone();
    if input.element.is_unknown() {
        found.required(&KEEPBITS)?;
        return Ok(Some(Output { codec: None, state }));
    }
    let data_type =
        number(input.element.number()).ok_or_else(|| refused(&input.element, codec.node));
    let resolved = data_type.and_then(|data_type| resolve(found, data_type));
    let resolved = reader.or_go_on(resolved, input)?;
    if let (Some(node), Some((clause, message))) =
        (found.node(&KEEPBITS), without_effect(&resolved))
    {
        let pointer = format!("{}/configuration/keepbits", reader.pointer());
        reader.warnings.add_note(|| {
            let note = node.reject(clause, message).at(pointer);
            note.help("keep fewer bits, or leave the codec out")
        });
    }
    let codec = Some(ArrayCodec::BitRound(resolved));
    Ok(Some(Output { codec, state }))
}

/// Returns the remark about a number of bits that does not round anything.
fn without_effect(codec: &BitRound) -> Option<(&'static str, String)> {
    let (clause, what, bits) = match codec.data_type.format() {
        Format::Float(format) | Format::Complex(format) => (
            "bitround.float.fewer",
            "a mantissa of ",
            format.mantissa_bits,
        ),
        format => ("bitround.integer.few", "", format.component_bits()),
    };
    let message = format!(
        "nothing is rounded: {} has {what}{bits} bits",
        codec.data_type
    );
    (codec.keep_bits >= bits.into()).then_some((clause, message))
}

fn resolve(found: Found<'_>, data_type: DataType) -> Read<BitRound> {
    Ok(BitRound::new(
        data_type,
        found.required(&KEEPBITS)?.unsigned_abs(),
    ))
}

/// Returns the data type, if its elements have bits to round (bitround.data_types).
fn number(data_type: Option<DataType>) -> Option<DataType> {
    data_type.filter(|&data_type| data_type != DataType::Bool)
}

fn refused(data_type: &dyn std::fmt::Display, node: Node<'_>) -> Box<Diagnostic> {
    node.reject_as(
        Reason::UnsupportedDataType,
        "bitround.data_types",
        format!(
            "bitround is defined for integers, floats and complex numbers, not for {data_type}"
        ),
    )
    .help("place the codec where the elements are numbers")
}

impl From<&BitRound> for Configuration {
    fn from(codec: &BitRound) -> Self {
        let keep_bits = i64::try_from(codec.keep_bits).unwrap_or(i64::MAX);
        CONFIGURATION.write([KEEPBITS.with(keep_bits)])
    }
}
