//! Array documents in which `scale_offset` and `cast_value` stand in the place of
//! `numcodecs.fixedscaleoffset` (spec/scale_offset.md, "The legacy codec").
//!
//! The text is cut where the old codec stands and nowhere else, so that everything around it stays
//! as it was written: order, spaces, digits.

mod plan;

use std::ops::Range;

use exactum_model::{ArrayCodec, FixedScaleOffset};

use crate::array::read;
use crate::codec::fixed_scale_offset::NAME;
use crate::diagnostic::{Diagnostic, Read, Warning};
use crate::json::{Attributes, Kind, Node, Tree};

/// A document without the legacy codec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modernized {
    /// The text.
    pub text: String,
    /// Where the new codecs do not do what the old one did, in the order of the old text; the
    /// places are in the old text.
    pub notes: Vec<Warning>,
    /// What was replaced, in the order of the text.
    pub replaced: Vec<Replaced>,
}

/// A codec that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The JSON pointer of the codec in the old text.
    pub pointer: String,
    /// What to underline of it in the old text.
    pub place: Range<usize>,
    /// The bytes of the new text that stand in its place.
    pub written: Range<usize>,
}

/// Writes `scale_offset` and `cast_value` in the place of every `numcodecs.fixedscaleoffset`. What
/// becomes of the fill value is not asked here: an implementation has to resolve both documents.
///
/// # Errors
/// As for [`parse_array`](crate::parse_array), and every legacy codec that the two cannot express,
/// with the clause that stands in the way.
pub fn modernize(text: &str) -> Result<Modernized, Vec<Diagnostic>> {
    let tree = Tree::scan(text, Attributes::Skipped).map_err(|fault| vec![*fault])?;
    let document = read(&tree).map_err(|fault| vec![*fault])?;
    let mut old = Vec::new();
    if let Some(codecs) = tree.root().get("codecs") {
        gather(codecs, &mut old);
    }
    let mut faults = Vec::new();
    let mut notes = Vec::new();
    let mut plans = Vec::new();
    for node in old {
        let pointer = node.pointer();
        let step = document
            .chain
            .pipeline
            .all_steps()
            .find(|step| step.pointer == pointer);
        let resolved = match step.map(|step| &step.codec) {
            Some(ArrayCodec::FixedScaleOffset(codec)) => replace(node, codec, &mut notes),
            _ => Err(node
                .reject(
                    "chain.foreign",
                    format!("it is not known what goes into this {NAME}"),
                )
                .help("the codecs before it, or the shard around it, are known by name only")),
        };
        match resolved {
            Ok(codecs) => plans.push((node, pointer, codecs)),
            Err(fault) => faults.push(*fault),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut written = String::with_capacity(text.len());
    let mut replaced = Vec::new();
    let mut copied = 0;
    for (node, pointer, codecs) in plans {
        let place = node.place();
        written.push_str(&text[copied..place.start]);
        let start = written.len();
        written.push_str(&codecs.join(&separator(text, place.start)));
        replaced.push(Replaced {
            pointer,
            place: node.narrow_place(),
            written: start..written.len(),
        });
        copied = place.end;
    }
    written.push_str(&text[copied..]);
    Ok(Modernized {
        text: written,
        notes,
        replaced,
    })
}

/// Every legacy codec of a list, those of nested lists and of indexes too.
fn gather<'d>(list: Node<'d>, found: &mut Vec<Node<'d>>) {
    for codec in list.elements() {
        if codec.get("name").is_some_and(|name| {
            name.kind() == Kind::String && name.text().is_ok_and(|text| text == NAME)
        }) {
            found.push(codec);
        } else if let Some(configuration) = codec.get("configuration") {
            let lists = configuration
                .members()
                .filter(|(key, _)| matches!(key.key().as_ref(), "codecs" | "index_codecs"));
            for (_, list) in lists {
                gather(list, found);
            }
        }
    }
}

/// What stands between codecs: on lines of their own where the old one begins a line.
fn separator(text: &str, start: usize) -> String {
    let line = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let before = &text[line..start];
    if line > 0 && before.chars().all(|c| c == ' ' || c == '\t') {
        format!(",\n{before}")
    } else {
        ", ".to_owned()
    }
}

/// The codecs that do what one legacy codec does.
fn replace(
    node: Node<'_>,
    codec: &FixedScaleOffset,
    notes: &mut Vec<Warning>,
) -> Read<Vec<String>> {
    if let Some(optional) = node
        .get("must_understand")
        .filter(|value| value.kind() == Kind::False)
    {
        return Err(optional
            .reject(
                "chain.codec.must_understand",
                format!("this {NAME} may be passed over, and several codecs cannot be passed over together"),
            )
            .help("remove must_understand first, if chunks were written with the codec"));
    }
    let configuration = node.get("configuration").unwrap_or(node);
    let raw = |name: &str| configuration.get(name).map_or("", Node::raw);
    let plan = plan::of(node, codec, raw("offset"), raw("scale"))?;
    for note in plan.notes {
        notes.push(Warning {
            clause: note.clause,
            message: note.message,
            help: note.help.into(),
            pointer: node.pointer(),
            place: node.narrow_place(),
        });
    }
    Ok(plan.codecs)
}
