//! The versions of each library in which its faults were observed: the file `conformance/history.toml`.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::findings::Known;

/// The path of the file, relative to the root of the checkout.
pub const FILE: &str = "conformance/history.toml";

/// The header above the entries of the file.
const HEAD: &str = "\
# The versions of each library that were judged, and for each fault of its expectations the first and the last in which
# it was seen. `cargo xtask findings` adds to it. A fault that a later version does not show stays, with the last that
# did. Where an expectation is reworded, reword it here too: its first version is lost otherwise.
";

/// The histories of all libraries, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct History {
    libraries: BTreeMap<String, Library>,
}

/// The history of a library.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    /// The versions that were judged, from the oldest to the newest.
    pub versions: Vec<String>,
    /// The first and the last version in which each fault was observed, by its description in the expectations.
    #[serde(default)]
    pub faults: BTreeMap<String, [String; 2]>,
}

impl History {
    /// Reads the file of a checkout. A missing file counts as empty.
    ///
    /// # Errors
    /// If the file cannot be parsed.
    pub fn load(root: &Path) -> Result<Self, String> {
        match fs::read_to_string(root.join(FILE)) {
            Ok(text) => toml::from_str(&text).map_err(|error| format!("{FILE}: {error}")),
            Err(_) => Ok(Self::default()),
        }
    }

    /// Returns the text of the file.
    ///
    /// # Errors
    /// If it cannot be written as TOML.
    pub fn render(&self) -> Result<String, String> {
        let entries = toml::to_string(self).map_err(|error| error.to_string())?;
        Ok(format!("{HEAD}\n{entries}"))
    }

    /// Returns the history of the library of which an implementation is a version.
    #[must_use]
    pub fn of(&self, implementation: &str) -> Option<&Library> {
        self.libraries.get(library_of(implementation))
    }

    /// Adds the faults that the committed results show now.
    ///
    /// A fault that was last seen in a current version and that this version no longer shows is dropped: since the
    /// version is the same, the fault was reworded or reassessed.
    pub fn add(&mut self, known: &[Known]) {
        let mut today: BTreeMap<&str, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
        for one in known {
            let Some(results) = &one.results else {
                continue;
            };
            let shown = one.expectations.entries.iter();
            let shown = shown.filter(|it| !it.answers.is_empty() && !it.fault.is_empty());
            let versions = today.entry(library_of(&one.name)).or_default();
            let faults = versions.entry(&results.implementation.version).or_default();
            faults.extend(shown.map(|entry| entry.fault.as_str()));
        }
        for (name, versions) in today {
            let library = self.libraries.entry(name.to_owned()).or_default();
            library.faults.retain(|fault, [_, last]| {
                versions
                    .get(last.as_str())
                    .is_none_or(|faults| faults.contains(fault.as_str()))
            });
            for (version, faults) in versions {
                library.add(version, &faults);
            }
        }
    }
}

impl Library {
    fn add(&mut self, version: &str, faults: &BTreeSet<&str>) {
        if !self.versions.iter().any(|it| it == version) {
            self.versions.push(version.to_owned());
            self.versions.sort_by(|a, b| by_number(a, b));
        }
        for fault in faults {
            let seen = self.faults.entry((*fault).to_owned());
            let [first, last] = seen.or_insert_with(|| [version.to_owned(), version.to_owned()]);
            if by_number(version, first).is_lt() {
                version.clone_into(first);
            }
            if by_number(version, last).is_gt() {
                version.clone_into(last);
            }
        }
    }

    /// Returns the faults of earlier versions that a version does not show, with the last version that showed each.
    pub fn gone<'a>(&'a self, version: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let earlier = move |last: &str| by_number(last, version).is_lt();
        self.faults
            .iter()
            .filter(move |(_, [_, last])| earlier(last))
            .map(|(fault, [_, last])| (fault.as_str(), last.as_str()))
    }
}

/// Returns the library of an implementation whose name may end in a version, such as `zarr-python-3.3`.
fn library_of(implementation: &str) -> &str {
    let is_version =
        |text: &str| text.contains('.') && text.chars().all(|c| c.is_ascii_digit() || c == '.');
    match implementation.rsplit_once('-') {
        Some((library, version)) if is_version(version) => library,
        _ => implementation,
    }
}

/// Compares versions by the numbers in them, and by their text if the numbers are equal.
fn by_number(a: &str, b: &str) -> Ordering {
    let numbers = |version: &str| -> Vec<u64> {
        let parts = version.split(|c: char| !c.is_ascii_digit());
        parts.filter_map(|part| part.parse().ok()).collect()
    };
    numbers(a).cmp(&numbers(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expectations::Expectations;
    use crate::results::Results;

    /// Returns the known facts about a version of a library with these faults.
    fn known(name: &str, version: &str, faults: &[&str]) -> Known {
        let mut text = String::new();
        for (place, fault) in faults.iter().enumerate() {
            text += &format!(
                "[[expect]]\ncase = \"row/{place}/*\"\nkind = \"bug\"\nfault = \"{fault}\"\n[expect.answers]\n\
                 \"row/{place}/a\" = \"any\"\n"
            );
        }
        let results = format!(
            r#"{{"format": "exactum-results", "version": 2,
            "implementation": {{"name": "{name}", "version": "{version}", "language": "rust"}},
            "conditions": {{}}, "verdicts": {{}}, "clauses": {{}}, "failures": [], "observed": []}}"#
        );
        Known {
            name: name.into(),
            expectations: Expectations::parse(&text).expect("expectations"),
            results: Some(serde_json::from_str::<Results>(&results).expect("results")),
        }
    }

    #[test]
    fn a_fault_keeps_the_first_and_the_last_version_that_showed_it() {
        let mut history = History::default();
        history.add(&[known("lib", "1.9.0", &["stays", "goes"])]);
        history.add(&[known("lib", "1.10.0", &["stays", "comes"])]);
        let library = history.of("lib").expect("the library");
        assert_eq!(library.versions, ["1.9.0", "1.10.0"]);
        assert_eq!(library.faults["stays"], ["1.9.0", "1.10.0"]);
        assert_eq!(library.faults["comes"], ["1.10.0", "1.10.0"]);
        let gone: Vec<_> = library.gone("1.10.0").collect();
        assert_eq!(gone, [("goes", "1.9.0")]);
        let again: History = toml::from_str(&history.render().expect("text")).expect("the form");
        assert_eq!(again, history);
    }

    #[test]
    fn a_fault_that_the_same_version_no_longer_shows_was_reworded() {
        let mut history = History::default();
        history.add(&[known("lib", "1.0", &["old words"])]);
        history.add(&[known("lib", "1.0", &["new words"])]);
        let library = history.of("lib").expect("the library");
        assert_eq!(library.faults.keys().collect::<Vec<_>>(), ["new words"]);
    }

    #[test]
    fn implementations_that_are_versions_of_one_library_have_one_history() {
        let mut history = History::default();
        history.add(&[
            known("lib", "3.4.2", &["both"]),
            known("lib-3.3", "3.3.0", &["both", "only old"]),
        ]);
        let library = history.of("lib-3.3").expect("the library");
        assert_eq!(library.faults["both"], ["3.3.0", "3.4.2"]);
        assert_eq!(library.faults["only old"], ["3.3.0", "3.3.0"]);
        assert_eq!(library.gone("3.4.2").count(), 1);
    }
}
