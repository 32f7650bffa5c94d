//! Updating expectations from a run.

use std::collections::{BTreeMap, BTreeSet};

use super::{ANY, Entry, Expectations, NewFault};
use crate::pattern::Pattern;
use crate::run::{Report, Selection};

impl Expectations {
    /// Returns the expectations updated with the failures of a report. Known cases get the digests of this run and stay
    /// in their entries, cases that no longer fail are dropped, and a new failure joins the first entry whose pattern
    /// matches it. The rest become `unreviewed` entries: one for each new fault, or for each topic if no fault is
    /// recognised. Cases outside the selection and entries that do not apply here stay as they are.
    #[must_use]
    pub fn updated(&self, report: &Report, selection: &Selection, faults: &[NewFault]) -> Self {
        let fault_of: BTreeMap<&str, &NewFault> = faults
            .iter()
            .flat_map(|fault| fault.cases.iter().map(move |case| (case.as_str(), fault)))
            .collect();
        let applying: BTreeSet<usize> = self
            .applying(&report.hello.version)
            .map(|(place, _)| place)
            .collect();
        let patterns: Vec<(usize, Pattern)> = applying
            .iter()
            .flat_map(|&place| {
                let patterns = self.entries[place].compiled().unwrap_or_default();
                patterns.into_iter().map(move |pattern| (place, pattern))
            })
            .collect();
        let mut entries = self.entries.clone();
        let mut homes: BTreeMap<String, usize> = BTreeMap::new();
        let mut changing = BTreeSet::new();
        for &place in &applying {
            let varies = entries[place].varies;
            entries[place].answers.retain(|case, digest| {
                let again = selection.takes(case);
                if varies || digest == ANY {
                    changing.insert(case.clone());
                }
                if again {
                    homes.entry(case.clone()).or_insert(place);
                }
                !again
            });
        }
        let mut new: BTreeMap<(String, Option<String>), Entry> = BTreeMap::new();
        for judged in report.failures() {
            let home = homes.get(&judged.case).copied().or_else(|| {
                let taking = patterns
                    .iter()
                    .find(|(_, pattern)| pattern.matches(&judged.case));
                taking.map(|(place, _)| *place)
            });
            let entry = match home {
                Some(place) => &mut entries[place],
                None => {
                    let fault = fault_of.get(judged.case.as_str());
                    let clause = fault.and_then(|fault| fault.clause.clone());
                    let pattern =
                        fault.map_or_else(|| topic(&judged.case), |it| it.pattern.clone());
                    new.entry((pattern.clone(), clause.clone()))
                        .or_insert_with(|| Entry::unreviewed(pattern, clause))
                }
            };
            let digest = match entry.varies || changing.contains(&judged.case) {
                true => ANY.to_owned(),
                false => judged.digest.clone(),
            };
            entry.answers.insert(judged.case.clone(), digest);
        }
        let mut place = 0;
        entries.retain(|entry| {
            let stays = !applying.contains(&place) || !entry.answers.is_empty();
            place += 1;
            stays
        });
        // A case belongs to the first entry that matches it, so whole topics come last.
        let (topics, faults): (Vec<Entry>, Vec<Entry>) = new
            .into_values()
            .partition(|entry| entry.case.ends_with("/**"));
        entries.extend(faults);
        entries.extend(topics);
        Self { entries }
    }
}

/// Returns the pattern for the topic of a case.
fn topic(case: &str) -> String {
    let topic: Vec<&str> = case.splitn(3, '/').take(2).collect();
    format!("{}/**", topic.join("/"))
}
