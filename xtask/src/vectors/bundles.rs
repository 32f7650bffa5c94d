//! Bundles of elements that prove the same about a codec, each of which becomes a case.

use exactum_model::{DataType, Reason};
use exactum_vectors::{Expect, File, Group, Level, Request, array_to_json};

use super::builder::{request, row};

/// The largest number of elements in a case that are sent one by one; the first ones tell most.
const MOST_REJECTED: usize = 24;

/// The clauses that an element proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proof {
    /// The id of the case within its group; there is one id for each list of clauses.
    pub(super) case: String,
    /// Whether the text or a ruling decides the result.
    pub(super) level: Level,
    /// The proved clauses.
    pub(super) clauses: Vec<&'static str>,
}

/// The elements of a configuration, grouped by what they prove.
#[derive(Default)]
pub(super) struct Bundles(Vec<Bundle>);

/// The elements of one case.
struct Bundle {
    proof: Proof,
    reason: Option<Reason>,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl Bundles {
    /// Adds an element with its outcome.
    pub(super) fn add(&mut self, proof: Proof, bits: u64, outcome: Result<u64, Reason>) {
        let reason = outcome.err();
        let mut known = self.0.iter();
        let found = known.position(|it| it.proof == proof && it.reason == reason);
        let place = found.unwrap_or_else(|| {
            self.0.push(Bundle {
                proof,
                reason,
                inputs: Vec::new(),
                outputs: Vec::new(),
            });
            self.0.len() - 1
        });
        self.0[place].inputs.push(bits);
        self.0[place].outputs.extend(outcome.ok());
    }

    /// Adds the groups of the configuration: one for results that the text defines, and one for results that rulings
    /// define. `note` returns a note for readers about the elements of a case.
    pub(super) fn add_groups(
        &self,
        file: &mut File,
        (name, clauses): (&str, &[&str]),
        shared: &Request,
        types: (DataType, DataType),
        note: impl Fn(&[u64]) -> Option<String>,
    ) -> Result<(), String> {
        for (level, suffix) in [(Level::Must, ""), (Level::Ruling, "-ruling")] {
            let of_level = self.0.iter().filter(|it| it.proof.level == level);
            let of_level: Vec<&Bundle> = of_level.collect();
            if !of_level.is_empty() {
                let name = format!("{name}{suffix}");
                let group = file.group(&name, level, clauses, shared.clone());
                for bundle in of_level {
                    bundle.add_case(group, types, &note)?;
                }
            }
        }
        Ok(())
    }
}

impl Bundle {
    fn add_case(
        &self,
        group: &mut Group,
        (from, to): (DataType, DataType),
        note: impl Fn(&[u64]) -> Option<String>,
    ) -> Result<(), String> {
        let all = &self.inputs[..];
        let (inputs, expect) = match self.reason {
            None => (all, Expect::output(&row(to, &self.outputs)?)),
            Some(reason) => (&all[..all.len().min(MOST_REJECTED)], Expect::reject(reason)),
        };
        let own = request([("input", array_to_json(&row(from, inputs)?))]);
        let case = group.case(&self.proof.case, &self.proof.clauses, own, expect);
        if self.reason.is_some() {
            case.per_element();
        }
        if let Some(note) = note(inputs) {
            case.note(note);
        }
        Ok(())
    }
}
