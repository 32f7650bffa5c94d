//! Replaces `numcodecs.fixedscaleoffset` by `scale_offset` and `cast_value` in array documents (spec/scale_offset.md,
//! "The legacy codec").
//!
//! The text is changed only at the old codec, so that everything around it stays as it was written: order,
//! spaces, digits.

mod plan;

use std::collections::HashMap;
use std::ops::Range;

use exactum_model::{ArrayCodec, FixedScaleOffset};

use crate::array::numbers;
use crate::codec::fixed_scale_offset::NAME;
use crate::codec::zfpy;
use crate::diagnostic::{Read, Report};
use crate::json::{Attributes, Kind, Node, Tree};

/// A document without `numcodecs.fixedscaleoffset`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modernized {
    /// The text.
    pub text: String,
    /// Notes about values for which the new codecs differ from the old one, in the order of the old text and
    /// with places in it.
    pub notes: Report,
    /// The replacements, in the order of the text.
    pub replaced: Vec<Replaced>,
}

/// A codec that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The JSON pointer of the codec in the old text.
    pub pointer: String,
    /// The range of the old text to underline.
    pub place: Range<usize>,
    /// The bytes of the new text that replace it.
    pub written: Range<usize>,
}

/// Replaces every `numcodecs.fixedscaleoffset` by `scale_offset` and `cast_value`. The function does not
/// check the effect on the fill value: for that, an implementation has to resolve both documents.
///
/// # Errors
/// `numcodecs.zfpy`, whose chunks `zfp` does not read (zfp.stream). Otherwise, the same as for
/// [`parse_array`](crate::parse_array), and `numcodecs.fixedscaleoffset` if the two codecs cannot express it,
/// with the clause that prevents it. If there are very many, only the first are returned.
pub fn modernize(text: &str) -> Result<Modernized, Report> {
    let tree = Tree::scan(text, Attributes::Skipped)?;
    let document = numbers(&tree)?;
    let mut old = Vec::new();
    if let Some(codecs) = tree.root().get("codecs") {
        gather(codecs, "/codecs", &mut old);
    }
    let steps: HashMap<&str, &ArrayCodec> = document
        .chain
        .pipeline
        .all_array_to_array()
        .map(|step| (step.pointer.as_str(), &step.codec))
        .collect();
    let mut faults = Vec::new();
    let mut notes = Report::default();
    let mut plans = Vec::new();
    for (node, pointer) in old {
        let resolved = match steps.get(pointer.as_str()) {
            Some(ArrayCodec::FixedScaleOffset(codec)) => replace(node, &pointer, codec, &mut notes),
            _ if is_named(node, &[zfpy::NAME]) => Err(zfpy::has_a_header(node)),
            _ => Err(node
                .reject(
                    "chain.foreign",
                    format!("the input of this {NAME} is unknown"),
                )
                .help("the codecs before it, or the shard around it, are known only by name")),
        };
        match resolved {
            Ok(codecs) => plans.push((node, pointer, codecs)),
            Err(fault) => faults.push(*fault),
        }
        if faults.len() == Report::MAX_LISTED {
            break;
        }
    }
    if !faults.is_empty() {
        return Err(Report {
            listed: faults,
            ..Report::default()
        });
    }
    let mut written = String::with_capacity(text.len());
    let mut replaced = Vec::new();
    let mut copied = 0;
    let mut line = 0;
    for (node, pointer, codecs) in plans {
        let place = node.place();
        written.push_str(&text[copied..place.start]);
        let start = written.len();
        // The beginning of the line is searched only after the previous codec.
        if let Some(newline) = text[copied..place.start].rfind('\n') {
            line = copied + newline + 1;
        }
        written.push_str(&codecs.join(&separator(line, &text[line..place.start])));
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

/// Collects every `numcodecs.fixedscaleoffset` and `numcodecs.zfpy` of a list, including those of nested
/// lists and of indexes, with its pointer.
fn gather<'d>(list: Node<'d>, pointer: &str, found: &mut Vec<(Node<'d>, String)>) {
    for (index, codec) in list.elements().enumerate() {
        if is_named(codec, &[NAME, zfpy::NAME]) {
            found.push((codec, format!("{pointer}/{index}")));
        } else if let Some(configuration) = codec.get("configuration") {
            for (key, list) in configuration.members() {
                let key = key.key();
                if matches!(key.as_ref(), "codecs" | "index_codecs") {
                    let pointer = format!("{pointer}/{index}/configuration/{key}");
                    gather(list, &pointer, found);
                }
            }
        }
    }
}

fn is_named(codec: Node<'_>, names: &[&str]) -> bool {
    let name = codec.get("name").filter(|name| name.kind() == Kind::String);
    name.and_then(|name| name.text().ok())
        .is_some_and(|name| names.contains(&name.as_ref()))
}

/// Returns the text between codecs. They stand on separate lines if the old codec begins a line that is not
/// the first. `before` is the text before it in its line.
fn separator(line: usize, before: &str) -> String {
    if line > 0 && before.chars().all(|c| c == ' ' || c == '\t') {
        format!(",\n{before}")
    } else {
        ", ".to_owned()
    }
}

/// Returns the codecs that do the same as one `numcodecs.fixedscaleoffset`.
fn replace(
    node: Node<'_>,
    pointer: &str,
    codec: &FixedScaleOffset,
    notes: &mut Report,
) -> Read<Vec<String>> {
    if let Some(optional) = node
        .get("must_understand")
        .filter(|value| value.kind() == Kind::False)
    {
        return Err(optional
            .reject(
                "chain.codec.must_understand",
                format!(
                    "readers may ignore this {NAME}, and several codecs cannot be ignored together"
                ),
            )
            .help("remove must_understand first, if chunks were written with the codec"));
    }
    let configuration = node.get("configuration").unwrap_or(node);
    let raw = |name: &str| configuration.get(name).map_or("", Node::raw);
    let plan = plan::of(node, codec, raw("offset"), raw("scale"))?;
    for note in plan.notes {
        notes.add_warning(|| {
            let warning = node.reject(note.clause, note.message);
            warning.at(pointer).help(note.help)
        });
    }
    Ok(plan.codecs)
}
