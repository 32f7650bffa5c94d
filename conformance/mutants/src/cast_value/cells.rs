//! Lies of `cast_value` that live in one cell.

use exactum_conformance::model::Rounding::{
    NearestAway, NearestEven, TowardsNegative, TowardsPositive, TowardsZero,
};
use exactum_conformance::model::{ArrayCodec, DataType, MapEntry};

use super::*;
use crate::cells::{Cell, Lie, cast, numbers};

/// A kind of fault: its name, the rounding and the rule under which it may show, the fault.
type Kind = (
    &'static str,
    Rounding,
    Option<OutOfRange>,
    fn(&Element<'_>) -> Wrong,
);

/// Faults of elements that the map does not take.
const KINDS: &[Kind] = &[
    ("nearest-even-truncates", NearestEven, ABSENT, |it| {
        it.mode(NearestEven)?.by(TowardsZero)
    }),
    ("towards-zero-ignored", TowardsZero, ABSENT, |it| {
        it.mode(TowardsZero)?.by(NearestEven)
    }),
    ("towards-positive-ignored", TowardsPositive, ABSENT, |it| {
        it.mode(TowardsPositive)?.by(NearestEven)
    }),
    ("towards-negative-ignored", TowardsNegative, ABSENT, |it| {
        it.mode(TowardsNegative)?.by(NearestEven)
    }),
    ("nearest-away-ignored", NearestAway, ABSENT, |it| {
        it.mode(NearestAway)?.by(NearestEven)
    }),
    ("range-unchecked", NearestEven, ABSENT, |it| {
        it.over(ABSENT)?.clamp(it.above())
    }),
    ("clamp-ignored", NearestEven, CLAMP, |it| {
        it.over(CLAMP).and_then(|_| reject())
    }),
    ("clamp-wraps", NearestEven, CLAMP, |it| {
        it.over(CLAMP)?.wrap(it.far())
    }),
    ("wrap-ignored", NearestEven, WRAP, |it| {
        it.over(WRAP)?.to_integer().and_then(|_| reject())
    }),
    ("wrap-clamps", NearestEven, WRAP, |it| {
        it.over(WRAP)?.clamp(it.above())
    }),
    ("nan-is-zero", NearestEven, ABSENT, |it| {
        it.nan().and_then(|_| give(0))
    }),
    ("infinity-is-the-limit", NearestEven, ABSENT, |it| {
        it.infinite()?.largest(it.above())
    }),
    ("zero-without-sign", NearestEven, ABSENT, |it| {
        let (to, result) = (it.to.float()?, it.result()?);
        it.when(to.is_zero(result)).and_then(|_| give(0))
    }),
];

/// A kind of fault of the map.
type MapKind = (&'static str, fn(&Element<'_>) -> Wrong);

/// Faults of elements that the map takes.
const MAP_KINDS: &[MapKind] = &[
    ("map-ignored", |it| it.with(|_| ())),
    ("last-key-for-first", |it| {
        let mut entries = it.cast.map.iter();
        let last = entries.rfind(|entry| it.from.same_value(entry.input, it.bits))?;
        give(last.output)
    }),
];

/// Every lie of one direction and one pair of types.
pub(crate) fn lies() -> Vec<Lie> {
    let mut lies = Vec::new();
    for direction in [Direction::Encode, Direction::Decode] {
        for from in numbers() {
            for to in numbers() {
                in_cell(direction, from, to, &mut lies);
            }
        }
    }
    lies
}

fn in_cell(direction: Direction, from: DataType, to: DataType, lies: &mut Vec<Lie>) {
    let (what, plain) = match direction {
        Direction::Encode => ("cast_value.encode", cast(from, to)),
        Direction::Decode => ("cast_value.decode", cast(to, from)),
    };
    let cell = Cell {
        what,
        from: from.name(),
        to: to.name(),
    };
    let mut add = |kind, mapped: bool, codecs, wrong: fn(&Element<'_>) -> Wrong| {
        let overrides = elements(move |it| {
            let here = it.direction == direction && it.cast.from == from && it.cast.to == to;
            it.when(here && it.mapped().is_some() == mapped)?;
            wrong(it)
        });
        lies.push(Lie {
            cell,
            kind,
            overrides,
            codecs,
        });
    };
    for &(kind, rounding, out_of_range, wrong) in KINDS {
        if out_of_range == WRAP && integer(&plain.encoded.format()).is_none() {
            // No document says so.
            continue;
        }
        let codec = CastValue {
            rounding,
            out_of_range,
            ..plain.clone()
        };
        add(kind, false, vec![ArrayCodec::CastValue(codec)], wrong);
    }
    for &(kind, wrong) in MAP_KINDS {
        let codecs = [[0, 1], [1, 0]].map(|outputs| {
            let map = outputs.map(|output| MapEntry { input: 1, output });
            let mut codec = plain.clone();
            match direction {
                Direction::Encode => codec.encode_map = map.to_vec(),
                Direction::Decode => codec.decode_map = map.to_vec(),
            }
            ArrayCodec::CastValue(codec)
        });
        add(kind, true, codecs.to_vec(), wrong);
    }
}
