//! The house's own rules, checked on the tree: arrows between packages, clause ids, the grid's
//! cells, what may not stand in a file, examples, and the phrases of its prose. Every rule is argued in `docs/style.md`.
//!
//! `cargo xtask tidy` prints the findings; `.ci/lint` runs it once for every change.

mod circles;
mod clauses;
mod examples;
mod files;
mod graph;
mod grid;
pub(crate) mod lexer;
mod phrases;
mod uses;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The text files of the repository, tracked or about to be.
pub(crate) struct Tree {
    root: PathBuf,
    /// Path below the root, with `/`, and text; files that are not UTF-8 are left out.
    files: Vec<(String, String)>,
}

/// Runs every check. Each finding names a file and says what to do.
pub(crate) fn check(root: &Path) -> Vec<String> {
    let tree = match Tree::read(root) {
        Ok(tree) => tree,
        Err(error) => return vec![error],
    };
    let mut findings = graph::check(root);
    findings.extend(clauses::check(&tree));
    findings.extend(circles::check(&tree));
    findings.extend(grid::check(&tree));
    findings.extend(files::check(&tree));
    findings.extend(examples::check(&tree));
    findings.extend(phrases::check(&tree));
    findings
}

impl Tree {
    fn read(root: &Path) -> Result<Self, String> {
        let output = Command::new("git")
            .args([
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ])
            .current_dir(root)
            .output()
            .map_err(|error| format!("git ls-files: {error}"))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            return Err(format!("git ls-files: {}", message.trim()));
        }
        let listing = String::from_utf8_lossy(&output.stdout);
        let files = listing
            .split('\0')
            .filter(|path| !path.is_empty())
            .filter_map(|path| Some((path.to_owned(), fs::read_to_string(root.join(path)).ok()?)))
            .collect();
        Ok(Self {
            root: root.to_owned(),
            files,
        })
    }

    /// The files with this ending.
    fn ending<'a>(&'a self, ending: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files
            .iter()
            .filter(move |(path, _)| path.ends_with(ending))
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Returns whether a file, or any file below a folder, is there.
    fn has(&self, path: &str) -> bool {
        self.files.iter().any(|(file, _)| {
            file == path
                || file
                    .strip_prefix(path)
                    .is_some_and(|rest| rest.starts_with('/'))
        })
    }
}
