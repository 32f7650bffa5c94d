//! Counts the lines of code of each room, and compares them with the limits that continuous integration enforces.
//!
//! A line counts as code if it contains anything other than comments, white space and bare punctuation. The limits are
//! committed in `xtask/size.toml`. A number above its limit is a finding, so growth requires a change to that file,
//! whose commit states the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::tidy::lexer::{Kind, pieces};

/// The file with the committed limits.
const LIMITS: &str = "xtask/size.toml";

/// Compares the lines of each room with its limit, or sets the limits if `write` is true. Returns the table of lines.
///
/// # Errors
/// If a room exceeds its limit or has no limit, or if a limit has no room. Each of these is a finding.
pub(crate) fn size(root: &Path, write: bool) -> Result<String, Vec<String>> {
    let rooms = measure(root).map_err(|error| vec![error])?;
    let path = root.join(LIMITS);
    if write {
        fs::write(&path, limits_text(&rooms))
            .map_err(|error| vec![format!("{LIMITS}: {error}")])?;
        return Ok(table(&rooms));
    }
    let text = fs::read_to_string(&path).map_err(|error| vec![format!("{LIMITS}: {error}")])?;
    let findings = compare(&rooms, &read_limits(&text));
    match findings.is_empty() {
        true => Ok(table(&rooms)),
        false => Err(findings),
    }
}

/// Counts the lines of every tracked Rust file and every file of expectations.
fn measure(root: &Path) -> Result<BTreeMap<String, usize>, String> {
    let listed = Command::new("git")
        .current_dir(root)
        .args(["ls-files", "-z", "*.rs", "conformance/expectations/*.toml"])
        .output()
        .map_err(|error| format!("git ls-files: {error}"))?;
    if !listed.status.success() {
        return Err(format!("git ls-files: {}", listed.status));
    }
    let mut rooms = BTreeMap::new();
    for path in String::from_utf8_lossy(&listed.stdout).split_terminator('\0') {
        // A file that has been removed without a commit is still listed.
        let Ok(text) = fs::read_to_string(root.join(path)) else {
            continue;
        };
        let lines = match path.ends_with(".toml") {
            true => text.lines().count(),
            false => code_lines(&text),
        };
        *rooms.entry(room(path)).or_default() += lines;
    }
    Ok(rooms)
}

/// Returns the room of a file, which is its package; tests and expectations have rooms of their own.
fn room(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let package = match parts[..] {
        ["crates" | "examples", name, ..] => format!("{}/{name}", parts[0]),
        ["conformance", name, _, ..] if name != "src" && name != "tests" => {
            format!("conformance/{name}")
        }
        [name, ..] => name.to_owned(),
        [] => String::new(),
    };
    match parts
        .iter()
        .any(|part| matches!(*part, "tests" | "tests.rs"))
    {
        true => format!("{package} (tests)"),
        false => package,
    }
}

/// Counts the lines of a Rust source that contain a word, a number or text outside of comments.
fn code_lines(source: &str) -> usize {
    let mut lines = BTreeSet::new();
    for piece in pieces(source) {
        if piece.kind == Kind::Comment {
            continue;
        }
        for (row, line) in piece.text.lines().enumerate() {
            if piece.kind == Kind::Text || line.contains(|c: char| c.is_alphanumeric() || c == '_')
            {
                lines.insert(piece.line + row);
            }
        }
    }
    lines.len()
}

fn total(rooms: &BTreeMap<String, usize>) -> usize {
    let of_code = rooms.iter().filter(|(room, _)| !is_expectations(room));
    of_code.map(|(_, lines)| lines).sum()
}

fn is_expectations(room: &str) -> bool {
    room == "conformance/expectations"
}

fn table(rooms: &BTreeMap<String, usize>) -> String {
    let mut text = String::new();
    for (room, lines) in rooms.iter().filter(|(room, _)| !is_expectations(room)) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{lines:>7}  {room}");
    }
    let _ = writeln!(text, "{:>7}  lines of code in total", total(rooms));
    let expectations = rooms.iter().find(|(room, _)| is_expectations(room));
    let _ = write!(
        text,
        "{:>7}  lines of expectations",
        expectations.map_or(0, |(_, lines)| *lines)
    );
    text
}

fn limits_text(rooms: &BTreeMap<String, usize>) -> String {
    let mut text = String::from(
        "# The number of lines of code that each room may have: `cargo xtask size` fails if a room exceeds it;\n\
         # `cargo xtask size --write` sets it to the current number. A commit that raises a limit states the reason.\n",
    );
    for (room, lines) in rooms {
        let _ = writeln!(text, "\"{room}\" = {lines}");
    }
    text
}

/// Reads lines of the form `"room" = number`; all other lines are comments.
fn read_limits(text: &str) -> BTreeMap<String, usize> {
    let entry = |line: &str| {
        let (room, lines) = line.split_once(" = ")?;
        Some((
            room.trim_matches('"').to_owned(),
            lines.trim().parse().ok()?,
        ))
    };
    text.lines().filter_map(entry).collect()
}

fn compare(rooms: &BTreeMap<String, usize>, limits: &BTreeMap<String, usize>) -> Vec<String> {
    let mut findings = Vec::new();
    for (room, &lines) in rooms {
        match limits.get(room) {
            Some(&limit) if lines <= limit => {}
            Some(limit) => findings.push(format!(
                "{LIMITS}: {room} has {lines} lines, but its limit is {limit}; make it smaller, or raise the limit \
                 and state the reason in the commit"
            )),
            None => findings.push(format!("{LIMITS}: {room} has {lines} lines but no limit")),
        }
    }
    for room in limits.keys().filter(|room| !rooms.contains_key(*room)) {
        findings.push(format!("{LIMITS}: {room} has a limit but no files"));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_blanks_and_bare_punctuation_are_not_code() {
        for (source, lines) in [
            ("", 0),
            ("// a\n\n/* b\n c */\n", 0),
            ("fn f() {\n    g(); // why\n}\n", 2),
            ("let a = [\n    1,\n];\n", 2),
            ("let a = \"{\n}\";\n", 2),
        ] {
            assert_eq!(code_lines(source), lines, "{source:?}");
        }
    }

    #[test]
    fn a_room_that_grows_is_a_finding() {
        let rooms = |lines: usize| BTreeMap::from([("xtask".to_owned(), lines)]);
        let limits = read_limits(&limits_text(&rooms(10)));
        assert_eq!(compare(&rooms(10), &limits), Vec::<String>::new());
        assert_eq!(compare(&rooms(11), &limits).len(), 1);
        assert_eq!(compare(&rooms(10), &BTreeMap::new()).len(), 1);
        assert_eq!(compare(&BTreeMap::new(), &limits).len(), 1);
    }
}
