//! The selection of cases from a suite.

use exactum_vectors::{Case, Group, Suite};

use crate::pattern::Pattern;

/// A selection of cases.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    patterns: Vec<Pattern>,
}

impl Selection {
    /// Selects the cases that match any of the patterns, or all cases if there are none.
    #[must_use]
    pub fn new(patterns: Vec<Pattern>) -> Self {
        Self { patterns }
    }

    /// Returns whether every case is selected.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Returns whether a case is selected.
    #[must_use]
    pub fn takes(&self, case: &str) -> bool {
        self.is_all() || self.patterns.iter().any(|pattern| pattern.matches(case))
    }

    /// Returns the selected cases of a suite with their full ids.
    pub fn cases<'a, 's>(
        &'s self,
        suite: &'a Suite,
    ) -> impl Iterator<Item = (&'a Group, &'a Case, String)> + use<'a, 's> {
        suite
            .files
            .iter()
            .flat_map(|(file, _)| &file.groups)
            .flat_map(|group| group.cases.iter().map(move |case| (group, case)))
            .map(|(group, case)| (group, case, group.case_id(case)))
            .filter(|(_, _, id)| self.takes(id))
    }
}
