//! The outline of a suite, which is all that expectations and reports need of it.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use exactum_vectors::{Level, Suite};

use crate::pattern::Pattern;

/// The facts about a suite that expectations and reports need: the level and the clauses of each case.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The version of the suite.
    pub version: String,
    /// The levels and clauses of the cases, by full case id.
    pub cases: BTreeMap<String, (Level, Arc<[String]>)>,
}

impl Outline {
    /// Returns the outline of a suite.
    #[must_use]
    pub fn of(suite: &Suite) -> Self {
        let mut cases = BTreeMap::new();
        for group in suite.files.iter().flat_map(|(file, _)| &file.groups) {
            // Most cases cite nothing beyond their group, whose clauses they share.
            let of_group: Arc<[String]> = group.clauses.as_slice().into();
            for case in &group.cases {
                let clauses = match case.clauses.is_empty() {
                    true => Arc::clone(&of_group),
                    false => group.case_clauses(case).map(str::to_owned).collect(),
                };
                cases.insert(group.case_id(case), (group.level, clauses));
            }
        }
        Self {
            version: suite.manifest.suite.clone(),
            cases,
        }
    }

    /// Returns the level of a case.
    #[must_use]
    pub fn level(&self, case: &str) -> Option<Level> {
        self.cases.get(case).map(|(level, _)| *level)
    }

    /// Returns the clauses that a case cites.
    #[must_use]
    pub fn clauses(&self, case: &str) -> &[String] {
        self.cases.get(case).map_or(&[], |(_, clauses)| clauses)
    }

    /// Returns whether a pattern matches any case.
    pub(crate) fn has(&self, pattern: &Pattern) -> bool {
        let beginning = pattern.beginning();
        self.cases
            .range::<str, _>((Bound::Included(beginning), Bound::Unbounded))
            .map(|(case, _)| case)
            .take_while(|case| case.starts_with(beginning))
            .any(|case| pattern.matches(case))
    }
}
