//! Lies of `cf` that are confined to one cell: a direction, the data type of codes, their signedness, and the data type
//! of values.

use std::sync::Arc;

use exactum_conformance::model::{ArrayCodec, Cf, DataType, Direction};

use super::mutants;
use crate::cells::{CellMutant, Trial, of_cf};
use crate::{ElementPart, NONE, Overrides};

/// A kind of fault: its name, the mutant that has it everywhere, the direction in which it shows, and the clauses that
/// fit.
type Kind = (
    &'static str,
    &'static str,
    Direction,
    &'static [&'static str],
);

#[rustfmt::skip] // A table.
const KINDS: &[Kind] = &[
    ("adds-first", "cf-adds-first", Direction::Decode, &["cf.decode"]),
    ("divides", "cf-divides-by-scale-factor", Direction::Decode, &["cf.decode"]),
    ("subtracts-offset", "cf-subtracts-offset", Direction::Decode, &["cf.decode"]),
    ("missing-is-scaled", "cf-missing-is-scaled", Direction::Decode, &["cf.missing"]),
    ("range-ignored", "cf-ignores-range", Direction::Decode, &["cf.missing.range"]),
    ("bounds-are-missing", "cf-bounds-are-missing", Direction::Decode, &["cf.missing.range"]),
    ("multiplies", "cf-pack-multiplies", Direction::Encode, &["cf.encode"]),
    ("divides-first", "cf-pack-divides-first", Direction::Encode, &["cf.encode"]),
    ("rounds-ties-away", "cf-rounds-ties-away", Direction::Encode, &["cf.encode.round"]),
    ("clamps", "cf-clamps", Direction::Encode, &["cf.encode.range"]),
    ("nan-is-zero", "cf-nan-is-never-missing", Direction::Encode, &["cf.encode.nan"]),
    ("packs-onto-missing", "cf-packs-onto-missing", Direction::Encode, &["cf.encode.reserved"]),
];

/// Returns all lies, each about one direction, one type of codes, one signedness and one type of values.
pub(crate) fn lies() -> Vec<CellMutant> {
    let mutants = mutants();
    let kinds = KINDS.iter().map(|&(kind, name, way, fits)| {
        let mutant = mutants.iter().find(|mutant| mutant.name == name);
        let element = mutant.and_then(|mutant| mutant.overrides.element.clone());
        let (_, wrong) = element.expect("each kind names a mutant of elements");
        (kind, wrong, way, fits)
    });
    let mut lies = Vec::new();
    for packed in Cf::PACKED {
        for unpacked in [DataType::Float32, DataType::Float64] {
            let is_wide = packed.format().component_bits() == 32;
            if is_wide && unpacked == DataType::Float32 {
                // No document can specify this: cf.decode.guidance.
                continue;
            }
            for counted in [Some(packed), unsigned(packed)].into_iter().flatten() {
                let codec = Cf {
                    unpacked,
                    packed,
                    counted,
                    scale_factor: None,
                    add_offset: None,
                    missing: Vec::new(),
                    valid: (i64::MIN, i64::MAX),
                };
                lies.extend(kinds.clone().filter_map(|kind| lie(kind, &codec)));
            }
        }
    }
    lies
}

/// Returns the unsigned type of the same width as a signed one.
fn unsigned(of: DataType) -> Option<DataType> {
    match of {
        DataType::Int8 => Some(DataType::Uint8),
        DataType::Int16 => Some(DataType::Uint16),
        DataType::Int32 => Some(DataType::Uint32),
        _ => None,
    }
}

fn lie(
    (kind, wrong, way, fits): (
        &'static str,
        ElementPart,
        Direction,
        &'static [&'static str],
    ),
    codec: &Cf,
) -> Option<CellMutant> {
    let here = of_cf(codec, way)?;
    let part: ElementPart = Arc::new(move |codec, direction, bits| match codec {
        ArrayCodec::Cf(cf) if of_cf(cf, direction) == Some(here) => wrong(codec, direction, bits),
        _ => None,
    });
    Some(CellMutant {
        cell: here,
        kind,
        overrides: Overrides {
            element: Some(("cf", part)),
            ..NONE
        },
        fits,
        // Each kind is wrong for some attributes in every cell.
        trial: Arc::new(|_| Trial::Wrong),
    })
}
