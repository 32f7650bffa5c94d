//! The contents of the committed files, in the form that the pages need.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use exactum_conformance::checkout::{ByName, Checkout};
use exactum_conformance::expectations::{Entry, Expectations};
use exactum_conformance::fairness::Claims;
use exactum_conformance::findings;
use exactum_conformance::history::History;
use exactum_conformance::report::Outline;
use exactum_conformance::results::Results;
use exactum_vectors::spec::Clause;
use exactum_vectors::{Case, Group, Level, Suite};

use crate::cause::{Cause, causes};
use crate::entries::{Vectors, entry_of, row_of};

/// The contents of all committed files.
pub(crate) struct Known<'s> {
    pub(crate) clauses: Vec<Clause>,
    pub(crate) outline: Outline,
    pub(crate) cases: BTreeMap<String, (&'s Group, &'s Case)>,
    /// The texts that the vectors of a row follow, each as the repository, `@` and the commit.
    pub(crate) upstream: BTreeMap<String, Vec<String>>,
    pub(crate) claims: BTreeMap<String, Claims>,
    pub(crate) history: History,
    pub(crate) implementations: Vec<Implementation>,
    /// The expectations and results of each implementation, in the form that the library takes.
    pub(crate) all: Vec<findings::Known>,
}

/// One implementation.
pub(crate) struct Implementation {
    pub(crate) known: findings::Known,
    pub(crate) results: Results,
    /// Its standing in each row.
    pub(crate) rows: BTreeMap<String, Standing>,
    /// The causes of its failures, the worst first.
    pub(crate) causes: Vec<Cause>,
}

/// The standing of an implementation in a row. A check is one case together with one clause that it cites.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Standing {
    /// The number of checks of clauses that a sentence of the text decides, without those that only differ from a
    /// ruling or from a text that the implementation does not claim.
    pub(crate) asked: usize,
    /// The number of these checks that the implementation passed.
    pub(crate) passed: usize,
    /// The number of failing cases that differ from a ruling, or from something optional.
    pub(crate) readings: usize,
    /// The number of failing cases that were measured against a text that the implementation does not claim.
    pub(crate) other_text: usize,
    /// The number of failing cases of level `must` that a sentence of the text decides.
    pub(crate) failed: usize,
}

impl<'s> Known<'s> {
    /// Reads the committed files.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub(crate) fn read(checkout: &Checkout, suite: &'s Suite) -> Result<Self, String> {
        let mut known = Self {
            clauses: checkout.clauses()?,
            outline: Outline::of(suite),
            cases: BTreeMap::new(),
            upstream: BTreeMap::new(),
            claims: claims(checkout.root())?,
            history: History::load(checkout.root())?,
            implementations: Vec::new(),
            all: Vec::new(),
        };
        for (file, _) in &suite.files {
            let texts = known.upstream.entry(file.row.clone()).or_default();
            if !texts.contains(&file.upstream) {
                texts.push(file.upstream.clone());
            }
            for group in &file.groups {
                for case in &group.cases {
                    known.cases.insert(group.case_id(case), (group, case));
                }
            }
        }
        for name in ByName::of(&checkout.results(), "json")?.names {
            let Some(results) = Results::load(&checkout.results(), &name)? else {
                continue;
            };
            let one = findings::Known {
                expectations: Expectations::load(checkout, &name)?,
                results: Some(results.clone()),
                name,
            };
            known.all.push(one.clone());
            let causes = causes(
                &Vectors {
                    outline: &known.outline,
                    cases: &known.cases,
                    history: &known.history,
                },
                &one,
                &results,
                checkout.root(),
            );
            let rows = known.standings(&one, &results);
            known.implementations.push(Implementation {
                known: one,
                results,
                rows,
                causes,
            });
        }
        Ok(known)
    }

    /// Returns the rows, in the order of the specification's files.
    pub(crate) fn rows(&self) -> Vec<&str> {
        let mut rows: Vec<&str> = self.clauses.iter().map(|it| it.row.as_str()).collect();
        rows.dedup();
        rows
    }

    fn standings(&self, one: &findings::Known, results: &Results) -> BTreeMap<String, Standing> {
        let levels: BTreeMap<&str, Level> = self
            .clauses
            .iter()
            .map(|clause| (clause.id.as_str(), clause.level))
            .collect();
        let is_must = |id: &str| levels.get(id) == Some(&Level::Must);
        let mut rows: BTreeMap<String, Standing> = BTreeMap::new();
        for (id, counts) in &results.clauses {
            let row = rows.entry(row_of(id).to_owned()).or_default();
            if is_must(id) {
                row.asked += counts.values().sum::<usize>();
                row.passed += counts.get("pass").copied().unwrap_or_default();
            }
        }
        for failed in &results.failures {
            let case = failed.case.as_str();
            let entry = entry_of(one, case);
            let is_fault =
                self.outline.level(case) == Some(Level::Must) && entry.is_none_or(Entry::accuses);
            let is_other = entry.is_some_and(|it| it.kind.name() == "other_text");
            let row = rows.entry(row_of(case).to_owned()).or_default();
            match (is_other, is_fault) {
                (true, _) => row.other_text += 1,
                (false, true) => row.failed += 1,
                (false, false) => row.readings += 1,
            }
            if !is_fault {
                for clause in self.outline.clauses(case).iter().filter(|id| is_must(id)) {
                    if let Some(row) = rows.get_mut(row_of(clause)) {
                        row.asked = row.asked.saturating_sub(1);
                    }
                }
            }
        }
        rows
    }
}

/// Reads from the list of peers which texts each implementation claims to implement.
fn claims(root: &Path) -> Result<BTreeMap<String, Claims>, String> {
    let at = |error: &dyn std::fmt::Display| format!("conformance/peers.lock: {error}");
    let text = fs::read_to_string(root.join("conformance/peers.lock")).map_err(|it| at(&it))?;
    let mut lock: toml::Table = toml::from_str(&text).map_err(|it| at(&it))?;
    let claims = lock
        .remove("claims")
        .ok_or_else(|| at(&"the table `claims` is missing"))?;
    claims.try_into().map_err(|it: toml::de::Error| at(&it))
}
