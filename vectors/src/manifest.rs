//! `vectors/manifest.json` and `vectors/withdrawn.json`.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::file::File;
use crate::hex;
use crate::render::lines;

/// The list of all vector files, with their hashes and counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Always `exactum-manifest`.
    pub format: String,
    /// The version of the interpretation rules.
    pub version: u32,
    /// The version of the suite.
    pub suite: String,
    /// The number of groups in all files.
    pub groups: usize,
    /// The number of cases in all files.
    pub cases: usize,
    /// The files, sorted by path.
    pub files: Vec<Entry>,
}

/// A file in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The path of the file, relative to `vectors/`.
    pub path: String,
    /// The SHA-256 of the bytes of the file, in hexadecimal.
    pub sha256: String,
    /// The number of groups in the file.
    pub groups: usize,
    /// The number of cases in the file.
    pub cases: usize,
    /// The clauses that the file cites, in alphabetical order.
    pub clauses: Vec<String>,
}

/// The identifiers of withdrawn cases, which are never used again, in alphabetical order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Withdrawn {
    /// Always `exactum-withdrawn`.
    pub format: String,
    /// The version of the interpretation rules.
    pub version: u32,
    /// The full identifiers of the cases. An identifier that ends in a slash stands for all cases of a withdrawn group
    /// or topic, whose identifiers begin with it.
    pub ids: Vec<String>,
}

impl Withdrawn {
    /// Returns whether a case id has been withdrawn.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        let is_listed = |id: &str| self.ids.binary_search_by(|it| it.as_str().cmp(id)).is_ok();
        let mut fronts = id.match_indices('/').map(|(end, _)| &id[..=end]);
        is_listed(id) || fronts.any(is_listed)
    }
}

impl Manifest {
    /// Returns the manifest of some files with their texts, in any order.
    #[must_use]
    pub fn of(files: &[(File, String)]) -> Self {
        let mut entries: Vec<Entry> = files
            .iter()
            .map(|(file, text)| Entry::of(file, text))
            .collect();
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Self {
            format: "exactum-manifest".into(),
            version: crate::VERSION,
            suite: env!("CARGO_PKG_VERSION").into(),
            groups: entries.iter().map(|entry| entry.groups).sum(),
            cases: entries.iter().map(|entry| entry.cases).sum(),
            files: entries,
        }
    }

    /// Returns the canonical text.
    #[must_use]
    pub fn render(&self) -> String {
        let head = crate::render::line(&json!({
            "format": self.format,
            "version": self.version,
            "suite": self.suite,
            "groups": self.groups,
            "cases": self.cases,
        }));
        let rows: Vec<Value> = self.files.iter().map(|entry| json!(entry)).collect();
        lines(&head, "files", &rows)
    }
}

impl Entry {
    fn of(file: &File, text: &str) -> Self {
        let clauses: BTreeSet<&str> = file
            .groups
            .iter()
            .flat_map(|group| group.cases.iter().flat_map(|case| group.case_clauses(case)))
            .collect();
        Self {
            path: file.path(),
            sha256: hex::encode(Sha256::digest(text.as_bytes())),
            groups: file.groups.len(),
            cases: file.groups.iter().map(|group| group.cases.len()).sum(),
            clauses: clauses.into_iter().map(str::to_owned).collect(),
        }
    }
}
