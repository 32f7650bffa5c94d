//! Documents of the data types that are not numeric (spec/data_type.md, "Non-numeric types").

use std::collections::HashSet;
use std::sync::Arc;

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::data_type;
use crate::description::{Choice, Description, Form, Member, Of, Required, Within};
use crate::diagnostic::{Diagnostic, Read};
use crate::element::{Element, Field, Layout, Other};
use crate::faults::Parts;
use crate::json::{Kind, Node};
use crate::members::{Extension, array, closed, natural, object};
use crate::words::quoted;

/// The names of these data types, except for raw bits.
pub(crate) const NAMES: [&str; 7] = [
    "string",
    "bytes",
    "struct",
    "structured",
    "fixed_length_utf32",
    "numpy.datetime64",
    "numpy.timedelta64",
];

/// Data types that zarr-python writes although they are not registered, as messages say.
pub(crate) const UNREGISTERED: [&str; 3] = [
    "null_terminated_bytes",
    "raw_bytes",
    "variable_length_bytes",
];

const TIME: &str = "data_type.time";
const UTF32: &str = "data_type.utf32";
const STRUCT: &str = "data_type.struct";

const UNIT: Member<Choice<&str>> = Member {
    name: "unit",
    clause: TIME,
    about: "The unit of time.",
    required: Some(Required {
        clause: TIME,
        what: "a unit",
        help: "write \"unit\": \"s\" for seconds, or \"generic\" for no unit",
    }),
    form: Choice {
        all: &[
            "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "μs", "ns", "ps", "fs", "as", "generic",
        ],
        name: |name| name,
    },
};

const SCALE_FACTOR: Member<Within> = Member {
    name: "scale_factor",
    clause: TIME,
    about: "The number of units in a step.",
    required: Some(Required {
        clause: TIME,
        what: "a scale_factor",
        help: "write \"scale_factor\": 1 for steps of one unit",
    }),
    form: Within(1, i32::MAX as i64),
};

const fn time(name: &'static str, definition: &'static str) -> Description {
    Description {
        of: Of::Codec {
            name,
            file: false,
            example: "{\"unit\": \"s\", \"scale_factor\": 1}",
        },
        definition,
        form: TIME,
        keys: TIME,
        members: &[&UNIT, &SCALE_FACTOR],
        rule: |_| {},
    }
}

static MOMENT: Description = time("numpy.datetime64", "DatetimeConfiguration");
static SPAN: Description = time("numpy.timedelta64", "TimedeltaConfiguration");

const LENGTH: Member<FourTimes> = Member {
    name: "length_bytes",
    clause: UTF32,
    about: "The number of bytes in an element: four times the number of characters.",
    required: Some(Required {
        clause: UTF32,
        what: "a length_bytes",
        help: "write four times the number of characters in an element",
    }),
    form: FourTimes,
};

static FIXED_TEXT: Description = Description {
    of: Of::Codec {
        name: "fixed_length_utf32",
        file: false,
        example: "{\"length_bytes\": 48}",
    },
    definition: "Utf32Configuration",
    form: UTF32,
    keys: "data_type.configuration",
    members: &[&LENGTH],
    rule: |_| {},
};

const FIELDS: Member<Fields> = Member {
    name: "fields",
    clause: STRUCT,
    about: "The fields in order, each with its name and data type.",
    required: Some(Required {
        clause: STRUCT,
        what: "fields",
        help: FIELDS_HELP,
    }),
    form: Fields { legacy: false },
};

const LEGACY_FIELDS: Member<Fields> = Member {
    form: Fields { legacy: true },
    ..FIELDS
};

const FIELDS_HELP: &str = "write \"fields\": [{\"name\": \"x\", \"data_type\": \"float32\"}, ...]";

const FIELD_HELP: &str = "write {\"name\": \"x\", \"data_type\": \"float32\"}";

const fn fields(
    name: &'static str,
    definition: &'static str,
    members: &'static [&'static dyn crate::description::Described],
) -> Description {
    Description {
        of: Of::Codec {
            name,
            file: false,
            example: "{\"fields\": [{\"name\": \"x\", \"data_type\": \"float32\"}]}",
        },
        definition,
        form: STRUCT,
        keys: "data_type.configuration",
        members,
        rule: |_| {},
    }
}

static RECORD: Description = fields("struct", "StructConfiguration", &[&FIELDS]);
static LEGACY_RECORD: Description =
    fields("structured", "StructuredConfiguration", &[&LEGACY_FIELDS]);

/// Returns the number of bytes of raw bits, such as `r16`, or nothing if the name does not have that form.
fn raw_bits(name: &str) -> Option<u64> {
    let bits = name.strip_prefix('r')?;
    let is_number = bits.bytes().all(|byte| byte.is_ascii_digit()) && !bits.starts_with('0');
    is_number.then(|| bits.parse().ok()).flatten()
}

/// Returns an example of a data type with a name that needs a configuration.
pub(crate) fn example(name: &str) -> Option<String> {
    let descriptions = [&MOMENT, &SPAN, &FIXED_TEXT, &RECORD];
    let mut examples = descriptions.into_iter().map(Description::example);
    examples.find(|text| text.contains(&format!("\"name\": \"{name}\"")))
}

/// Returns whether a name is that of such a data type.
pub(crate) fn is_other(name: &str) -> bool {
    NAMES.contains(&name) || raw_bits(name).is_some()
}

/// Reads such a data type. Returns nothing for another name.
pub(crate) fn read(data_type: &Extension<'_>) -> Read<Option<Element>> {
    let name = data_type.name.as_ref();
    let layout = match name {
        "string" | "bytes" => {
            unconfigured(data_type)?;
            match name {
                "string" => Layout::Text,
                _ => Layout::Octets,
            }
        }
        "numpy.datetime64" => times(&MOMENT, data_type)?,
        "numpy.timedelta64" => times(&SPAN, data_type)?,
        "fixed_length_utf32" => Layout::Utf32(FIXED_TEXT.of_codec(data_type)?.required(&LENGTH)?),
        "struct" => Layout::Struct {
            fields: RECORD.of_codec(data_type)?.required(&FIELDS)?,
            legacy: false,
        },
        "structured" => Layout::Struct {
            fields: LEGACY_RECORD
                .of_codec(data_type)?
                .required(&LEGACY_FIELDS)?,
            legacy: true,
        },
        _ => match raw_bits(name) {
            Some(bits) if bits.is_multiple_of(8) => {
                unconfigured(data_type)?;
                Layout::Raw(bits / 8)
            }
            Some(bits) => {
                let message = format!("{bits} bits are not a whole number of bytes");
                return Err(data_type
                    .node
                    .reject("data_type.raw", message)
                    .help("the number of bits of a raw type must be a multiple of 8"));
            }
            None => return Ok(None),
        },
    };
    Ok(Some(Element::Other(Arc::new(Other {
        name: name.to_owned(),
        layout,
    }))))
}

fn times(description: &Description, data_type: &Extension<'_>) -> Read<Layout> {
    description.check(data_type).map(|_| Layout::Time)
}

fn unconfigured(data_type: &Extension<'_>) -> Read<()> {
    let owner = format!("the configuration of {}", data_type.name);
    match data_type.configuration {
        Some(configuration) => {
            closed(configuration, &[], "data_type.configuration", &owner).map(|[]| ())
        }
        None => Ok(()),
    }
}

/// A positive multiple of four.
struct FourTimes;

impl Form for FourTimes {
    type Value<'d> = u64;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<u64> {
        let number = natural(node).filter(|number| *number > 0 && number.is_multiple_of(4));
        number.ok_or_else(|| {
            let message = format!(
                "{name} must be a positive multiple of 4, not {}",
                node.describe()
            );
            node.reject(clause, message)
                .help("a character takes four bytes")
        })
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": 4, "multipleOf": 4})
    }
}

/// The fields of a struct. In the legacy form, they may be pairs of a name and a data type.
struct Fields {
    legacy: bool,
}

impl Form for Fields {
    type Value<'d> = Vec<Field>;

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<Vec<Field>> {
        array(node, clause, name)?;
        let mut names = HashSet::new();
        let mut fields = Vec::new();
        let mut parts = Parts::of(node);
        for element in node.elements() {
            let read = field(element, self.legacy).and_then(|(name, field)| {
                if names.insert(field.name.clone()) {
                    return Ok(field);
                }
                let message = format!("there is already a field {}", quoted(&field.name));
                Err(name
                    .reject(clause, message)
                    .help("each field must have a different name"))
            });
            fields.extend(parts.take(read)?);
        }
        parts.end()?;
        if fields.is_empty() {
            let message = "a struct must have at least one field";
            return Err(node.reject(clause, message).help(FIELDS_HELP));
        }
        Ok(fields)
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        let name = json!({"type": "string", "minLength": 1});
        let data_type = json!({"$ref": "#/$defs/DataTypeForm"});
        let plain = json!({
            "type": "object",
            "properties": {"name": name, "data_type": data_type},
            "required": ["name", "data_type"],
            "additionalProperties": false,
        });
        let mut forms = vec![plain];
        if self.legacy {
            forms.push(json!({
                "type": "array",
                "prefixItems": [name, data_type],
                "minItems": 2,
                "maxItems": 2,
            }));
        }
        json_schema!({"type": "array", "items": {"anyOf": forms}, "minItems": 1})
    }
}

/// Reads a field, and the node of its name.
fn field(node: Node<'_>, legacy: bool) -> Read<(Node<'_>, Field)> {
    let parts = match node.kind() {
        Kind::Array if legacy => {
            let mut parts = node.elements();
            match (parts.next(), parts.next(), parts.next()) {
                (Some(name), Some(data_type), None) => (Some(name), Some(data_type)),
                _ => (None, None),
            }
        }
        _ => {
            object(node, STRUCT, "a field").map_err(|fault| fault.help(FIELD_HELP))?;
            let [name, data_type] = closed(
                node,
                &["name", "data_type"],
                "data_type.configuration",
                "a field",
            )?;
            (name, data_type)
        }
    };
    let (Some(name_node), Some(data_type)) = parts else {
        let message = "a field must have a name and a data type";
        return Err(node.reject(STRUCT, message).help(FIELDS_HELP));
    };
    let name = match name_node.kind() {
        Kind::String => name_node.text()?,
        _ => "".into(),
    };
    if name.is_empty() {
        let message = format!("{} is not a field name", name_node.describe());
        return Err(name_node
            .reject(STRUCT, message)
            .help("a field name is a non-empty string"));
    }
    let element = data_type::of_field(data_type)?;
    if element.varies() {
        return Err(variable(data_type, &element));
    }
    let name = name.into_owned();
    Ok((name_node, Field { name, element }))
}

fn variable(node: Node<'_>, element: &Element) -> Box<Diagnostic> {
    node.reject(
        STRUCT,
        format!("elements of {element} have no fixed size, which fields need"),
    )
    .help("use fixed_length_utf32 for strings of a fixed length")
}

/// Returns the schema of these data types, each in all its forms.
pub(crate) fn forms(generator: &mut SchemaGenerator) -> Vec<Value> {
    let mut forms = vec![
        data_type::data_type_form(&["string", "bytes"]).to_value(),
        json!({"type": "string", "pattern": RAW_PATTERN}),
        json!({
            "type": "object",
            "properties": {
                "name": {"type": "string", "pattern": RAW_PATTERN},
                "configuration": {"type": "object", "maxProperties": 0},
                "must_understand": {"const": true},
            },
            "required": ["name"],
            "additionalProperties": false,
        }),
    ];
    for description in [&MOMENT, &SPAN, &FIXED_TEXT, &RECORD, &LEGACY_RECORD] {
        let Of::Codec { name, .. } = description.of else {
            continue;
        };
        forms.push(json!({
            "type": "object",
            "properties": {
                "name": {"const": name},
                "configuration": description.reference(generator),
                "must_understand": {"const": true},
            },
            "required": ["name", "configuration"],
            "additionalProperties": false,
        }));
    }
    forms
}

/// The pattern of the names of raw bits. A multiple of 8 is recognized by its last two digits, and by whether the digit
/// before them is even.
const RAW_PATTERN: &str = "^r(?!0)(?:8|(?:[0-9]*[02468])?(?:[048][08]|[26]4|[159]6|[37]2)|[0-9]*[13579](?:[048]4|[26][08]|[159]2|[37]6))$";

/// Returns the rules of a schema for each of these data types: the form in a document, the fill value, and the
/// definition of the first codec.
pub(crate) fn rules() -> Vec<(Value, Value, &'static str)> {
    let octets =
        json!({"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}});
    let base64 = json!({
        "type": "string",
        "pattern": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    });
    let time = json!({"anyOf": [
        {"type": "integer", "minimum": i64::MIN, "maximum": i64::MAX},
        {"const": "NaT"},
    ]});
    let raw = json!({"type": "string", "pattern": RAW_PATTERN});
    let raw_names = json!({"anyOf": [
        raw,
        {"type": "object", "properties": {"name": raw}, "required": ["name"]},
    ]});
    let named = |name: &str| data_type::is_data_type(&[name]);
    let text = json!({"type": "string"});
    let object = json!({"type": "object"});
    let legacy = json!({"anyOf": [object, base64]});
    let (fixed, of_time) = ("codec_of_others", "codec_of_int64");
    vec![
        (named("string"), text.clone(), "codec_of_string"),
        (
            named("bytes"),
            json!({"anyOf": [octets, base64]}),
            "codec_of_bytes",
        ),
        (named("fixed_length_utf32"), text, "codec_of_utf32"),
        (named("numpy.datetime64"), time.clone(), of_time),
        (named("numpy.timedelta64"), time, of_time),
        (named("struct"), object, fixed),
        (named("structured"), legacy, fixed),
        (raw_names, octets, fixed),
    ]
}

/// Returns the form of an unknown data type: a name that may be registered, bare or in an object.
pub(crate) fn unknown(names: &[&str]) -> Vec<Value> {
    let known = json!([{"enum": names}, {"pattern": "^r[1-9][0-9]*$"}]);
    unknown_extension(known)
}

/// Returns the form of an extension whose name may be registered, and is not one of these.
pub(crate) fn unknown_extension(known: Value) -> Vec<Value> {
    let name = json!({"type": "string", "pattern": NAME_PATTERN, "not": {"anyOf": known}});
    let object = json!({
        "type": "object",
        "properties": {
            "name": name,
            "configuration": {"type": "object"},
            "must_understand": {"const": true},
        },
        "required": ["name"],
        "additionalProperties": false,
    });
    vec![name, object]
}

/// The names of the registry, and the URIs that earlier versions of the core required.
pub(crate) const NAME_PATTERN: &str =
    r"^(?:[a-z][a-z0-9_.-]+|[A-Za-z][A-Za-z0-9+.-]*:[^\s\u0000-\u001f\u007f]+)$";
