//! The tables below the heading `## Anchors` of a specification file.

use serde_json::value::RawValue;

/// The columns of every table.
const COLUMNS: [&str; 6] = [
    "source",
    "operation",
    "type",
    "configuration or document",
    "input",
    "expected",
];

/// A row of a table.
pub(super) struct Anchor {
    /// The line in the file, counted from 1.
    pub(super) line: usize,
    /// The operation, which is either one of the protocol or one that only these tables use.
    pub(super) operation: String,
    /// The name of the array's data type, if the operation needs one.
    pub(super) data_type: String,
    /// The text of the configuration or document.
    pub(super) document: String,
    /// The inputs, as JSON texts.
    pub(super) input: Vec<Box<RawValue>>,
    /// The expected result.
    pub(super) expected: Expected,
}

/// The expected result of an anchor.
pub(super) enum Expected {
    /// The document is accepted.
    Accept,
    /// A rejection, which must name this clause if there is one.
    Reject(Option<String>),
    /// These JSON texts.
    Values(Vec<Box<RawValue>>),
}

/// Reads the tables of a file.
///
/// A cell holds JSON in backticks, or the name of a block that begins with "```json NAME".
pub(super) fn read(row: &str, text: &str) -> Result<Vec<Anchor>, String> {
    let section = Section::of(text).ok_or(format!("spec/{row}.md: no heading `## Anchors`"))?;
    let mut anchors = Vec::new();
    let mut head = false;
    for (line, text) in section.lines() {
        let Some(inner) = text.strip_prefix('|').and_then(|t| t.strip_suffix('|')) else {
            head = false;
            continue;
        };
        let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
        if !head {
            if cells != COLUMNS {
                return Err(format!(
                    "spec/{row}.md:{line}: the columns must be {}",
                    COLUMNS.join(", ")
                ));
            }
            head = true;
        } else if !cells.iter().all(|cell| cell.starts_with("---")) {
            let anchor = section
                .anchor(line, &cells)
                .map_err(|what| format!("spec/{row}.md:{line}: {what}"))?;
            anchors.push(anchor);
        }
    }
    if anchors.is_empty() {
        return Err(format!("spec/{row}.md: no anchors"));
    }
    Ok(anchors)
}

/// The section of a file that contains the anchors.
struct Section<'a> {
    /// The number of lines before the section.
    before: usize,
    text: &'a str,
}

impl<'a> Section<'a> {
    fn of(text: &'a str) -> Option<Self> {
        const HEADING: &str = "\n## Anchors\n";
        let start = text.find(HEADING)? + HEADING.len();
        let rest = &text[start..];
        let end = rest.find("\n## ").map_or(rest.len(), |at| at + 1);
        Some(Self {
            before: text[..start].lines().count(),
            text: &rest[..end],
        })
    }

    fn lines(&self) -> impl Iterator<Item = (usize, &'a str)> {
        (self.before + 1..).zip(self.text.lines())
    }

    fn anchor(&self, line: usize, cells: &[&str]) -> Result<Anchor, String> {
        let [_, operation, data_type, document, input, expected] = cells else {
            return Err(format!("{} cells, not {}", cells.len(), COLUMNS.len()));
        };
        let expected = match code(expected) {
            Some(values) => Expected::Values(list(values)?),
            None if *expected == "accept" => Expected::Accept,
            None => match expected.strip_prefix("reject") {
                Some("") => Expected::Reject(None),
                Some(clause) if clause.starts_with(' ') => {
                    Expected::Reject(Some(clause.trim().to_owned()))
                }
                _ => return Err("expected is not a list in backticks, accept, or reject".into()),
            },
        };
        let input = match code(input) {
            Some(values) => list(values)?,
            None if input.is_empty() => Vec::new(),
            None => return Err("input is not a list in backticks".into()),
        };
        Ok(Anchor {
            line,
            operation: (*operation).to_owned(),
            data_type: (*data_type).to_owned(),
            document: match code(document) {
                Some(text) => text.to_owned(),
                None if document.is_empty() => String::new(),
                None => self
                    .block(document)
                    .ok_or(format!("no block `json {document}` below"))?,
            },
            input,
            expected,
        })
    }

    /// Returns the contents of the block with this name.
    fn block(&self, name: &str) -> Option<String> {
        let mut lines = self.text.lines();
        let fence = format!("```json {name}");
        lines.by_ref().find(|line| **line == fence)?;
        let content: Vec<&str> = lines.take_while(|line| *line != "```").collect();
        Some(content.join("\n"))
    }
}

/// Returns the text between backticks.
fn code(cell: &str) -> Option<&str> {
    cell.strip_prefix('`')?.strip_suffix('`')
}

fn list(text: &str) -> Result<Vec<Box<RawValue>>, String> {
    serde_json::from_str(text).map_err(|error| format!("{text}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# a\n\n## Anchors\n\n\
        | source | operation | type | configuration or document | input | expected |\n\
        |---|---|---|---|---|---|\n";

    #[test]
    fn rows_have_their_parts() {
        let text = format!(
            "{HEAD}| s | op | int8 | doc | `[1, \"a\"]` | reject row.a |\n| s | op | | `{{}}` | | `[1.0]` |\n\n\
             ```json doc\n{{\n}}\n```\n\n## More\n\n| not | one |\n"
        );
        let anchors = read("a", &text).expect("two anchors");
        assert_eq!(anchors.len(), 2);
        assert_eq!(anchors[0].line, 7);
        assert_eq!(anchors[0].document, "{\n}");
        assert_eq!(anchors[0].input[1].get(), "\"a\"");
        assert!(matches!(&anchors[0].expected, Expected::Reject(Some(id)) if id == "row.a"));
        assert_eq!(anchors[1].document, "{}");
        assert!(matches!(&anchors[1].expected, Expected::Values(v) if v[0].get() == "1.0"));
    }

    #[test]
    fn what_is_no_table_is_named() {
        for text in [
            "# a\n".to_owned(),
            "# a\n\n## Anchors\n\nnone\n".to_owned(),
            "# a\n\n## Anchors\n\n| a | b |\n".to_owned(),
            format!("{HEAD}| s | op | int8 | doc | `[1]` | `[1]` |\n"),
            format!("{HEAD}| s | op | int8 | `{{}}` | `[1` | `[1]` |\n"),
            format!("{HEAD}| s | op | int8 | `{{}}` | `[1]` | maybe |\n"),
            format!("{HEAD}| s | op | int8 | `{{}}` | 1 | reject |\n"),
            format!("{HEAD}| s | op | int8 | `{{}}` | reject |\n"),
        ] {
            assert!(read("a", &text).is_err(), "{text}");
        }
    }
}
