//! The verdict of the vectors on mutants that are confined to one cell.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::cases::{Prepared, Sweep};
use crate::Mutated;
use crate::cells::{Cell, CellMutant, Trial};

/// A lie and its fate.
#[derive(Clone, Debug)]
pub struct CellCoverage {
    /// The cell.
    pub cell: Cell,
    /// The kind of fault.
    pub kind: &'static str,
    /// The fate of its mutant.
    pub fate: Fate,
}

/// The fate of a cell mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A case of its cell that cites a fitting clause detects it.
    Killed,
    /// No such case detects it, although it is wrong.
    Hole,
    /// No input can distinguish it from the reference.
    Truth,
    /// Neither a case nor any other input that was tried detects it, but it is not proven that none can.
    Undecided,
}

impl CellCoverage {
    /// Returns whether the vectors do not detect it although some input may.
    pub(super) fn is_hole(&self) -> bool {
        matches!(self.fate, Fate::Hole | Fate::Undecided)
    }

    /// Describes the problem, if there is one.
    pub(super) fn finding(&self) -> Option<String> {
        let why = match self.fate {
            Fate::Killed | Fate::Truth => return None,
            Fate::Hole => "no case that cites a fitting clause finds it",
            Fate::Undecided => "no input distinguishes it, but it is not proven that none can",
        };
        let Self { cell, kind, .. } = self;
        Some(format!("{cell} {kind}: {why}"))
    }
}

/// Runs each lie against the cases of its cell, small cases first; sweeps run only if the lie survives the others.
/// Returns the fates of the lies, and the ids of cases that together kill all lies that are killed.
pub(super) fn judged(
    lies: &[CellMutant],
    cases: &[&Prepared<'_>],
    sweeps: &[Sweep<'_>],
) -> Result<(Vec<CellCoverage>, BTreeSet<String>), String> {
    let mut of_cell: BTreeMap<Cell, Vec<&Prepared<'_>>> = BTreeMap::new();
    let mut by_size = cases.to_vec();
    by_size.sort_by_key(|case| case.bytes);
    for case in by_size {
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
    let mut by_cell: BTreeMap<Cell, Vec<(usize, &CellMutant)>> = BTreeMap::new();
    for (index, lie) in lies.iter().enumerate() {
        by_cell.entry(lie.cell).or_default().push((index, lie));
    }
    let cells = by_cell.into_par_iter().map(|(cell, lies)| {
        let cases = of_cell.get(&cell).map_or(&[][..], Vec::as_slice);
        let sweeps = swept.get(&cell).map_or(&[][..], Vec::as_slice);
        let mut needed = Vec::new();
        let mut fates = Vec::new();
        for (index, lie) in lies {
            let fate = fate(lie, cases, sweeps, &mut needed)?;
            let kind = lie.kind;
            fates.push((index, CellCoverage { cell, kind, fate }));
        }
        Ok((fates, needed))
    });
    let (mut judged, mut needed) = (Vec::new(), BTreeSet::new());
    for cell in cells.collect::<Result<Vec<_>, String>>()? {
        judged.extend(cell.0);
        needed.extend(cell.1.iter().map(|case| case.id.clone()));
    }
    judged.sort_by_key(|(index, _)| *index);
    Ok((judged.into_iter().map(|(_, lie)| lie).collect(), needed))
}

/// Determines the fate of a lie. The case that kills it is added to the needed cases, unless one of these already kills
/// it.
fn fate<'a>(
    lie: &CellMutant,
    cases: &[&'a Prepared<'a>],
    sweeps: &[&Sweep<'a>],
    needed: &mut Vec<&'a Prepared<'a>>,
) -> Result<Fate, String> {
    let mutated = Mutated::new("lie", lie.overrides.clone());
    for case in needed.iter() {
        if fits(lie, &case.clauses) && case.kills(&mutated)? {
            return Ok(Fate::Killed);
        }
    }
    for case in cases {
        if fits(lie, &case.clauses) && case.kills(&mutated)? {
            needed.push(case);
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

/// Returns whether a case cites a clause that fits the fault.
fn fits(lie: &CellMutant, clauses: &[&str]) -> bool {
    clauses.iter().any(|clause| lie.fits(clause))
}
