//! Zarr v3 group documents, the other kind of node in a store. A group has no numbers, so only its form is
//! judged. The documents of arrays that it repeats are returned to the caller.

use std::ops::Range;

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use crate::array::{check_unknown, check_version};
use crate::description::{
    Choice, Description, Form, Helped, Member, Of, Required, added_members, generator,
};
use crate::diagnostic::Read;
use crate::json::{Kind, Node, escape};
use crate::members::{choice, fields, object, optional_object};
use crate::words::quoted;

const CLAUSE: &str = "chain.members";
const CONSOLIDATED: &str = "chain.consolidated";

/// The members of a group document: the mandatory ones first.
const MEMBERS: [&str; 4] = [
    "zarr_format",
    "node_type",
    "attributes",
    "consolidated_metadata",
];

/// The copies of documents below a group that the group's own document contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copies {
    /// The byte range of all copies together.
    pub place: Range<usize>,
    /// The copies.
    pub listed: Vec<Consolidated>,
}

/// A copy of the document of a node below a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consolidated {
    /// The path of the node below the group.
    pub path: String,
    /// The byte range of the copy in the text.
    pub place: Range<usize>,
    /// The JSON pointer of the copy.
    pub pointer: String,
}

/// Reads a group document, and returns the documents that it repeats, if there are any.
pub(crate) fn read(root: Node<'_>) -> Read<Option<Copies>> {
    object(root, CLAUSE, "a group document")?;
    check_version(root, "group")?;
    let [_, node_type, attributes, consolidated] = fields(root, &MEMBERS, |key, value| {
        check_unknown("group", &MEMBERS, key, value)
    })?;
    let node_type = match node_type {
        Some(node_type) => choice(node_type, CLAUSE, "node_type", &[("group", ())]),
        None => Err(root
            .reject(CLAUSE, "the member node_type is missing")
            .help("add \"node_type\": \"group\"")),
    };
    root.keep(node_type)?;
    if let Some(attributes) = attributes {
        root.keep(optional_object(attributes, CLAUSE, "attributes"))?;
    }
    match consolidated {
        Some(node) => root.keep(copies(node)),
        None => Ok(None),
    }
}

/// The advice on how to fix any fault of consolidated metadata.
const ANEW: &str = "consolidate the metadata again, or leave consolidated_metadata out";

const MUST_UNDERSTAND: Member<Helped<Never>> = Member {
    name: "must_understand",
    clause: CONSOLIDATED,
    about: "False: a reader may ignore the copies.",
    required: Some(Required {
        clause: CONSOLIDATED,
        what: "must_understand",
        help: "add \"must_understand\": false",
    }),
    form: Helped {
        form: Never,
        help: "write \"must_understand\": false",
    },
};

const KIND: Member<Choice<()>> = Member {
    name: "kind",
    clause: CONSOLIDATED,
    about: "Where the copies are stored.",
    required: Some(Required {
        clause: CONSOLIDATED,
        what: "a kind",
        help: "add \"kind\": \"inline\"",
    }),
    form: Choice {
        all: &[()],
        name: |()| "inline",
    },
};

const METADATA: Member<Documents> = Member {
    name: "metadata",
    clause: CONSOLIDATED,
    about: "The documents of the nodes below the group, by their paths.",
    required: Some(Required {
        clause: CONSOLIDATED,
        what: "metadata",
        help: ANEW,
    }),
    form: Documents,
};

/// The value of `consolidated_metadata` (chain.consolidated).
static DESCRIPTION: Description = Description {
    of: Of::Other {
        name: "consolidated_metadata",
        about: "Copies of the documents of the nodes below the group.",
    },
    definition: "ConsolidatedMetadata",
    form: CONSOLIDATED,
    keys: "chain.extension.keys",
    members: &[&MUST_UNDERSTAND, &KIND, &METADATA],
    rule: |_| {},
};

/// The value `false`.
struct Never;

impl Form for Never {
    type Value<'d> = ();

    fn read<'d>(&self, node: Node<'d>, name: &str, clause: &'static str) -> Read<()> {
        match node.kind() {
            Kind::False => Ok(()),
            _ => Err(node.reject(
                clause,
                format!("{name} must be false here, not {}", node.describe()),
            )),
        }
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"const": false})
    }
}

/// An object of documents, each of which is judged as a document.
struct Documents;

impl Form for Documents {
    type Value<'d> = Node<'d>;

    fn read<'d>(&self, node: Node<'d>, _name: &str, clause: &'static str) -> Read<Node<'d>> {
        object(node, clause, "the metadata of consolidated_metadata")
    }

    fn schema(&self, _generator: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object", "additionalProperties": {"type": "object"}})
    }
}

/// Returns the documents in `consolidated_metadata` (chain.consolidated).
fn copies(consolidated: Node<'_>) -> Read<Copies> {
    if consolidated.kind() == Kind::Null {
        let message = "consolidated_metadata must be an object, not null";
        return Err(consolidated.reject(CONSOLIDATED, message).help(
            "leave it out: zarr-python 3.0.0 to 3.1.3 wrote null for a group whose metadata is not \
             consolidated, which 3.1.4 fixed",
        ));
    }
    let found = DESCRIPTION.open(consolidated)?;
    found.required(&MUST_UNDERSTAND)?;
    found.required(&KIND)?;
    let metadata = found.required(&METADATA)?;
    let copies = metadata.members().map(|(key, value)| {
        let path = key.key().into_owned();
        let pointer = format!("/consolidated_metadata/metadata/{}", escape(&path));
        check_path(key, &path)?;
        object(value, CONSOLIDATED, "a document in consolidated_metadata")?;
        Ok(Consolidated {
            pointer,
            path,
            place: value.place(),
        })
    });
    Ok(Copies {
        place: metadata.place(),
        listed: metadata.all(copies)?,
    })
}

/// Checks the path of a node below the group: every part of it must be a valid node name (chain.node.name).
fn check_path(key: Node<'_>, path: &str) -> Read<()> {
    // Some programs write a leading slash, or list the group itself.
    let path = path.strip_prefix('/').unwrap_or(path);
    if path.is_empty() {
        return Ok(());
    }
    match path.split('/').find_map(misnamed) {
        None => Ok(()),
        Some(why) => Err(key
            .reject(NODE_NAME, why)
            .help("a key here is the path of a node below the group, such as \"a/b\"")),
    }
}

const NODE_NAME: &str = "chain.node.name";

/// Explains why a text cannot be the name of a node. Returns `None` if it can (chain.node.name).
#[must_use]
pub fn misnamed(name: &str) -> Option<String> {
    let periods = !name.is_empty() && name.bytes().all(|byte| byte == b'.');
    Some(match name {
        "" => "the name of a node is empty".into(),
        "zarr.json" => {
            "a node cannot be called zarr.json, which is the key of the documents themselves".into()
        }
        _ if periods => format!("{} consists only of periods", quoted(name)),
        _ if name.starts_with("__") => {
            format!("{} begins with the reserved prefix __", quoted(name))
        }
        _ => return None,
    })
}

/// Returns the schema of group documents.
pub(crate) fn schema() -> Value {
    let mut generator = generator();
    let mut schema = json_schema!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Zarr v3 group document",
        "type": "object",
        "properties": {
            "zarr_format": {"const": 3},
            "node_type": {"const": "group"},
            "attributes": {"type": "object", "description": "The attributes, which are free for the user."},
            "consolidated_metadata": DESCRIPTION.reference(&mut generator),
        },
        "required": ["zarr_format", "node_type"],
        "additionalProperties": added_members(),
    });
    schema.insert("$defs".into(), json!(generator.take_definitions(true)));
    schema.to_value()
}
