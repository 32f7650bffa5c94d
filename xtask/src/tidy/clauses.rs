//! Checks clauses: every cited clause exists, every clause is cited, and every MUST quotes its sentence.

use std::collections::BTreeSet;
use std::fs;

use exactum_vectors::spec::{self, Clause};
use exactum_vectors::{Level, Manifest};

use super::Tree;
use super::lexer::{Kind, pieces};

/// The verbs of the protocol's operations, which look like clause ids: a row and one of these.
const VERBS: &[&str] = &[
    "convert", "decode", "encode", "format", "lower", "missing", "parse", "plan", "read",
    "resolve", "set", "write",
];

/// The shortest sentence with a meaning has three words, such as "Round towards zero."
const FEWEST_WORDS: usize = 3;

/// The ending by which tests name a clause that does not exist.
const NOTHING: &str = ".nothing";

/// Checks the specification against the sources, the vectors and the rulings.
pub(super) fn check(tree: &Tree) -> Vec<String> {
    let clauses = match spec::clauses(&tree.root) {
        Ok(clauses) => clauses,
        Err(error) => return vec![error],
    };
    let mut findings = Vec::new();
    for (path, text) in tree.ending(".rs") {
        findings.extend(source(&clauses, path, text));
    }
    findings.extend(quotes(&clauses));
    findings.extend(vectors(tree, &clauses));
    findings.extend(rulings(tree, &clauses));
    findings
}

fn exists(clauses: &[Clause], id: &str) -> bool {
    clauses.iter().any(|clause| clause.id == id)
}

/// Checks that every id in a string or a comment exists.
fn source(clauses: &[Clause], path: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    for piece in pieces(text) {
        if piece.kind == Kind::Code {
            continue;
        }
        for (line, text) in (piece.line..).zip(piece.text.lines()) {
            for id in citations(clauses, text) {
                findings.push(format!("{path}:{line}: no clause {id} in spec/"));
            }
        }
    }
    findings
}

/// Returns everything in a text that looks like a clause id but is not one.
fn citations(clauses: &[Clause], text: &str) -> Vec<String> {
    let rows: BTreeSet<&str> = clauses.iter().map(|clause| clause.row.as_str()).collect();
    let is_id = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '_' | '.' | '-');
    let mut unknown = Vec::new();
    for row in rows {
        for (at, _) in text.match_indices(&format!("{row}.")) {
            // This is a part of a longer name or of a path.
            if text[..at].ends_with(|c: char| is_id(c) || c.is_alphanumeric() || c == '/') {
                continue;
            }
            let rest = &text[at..];
            let end = rest.find(|c| !is_id(c)).unwrap_or(rest.len());
            let id = rest[..end].trim_end_matches(['.', '-']);
            // Other exceptions: `chain.` at the end of a sentence, `cast_value.rs`, a template, and a placeholder.
            let file = [".rs", ".md", ".json"].iter().any(|e| id.ends_with(e));
            let template = rest[end..].starts_with(['{', '<']);
            let family = rest[end..].starts_with('*')
                && clauses
                    .iter()
                    .any(|clause| clause.id.starts_with(&rest[..end]));
            let nothing = id.strip_prefix(row) == Some(NOTHING);
            let verb = id.strip_prefix(row).and_then(|rest| rest.strip_prefix('.'));
            let operation = verb.is_some_and(|verb| VERBS.contains(&verb));
            if id == row || file || template || family || nothing || operation {
                continue;
            }
            if !exists(clauses, id) {
                unknown.push(id.to_owned());
            }
        }
    }
    unknown
}

/// Checks that every clause of level MUST has a quotation of the upstream sentence below it.
fn quotes(clauses: &[Clause]) -> Vec<String> {
    let must = clauses.iter().filter(|clause| clause.level == Level::Must);
    // The mark for omitted words is not counted as a word.
    let said = |clause: &Clause| {
        clause
            .quote
            .replace("[...]", " ")
            .split_whitespace()
            .count()
    };
    must.filter(|clause| said(clause) < FEWEST_WORDS)
        .map(|clause| {
            format!(
                "spec/{}.md: {} is a MUST without a quoted sentence; add `> ...` below it",
                clause.row, clause.id
            )
        })
        .collect()
}

/// Checks that a vector cites every clause, and that vectors cite nothing but clauses.
fn vectors(tree: &Tree, clauses: &[Clause]) -> Vec<String> {
    const PATH: &str = "vectors/manifest.json";
    let manifest = fs::read_to_string(tree.root.join(PATH))
        .map_err(|error| error.to_string())
        .and_then(|text| {
            serde_json::from_str::<Manifest>(&text).map_err(|error| error.to_string())
        });
    match manifest {
        Ok(manifest) => cited(&manifest, clauses),
        Err(error) => vec![format!("{PATH}: {error}")],
    }
}

fn cited(manifest: &Manifest, clauses: &[Clause]) -> Vec<String> {
    let mut findings = Vec::new();
    let mut cited = BTreeSet::new();
    for entry in &manifest.files {
        for id in &entry.clauses {
            cited.insert(id.as_str());
            if !exists(clauses, id) {
                findings.push(format!("vectors/{}: no clause {id} in spec/", entry.path));
            }
        }
    }
    for clause in clauses {
        if clause.uncovered.is_none() && !cited.contains(clause.id.as_str()) {
            findings.push(format!(
                "spec/{}.md: no vector cites {}",
                clause.row, clause.id
            ));
        }
    }
    findings
}

/// Checks that every ruling has an entry that names its clauses, and that entries name no other clauses.
fn rulings(tree: &Tree, clauses: &[Clause]) -> Vec<String> {
    const PATH: &str = "spec/rulings.md";
    match fs::read_to_string(tree.root.join(PATH)) {
        Ok(text) => ruled(&text, clauses),
        Err(error) => vec![format!("{PATH}: {error}")],
    }
}

fn ruled(text: &str, clauses: &[Clause]) -> Vec<String> {
    let mut findings = Vec::new();
    let mut entries: Vec<(u32, &str)> = Vec::new();
    for section in text.split("\n## ").skip(1) {
        let number = section
            .strip_prefix('R')
            .and_then(|rest| rest.split(':').next())
            .and_then(|number| number.parse().ok());
        match number {
            Some(number) if !entries.iter().any(|(other, _)| *other == number) => {
                entries.push((number, section));
            }
            _ => findings.push(format!(
                "spec/rulings.md: {:?} is not of the form `R<n>: title`, or repeats a number",
                section.lines().next().unwrap_or_default()
            )),
        }
    }
    for clause in clauses {
        let Some(number) = clause.ruling else {
            continue;
        };
        let named = entries
            .iter()
            .any(|(entry, text)| *entry == number && text.contains(&format!("`{}`", clause.id)));
        if !named {
            findings.push(format!(
                "spec/rulings.md: R{number} does not name {}",
                clause.id
            ));
        }
    }
    for (number, section) in entries {
        for id in citations(clauses, section) {
            findings.push(format!("spec/rulings.md: R{number}: no clause {id}"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clauses() -> Vec<Clause> {
        let text = "**row.a-b** (MUST; upstream \"x\"): A.\n> A must be.\n\n\
            **row.special.nan** (RULING 2; upstream \"x\"): B.\n";
        spec::parse("row", text).expect("two clauses")
    }

    #[test]
    fn unknown_ids_are_found_where_ids_stand() {
        let found = |text: &str| source(&clauses(), "a.rs", text).len();
        assert_eq!(found("// (row.a-b, row.special.nan)"), 0);
        assert_eq!(found("// row.a-c"), 1);
        assert_eq!(found("let a = \"row.special\";"), 1);
        assert_eq!(found("row.anything = 1;"), 0);
        assert_eq!(found("// row.special.* and the end of a row."), 0);
        assert_eq!(found("// row.other.*"), 1);
        assert_eq!(found("// spec/row.md, row.rs, arrow.x, a.row.x"), 0);
        assert_eq!(found("let a = \"row.{name}\";"), 0);
        assert_eq!(found("let a = \"row.nothing\";"), 0);
        assert_eq!(found("let a = \"row.nothing.else\";"), 1);
    }

    #[test]
    fn what_must_be_is_quoted() {
        let found = |quote: &str| {
            let text = format!("**row.a** (MUST; upstream \"x\"): A.\n{quote}\n");
            quotes(&spec::parse("row", &text).expect("a clause")).len()
        };
        assert_eq!(quotes(&clauses()), Vec::<String>::new());
        assert_eq!(found("> Round towards zero."), 0);
        assert_eq!(found(""), 1);
        assert_eq!(found(">"), 1);
        assert_eq!(found("> Boolean [...]"), 1);
    }

    #[test]
    fn clauses_without_vectors_are_found() {
        let mut manifest = Manifest::of(&[]);
        assert_eq!(cited(&manifest, &clauses()).len(), 2);
        manifest.files.push(exactum_vectors::Entry {
            path: "row/a.json".into(),
            sha256: String::new(),
            groups: 1,
            cases: 1,
            clauses: vec!["row.a-b".into(), "row.special.nan".into()],
        });
        assert_eq!(cited(&manifest, &clauses()), Vec::<String>::new());
        manifest.files[0].clauses.push("row.c".into());
        assert_eq!(cited(&manifest, &clauses()).len(), 1);
    }

    #[test]
    fn rulings_and_clauses_name_each_other() {
        let found = |text: &str| ruled(text, &clauses()).len();
        assert_eq!(
            found("# R\n\n## R2: nan\n\n- Clauses: `row.special.nan`.\n"),
            0
        );
        assert_eq!(found("# R\n\n## R2: nan\n\n- Clauses: none.\n"), 1);
        assert_eq!(found("# R\n\n## R3: nan\n\n- `row.special.nan`.\n"), 1);
        assert_eq!(
            found("# R\n\n## R2: a\n\n- `row.special.nan`, `row.c`.\n"),
            1
        );
        assert_eq!(
            found("# R\n\n## R2: a\n\n- `row.special.nan`.\n\n## R2: b\n"),
            1
        );
        assert_eq!(found("# R\n\n## Two\n\n## R2: a\n\n`row.special.nan`\n"), 1);
    }
}
