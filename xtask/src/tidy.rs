//! The rules of the repository, checked on its files: arrows between packages, clause ids, the cells of the grid, texts
//! that files must not contain, examples, and the phrases of the prose. `docs/style.md` gives the reason for every
//! rule.
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

/// The text files of the repository that git tracks or would add.
pub(crate) struct Tree {
    root: PathBuf,
    /// The path of each file below the root, with `/`, and its text. Files that are not UTF-8 are left out.
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

    /// Returns the files whose names end in `ending`.
    fn ending<'a>(&'a self, ending: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files
            .iter()
            .filter(move |(path, _)| path.ends_with(ending))
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Returns whether a file exists, or a folder with any file in it.
    fn has(&self, path: &str) -> bool {
        self.files.iter().any(|(file, _)| {
            file == path
                || file
                    .strip_prefix(path)
                    .is_some_and(|rest| rest.starts_with('/'))
        })
    }
}
