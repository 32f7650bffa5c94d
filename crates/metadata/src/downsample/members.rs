//! The members of a view's document.

use exactum_model::{DataType, Method, TextType};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::base::DRIVERS;
use crate::description::{Choice, Description, Form, Member, Of, Required};
use crate::diagnostic::Read;
use crate::json::Node;

/// The document of a view.
pub(super) static VIEW: Description = Description {
    of: Of::Other {
        name: "a downsample view",
        about: "A downsampled view of another array, like that of TensorStore's `downsample` driver.",
    },
    definition: "Downsample",
    form: "downsample.document",
    keys: "downsample.document.keys",
    members: &[
        &DRIVER, &BASE, &FACTORS, &METHOD, &CONTEXT, &DTYPE, &RANK, &TRANSFORM, &SCHEMA,
    ],
    rule: |_| {},
};

pub(super) const DRIVER: Member<Choice<&'static str>> = Member {
    name: "driver",
    clause: "downsample.document.driver",
    about: "The driver of the document.",
    required: Some(Required {
        clause: "downsample.document.driver",
        what: "driver",
        help: "add \"driver\": \"downsample\"",
    }),
    form: Choice {
        all: &["downsample"],
        name: |name| name,
    },
};

pub(super) const BASE: Member<Json> = Member {
    name: "base",
    clause: "downsample.document.base",
    about: "The array to downsample: the document of another driver, or a URL.",
    required: Some(Required {
        clause: "downsample.document.base",
        what: "base",
        help: "add the document of the array to downsample",
    }),
    form: Json(base),
};

pub(super) const FACTORS: Member<Json> = Member {
    name: "downsample_factors",
    clause: "downsample.document.factors",
    about: "The number of positions of the base that become one, in each dimension.",
    required: Some(Required {
        clause: "downsample.document.factors",
        what: "downsample_factors",
        help: "add one factor for each dimension, such as [1, 2, 2]",
    }),
    form: Json(|| {
        json!({
            "type": "array",
            "items": {"type": "integer", "minimum": 1, "maximum": i64::MAX},
            "maxItems": super::MAX_RANK,
        })
    }),
};

pub(super) const METHOD: Member<Choice<Method>> = Member {
    name: "downsample_method",
    clause: "downsample.document.method",
    about: "The method that reduces the elements of a block to one.",
    required: Some(Required {
        clause: "downsample.document.method",
        what: "downsample_method",
        help: "add one of \"stride\", \"median\", \"mode\", \"mean\", \"min\", \"max\"",
    }),
    form: Choice {
        all: Method::ALL,
        name: Method::name,
    },
};

pub(super) const CONTEXT: Member<Json> = Member {
    name: "context",
    clause: "downsample.document.context",
    about: "Resources in addition to those of the enclosing document.",
    required: None,
    form: Json(|| json!({"type": "object"})),
};

pub(super) const DTYPE: Member<Json> = Member {
    name: "dtype",
    clause: "downsample.document.dtype",
    about: "The data type, which is that of the base.",
    required: None,
    form: Json(data_types),
};

pub(super) const RANK: Member<Json> = Member {
    name: "rank",
    clause: "downsample.document.rank",
    about: "The number of dimensions after the transform.",
    required: None,
    form: Json(rank),
};

pub(super) const TRANSFORM: Member<Json> = Member {
    name: "transform",
    clause: "downsample.document.transform",
    about: "The elements that are read, and the position of each.",
    required: None,
    form: Json(|| {
        json!({
            "type": "object",
            "properties": {
                "input_rank": rank(),
                "input_inclusive_min": bounds(),
                "input_exclusive_max": bounds(),
                "input_inclusive_max": bounds(),
                "input_shape": bounds(),
                "input_labels": labels(),
                "output": {"type": "array", "items": {
                    "type": "object",
                    "properties": {
                        "offset": {"type": "integer"},
                        "stride": {"type": "integer"},
                        "input_dimension": {"type": "integer", "minimum": 0},
                        "index_array": {"type": ["array", "integer"]},
                        "index_array_bounds": {},
                    },
                    "additionalProperties": false,
                }},
            },
            "additionalProperties": false,
        })
    }),
};

pub(super) const SCHEMA: Member<Json> = Member {
    name: "schema",
    clause: "downsample.document.schema",
    about: "Constraints on the view; soft constraints on the chunks are ignored.",
    required: None,
    form: Json(|| {
        json!({
            "type": "object",
            "properties": {
                "dtype": data_types(),
                "rank": rank(),
                "domain": {
                    "type": "object",
                    "properties": {
                        "rank": rank(),
                        "inclusive_min": bounds(),
                        "exclusive_max": bounds(),
                        "inclusive_max": bounds(),
                        "shape": bounds(),
                        "labels": labels(),
                    },
                    "additionalProperties": false,
                },
                "chunk_layout": {"type": "object"},
                "codec": {"type": "object"},
                "fill_value": {},
                "dimension_units": {"type": "array", "items": {"anyOf": [
                    {"type": ["null", "number", "string"]},
                    {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}],
                        "minItems": 2, "maxItems": 2},
                ]}},
            },
            "additionalProperties": false,
        })
    }),
};

/// A value that is read by other code, with its schema.
pub(super) struct Json(fn() -> Value);

impl Form for Json {
    type Value<'d> = Node<'d>;

    fn read<'d>(&self, node: Node<'d>, _name: &str, _clause: &'static str) -> Read<Node<'d>> {
        Ok(node)
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        Schema::try_from((self.0)()).unwrap_or_default()
    }
}

/// Returns the schema of a base: documents of this driver are described completely, others only by their
/// driver.
fn base() -> Value {
    let others: Vec<&str> = DRIVERS
        .into_iter()
        .filter(|driver| *driver != "downsample")
        .collect();
    json!({"anyOf": [
        {"type": "string", "minLength": 1},
        {"$ref": "#"},
        {"type": "object", "properties": {"driver": {"enum": others}}, "required": ["driver"]},
    ]})
}

fn data_types() -> Value {
    let mut names: Vec<&str> = DataType::ALL
        .iter()
        .map(|data_type| data_type.name())
        .collect();
    names.extend(TextType::ALL.iter().map(|data_type| data_type.name()));
    json!({"enum": names})
}

fn rank() -> Value {
    json!({"type": "integer", "minimum": 0, "maximum": super::MAX_RANK})
}

fn bounds() -> Value {
    json!({"type": "array", "maxItems": super::MAX_RANK, "items": {"anyOf": [
        {"type": "integer"},
        {"enum": ["-inf", "+inf"]},
        {"type": "array", "minItems": 1, "maxItems": 1},
    ]}})
}

fn labels() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}
