//! Checks for texts that files must not contain.

use std::path::Path;

use super::Tree;
use super::lexer::{Kind, pieces};

/// The maximum length of a file in lines: a longer file has more than one subject.
const MOST_LINES: usize = 500;

/// The maximum length of the landing page, which is meant to be read at a glance. Everything else is in `docs/guide`.
const MAX_README_LINES: usize = 150;

/// The packages that compute with exact integers.
const EXACT: &[&str] = &["crates/exact/", "crates/reference/"];

/// Files outside the workspace that interface with C: the only file that calls its functions, the heap of a program in
/// which C reads past the end of a buffer, and the names that the WebAssembly module exports.
const FOREIGN: [&str; 3] = [
    "conformance/zfp-c/src/zfp.rs",
    "conformance/zarrs-zfp/src/fence.rs",
    "wasm/src/lib.rs",
];

/// Paths of one machine and hosts of registries, each in two pieces, so that this file passes its own check.
const MACHINE: &[(&str, &str)] = &[
    ("/ho", "me/"),
    ("/ro", "ot/"),
    ("/Us", "ers/"),
    ("C:\\Us", "ers"),
    ("/t", "mp/"),
    ("/wo", "rk/"),
    ("index.cra", "tes.io"),
    ("static.cra", "tes.io"),
    ("py", "pi.org"),
    ("registry.npm", "js"),
    ("proxy.go", "lang.org"),
];

/// Checks every file.
pub(super) fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for (path, text) in tree.ending("") {
        if !path.ends_with(".lock") {
            findings.extend(machine(path, text));
        }
    }
    for (path, text) in tree.ending(".rs") {
        findings.extend(source(path, text));
    }
    for (path, text) in tree.ending(".md") {
        findings.extend(links(tree, path, text));
        findings.extend(landing_page(path, text));
    }
    for package in EXACT {
        let path = format!("{package}src/lib.rs");
        let forbids = tree
            .ending(&path)
            .any(|(_, text)| text.contains("#![forbid(unsafe_code)]"));
        if !forbids {
            findings.push(format!("{path}: lacks #![forbid(unsafe_code)]"));
        }
    }
    findings
}

fn machine(path: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for (a, b) in MACHINE {
            let needle = format!("{a}{b}");
            // A path starts only where no name precedes it: `a/home/b` is a path within the tree.
            let found = line.match_indices(&needle).any(|(at, _)| {
                !(needle.starts_with('/')
                    && line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-}$".contains(c)))
            });
            if found {
                findings.push(format!(
                    "{path}:{}: {needle} is a path of a single machine or the host of a registry",
                    number + 1
                ));
            }
        }
    }
    findings
}

fn source(path: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let lines = text.lines().count();
    if lines > MOST_LINES {
        findings.push(format!(
            "{path}: {lines} lines; a file of more than {MOST_LINES} lines has more than one subject"
        ));
    }
    // Tests may compare results with hardware floats.
    let tests = path.ends_with("/tests.rs") || path.contains("/tests/");
    let exact = !tests && EXACT.iter().any(|package| path.starts_with(package));
    let arch = Path::new(path)
        .components()
        .any(|part| matches!(part.as_os_str().to_str(), Some("arch" | "arch.rs")));
    for piece in pieces(text) {
        match piece.kind {
            Kind::Text => {}
            Kind::Comment => {
                for (line, word) in piece.words() {
                    if matches!(word, "FIXME" | "TODO" | "XXX") {
                        findings.push(format!("{path}:{line}: {word}: finish it or open an issue"));
                    }
                }
            }
            Kind::Code => {
                for (line, code) in (piece.line..).zip(piece.text.lines()) {
                    let squeezed: String = code.split_whitespace().collect();
                    for stub in ["todo!", "unimplemented!", "#[ignore"] {
                        if squeezed.contains(stub) {
                            findings.push(format!("{path}:{line}: {stub} is a stub"));
                        }
                    }
                }
                for (line, word) in piece.words() {
                    if exact && matches!(word, "f32" | "f64") {
                        findings.push(format!(
                            "{path}:{line}: {word} in a package of exact integers"
                        ));
                    }
                    if word == "unsafe" && !arch && !FOREIGN.contains(&path) {
                        findings.push(format!(
                            "{path}:{line}: unsafe outside an arch module; see docs/style.md"
                        ));
                    }
                }
            }
        }
    }
    findings
}

/// Checks the length of the landing page.
fn landing_page(path: &str, text: &str) -> Option<String> {
    let lines = text.lines().count();
    (path == "README.md" && lines > MAX_README_LINES).then(|| {
        format!("{path}: {lines} lines; move what exceeds {MAX_README_LINES} to docs/guide")
    })
}

/// Checks that the links of a document lead to files of the tree.
fn links(tree: &Tree, path: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let folder = Path::new(path).parent().unwrap_or(Path::new(""));
    for (number, line) in text.lines().enumerate() {
        for after in line.split("](").skip(1) {
            let target = after.split(')').next().unwrap_or_default();
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || target.contains("://") {
                continue;
            }
            if !tree.root.join(folder).join(file).exists() {
                findings.push(format!("{path}:{}: {file} does not exist", number + 1));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_source(path: &str, text: &str, expected: usize) {
        let findings = source(path, text);
        assert_eq!(findings.len(), expected, "{path}: {text}: {findings:?}");
    }

    #[test]
    fn stubs_floats_and_unsafe_are_found_in_code_only() {
        let path = "crates/cli/src/a.rs";
        check_source(path, "fn a() { todo!() }", 1);
        check_source(path, "fn a() { unimplemented ! () }", 1);
        check_source(path, "#[ignore = \"slow\"]\nfn a() {}", 1);
        check_source(
            path,
            "// todo!() unsafe\nconst A: &str = \"todo!() unsafe\";",
            0,
        );
        check_source(path, &["// FIX", "ME: later"].concat(), 1);
        check_source(path, "unsafe fn a() {}", 1);
        check_source(
            "crates/optimized/src/cast_value/arch/avx2.rs",
            "unsafe {}",
            0,
        );
        check_source("crates/optimized/src/arch.rs", "unsafe {}", 0);
        check_source(FOREIGN[0], "unsafe {}", 0);
        check_source("conformance/zfp-c/src/main.rs", "unsafe {}", 1);
        check_source("crates/exact/src/a.rs", "/// f64\nfn a(x: u64) {}", 0);
        check_source("crates/exact/src/a.rs", "fn a(x: f64) {}", 1);
        check_source("crates/exact/tests/a.rs", "fn a(x: f64) {}", 0);
        check_source("crates/reference/src/a/tests.rs", "fn a(x: f64) {}", 0);
        check_source("crates/reference/src/b.rs", "let a = 1f32 as f32;", 1);
        check_source(path, &"\n".repeat(MOST_LINES), 0);
        check_source(path, &"\n".repeat(MOST_LINES + 1), 1);
    }

    #[test]
    fn a_long_landing_page_is_found() {
        let page = "\n".repeat(MAX_README_LINES);
        assert_eq!(landing_page("README.md", &page), None);
        let longer = format!("{page}\n");
        assert!(landing_page("README.md", &longer).is_some());
        assert_eq!(landing_page("docs/guide/prove.md", &longer), None);
    }

    #[test]
    fn paths_of_a_machine_are_found() {
        let found = |line: &str| machine("a", line).len();
        assert_eq!(found(&["see /ho", "me/x/y"].concat()), 1);
        assert_eq!(found(&["https://index.cra", "tes.io/"].concat()), 1);
        assert_eq!(found(&["src/ho", "me/y"].concat()), 0);
        assert_eq!(found("crates/cli"), 0);
    }
}
