//! Lies of `cf` that live in one cell: a direction, the data type of codes, how they count, and the data type of values.

use std::sync::Arc;

use super::*;
use crate::cells::{CellMutant, Trial, of_cf};

/// A kind of fault in one direction.
struct Kind {
    name: &'static str,
    way: Direction,
    wrong: fn(&Element<'_>) -> Wrong,
    fits: &'static [&'static str],
}

#[rustfmt::skip] // A table.
const KINDS: &[Kind] = &[
    Kind { name: "adds-first", way: Direction::Decode, fits: &["cf.decode"],
        wrong: |it| it.unpacked(&it.format, [(it.offset(), Exact::add), (it.scale(), Exact::multiply)]) },
    Kind { name: "divides", way: Direction::Decode, fits: &["cf.decode"],
        wrong: |it| it.unpacked(&it.format, [(it.scale(), Exact::divide), (it.offset(), Exact::add)]) },
    Kind { name: "subtracts-offset", way: Direction::Decode, fits: &["cf.decode"],
        wrong: |it| it.unpacked(&it.format, [(it.scale(), Exact::multiply), (it.offset(), Exact::subtract)]) },
    Kind { name: "missing-is-scaled", way: Direction::Decode, fits: &["cf.missing"],
        wrong: |it| it.with(Direction::Decode, nothing_missing) },
    Kind { name: "range-ignored", way: Direction::Decode, fits: &["cf.missing.range"],
        wrong: |it| it.with(Direction::Decode, |codec| codec.valid = (i64::MIN, i64::MAX)) },
    Kind { name: "bounds-are-missing", way: Direction::Decode, fits: &["cf.missing.range"],
        wrong: |it| it.with(Direction::Decode, |codec| {
            codec.valid = (codec.valid.0.saturating_add(1), codec.valid.1.saturating_sub(1));
        }) },
    Kind { name: "multiplies", way: Direction::Encode, fits: &["cf.encode"],
        wrong: |it| it.packed(&it.format, [(it.offset(), Exact::subtract), (it.scale(), Exact::multiply)]) },
    Kind { name: "divides-first", way: Direction::Encode, fits: &["cf.encode"],
        wrong: |it| it.packed(&it.format, [(it.scale(), Exact::divide), (it.offset(), Exact::subtract)]) },
    Kind { name: "rounds-ties-away", way: Direction::Encode, fits: &["cf.encode.round"],
        wrong: |it| {
            it.is_number(Direction::Encode)?;
            match round(&it.quotient(), &it.counted, Rounding::NearestAway) {
                Rounded::Bits(bits) => give(bits),
                _ => reject(),
            }
        } },
    Kind { name: "clamps", way: Direction::Encode, fits: &["cf.encode.range"],
        wrong: |it| give(saturated(&it.beyond()?, &it.counted)) },
    Kind { name: "nan-is-zero", way: Direction::Encode, fits: &["cf.encode.nan"],
        wrong: |it| (it.value() == Exact::Nan).then(|| give(0))? },
    Kind { name: "packs-onto-missing", way: Direction::Encode, fits: &["cf.encode.reserved"],
        wrong: |it| {
            matches!(it.value(), Exact::Finite(_) | Exact::Zero { .. }).then_some(())?;
            it.with(Direction::Encode, nothing_missing)
        } },
];

/// Every lie about one direction, one type of codes, one way of counting and one type of values.
pub(crate) fn lies() -> Vec<CellMutant> {
    let mut lies = Vec::new();
    for packed in Cf::PACKED {
        for unpacked in [DataType::Float32, DataType::Float64] {
            let is_wide = packed.format().component_bits() == 32;
            if is_wide && unpacked == DataType::Float32 {
                // No document says so: cf.decode.guidance.
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
                lies.extend(KINDS.iter().filter_map(|kind| lie(kind, &codec)));
            }
        }
    }
    lies
}

/// The unsigned type of the same width as a signed one.
fn unsigned(of: DataType) -> Option<DataType> {
    match of {
        DataType::Int8 => Some(DataType::Uint8),
        DataType::Int16 => Some(DataType::Uint16),
        DataType::Int32 => Some(DataType::Uint32),
        _ => None,
    }
}

fn lie(kind: &Kind, codec: &Cf) -> Option<CellMutant> {
    let (here, wrong) = (of_cf(codec, kind.way)?, kind.wrong);
    Some(CellMutant {
        cell: here,
        kind: kind.name,
        overrides: elements(kind.way, move |it| {
            (of_cf(it.codec, it.way) == Some(here)).then(|| wrong(it))?
        }),
        fits: kind.fits,
        // Each kind is wrong for some attributes of every cell.
        trial: Arc::new(|_| Trial::Wrong),
    })
}
