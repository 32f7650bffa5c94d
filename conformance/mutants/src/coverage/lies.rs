//! What the vectors make of lies that live in one cell.

use std::collections::BTreeMap;

use exactum_conformance::model::{ArrayCodec, OutOfRange};
use rayon::prelude::*;

use super::cases::{Prepared, Sweep};
use crate::Mutated;
use crate::cells::{Cell, Lie};

/// A lie and what became of it.
#[derive(Clone, Debug)]
pub struct LieCoverage {
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
    /// A case of its cell finds it.
    Killed,
    /// No case finds it, although it is wrong.
    Hole,
    /// It is right wherever it was tried.
    NoLie,
}

/// Runs each lie against the cases of its cell; against sweeps only if it survives the others.
pub(super) fn judged(
    lies: &[Lie],
    cases: &[&Prepared<'_>],
    sweeps: &[Sweep<'_>],
) -> Result<Vec<LieCoverage>, String> {
    let mut of_cell: BTreeMap<Cell, Vec<&Prepared<'_>>> = BTreeMap::new();
    for case in cases {
        for cell in case.cells() {
            of_cell.entry(cell).or_default().push(case);
        }
    }
    let mut swept: BTreeMap<Cell, Vec<(&Sweep<'_>, serde_json::Value)>> = BTreeMap::new();
    for sweep in sweeps {
        if let Some((cell, configuration)) = sweep.cast() {
            swept.entry(cell).or_default().push((sweep, configuration));
        }
    }
    lies.par_iter()
        .map(|lie| {
            let cases = of_cell.get(&lie.cell).map_or(&[][..], Vec::as_slice);
            let sweeps = swept.get(&lie.cell).map_or(&[][..], Vec::as_slice);
            let mutated = Mutated::new("lie", lie.overrides.clone());
            let mut fate = Fate::NoLie;
            for case in cases {
                if case.kills(&mutated)? {
                    fate = Fate::Killed;
                    break;
                }
            }
            if fate == Fate::NoLie && lie.is_one() {
                fate = Fate::Hole;
                for (sweep, configuration) in sweeps {
                    if may_show(lie, configuration) {
                        let case = sweep.prepare()?;
                        if case.passed && case.kills(&mutated)? {
                            fate = Fate::Killed;
                            break;
                        }
                    }
                }
            }
            Ok(LieCoverage {
                cell: lie.cell,
                kind: lie.kind,
                fate,
            })
        })
        .collect()
}

/// Whether a sweep has the rounding and the rule under which a lie shows.
fn may_show(lie: &Lie, configuration: &serde_json::Value) -> bool {
    lie.codecs.iter().any(|codec| match codec {
        ArrayCodec::CastValue(cast) => {
            let rounding = configuration["rounding"].as_str().unwrap_or("nearest-even");
            let rule = match cast.out_of_range {
                Some(OutOfRange::Clamp) => Some("clamp"),
                Some(OutOfRange::Wrap) => Some("wrap"),
                None => None,
            };
            let mapped = !cast.encode_map.is_empty() || !cast.decode_map.is_empty();
            !mapped
                && rounding == cast.rounding.name()
                && rule == configuration["out_of_range"].as_str()
        }
        _ => false,
    })
}
