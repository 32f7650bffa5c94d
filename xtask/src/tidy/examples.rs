//! Checks examples: everything that a user can call must appear in a program that runs.

use super::Tree;
use super::lexer::{Kind, pieces};

/// The packages that are published for use in other projects.
const PACKAGES: [&str; 4] = [
    "crates/model/",
    "crates/optimized/",
    "crates/zarrs-plugins/",
    "conformance/suite/",
];

/// Checks that every public function, type and trait is named in an example of its own file. Items of the crate's root
/// may also be named in an example of its README.
pub(super) fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for package in PACKAGES {
        let readme = format!("{package}README.md");
        let readme = tree.ending(&readme).map(|(_, text)| text).next();
        for (path, text) in tree.ending(".rs") {
            let file = path
                .strip_prefix(package)
                .and_then(|path| path.strip_prefix("src/"));
            match file {
                Some("lib.rs") => findings.extend(missing(path, text, readme.unwrap_or_default())),
                Some(file) if !file.starts_with("tests") => {
                    findings.extend(missing(path, text, ""))
                }
                _ => {}
            }
        }
    }
    findings
}

fn missing(path: &str, text: &str, readme: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
    let pieces = pieces(text);
    let comments = pieces.iter().filter(|piece| piece.kind == Kind::Comment);
    let comments = comments.flat_map(|piece| piece.text.lines());
    let comments = comments.map(|line| line.trim_start_matches(['/', '!']).trim());
    let mut inside = false;
    let mut shown = Vec::new();
    for line in comments.chain(readme.lines()) {
        if line.starts_with("```") {
            inside = !inside;
        } else if inside {
            shown.extend(line.split(|c: char| !(c.is_alphanumeric() || c == '_')));
        }
    }
    let mut findings = Vec::new();
    for piece in pieces.iter().filter(|piece| piece.kind == Kind::Code) {
        for (line, code) in (piece.line..).zip(piece.text.lines()) {
            let mut words = code.trim().split([' ', '<', '(', ':', '{', ';']);
            if words.next() != Some("pub") {
                continue;
            }
            let mut words = words.filter(|word| *word != "const");
            if let (Some("fn" | "struct" | "trait"), Some(name)) = (words.next(), words.next())
                && name != "Sealed"
                && !shown.contains(&name)
            {
                findings.push(format!("{path}:{line}: no example shows {name}"));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn what_no_example_names_is_found() {
        let source = "/// Its half.\n///\n/// ```\n/// half(4);\n/// ```\npub fn half(n: u8) {}\n\n\
            /// Like half, ten.\npub const fn tenth() {}\n\npub struct Part<T>(T);\nfn own() {}\n";
        let findings = missing("a.rs", source, "");
        let expected = [
            "a.rs:9: no example shows tenth",
            "a.rs:11: no example shows Part",
        ];
        assert_eq!(findings, expected);
        assert_eq!(
            missing("a.rs", source, "```\nPart(tenth())\n```\n"),
            Vec::<String>::new()
        );
    }
}
