//! The configuration of `numcodecs.fixedscaleoffset` (spec/scale_offset.md, "The legacy codec").

use exactum_exact::{Exact, Rounded, canonical, round};
use exactum_model::{
    ArrayCodec, DataType, FixedScaleOffset, FixedScaleOffsetNumber, Format, Reason, Rejection,
    Rounding, Scalar,
};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;

use super::scale_offset::no_zero_scale;
use crate::description::{
    Configuration, Description, Form, Found, Member, Of, Required, Written, define,
};
use crate::diagnostic::Read;
use crate::element::Element;
use crate::json::{Kind, Node};
use crate::members::Extension;
use crate::pipeline::{Codec, CodecKind, Output, Reader};
use crate::scalar;
use crate::state::{Shape, State};
use crate::words::quoted;

/// The name in documents.
pub(crate) const NAME: &str = "numcodecs.fixedscaleoffset";

const CLAUSE: &str = "scale_offset.legacy.configuration";

const OFFSET: Member<Number> = Member {
    name: "offset",
    clause: "scale_offset.legacy.parameters",
    about: "The number that is subtracted first when encoding.",
    required: Some(Required {
        clause: CLAUSE,
        what: "an offset",
        help: "add \"offset\", which is 0 if nothing is subtracted",
    }),
    form: Number,
};

const SCALE: Member<Number> = Member {
    name: "scale",
    clause: "scale_offset.legacy.parameters",
    about: "The factor that is applied after the subtraction; not zero.",
    required: Some(Required {
        clause: CLAUSE,
        what: "a scale",
        help: "add \"scale\", which is 1 if nothing is scaled",
    }),
    form: Number,
};

const DTYPE: Member<NumpyType> = Member {
    name: "dtype",
    clause: "scale_offset.legacy.data_types",
    about: "The data type of the array.",
    required: Some(Required {
        clause: CLAUSE,
        what: "a dtype",
        help: "add the data type of the array",
    }),
    form: NumpyType,
};

const ASTYPE: Member<NumpyType> = Member {
    name: "astype",
    clause: "scale_offset.legacy.data_types",
    about: "The data type of the stored numbers.",
    required: Some(Required {
        clause: CLAUSE,
        what: "an astype",
        help: "add the data type of the stored numbers; numcodecs uses dtype if astype is missing",
    }),
    form: NumpyType,
};

static CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: NAME,
        file: true,
        example: "{\"offset\": 0, \"scale\": 1, \"dtype\": \"<f4\", \"astype\": \"|u1\"}",
    },
    definition: "FixedScaleOffsetConfiguration",
    form: CLAUSE,
    keys: "scale_offset.legacy.configuration.keys",
    members: &[&OFFSET, &SCALE, &DTYPE, &ASTYPE],
    rule: no_zero_scale,
};

/// The codec in a list.
pub(crate) static CODEC: Codec = Codec {
    name: NAME,
    configuration: Some(&CONFIGURATION),
    kind: CodecKind::ArrayToArray(Some(read)),
    varies: false,
};

/// The data types with their names in Zarr v2 and NumPy, without the byte order.
const DATA_TYPES: [(&str, DataType); 11] = [
    ("i1", DataType::Int8),
    ("i2", DataType::Int16),
    ("i4", DataType::Int32),
    ("i8", DataType::Int64),
    ("u1", DataType::Uint8),
    ("u2", DataType::Uint16),
    ("u4", DataType::Uint32),
    ("u8", DataType::Uint64),
    ("f2", DataType::Float16),
    ("f4", DataType::Float32),
    ("f8", DataType::Float64),
];

/// Returns how Zarr v2 writes a data type of the list, or the Zarr v3 name of any other data type.
fn spelling(data_type: DataType) -> String {
    match DATA_TYPES.iter().find(|(_, listed)| *listed == data_type) {
        Some((name, _)) if data_type.element_bytes() == 1 => format!("|{name}"),
        Some((name, _)) => format!("<{name}"),
        None => data_type.name().to_owned(),
    }
}

/// Returns every spelling that a reader accepts (scale_offset.legacy.data_types).
fn spellings() -> Vec<String> {
    DATA_TYPES
        .iter()
        .flat_map(|(short, data_type)| {
            let marked = ["", "<", ">", "|"].map(|mark| format!("{mark}{short}"));
            marked.into_iter().chain([data_type.name().to_owned()])
        })
        .collect()
}

/// Reads the configuration of a `numcodecs.fixedscaleoffset` codec from the text of a JSON object, for an
/// array of this data type.
///
/// # Errors
/// The clauses of `scale_offset.legacy.*` about documents, and those of `chain.json*`; pointers are relative to the
/// configuration.
pub fn parse_fixed_scale_offset(
    configuration: &str,
    data_type: DataType,
) -> Result<FixedScaleOffset, Rejection> {
    CONFIGURATION.parse(configuration, |found, _| {
        let codec = resolve(found)?;
        check_input(&codec, found, &Element::Number(data_type))?;
        Ok(codec)
    })
}

fn read(
    codec: &Extension<'_>,
    input: Option<&State>,
    _reader: &mut Reader,
) -> Read<Option<Output>> {
    let found = CONFIGURATION.of_codec(codec)?;
    let codec = resolve(found)?;
    let state = State {
        element: Element::Number(codec.astype),
        shape: input.map_or(Shape::Unknown, |input| input.shape.clone()),
    };
    // The configuration names both data types, so that they are known even if the input is not.
    let Some(input) = input.filter(|input| !input.element.is_unknown()) else {
        return Ok(Some(Output { codec: None, state }));
    };
    check_input(&codec, found, &input.element)?;
    Ok(Some(Output {
        codec: Some(ArrayCodec::FixedScaleOffset(codec)),
        state,
    }))
}

/// Reads the configuration, which states its data types itself.
fn resolve(found: Found<'_>) -> Read<FixedScaleOffset> {
    let types = (found.required(&DTYPE)?, found.required(&ASTYPE)?);
    let scale = found.required(&SCALE)?;
    let codec = FixedScaleOffset {
        dtype: types.0,
        astype: types.1,
        offset: number(found.required(&OFFSET)?, OFFSET.name, types)?,
        scale: number(scale, SCALE.name, types)?,
    };
    check_scale(&codec, scale)?;
    Ok(codec)
}

/// Refuses an array of another data type (scale_offset.legacy.dtype).
fn check_input(codec: &FixedScaleOffset, found: Found<'_>, input: &Element) -> Read<()> {
    match found.node(&DTYPE) {
        Some(node) if input.number() != Some(codec.dtype) => Err(node
            .reject(
                "scale_offset.legacy.dtype",
                format!(
                    "dtype is {}, but the input of the codec is {input}",
                    codec.dtype
                ),
            )
            .help("dtype must be the data type of the array at this place in the list of codecs")),
        _ => Ok(()),
    }
}

/// A data type in the spelling of Zarr v2, NumPy or Zarr v3 (scale_offset.legacy.data_types).
struct NumpyType;

impl Form for NumpyType {
    type Value<'d> = DataType;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<DataType> {
        let text = match node.kind() {
            Kind::String => node.text()?,
            _ => "".into(),
        };
        let marked = text.strip_prefix(['<', '>', '|']);
        let short = |name: &str| {
            DATA_TYPES
                .iter()
                .find(|(short, _)| *short == name)
                .map(|(_, data_type)| *data_type)
        };
        let long = || {
            DATA_TYPES
                .iter()
                .map(|(_, data_type)| *data_type)
                .find(|data_type| data_type.name() == text)
        };
        short(marked.unwrap_or(&text)).or_else(long).ok_or_else(|| {
            let found = match node.kind() {
                Kind::String => quoted(&text),
                _ => node.describe(),
            };
            node.reject_as(
                Reason::UnsupportedDataType,
                clause,
                format!("{found} is not a data type for {name} of {NAME}"),
            )
            .help(
                "write an integer type of 8 to 64 bits or a float type of 16, 32 or 64 bits \
                       as in Zarr v2, such as \"|u1\" or \"<f4\"",
            )
        })
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        define(
            generator,
            "LegacyDataTypeName",
            |_| json_schema!({"enum": spellings()}),
        )
    }
}

impl Written for NumpyType {
    type Input<'i> = DataType;

    fn text(&self, data_type: DataType) -> String {
        json!(spelling(data_type)).to_string()
    }
}

/// A number that cannot be resolved before both data types are known.
struct Number;

impl Form for Number {
    type Value<'d> = Node<'d>;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<Node<'d>> {
        if node.kind() == Kind::Number {
            return Ok(node);
        }
        Err(node
            .reject(
                clause,
                format!("the {name} must be a number, not {}", node.describe()),
            )
            .help("write a JSON number"))
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number"})
    }
}

impl Written for Number {
    type Input<'i> = FixedScaleOffsetNumber;

    /// Writes a fraction or an exponent if the number is not an integer of the array's type
    /// (scale_offset.legacy.integers).
    fn text(&self, number: FixedScaleOffsetNumber) -> String {
        match number {
            FixedScaleOffsetNumber::Integer(integer) => integer.to_string(),
            FixedScaleOffsetNumber::Binary64(bits) => {
                canonical(&Scalar::new(DataType::Float64, bits.into()))
            }
        }
    }
}

impl From<&FixedScaleOffset> for Configuration {
    fn from(codec: &FixedScaleOffset) -> Self {
        CONFIGURATION.write([
            OFFSET.with(codec.offset),
            SCALE.with(codec.scale),
            DTYPE.with(codec.dtype),
            ASTYPE.with(codec.astype),
        ])
    }
}

/// Returns the types in which the parameters are used for computation: each of the two data types that is a
/// float, and binary64 for integers.
fn arithmetics(dtype: DataType, astype: DataType) -> [DataType; 2] {
    [dtype, astype].map(|data_type| match data_type.format() {
        Format::Float(_) => data_type,
        _ => DataType::Float64,
    })
}

/// Returns the value of a number, which must be in range of every type in which it is used for computation
/// (scale_offset.legacy.parameters.range).
fn number(
    node: Node<'_>,
    name: &str,
    (dtype, astype): (DataType, DataType),
) -> Read<FixedScaleOffsetNumber> {
    let out_of = |data_type: DataType, help: &str| {
        node.reject(
            "scale_offset.legacy.parameters.range",
            format!("this {name} is out of the range of {data_type}"),
        )
        .help(help)
    };
    let plain = !node.raw().contains(['.', 'e', 'E']);
    if let (true, Format::Integer(format)) = (plain, dtype.format()) {
        // A number that i128 cannot hold is out of every range.
        return match node.raw().parse::<i128>() {
            Ok(value) if (format.min()..=format.max()).contains(&value) => {
                // Only float16 does not contain all of these numbers.
                if let Some(narrow) = overflown(&Exact::integer(value), dtype, astype) {
                    return Err(out_of(narrow, "decoding computes in that type"));
                }
                Ok(FixedScaleOffsetNumber::Integer(value))
            }
            _ => Err(out_of(
                dtype,
                "an integer literal is a number of the array's type; to compute in binary64, write \
                 it with a fraction, as in 300.0",
            )),
        };
    }
    let mut bits = scalar::parameter(
        DataType::Float64,
        node,
        "scale_offset.legacy.parameters.range",
    )?
    .component(0);
    let format = DataType::Float64.format();
    if plain && matches!(Exact::from_bits(&format, bits), Exact::Zero { .. }) {
        // An integer has one zero.
        bits = 0;
    }
    match overflown(&Exact::from_bits(&format, bits), dtype, astype) {
        Some(narrow) => Err(out_of(narrow, "the codec computes in that type")),
        None => Ok(FixedScaleOffsetNumber::Binary64(bits)),
    }
}

/// Returns the first of the codec's arithmetic types whose range does not contain the number.
fn overflown(value: &Exact, dtype: DataType, astype: DataType) -> Option<DataType> {
    arithmetics(dtype, astype).into_iter().find(|data_type| {
        !matches!(
            rounded(value, *data_type),
            Some(Exact::Finite(_) | Exact::Zero { .. })
        )
    })
}

/// Returns a number rounded to a data type, or `None` if it is out of its range.
fn rounded(value: &Exact, data_type: DataType) -> Option<Exact> {
    let format = data_type.format();
    match round(value, &format, Rounding::NearestEven) {
        Rounded::Bits(bits) => Some(Exact::from_bits(&format, bits)),
        _ => None,
    }
}

/// Refuses a scale of zero (scale_offset.legacy.scale.zero).
fn check_scale(codec: &FixedScaleOffset, node: Node<'_>) -> Read<()> {
    let value = match codec.scale {
        FixedScaleOffsetNumber::Integer(value) => Exact::integer(value),
        FixedScaleOffsetNumber::Binary64(bits) => {
            Exact::from_bits(&DataType::Float64.format(), bits)
        }
    };
    for data_type in arithmetics(codec.dtype, codec.astype) {
        if matches!(rounded(&value, data_type), Some(Exact::Zero { .. })) {
            return Err(node
                .reject(
                    "scale_offset.legacy.scale.zero",
                    format!("this scale is zero in {data_type}, and decoding divides by it"),
                )
                .help("write 1 if nothing is to be scaled"));
        }
    }
    Ok(())
}
