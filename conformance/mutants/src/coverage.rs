//! Coverage of the clauses by the vectors, demonstrated by mutants.
//!
//! A citation proves nothing: a vector may name a clause and pass whether or not the clause is followed. Therefore a
//! clause counts as covered if a mutant that breaks it is killed by a vector that cites it and that the reference
//! passes. A clause about documents is covered if one accepted and one rejected document cite it. If such a clause only
//! permits something, so that no document can break it, it is covered by a mutant that refuses what it permits. Every
//! other clause is uncovered, unless the specification states why no vector can show it.

mod cases;
mod lies;
mod needed;
mod render;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use exactum_conformance::vectors::spec::{self, Clause};
use exactum_conformance::vectors::{File, Level, Suite};
use rayon::prelude::*;

use crate::{CellMutant, Mutant};
pub use cases::{ByCell, by_cell};
use cases::{Found, Prepared, Sweep};
pub use lies::{CellCoverage, Fate};

/// The path of the committed page of totals, relative to the root.
const PAGE: &str = "docs/coverage.md";

/// The folder for all other output, relative to the root: the kill matrix, and the cases needed for the kills.
const FOLDER: &str = "target/coverage";

/// The verdict of the vectors on the mutants.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// Every clause of the specification.
    pub clauses: Vec<ClauseCoverage>,
    /// Every mutant.
    pub mutants: Vec<MutantCoverage>,
    /// The families of topics by which kills are counted.
    pub families: Vec<String>,
    /// The number of cases that ran against every mutant that they can concern, without sweeps.
    pub cases: usize,
    /// The cases that the reference fails, which therefore cover nothing.
    pub failed: Vec<String>,
    /// Citations of unknown clauses, as `case cites clause`.
    pub unknown: Vec<String>,
    /// The fates of the mutants that are confined to one cell.
    pub lies: Vec<CellCoverage>,
    /// The number of cases by row and level, including sweeps.
    pub levels: BTreeMap<String, BTreeMap<Level, usize>>,
    /// Cases that are sufficient for every kill and every clause, without sweeps.
    pub needed: BTreeSet<String>,
}

/// A clause and its coverage.
#[derive(Clone, Debug)]
pub struct ClauseCoverage {
    /// The clause.
    pub clause: Clause,
    /// The number of cases that cite it, including sweeps.
    pub cited: usize,
    /// The number of citing cases in which a result is expected and the reference gives it.
    pub accepted: usize,
    /// The number of citing cases in which a rejection is expected and the reference gives it.
    pub rejected: usize,
    /// The mutants that break it, with the number of citing cases that kill each.
    pub mutants: Vec<(&'static str, usize)>,
    /// The verdict.
    pub status: Status,
}

/// The verdict on a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// A citing case kills a mutant that breaks it.
    Mutant,
    /// The clause is about documents: one is accepted and one is rejected.
    Documents,
    /// Uncovered, but the specification states the reason.
    Excused,
    /// Uncovered, for this reason.
    Uncovered(&'static str),
}

/// A mutant and its fate.
#[derive(Clone, Debug)]
pub struct MutantCoverage {
    /// The name.
    pub name: &'static str,
    /// The clauses that it breaks.
    pub breaks: Vec<&'static str>,
    /// The fault.
    pub fault: &'static str,
    /// The number of cases that kill it, for each family of topics.
    pub kills: Vec<usize>,
    /// For each clause that it breaks, the number of killing cases that cite the clause.
    pub citing: Vec<usize>,
    /// The smallest killing case; one that cites a broken clause is preferred.
    pub witness: Option<String>,
}

/// The outcome of [`run`].
#[derive(Clone, Debug)]
pub struct Report {
    /// The coverage.
    pub coverage: Coverage,
    /// The summary for a terminal.
    pub summary: String,
    /// The problems found. It is empty if every clause is covered and every mutant is killed.
    pub findings: Vec<String>,
}

impl MutantCoverage {
    /// Returns the number of cases that kill it.
    #[must_use]
    pub fn killed(&self) -> usize {
        self.kills.iter().sum()
    }
}

impl Coverage {
    /// Describes all problems.
    #[must_use]
    pub fn findings(&self) -> Vec<String> {
        let failed = self
            .failed
            .iter()
            .map(|case| format!("{case}: the reference fails it"));
        let unknown = self.unknown.iter().cloned();
        let clauses = self.clauses.iter().filter_map(|clause| {
            let id = &clause.clause.id;
            match &clause.status {
                Status::Uncovered(why) => Some(format!("{id}: {why}")),
                Status::Mutant | Status::Documents if clause.clause.uncovered.is_some() => Some(
                    format!("{id}: covered, although its text says why it cannot be covered"),
                ),
                _ => None,
            }
        });
        let mutants = self.mutants.iter().flat_map(|mutant| {
            let name = mutant.name;
            if mutant.killed() == 0 {
                return vec![format!("{name}: survives every vector: {}", mutant.fault)];
            }
            mutant
                .breaks
                .iter()
                .zip(&mutant.citing)
                .filter(|(_, citing)| **citing == 0)
                .map(|(clause, _)| {
                    let witness = mutant.witness.as_deref().unwrap_or_default();
                    format!("{name}: killed, but by no vector that cites {clause}: {witness}")
                })
                .collect()
        });
        let lies = self.lies.iter().filter_map(CellCoverage::finding);
        failed
            .chain(unknown)
            .chain(clauses)
            .chain(mutants)
            .chain(lies)
            .collect()
    }
}

/// Runs every mutant against the vectors below `root`, writes the kill matrix below `target`, and either compares the
/// page of totals with the committed one or writes it.
///
/// # Errors
/// If a file cannot be read or written, or the vectors cannot be parsed.
pub fn run(root: &Path, write: bool) -> Result<Report, String> {
    let clauses = spec::clauses(root)?;
    let suite = Suite::load(&root.join("vectors"))?;
    let files: Vec<&File> = suite.files.iter().map(|(file, _)| file).collect();
    let coverage = cover(&clauses, &files, &crate::all(), &crate::lies())?;
    let page = render::page(&coverage);
    let mut findings = coverage.findings();
    let needed: String = coverage.needed.iter().map(|id| format!("{id}\n")).collect();
    save(
        &root.join(FOLDER).join("matrix.md"),
        &render::matrix_page(&coverage),
    )?;
    save(&root.join(FOLDER).join("needed.txt"), &needed)?;
    let path = root.join(PAGE);
    if write {
        save(&path, &page)?;
    } else if fs::read_to_string(&path).ok().as_deref() != Some(&page) {
        findings.push(format!(
            "{PAGE}: does not match the vectors and the mutants; run `cargo xtask coverage`"
        ));
    }
    Ok(Report {
        summary: render::summary(&coverage, &findings),
        coverage,
        findings,
    })
}

fn save(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Returns the pages of a coverage in Markdown: the totals, and the kill matrix.
#[must_use]
pub fn render(coverage: &Coverage) -> (String, String) {
    (render::page(coverage), render::matrix_page(coverage))
}

/// Runs mutants and lies against vectors.
///
/// # Errors
/// If a request or an expectation cannot be read.
pub fn cover(
    clauses: &[Clause],
    files: &[&File],
    mutants: &[Mutant],
    lies: &[CellMutant],
) -> Result<Coverage, String> {
    let Found {
        families,
        prepared,
        sweeps,
    } = cases::find(files)?;
    let passed: Vec<&Prepared<'_>> = prepared.iter().filter(|case| case.passed).collect();
    let (mutants, kills): (Vec<MutantCoverage>, Vec<Vec<usize>>) = mutants
        .par_iter()
        .map(|mutant| judged(mutant, &families, &passed, &sweeps))
        .collect::<Result<Vec<_>, String>>()?
        .into_iter()
        .unzip();
    let clauses = clauses
        .iter()
        .map(|clause| of_clause(clause, &prepared, &sweeps, &mutants))
        .collect::<Vec<_>>();
    let unknown = prepared
        .iter()
        .flat_map(|case| case.clauses.iter().map(move |id| (case, *id)))
        .filter(|(_, id)| !clauses.iter().any(|clause| clause.clause.id == *id))
        .map(|(case, id)| format!("{} cites {id}, which is not a clause", case.id))
        .collect();
    let (lies, of_lies) = lies::judged(lies, &passed, &sweeps)?;
    let kills: Vec<_> = mutants.iter().zip(kills).collect();
    Ok(Coverage {
        needed: needed::needed(of_lies, &passed, &kills, &clauses),
        levels: levels(&prepared, &sweeps),
        cases: prepared.len(),
        failed: prepared
            .iter()
            .filter(|case| !case.passed)
            .map(|case| case.id.clone())
            .collect(),
        lies,
        unknown,
        clauses,
        mutants,
        families,
    })
}

/// Counts the cases of each row by their level.
fn levels(
    prepared: &[Prepared<'_>],
    sweeps: &[Sweep<'_>],
) -> BTreeMap<String, BTreeMap<Level, usize>> {
    let mut levels: BTreeMap<String, BTreeMap<Level, usize>> = BTreeMap::new();
    let prepared = prepared.iter().map(|case| (case.id.clone(), case.level));
    let sweeps = sweeps.iter().map(|case| (case.id(), case.level()));
    for (id, level) in prepared.chain(sweeps) {
        let row = id.split('/').next().unwrap_or_default().to_owned();
        *levels.entry(row).or_default().entry(level).or_default() += 1;
    }
    levels
}

/// Runs one mutant against all cases. Sweeps are large and seldom needed, so they run only if the mutant survives the
/// other cases. Also returns the indices of the cases that kill it.
fn judged(
    mutant: &Mutant,
    families: &[String],
    cases: &[&Prepared<'_>],
    sweeps: &[Sweep<'_>],
) -> Result<(MutantCoverage, Vec<usize>), String> {
    let mut kills = Vec::new();
    let mut outcome = MutantCoverage {
        name: mutant.name,
        breaks: mutant.breaks.clone(),
        fault: mutant.fault,
        kills: vec![0; families.len()],
        citing: vec![0; mutant.breaks.len()],
        witness: None,
    };
    let mutated = mutant.codecs();
    for (place, case) in cases.iter().enumerate() {
        if case.kills(&mutated)? {
            kills.push(place);
            outcome.count(case.family, &case.id, &case.clauses);
        }
    }
    if outcome.killed() == 0 {
        for sweep in sweeps {
            if mutant.overrides.touches(sweep.op()) && sweep.cites(&mutant.breaks) {
                let case = sweep.prepare()?;
                if case.passed && case.kills(&mutated)? {
                    outcome.count(case.family, &case.id, &case.clauses);
                    break;
                }
            }
        }
    }
    Ok((outcome, kills))
}

impl MutantCoverage {
    fn count(&mut self, family: usize, id: &str, clauses: &[&str]) {
        let before: usize = self.citing.iter().sum();
        self.kills[family] += 1;
        for (clause, citing) in self.breaks.iter().zip(&mut self.citing) {
            *citing += usize::from(clauses.contains(clause));
        }
        let after: usize = self.citing.iter().sum();
        if self.witness.is_none() || (before == 0 && after > 0) {
            self.witness = Some(id.to_owned());
        }
    }
}

fn of_clause(
    clause: &Clause,
    cases: &[Prepared<'_>],
    sweeps: &[Sweep<'_>],
    mutants: &[MutantCoverage],
) -> ClauseCoverage {
    let id = clause.id.as_str();
    let citing: Vec<&Prepared<'_>> = cases
        .iter()
        .filter(|case| case.clauses.contains(&id))
        .collect();
    let swept = sweeps.iter().filter(|sweep| sweep.cites(&[id])).count();
    let count = |is: fn(&Prepared<'_>) -> bool| {
        citing.iter().filter(|case| case.passed && is(case)).count()
    };
    let accepted = count(|case| case.accepts());
    let rejected = count(|case| case.rejects());
    let breaking: Vec<(&'static str, usize)> = mutants
        .iter()
        .filter_map(|mutant| {
            let place = mutant.breaks.iter().position(|broken| *broken == id)?;
            Some((mutant.name, mutant.citing[place]))
        })
        .collect();
    let killed = breaking.iter().any(|(_, citing)| *citing > 0);
    let cited = citing.len() + swept;
    let status = if clause.document && accepted > 0 && rejected > 0 {
        Status::Documents
    } else if killed && (!clause.document || rejected == 0) {
        Status::Mutant
    } else if clause.uncovered.is_some() {
        Status::Excused
    } else {
        Status::Uncovered(match (cited, clause.document, breaking.is_empty()) {
            (0, ..) => "no vector cites it",
            (_, true, _) if accepted == 0 => "no accepted document cites it",
            (_, true, _) => "no rejected document cites it",
            (_, false, true) => "no mutant breaks it",
            (_, false, false) => "no mutant that breaks it is killed by a vector that cites it",
        })
    };
    ClauseCoverage {
        clause: clause.clone(),
        cited,
        accepted,
        rejected,
        mutants: breaking,
        status,
    }
}
