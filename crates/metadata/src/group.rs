//! Group documents of Zarr v3: the other node of a store. A group has no numbers, so nothing of it
//! but its form is judged; what it repeats of its arrays is handed on.

use std::ops::Range;

use crate::array::{check_unknown, check_version};
use crate::diagnostic::{Diagnostic, Read, Warnings};
use crate::faults::Faults;
use crate::json::{Attributes, Kind, Node, Tree};
use crate::members::{choice, fields, object};

const CLAUSE: &str = "chain.members";

/// What a group's document repeats of the nodes below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copies {
    /// The bytes of the text that they take together.
    pub place: Range<usize>,
    /// The copies.
    pub listed: Vec<Consolidated>,
}

/// What a group's document repeats of a node below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consolidated {
    /// The path of the node below the group.
    pub path: String,
    /// The bytes of the text that the copy of its document takes.
    pub place: Range<usize>,
    /// The JSON pointer of the copy.
    pub pointer: String,
}

/// Whether a text is the document of a group. What is no JSON is none.
#[must_use]
pub fn is_group(bytes: &[u8]) -> bool {
    let is_group = |text: &str| {
        let tree = Tree::scan(text, Attributes::Skipped).ok()?;
        let node_type = tree.root().get("node_type")?;
        let is_text = node_type.kind() == Kind::String;
        Some(is_text && node_type.text().ok()? == "group")
    };
    let text = std::str::from_utf8(bytes);
    text.ok().and_then(is_group).unwrap_or(false)
}

/// Reads the bytes of a group document, and gives the documents that it repeats, if it repeats them.
///
/// # Errors
/// `chain.json*` and `chain.members*`, with the place in the text.
pub fn diagnose_group(bytes: &[u8]) -> Result<Option<Copies>, Box<Diagnostic>> {
    let text = Tree::text_of(bytes)?;
    read(&Tree::scan(text, Attributes::Skipped)?)
}

/// Reads the bytes of a group document as [`diagnose_group`] does, for all its faults.
///
/// # Errors
/// All of them.
pub fn judge_group(bytes: &[u8]) -> Result<Option<Copies>, Box<Faults>> {
    let text = Tree::text_of(bytes)?;
    let tree = Tree::scan(text, Attributes::Skipped)?.keeping_faults();
    tree.end(read(&tree), |_| Warnings::default())
}

fn read(tree: &Tree<'_>) -> Read<Option<Copies>> {
    let root = object(tree.root(), CLAUSE, "a group document")?;
    check_version(root, "group")?;
    const MEMBERS: [&str; 4] = [
        "zarr_format",
        "node_type",
        "attributes",
        "consolidated_metadata",
    ];
    let [_, node_type, attributes, consolidated] = fields(root, &MEMBERS, |key, value| {
        check_unknown("group", &MEMBERS, key, value)
    })?;
    if let Some(node_type) = node_type {
        root.keep(choice(node_type, CLAUSE, "node_type", &[("group", ())]))?;
    }
    if let Some(attributes) = attributes {
        root.keep(object(attributes, CLAUSE, "attributes"))?;
    }
    match consolidated {
        // Some writers say that there is none.
        Some(node) if node.kind() != Kind::Null => copies(node),
        _ => Ok(None),
    }
}

/// The documents in `consolidated_metadata`. The convention is not part of the core: its other members are left
/// alone.
fn copies(consolidated: Node<'_>) -> Read<Option<Copies>> {
    object(consolidated, CLAUSE, "consolidated_metadata")?;
    let Some(metadata) = consolidated.get("metadata") else {
        return Ok(None);
    };
    object(metadata, CLAUSE, "the metadata of consolidated_metadata")?;
    let listed = metadata.members().map(|(key, value)| {
        let path = key.key().into_owned();
        let token = path.replace('~', "~0").replace('/', "~1");
        Consolidated {
            pointer: format!("/consolidated_metadata/metadata/{token}"),
            path,
            place: value.place(),
        }
    });
    Ok(Some(Copies {
        place: metadata.place(),
        listed: listed.collect(),
    }))
}
