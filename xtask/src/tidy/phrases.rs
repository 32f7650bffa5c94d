//! Phrases that are forbidden in prose, each with a better one.

use super::Tree;
use super::lexer::{Kind, pieces};

/// Lower-case phrases, each with its replacement. `*` at the end stands for any further word.
const PHRASES: &[(&str, &str)] = &[
    ("nobody", "a passive, or the actual subject"),
    ("somebody", "\"a user\", \"a third party\", or a passive"),
    (
        "everybody",
        "\"all implementations\", or the actual subject",
    ),
    ("anybody", "a passive, or the actual subject"),
    (
        "whoever",
        "\"the caller\", \"an implementation that\", or the actual subject",
    ),
    ("so many", "`n`, or \"the given number of\""),
    ("of ours", "\"of Exactum\", or the name"),
    ("as far as", "\"where\", \"while\" or \"up to\""),
    ("comes to", "\"amounts to\", or the result itself"),
    ("told", "\"reported\", \"shown\" or \"known\""),
    ("is no *", "\"is not a\""),
    ("are no *", "\"are not\""),
];

/// Words after which `is no` and `are no` are idiomatic: "is no longer", "there is no gap".
const IDIOMS: &[&str] = &["longer", "more", "less", "fewer", "better", "worse"];

/// Pages that `cargo xtask` generates from sentences in other files, and this list itself.
const EXEMPT: &[&str] = &[
    "docs/coverage.md",
    "docs/fairness",
    "docs/findings.md",
    "docs/performance.md",
    "docs/reliability.md",
    "xtask/src/tidy/phrases.rs",
];

/// Checks the prose of the tree: documents, and the comments and string literals of Rust sources.
pub(super) fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    let exempt = |path: &str| EXEMPT.iter().any(|prefix| path.starts_with(prefix));
    for (path, text) in tree.ending(".md").filter(|(path, _)| !exempt(path)) {
        findings.extend(document(path, text));
    }
    for (path, text) in tree.ending(".rs").filter(|(path, _)| !exempt(path)) {
        for piece in pieces(text) {
            if matches!(piece.kind, Kind::Comment | Kind::Text) {
                findings.extend(prose(path, piece.line, piece.text));
            }
        }
    }
    findings
}

/// Returns the findings in a document. Quotations, and tables that `cargo xtask` generates, are skipped.
fn document(path: &str, text: &str) -> Vec<String> {
    let mut generated = false;
    let mut kept = String::new();
    for line in text.lines() {
        match line.trim() {
            line if line.starts_with("<!-- made") => generated = true,
            line if line.starts_with("<!-- end") => generated = false,
            _ => {}
        }
        if !generated && !line.starts_with("> ") {
            kept.push_str(line);
        }
        kept.push('\n');
    }
    prose(path, 1, &kept)
}

/// Returns the forbidden phrases in a text that begins on line `first`. A phrase may continue on the next line. Text in
/// quotation marks is skipped, since it quotes others.
fn prose(path: &str, first: usize, text: &str) -> Vec<String> {
    let mut words: Vec<(usize, String)> = Vec::new();
    for (row, line) in text.lines().enumerate() {
        for word in line.split_whitespace() {
            if matches!(word, "//" | "///" | "//!" | "\\") {
                continue;
            }
            words.push((first + row, word.to_lowercase()));
        }
    }
    let mut findings = Vec::new();
    for (at, (line, _)) in words.iter().enumerate() {
        for (phrase, better) in PHRASES {
            if matches(&words[at..], phrase) && !(at > 0 && is_there(&words[at - 1].1)) {
                findings.push(format!("{path}:{line}: {phrase:?}: write {better}"));
            }
        }
    }
    findings
}

/// Returns whether this word makes the following `is no` idiomatic: "there is no gap".
fn is_there(word: &str) -> bool {
    word.trim_start_matches(|c: char| !c.is_alphanumeric()) == "there"
}

/// Returns whether the words begin with a phrase. A word between backticks is a name: the user `nobody`.
fn matches(words: &[(usize, String)], phrase: &str) -> bool {
    let parts: Vec<&str> = phrase.split(' ').collect();
    let last = parts.len() - 1;
    parts.iter().enumerate().all(|(index, part)| {
        let Some((_, word)) = words.get(index) else {
            return false;
        };
        // Punctuation within a phrase ends the phrase.
        let bare = word.trim_start_matches(['"', '(', '*']);
        let bare = match index == last {
            true => bare.trim_end_matches(|c: char| !c.is_alphanumeric()),
            false => bare,
        };
        match *part {
            "*" => !bare.is_empty() && !IDIOMS.contains(&bare),
            part => bare == part,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the number of findings in a text.
    fn check(text: &str, expected: usize) {
        let findings = document("a.md", text);
        assert_eq!(findings.len(), expected, "{text}: {findings:?}");
    }

    #[test]
    fn phrases_are_found_in_prose() {
        check("float32 is no integer.", 1);
        check("float32 is\n/// no integer.", 1);
        check("Nobody knows; all is told.", 2);
        check("As far as the end, (so many) bytes.", 2);
        check("\"There is no gap.\" (There are no gaps.)", 0);
        check("There is no gap. It is no longer there. It is no.", 0);
        check("\"there is no gap\" and the user `nobody`", 0);
        check("> which is no integer, says the text\nprose", 0);
        check(
            "<!-- made of the results -->\nis no integer\n<!-- end -->\n",
            0,
        );
        check("nobodys untold", 0);
        check("It is not an integer.", 0);
    }

    #[test]
    fn findings_have_their_line_and_a_better_phrase() {
        let findings = document("a.md", "One.\nTwo is no three.\n");
        assert_eq!(findings, ["a.md:2: \"is no *\": write \"is not a\""]);
    }
}
