//! Reads the clauses of the specification from `spec/<row>.md`.
//!
//! A clause is a paragraph that begins with its id in bold:
//!
//! ```text
//! **cast_value.rounding.before-range** (MUST; upstream "MUST be applied before"): The range is
//! tested on the rounded value.
//! Uncovered: why no vector can show it (only where none can).
//! > If applicable, the rounding rule defined in the rounding field MUST be applied before the
//! > out_of_range transformation.
//! ```
//!
//! The level is `MUST`, `MAY` or `RULING n`; `, document` after it marks a clause about metadata. The text after `> `
//! is the sentence of the upstream text, without its markup and with `[...]` where it was shortened. Every clause that
//! says MUST has one.

use std::fs;
use std::path::Path;

use crate::file::Level;

/// One clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The id, such as `cast_value.rounding.before-range`; it begins with the row.
    pub id: String,
    /// The row: the file's name without `.md`.
    pub row: String,
    /// How binding it is.
    pub level: Level,
    /// The number of the ruling, if the clause is a ruling: an entry `R<n>` of `spec/rulings.md`.
    pub ruling: Option<u32>,
    /// Whether it is about documents. Such a clause is covered by an accepted and a rejected document.
    pub document: bool,
    /// The section or phrase of the upstream text.
    pub upstream: String,
    /// The sentence of the upstream text that states the clause, or an empty string if none is quoted.
    pub quote: String,
    /// The reason why no vector covers the clause, if none does.
    pub uncovered: Option<String>,
    /// The text of the clause, on one line.
    pub text: String,
}

/// Reads every clause below `root/spec`, by file name and in the order of each file.
///
/// # Errors
/// If a file cannot be read, a bold paragraph is not a clause, an id belongs to another row, or an id occurs twice. The
/// error contains the file and the line.
pub fn clauses(root: &Path) -> Result<Vec<Clause>, String> {
    let folder = root.join("spec");
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(&folder).map_err(at)? {
        let path = entry.map_err(at)?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
    paths.sort();

    let mut all: Vec<Clause> = Vec::new();
    for path in paths {
        let Some(row) = path.file_stem().and_then(|stem| stem.to_str()) else {
            continue;
        };
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        for clause in parse(row, &text)? {
            if all.iter().any(|other| other.id == clause.id) {
                return Err(format!("spec/{row}.md: {} is defined twice", clause.id));
            }
            all.push(clause);
        }
    }
    if all.is_empty() {
        return Err(format!("{}: no clause in any file", folder.display()));
    }
    Ok(all)
}

/// Reads the clauses of one file.
///
/// # Errors
/// The same as for [`clauses`].
pub fn parse(row: &str, text: &str) -> Result<Vec<Clause>, String> {
    let mut found: Vec<Clause> = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, first)) = lines.next() {
        if first.starts_with("```") {
            // A code block contains an example.
            lines
                .by_ref()
                .find(|(_, line)| line.trim_start().starts_with("```"));
            continue;
        }
        let Some(rest) = first.strip_prefix("**") else {
            continue;
        };
        let error = |what: &str| format!("spec/{row}.md:{}: {what}", number + 1);
        let mut paragraph = rest.to_owned();
        let mut uncovered: Option<String> = None;
        let mut quote: Vec<&str> = Vec::new();
        for (_, line) in lines.by_ref() {
            let line = line.trim();
            if line.is_empty() {
                break;
            }
            if let Some(quoted) = line.strip_prefix('>') {
                quote.push(quoted.trim());
                continue;
            }
            if !quote.is_empty() {
                return Err(error("a clause must end with its quotation"));
            }
            if let Some(reason) = line.strip_prefix("Uncovered:") {
                uncovered = Some(reason.trim().to_owned());
                continue;
            }
            let target = uncovered.as_mut().unwrap_or(&mut paragraph);
            target.push(' ');
            target.push_str(line);
        }
        let clause = Clause {
            quote: quote.join(" "),
            ..clause(row, &paragraph, uncovered).map_err(|what| error(&what))?
        };
        if found.iter().any(|other| other.id == clause.id) {
            return Err(error(&format!("{} is defined twice", clause.id)));
        }
        found.push(clause);
    }
    Ok(found)
}

fn clause(row: &str, paragraph: &str, uncovered: Option<String>) -> Result<Clause, String> {
    const FORM: &str = "a clause has the form `**id** (LEVEL[, document]; upstream \"...\"): text`";
    let (id, rest) = paragraph.split_once("** (").ok_or(FORM)?;
    if !id
        .strip_prefix(row)
        .is_some_and(|rest| rest.starts_with('.'))
    {
        return Err(format!("the id {id} does not begin with the row {row}"));
    }
    if !id
        .bytes()
        .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.' | b'-'))
    {
        return Err(format!(
            "the id {id} may contain only the characters a-z 0-9 _ . -"
        ));
    }
    // A quoted phrase may contain a colon and a parenthesis, but not both in this order.
    let (head, text) = rest.split_once("): ").ok_or(FORM)?;
    let (level, upstream) = head.split_once("; upstream ").ok_or(FORM)?;
    let (level, document) = match level.strip_suffix(", document") {
        Some(level) => (level, true),
        None => (level, false),
    };
    let (level, ruling) = match (level, level.strip_prefix("RULING ")) {
        ("MUST", _) => (Level::Must, None),
        ("MAY", _) => (Level::May, None),
        (_, Some(number)) => {
            let number = number.parse().map_err(|_| FORM)?;
            (Level::Ruling, Some(number))
        }
        _ => return Err(FORM.into()),
    };
    if !upstream.starts_with('"') || text.is_empty() || uncovered.as_deref() == Some("") {
        return Err(FORM.into());
    }
    Ok(Clause {
        id: id.to_owned(),
        row: row.to_owned(),
        level,
        ruling,
        document,
        upstream: upstream.to_owned(),
        quote: String::new(),
        uncovered,
        text: text.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_has_its_parts() {
        let text = "# row\n\nProse.\n\n\
            **row.a-b** (MUST, document; upstream \"data_type\"): First\nand second.\n\n\
            **row.c** (RULING 15; upstream \"x\"): Third.\nUncovered: no type\nyet.\n> It says\n> so.\n\n\
            ```text\n**not.one** here\n```\n";
        let clauses = parse("row", text).expect("two clauses");
        assert_eq!(clauses.len(), 2);
        assert_eq!(clauses[0].text, "First and second.");
        assert_eq!(clauses[0].level, Level::Must);
        assert!(clauses[0].document);
        assert_eq!(clauses[0].upstream, "\"data_type\"");
        assert_eq!(clauses[1].ruling, Some(15));
        assert_eq!(clauses[1].uncovered.as_deref(), Some("no type yet."));
        assert_eq!(clauses[1].text, "Third.");
        assert_eq!(clauses[0].quote, "");
        assert_eq!(clauses[1].quote, "It says so.");
    }

    #[test]
    fn what_is_no_clause_is_named_with_its_line() {
        for (text, line) in [
            ("\n**row.a** MUST: text\n", 2),
            ("**row.a** (SHOULD; upstream \"x\"): text\n", 1),
            ("**row.a** (RULING; upstream \"x\"): text\n", 1),
            ("**row.a** (MUST; upstream x): text\n", 1),
            ("**row.a** (MUST): text\n", 1),
            ("**other.a** (MUST; upstream \"x\"): text\n", 1),
            ("**row.A** (MUST; upstream \"x\"): text\n", 1),
            ("**row.a** (MUST; upstream \"x\"): text\nUncovered:\n", 1),
            ("**row.a** (MUST; upstream \"x\"): text\n> quote\nmore\n", 1),
            (
                "**row.a** (MUST; upstream \"x\"): a\n\n**row.a** (MUST; upstream \"x\"): b\n",
                3,
            ),
        ] {
            let error = parse("row", text).expect_err(text);
            assert!(
                error.starts_with(&format!("spec/row.md:{line}:")),
                "{error}"
            );
        }
    }

    #[test]
    fn the_files_of_this_repository_are_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .expect("vectors/ stands in the workspace");
        let clauses = clauses(root).expect("the specification");
        for row in [
            "bytes",
            "cast_value",
            "chain",
            "data_type",
            "fill_value",
            "packbits",
            "scale_offset",
        ] {
            assert!(clauses.iter().any(|clause| clause.row == row), "{row}");
        }
    }
}
