//! The canonical text of a file, with one case per line, so that a diff shows cases.

use serde::Serialize;
use serde_json::Value;

use crate::file::File;

/// Returns the canonical one-line JSON text of a value. It has no spaces, because the vectors would have two million of
/// them.
pub(crate) fn line(value: &impl Serialize) -> String {
    // This fails only for maps whose keys are not strings, which do not occur here.
    serde_json::to_string(value).expect("vector files have string keys")
}

/// Returns the canonical text of a file.
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
    text.push_str(",\n\"groups\":[");
    for (index, group) in file.groups.iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        let head = line(&serde_json::json!({
            "id": group.id,
            "level": group.level,
            "clauses": group.clauses,
        }));
        text.push_str(&head[..head.len() - 1]);
        text.push_str(",\n\"request\":");
        text.push_str(&line(&group.request));
        text.push_str(",\n\"cases\":[");
        for (index, case) in group.cases.iter().enumerate() {
            text.push_str(if index == 0 { "\n" } else { ",\n" });
            text.push_str(&line(case));
        }
        text.push_str("]}");
    }
    text.push_str("]}\n");
    text
}

/// Returns a list with one value per line.
pub(crate) fn lines(head: &str, key: &str, values: &[Value]) -> String {
    let mut text = format!("{},{}:[", &head[..head.len() - 1], line(&key));
    for (index, value) in values.iter().enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        text.push_str(&line(value));
    }
    text.push_str("]}\n");
    text
}
