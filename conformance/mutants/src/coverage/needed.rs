//! Cases that are sufficient: with these alone, every mutant and every lie would still be killed, and every clause
//! covered.

use std::collections::BTreeSet;

use super::cases::Prepared;
use super::{ClauseCoverage, MutantCoverage};

/// Adds to the cases that kill the lies those that the mutants and the clauses need as well, the smallest cases first.
pub(super) fn needed(
    of_lies: BTreeSet<String>,
    cases: &[&Prepared<'_>],
    mutants: &[(&MutantCoverage, Vec<usize>)],
    clauses: &[ClauseCoverage],
) -> BTreeSet<String> {
    let mut needed = of_lies;
    for (mutant, kills) in mutants {
        for clause in &mutant.breaks {
            let killing = kills.iter().map(|&place| cases[place]);
            add_smallest(
                &mut needed,
                killing.filter(|case| case.clauses.contains(clause)),
            );
        }
    }
    for clause in clauses {
        let id = clause.clause.id.as_str();
        let citing = || {
            cases
                .iter()
                .copied()
                .filter(move |case| case.clauses.contains(&id))
        };
        add_smallest(&mut needed, citing().filter(|case| case.accepts()));
        add_smallest(&mut needed, citing().filter(|case| case.rejects()));
        add_smallest(&mut needed, citing());
    }
    needed
}

/// Adds the smallest of some cases, unless one of them is already included.
fn add_smallest<'a>(
    needed: &mut BTreeSet<String>,
    cases: impl Iterator<Item = &'a Prepared<'a>> + Clone,
) {
    if cases.clone().any(|case| needed.contains(&case.id)) {
        return;
    }
    needed.extend(
        cases
            .min_by_key(|case| case.bytes)
            .map(|case| case.id.clone()),
    );
}
