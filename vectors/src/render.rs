//! The canonical text of a file: one case a line, so that a diff shows cases.

use std::io;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::Formatter;

use crate::file::File;

/// JSON on one line, with a space after `,` and `:`.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        w: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first { Ok(()) } else { w.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        w: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first { Ok(()) } else { w.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, w: &mut W) -> io::Result<()> {
        w.write_all(b": ")
    }
}

/// The canonical one-line JSON text of a value.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    // Writing to memory fails only for maps whose keys are no strings; there are none here.
    value
        .serialize(&mut serializer)
        .expect("vector files have string keys");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// The canonical text of a file.
#[must_use]
pub fn render(file: &File) -> String {
    let header = line(&serde_json::json!({
        "format": file.format,
        "version": file.version,
        "row": file.row,
        "topic": file.topic,
        "upstream": file.upstream,
    }));
    let mut text = String::new();
    text.push_str(&header[..header.len() - 1]);
    text.push_str(",\n \"groups\": [");
    for (index, group) in file.groups.iter().enumerate() {
        text.push_str(if index == 0 { "\n  " } else { ",\n  " });
        let head = line(&serde_json::json!({
            "id": group.id,
            "level": group.level,
            "clauses": group.clauses,
        }));
        text.push_str(&head[..head.len() - 1]);
        text.push_str(",\n   \"request\": ");
        text.push_str(&line(&group.request));
        text.push_str(",\n   \"cases\": [");
        for (index, case) in group.cases.iter().enumerate() {
            text.push_str(if index == 0 { "\n    " } else { ",\n    " });
            text.push_str(&line(case));
        }
        text.push_str("]}");
    }
    text.push_str("]}\n");
    text
}

/// A list with one value a line.
pub(crate) fn lines(head: &str, key: &str, values: &[Value]) -> String {
    let mut text = format!("{}, {}: [", &head[..head.len() - 1], line(&key));
    for (index, value) in values.iter().enumerate() {
        text.push_str(if index == 0 { "\n  " } else { ",\n  " });
        text.push_str(&line(value));
    }
    text.push_str("]}\n");
    text
}
