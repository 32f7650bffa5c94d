//! The members of the attributes of a packed variable.

use exactum_model::{Cf, DataType};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::description::{Choice, Description, Form, Member, Of, Required};
use crate::diagnostic::Read;
use crate::json::{Kind, Node};
use crate::scalar::Parameter;

/// The rules to follow where readers differ (cf.reader).
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Reader {
    /// Those of the conventions.
    #[default]
    Cf,
    /// Those of xarray.
    Xarray,
    /// Those of netCDF4-python.
    Netcdf4,
}

pub(super) const DATA_TYPE: Member<Choice<DataType>> = Member {
    name: "data_type",
    clause: "cf.document.data_type",
    about: "The data type of the stored codes.",
    required: Some(Required {
        clause: "cf.document",
        what: "a data_type",
        help: "add the data type of the stored codes, such as \"int16\"",
    }),
    form: Choice {
        all: &Cf::PACKED,
        name: |data_type| data_type.name(),
    },
};

pub(super) const ATTRIBUTE_TYPE: Member<Choice<DataType>> = Member {
    name: "attribute_type",
    clause: "cf.attributes.type",
    about: "The data type of scale_factor and add_offset; float64 by default.",
    required: None,
    form: Choice {
        all: &[DataType::Float32, DataType::Float64],
        name: |data_type| data_type.name(),
    },
};

pub(super) const READER: Member<Choice<Reader>> = Member {
    name: "reader",
    clause: "cf.reader",
    about: "The rules that apply where readers differ; those of the conventions by default.",
    required: None,
    form: Choice {
        all: &[Reader::Cf, Reader::Xarray, Reader::Netcdf4],
        name: |reader| match reader {
            Reader::Cf => "cf",
            Reader::Xarray => "xarray",
            Reader::Netcdf4 => "netcdf4",
        },
    },
};

pub(super) const SCALE_FACTOR: Member<Parameter> = Member {
    name: "scale_factor",
    clause: "cf.attributes.number",
    about: "The factor by which codes are multiplied; finite and not zero.",
    required: None,
    form: Parameter,
};

pub(super) const ADD_OFFSET: Member<Parameter> = Member {
    name: "add_offset",
    clause: "cf.attributes.number",
    about: "The number that is added after the multiplication; finite.",
    required: None,
    form: Parameter,
};

pub(super) const FILL_VALUE: Member<Codes> = Member {
    name: "_FillValue",
    clause: "cf.missing.type",
    about: "The code that represents a missing value, and to which a missing value is packed.",
    required: None,
    form: Codes::One,
};

pub(super) const MISSING_VALUE: Member<Codes> = Member {
    name: "missing_value",
    clause: "cf.missing.value.type",
    about: "A code that represents a missing value, or a list of such codes.",
    required: None,
    form: Codes::OneOrMore,
};

pub(super) const VALID_MIN: Member<Codes> = Member {
    name: "valid_min",
    clause: "cf.missing.type",
    about: "The least valid code.",
    required: None,
    form: Codes::One,
};

pub(super) const VALID_MAX: Member<Codes> = Member {
    name: "valid_max",
    clause: "cf.missing.type",
    about: "The greatest valid code.",
    required: None,
    form: Codes::One,
};

pub(super) const VALID_RANGE: Member<Codes> = Member {
    name: "valid_range",
    clause: "cf.missing.type",
    about: "The least and the greatest valid code.",
    required: None,
    form: Codes::Two,
};

pub(super) const UNSIGNED: Member<Choice<bool>> = Member {
    name: "_Unsigned",
    clause: "cf.unsigned",
    about: "Whether codes of a signed type count as unsigned.",
    required: None,
    form: Choice {
        all: &[true, false],
        name: |unsigned| if unsigned { "true" } else { "false" },
    },
};

pub(crate) static DOCUMENT: Description = Description {
    of: Of::Attributes {
        name: "cf",
        example: "{\"data_type\": \"int16\", \"scale_factor\": 0.01}",
    },
    definition: "CfAttributes",
    form: "cf.document",
    keys: "cf.document.keys",
    members: &[
        &DATA_TYPE,
        &ATTRIBUTE_TYPE,
        &READER,
        &SCALE_FACTOR,
        &ADD_OFFSET,
        &FILL_VALUE,
        &MISSING_VALUE,
        &VALID_MIN,
        &VALID_MAX,
        &VALID_RANGE,
        &UNSIGNED,
    ],
    rule: |schema| {
        let both = |key: &str| json!({"required": ["valid_range", key]});
        let zero =
            json!({"properties": {"scale_factor": {"const": 0}}, "required": ["scale_factor"]});
        schema.insert(
            "not".into(),
            json!({"anyOf": [zero, both("valid_min"), both("valid_max")]}),
        );
    },
};

/// Codes that cannot be resolved before their data type is known.
#[derive(Clone, Copy)]
pub(super) enum Codes {
    One,
    OneOrMore,
    Two,
}

impl Form for Codes {
    type Value<'d> = Vec<Node<'d>>;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<Vec<Node<'d>>> {
        let nodes: Vec<Node<'d>> = match node.kind() {
            Kind::Array => node.elements().collect(),
            _ => vec![node],
        };
        let (fits, what) = match (self, node.kind()) {
            (Codes::One, kind) => (kind != Kind::Array, "one code"),
            (Codes::OneOrMore, _) => (true, "codes"),
            (Codes::Two, kind) => (
                kind == Kind::Array && nodes.len() == 2,
                "a list of two codes",
            ),
        };
        match fits {
            true => Ok(nodes),
            false => Err(node
                .reject(clause, format!("{name} is {what}, not {}", node.describe()))
                .help("write plain JSON integers of the data type")),
        }
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        let list = |more: Value| {
            let mut list = json!({"type": "array", "items": {"type": "integer"}});
            for (key, value) in more.as_object().into_iter().flatten() {
                list[key] = value.clone();
            }
            list
        };
        match self {
            Codes::One => json_schema!({"type": "integer"}),
            Codes::OneOrMore => json_schema!({"anyOf": [{"type": "integer"}, list(json!({}))]}),
            Codes::Two => {
                let list = list(json!({"minItems": 2, "maxItems": 2}));
                Schema::try_from(list).unwrap_or_default()
            }
        }
    }
}
