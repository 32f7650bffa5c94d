//! The pages of cases, with one data file for each file of the vectors.

use std::collections::BTreeMap;

use exactum_conformance::report::level_name;
use exactum_vectors::{File, Group};
use serde_json::{Value, json};

use crate::entries::answer_of;
use crate::example::example;
use crate::known::{Implementation, Known};

/// The members of an example that describe the case itself and do not depend on the answer.
const OF_CASE: [&str; 5] = ["case", "level", "clauses", "note", "request"];

/// The failures of each case: the implementation and the verdict.
pub(crate) struct Failures<'a>(BTreeMap<&'a str, Vec<(&'a Implementation, &'a str)>>);

impl<'a> Failures<'a> {
    /// Collects the failures of all implementations by case.
    pub(crate) fn of(known: &'a Known<'_>) -> Self {
        let mut all: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for one in &known.implementations {
            for failed in &one.results.failures {
                let those = all.entry(&failed.case).or_default();
                those.push((one, failed.verdict.as_str()));
            }
        }
        Self(all)
    }

    /// Returns the groups of a file. Each case is shown in numbers and bits, with the implementations that fail it.
    pub(crate) fn page(&self, file: &File) -> Value {
        let groups: Vec<Value> = file.groups.iter().map(|group| self.group(group)).collect();
        json!({ "upstream": file.upstream, "groups": groups })
    }

    fn group(&self, group: &Group) -> Value {
        let cases: Vec<Value> = group
            .cases
            .iter()
            .map(|case| {
                let id = group.case_id(case);
                let failed: Vec<Value> = self
                    .0
                    .get(id.as_str())
                    .into_iter()
                    .flatten()
                    .map(|(one, verdict)| {
                        let mut shown = example(group, case, answer_of(&one.known, &id));
                        if let Some(members) = shown.as_object_mut() {
                            // The page already shows the case itself.
                            members.retain(|name, _| !OF_CASE.contains(&name.as_str()));
                        }
                        let cause = one.causes.iter().find(|it| it.cases.contains(&id));
                        json!({
                            "implementation": one.known.name, "verdict": verdict,
                            "cause": cause.map(|it| &it.id), "fault": cause.map(|it| &it.fault),
                            "section": cause.map(|it| it.section),
                            "example": shown,
                        })
                    })
                    .collect();
                json!({ "id": case.id, "example": example(group, case, None), "failed": failed })
            })
            .collect();
        json!({ "id": group.id, "level": level_name(group.level), "cases": cases })
    }
}
