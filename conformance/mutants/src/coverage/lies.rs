//! What the vectors make of lies that live in one cell.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::cases::{Prepared, Sweep};
use crate::Mutated;
use crate::cells::{Cell, CellMutant, Trial};

/// A lie and what became of it.
#[derive(Clone, Debug)]
pub struct CellCoverage {
    /// Where it lives.
    pub cell: Cell,
    /// The kind of fault.
    pub kind: &'static str,
    /// What became of it.
    pub fate: Fate,
}

/// What becomes of a lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A case of its cell that cites a fitting clause finds it.
    Killed,
    /// No such case finds it, although it is wrong.
    Hole,
    /// No input can tell it from the truth.
    Truth,
    /// No case and no other input that was tried finds it, and nothing says that none can.
    Undecided,
}

impl CellCoverage {
    /// Whether the vectors do not find it, although an input may.
    pub(super) fn is_hole(&self) -> bool {
        matches!(self.fate, Fate::Hole | Fate::Undecided)
    }

    /// What is wrong, in words.
    pub(super) fn finding(&self) -> Option<String> {
        let why = match self.fate {
            Fate::Killed | Fate::Truth => return None,
            Fate::Hole => "no case that cites a fitting clause finds it",
            Fate::Undecided => "nothing finds it, and nothing says that nothing can",
        };
        let Self { cell, kind, .. } = self;
        Some(format!("{cell} {kind}: {why}"))
    }
}

/// Runs each lie against the cases of its cell; against sweeps only if it survives the others.
pub(super) fn judged(
    lies: &[CellMutant],
    cases: &[&Prepared<'_>],
    sweeps: &[Sweep<'_>],
) -> Result<Vec<CellCoverage>, String> {
    let mut of_cell: BTreeMap<Cell, Vec<&Prepared<'_>>> = BTreeMap::new();
    for case in cases {
        for cell in case.cells() {
            of_cell.entry(cell).or_default().push(case);
        }
    }
    let mut swept: BTreeMap<Cell, Vec<&Sweep<'_>>> = BTreeMap::new();
    for sweep in sweeps {
        for cell in sweep.cells() {
            swept.entry(cell).or_default().push(sweep);
        }
    }
    lies.par_iter()
        .map(|lie| {
            let cases = of_cell.get(&lie.cell).map_or(&[][..], Vec::as_slice);
            let sweeps = swept.get(&lie.cell).map_or(&[][..], Vec::as_slice);
            Ok(CellCoverage {
                cell: lie.cell,
                kind: lie.kind,
                fate: fate(lie, cases, sweeps)?,
            })
        })
        .collect()
}

fn fate(lie: &CellMutant, cases: &[&Prepared<'_>], sweeps: &[&Sweep<'_>]) -> Result<Fate, String> {
    let mutated = Mutated::new("lie", lie.overrides.clone());
    for case in cases {
        if fits(lie, &case.clauses) && case.kills(&mutated)? {
            return Ok(Fate::Killed);
        }
    }
    match (lie.trial)(&lie.overrides) {
        Trial::Wrong => {}
        Trial::Truth => return Ok(Fate::Truth),
        Trial::Undecided => return Ok(Fate::Undecided),
    }
    for sweep in sweeps {
        let case = sweep.prepare()?;
        if fits(lie, &case.clauses) && case.passed && case.kills(&mutated)? {
            return Ok(Fate::Killed);
        }
    }
    Ok(Fate::Hole)
}

/// Whether a case cites a clause that fits the fault.
fn fits(lie: &CellMutant, clauses: &[&str]) -> bool {
    clauses.iter().any(|clause| lie.fits(clause))
}
