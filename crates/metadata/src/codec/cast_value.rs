//! The configuration of `cast_value` (spec/cast_value.md).

use exactum_model::{
    ArrayCodec, CastValue, DataType, Format, MapEntry, OutOfRange, Rejection, Rounding,
};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;

use super::real::RealOnly;
use crate::data_type::{RealDataType, is_data_type};
use crate::description::{
    Choice, Configuration, Description, Form, Found, Helped, Member, Nested, Of, Required, Written,
};
use crate::diagnostic::Read;
use crate::element::Element;
use crate::json::Node;
use crate::members::{Extension, array};
use crate::pipeline::{Codec, CodecKind, Output, Reader};
use crate::scalar::{self, Parameter};
use crate::state::{Shape, State};

const DATA_TYPE: Member<RealDataType> = Member {
    name: "data_type",
    clause: "cast_value.data_type",
    about: "The data type to which encoding casts: an integer or a float.",
    required: Some(Required {
        clause: "cast_value.data_type",
        what: "a data_type",
        help: "add the data type to cast to, as in \"data_type\": \"uint8\"",
    }),
    form: RealDataType,
};

const ROUNDING: Member<Choice<Rounding>> = Member {
    name: "rounding",
    clause: "cast_value.rounding.values",
    about: "The rounding in both directions; nearest-even by default.",
    required: None,
    form: Choice {
        all: Rounding::ALL,
        name: Rounding::name,
    },
};

const OUT_OF_RANGE: Member<Helped<Choice<OutOfRange>>> = Member {
    name: "out_of_range",
    clause: "cast_value.out_of_range.values",
    about: "The treatment of values out of range; by default they are rejected.",
    required: None,
    form: Helped {
        form: Choice {
            all: OutOfRange::ALL,
            name: OutOfRange::name,
        },
        help: "out_of_range is \"clamp\" or \"wrap\"; leave it out to reject values out of range",
    },
};

const SCALAR_MAP: Member<Nested> = Member {
    name: "scalar_map",
    clause: "cast_value.scalar_map.form",
    about: "Values that are replaced before anything else.",
    required: None,
    form: Nested(&MAP),
};

static CONFIGURATION: Description = Description {
    of: Of::Codec {
        name: "cast_value",
        file: true,
        example: "{\"data_type\": \"int16\"}",
    },
    definition: "CastValueConfiguration",
    form: "cast_value.configuration",
    keys: "cast_value.configuration.keys",
    members: &[&DATA_TYPE, &ROUNDING, &OUT_OF_RANGE, &SCALAR_MAP],
    rule: by_target,
};

const ENCODE: Member<Pairs> = Member {
    name: "encode",
    clause: "cast_value.scalar_map.form",
    about: "The entries for conversions from the array's data type to the configuration's.",
    required: None,
    form: Pairs,
};

const DECODE: Member<Pairs> = Member {
    name: "decode",
    clause: "cast_value.scalar_map.form",
    about: "The entries for conversions from the configuration's data type to the array's.",
    required: None,
    form: Pairs,
};

static MAP: Description = Description {
    of: Of::Other {
        name: "scalar_map",
        about: "`scalar_map` of `cast_value`: pairs of input and output.",
    },
    definition: "ScalarMap",
    form: "cast_value.scalar_map.form",
    keys: "cast_value.configuration.keys",
    members: &[&ENCODE, &DECODE],
    rule: |_| {},
};

/// The codec in a list.
pub(crate) static CODEC: Codec = Codec {
    name: "cast_value",
    configuration: Some(&CONFIGURATION),
    kind: CodecKind::ArrayToArray(Some(read)),
    varies: false,
};

/// Adds the rules that follow from the target data type: the scalars of its side of the map
/// (cast_value.scalar_map.scalars), and that only integers wrap (cast_value.range.wrap-integers-only).
fn by_target(schema: &mut Schema) {
    let real = DataType::ALL.iter().filter(|data_type| data_type.is_real());
    let sides = real.map(|data_type| {
        let own = json!({"$ref": scalar::reference(*data_type)});
        let map = json!({"properties": {
            "encode": {"items": {"prefixItems": [true, own]}},
            "decode": {"items": {"prefixItems": [own]}},
        }});
        json!({
            "if": {"properties": {"data_type": is_data_type(&[data_type.name()])}},
            "then": {"properties": {"scalar_map": map}},
        })
    });
    schema.insert("allOf".into(), sides.collect::<Vec<_>>().into());
    let floats: Vec<&str> = DataType::ALL
        .iter()
        .filter(|data_type| matches!(data_type.format(), Format::Float(_)))
        .map(|data_type| data_type.name())
        .collect();
    schema.insert(
        "if".into(),
        json!({"properties": {"data_type": is_data_type(&floats)}}),
    );
    schema.insert(
        "then".into(),
        json!({"properties": {"out_of_range": {"not": {"const": OutOfRange::Wrap.name()}}}}),
    );
}

/// Reads the configuration of a `cast_value` codec from the text of a JSON object, for an array of the data
/// type `decoded`.
///
/// # Errors
/// The clauses of `cast_value.*` about documents, and those of `chain.json*`; pointers are relative to the
/// configuration.
pub fn parse_cast_value(configuration: &str, decoded: DataType) -> Result<CastValue, Rejection> {
    CONFIGURATION.parse(configuration, |found, root| {
        let members = Members::read(found)?;
        REAL.require(decoded, root)?;
        members.resolve(decoded)
    })
}

fn read(codec: &Extension<'_>, input: Option<&State>, reader: &mut Reader) -> Read<Option<Output>> {
    let members = Members::read(CONFIGURATION.of_codec(codec)?)?;
    let state = State {
        element: Element::Number(members.encoded),
        shape: input.map_or(Shape::Unknown, |input| input.shape.clone()),
    };
    // The data type of the output is known even if that of the input is not.
    let Some(input) = input.filter(|input| !input.element.is_unknown()) else {
        return Ok(Some(Output { codec: None, state }));
    };
    let resolved = REAL
        .of(input, codec.node)
        .and_then(|data_type| members.resolve(data_type));
    Ok(Some(Output {
        codec: Some(ArrayCodec::CastValue(reader.or_go_on(resolved, &state)?)),
        state,
    }))
}

/// A configuration in which everything is read that does not depend on the array's data type.
struct Members<'d> {
    /// The data type as it is written.
    node: Node<'d>,
    encoded: DataType,
    rounding: Rounding,
    out_of_range: Option<OutOfRange>,
    encode: Option<Node<'d>>,
    decode: Option<Node<'d>>,
}

impl<'d> Members<'d> {
    fn read(found: Found<'d>) -> Read<Self> {
        let (encoded, data_type) = found.required(&DATA_TYPE)?;
        REAL.require(encoded, data_type)?;
        let rounding = found.or_default(&ROUNDING)?;
        let out_of_range = found.optional(&OUT_OF_RANGE)?;
        if let (Some(OutOfRange::Wrap), Some(node), Some(_)) = (
            out_of_range,
            found.node(&OUT_OF_RANGE),
            encoded.format().float(),
        ) {
            return Err(node
                .reject(
                    "cast_value.range.wrap-integers-only",
                    format!(
                        "wrap is defined only for integers, and {encoded} is not an integer type"
                    ),
                )
                .related(
                    data_type.narrow_place(),
                    "the data type in which values would wrap",
                )
                .help("use \"clamp\", or leave out_of_range out"));
        }
        let (mut encode, mut decode) = (None, None);
        if let Some(map) = found.optional(&SCALAR_MAP)? {
            encode = map.optional(&ENCODE)?;
            decode = map.optional(&DECODE)?;
        }
        Ok(Self {
            node: data_type,
            encoded,
            rounding,
            out_of_range,
            encode,
            decode,
        })
    }

    /// Reads the scalars, now that both data types are known.
    fn resolve(&self, decoded: DataType) -> Read<CastValue> {
        let encode = entries(self.encode, decoded, self.encoded);
        let decode = || entries(self.decode, self.encoded, decoded);
        let (encode_map, decode_map) = self.node.both(encode, decode)?;
        Ok(CastValue::new(decoded, self.encoded)
            .rounding(self.rounding)
            .out_of_range(self.out_of_range)
            .encode_map(encode_map)
            .decode_map(decode_map))
    }
}

/// The closed list of data types for both sides (cast_value.data_types).
const REAL: RealOnly = RealOnly {
    codec: "cast_value",
    clause: "cast_value.data_types",
    help: "both the array's and the codec's data type must be integers or floats",
};

/// One side of `scalar_map`: pairs of scalars whose data types are not known yet.
struct Pairs;

impl Form for Pairs {
    type Value<'d> = Node<'d>;

    fn read<'d>(&self, node: Node<'d>, _name: &str, clause: &'static str) -> Read<Node<'d>> {
        array(node, clause, "a list of scalar_map")?;
        node.all(node.elements().map(pair)).map(|_| node)
    }

    fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        // The configuration determines which of the definitions applies.
        scalar::fill_value_schema(generator);
        json_schema!({
            "type": "array",
            "items": {
                "type": "array",
                "items": Parameter.schema(generator),
                "minItems": 2,
                "maxItems": 2,
            },
        })
    }
}

impl Written for Pairs {
    /// The entries, and the data types of their sides.
    type Input<'i> = (&'i [MapEntry], DataType, DataType);

    fn text(&self, (entries, from, to): Self::Input<'_>) -> String {
        let pairs: Vec<String> = entries
            .iter()
            .map(|entry| {
                let input = Parameter.text((from, entry.input));
                let output = Parameter.text((to, entry.output));
                format!("[{input},{output}]")
            })
            .collect();
        format!("[{}]", pairs.join(","))
    }
}

fn pair(entry: Node<'_>) -> Read<[Node<'_>; 2]> {
    let mut parts = entry.elements();
    match (parts.next(), parts.next(), parts.next()) {
        (Some(input), Some(output), None) => Ok([input, output]),
        _ => Err(entry
            .reject(
                "cast_value.scalar_map.form",
                "an entry of scalar_map must be a pair [input, output]",
            )
            .help("write each entry as an array of two scalars")),
    }
}

fn entries(list: Option<Node<'_>>, from: DataType, to: DataType) -> Read<Vec<MapEntry>> {
    let clause = "cast_value.scalar_map.scalars";
    let Some(list) = list else {
        return Ok(Vec::new());
    };
    let entries = list.elements().map(|entry| {
        let [input, output] = pair(entry)?;
        let scalar = |data_type, node| Ok(scalar::parameter(data_type, node, clause)?.component(0));
        let (input, output) = entry.both(scalar(from, input), || scalar(to, output))?;
        Ok(MapEntry::new(input, output))
    });
    list.all(entries)
}

impl From<&CastValue> for Configuration {
    fn from(codec: &CastValue) -> Self {
        let side = |member: &Member<Pairs>, entries: &[MapEntry], from, to| {
            (!entries.is_empty())
                .then(|| member.with((entries, from, to)))
                .flatten()
        };
        let (decoded, encoded) = (codec.decoded, codec.encoded);
        let sides = [
            side(&ENCODE, &codec.encode_map, decoded, encoded),
            side(&DECODE, &codec.decode_map, encoded, decoded),
        ];
        let is_there = sides.iter().any(Option::is_some);
        CONFIGURATION.write([
            DATA_TYPE.with(encoded),
            ROUNDING.unless_default(codec.rounding),
            codec.out_of_range.and_then(|rule| OUT_OF_RANGE.with(rule)),
            is_there
                .then(|| SCALAR_MAP.with(MAP.write(sides)))
                .flatten(),
        ])
    }
}
