//! Texts that files must not contain.

use std::path::Path;

use super::Tree;
use super::lexer::{Kind, pieces};

/// A file has one subject; one of more lines has more.
const MOST_LINES: usize = 500;

/// The landing page is read at a glance; everything else is in `docs/guide`.
const MAX_README_LINES: usize = 150;

/// Packages whose arithmetic is exact integers.
const EXACT: &[&str] = &["crates/exact/", "crates/reference/"];

/// What stands outside the workspace and has to do with C: the one file that calls its functions, the heap of a program
/// in which it reads too far, and the names that a WebAssembly exports.
const FOREIGN: [&str; 3] = [
    "conformance/zfp-c/src/zfp.rs",
    "conformance/zarrs-zfp/src/fence.rs",
    "wasm/src/lib.rs",
];

/// Paths of one machine and hosts of registries. In two pieces each, so that this file is clean.
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
            // A path begins where no name stands before it: `a/home/b` is one of the tree.
            let found = line.match_indices(&needle).any(|(at, _)| {
                !(needle.starts_with('/')
                    && line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-}$".contains(c)))
            });
            if found {
                findings.push(format!(
                    "{path}:{}: {needle} is a path of one machine or the host of a registry",
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
            "{path}: {lines} lines; a file of more than {MOST_LINES} has more than one subject"
        ));
    }
    // Tests compare with the floats of the machine.
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

/// The length of the landing page.
fn landing_page(path: &str, text: &str) -> Option<String> {
    let lines = text.lines().count();
    (path == "README.md" && lines > MAX_README_LINES).then(|| {
        format!("{path}: {lines} lines; move what exceeds {MAX_README_LINES} to docs/guide")
    })
}

/// Links of a document to files of the tree.
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
                findings.push(format!("{path}:{}: {file} is not there", number + 1));
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
