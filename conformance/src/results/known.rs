//! The expectations of a checkout: the reviewed entries are in `conformance/expectations`, and the answers of each case
//! in `conformance/results`.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use super::Results;
use crate::checkout::Checkout;
use crate::expectations::{Entry, Expectations, When};
use crate::pattern::Pattern;

impl Expectations {
    /// Reads the expectations for a peer in a checkout, with the answers from its results. A peer without a file has no
    /// expectations.
    ///
    /// # Errors
    /// If a file cannot be read. The message states the reason.
    pub fn load(checkout: &Checkout, peer: &str) -> Result<Self, String> {
        let results = Results::load(&checkout.results(), peer)?;
        Self::without_answers(&checkout.expectations(), peer)?
            .with_results(results.as_ref())
            .map_err(|error| format!("{peer}.toml: {error}"))
    }

    /// Reads the file of a peer in a folder, without the answers.
    ///
    /// # Errors
    /// If the file cannot be read. The message states the reason.
    pub fn without_answers(folder: &Path, peer: &str) -> Result<Self, String> {
        let path = folder.join(format!("{peer}.toml"));
        match fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text).map_err(|error| format!("{}: {error}", path.display())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    /// Assigns each failure in some results to the first entry that was in force in that run and whose pattern matches.
    /// A failure that matches no entry is left out and is therefore unexpected.
    ///
    /// # Errors
    /// If an entry lists answers, which belong in the results only.
    pub fn with_results(mut self, results: Option<&Results>) -> Result<Self, String> {
        if let Some(entry) = self.entries.iter().find(|entry| !entry.answers.is_empty()) {
            return Err(format!(
                "{}: answers belong in conformance/results, not here",
                entry.case
            ));
        }
        let Some(results) = results else {
            return Ok(self);
        };
        let mut patterns: Vec<(usize, Pattern)> = Vec::new();
        for (place, entry) in self.entries.iter().enumerate() {
            if entry.when.as_ref().is_none_or(|when| when.held(results)) {
                patterns.extend(entry.compiled()?.into_iter().map(|it| (place, it)));
            }
        }
        for failed in &results.failures {
            let taking = patterns.iter().find(|(_, it)| it.matches(&failed.case));
            if let Some(&(place, _)) = taking {
                let answers = &mut self.entries[place].answers;
                answers.insert(failed.case.clone(), failed.answer.clone());
            }
        }
        Ok(self)
    }

    /// Returns the entries without answers, as they are in the file of a checkout.
    #[must_use]
    pub fn entries_alone(&self) -> Self {
        let entries = self.entries.iter().cloned();
        let alone = |entry| Entry {
            answers: BTreeMap::new(),
            ..entry
        };
        Self {
            entries: entries.map(alone).collect(),
        }
    }
}

impl When {
    /// Returns whether the condition held in the run that produced these results.
    pub(crate) fn held(&self, results: &Results) -> bool {
        let version = &results.implementation.version;
        self.version.as_ref().is_none_or(|only| only == version)
            && self
                .machine()
                .is_none_or(|machine| results.conditions.get(&machine) == Some(&true))
    }
}
