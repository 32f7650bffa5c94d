//! Lies of `cast_value` that are confined to one cell.

use std::sync::Arc;

use exactum_conformance::model::Rounding::{
    NearestAway, NearestEven, TowardsNegative, TowardsPositive, TowardsZero,
};
use exactum_conformance::model::{ArrayCodec, DataType, MapEntry};

use super::*;
use crate::cells::{
    Cell, CellMutant, MAPPED, Trial, cast, coded, has_nan, has_negative_zero, inputs,
    is_always_in_range, is_exact_in_range, numbers, of_practice, setting, tried,
};

/// A kind of fault in elements that the map does not match.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    wrong: fn(&Element<'_>) -> Wrong,
    /// The formats and the mode for which it is not a fault.
    nothing: fn(&Format, &Format, Rounding) -> bool,
    fits: &'static [&'static str],
}

/// The clauses of rounding, followed by further ones.
macro_rules! rounding_and {
    ($($more:literal),*) => {
        &[
            "cast_value.rounding.every-inexact",
            "cast_value.rounding.default",
            "cast_value.rounding.nearest-even",
            "cast_value.rounding.towards-zero",
            "cast_value.rounding.towards-positive",
            "cast_value.rounding.towards-negative",
            "cast_value.rounding.nearest-away",
            "cast_value.rounding.once",
            "cast_value.rounding.before-range",
            "cast_value.rounding.unbounded",
            "cast_value.rounding.no-zero",
            $($more),*
        ]
    };
}

/// The clauses that a fault of rounding may break.
const BY_ROUNDING: &[&str] = rounding_and!["cast_value.range.wrap-into-float"];

/// The clauses that a fault of the range may break. They include those of rounding, which decides whether a value is in
/// range.
const BY_RANGE: &[&str] = rounding_and![
    "cast_value.range.error",
    "cast_value.range.overflow",
    "cast_value.range.clamp",
    "cast_value.range.clamp-infinity",
    "cast_value.range.wrap",
    "cast_value.range.wrap-into-float"
];

/// The clauses that a fault of the map may break.
const BY_MAP: &[&str] = &[
    "cast_value.scalar_map.first",
    "cast_value.scalar_map.directions",
    "cast_value.scalar_map.first-duplicate",
    "cast_value.scalar_map.one-step",
    "cast_value.scalar_map.exact",
    "cast_value.scalar_map.nan-key",
    "cast_value.scalar_map.zero-key",
    "cast_value.scalar_map.output-bits",
];

/// Another mode instead of each mode, under every rule.
#[rustfmt::skip] // A table.
const ROUNDING: [(Rounding, Kind); 5] = [
    (NearestEven, rounded("as-nearest-even", |it| it.by(NearestEven))),
    (TowardsZero, rounded("as-towards-zero", |it| it.by(TowardsZero))),
    (TowardsPositive, rounded("as-towards-positive", |it| it.by(TowardsPositive))),
    (TowardsNegative, rounded("as-towards-negative", |it| it.by(TowardsNegative))),
    (NearestAway, rounded("as-nearest-away", |it| it.by(NearestAway))),
];

const fn rounded(name: &'static str, wrong: fn(&Element<'_>) -> Wrong) -> Kind {
    Kind {
        name,
        wrong,
        nothing: |from, to, _| is_exact_in_range(from, to),
        fits: BY_ROUNDING,
    }
}

/// Faults of the range, for each rule and in every mode.
#[rustfmt::skip] // A table.
const RANGE: &[(Option<OutOfRange>, Kind)] = &[
    (ABSENT, Kind { name: "range-unchecked", wrong: |it| it.over(ABSENT)?.clamp(it.above()), nothing: is_always_in_range, fits: BY_RANGE }),
    (CLAMP, Kind { name: "clamp-ignored", wrong: |it| it.over(CLAMP).and_then(|_| reject()), nothing: is_always_in_range,
        fits: &["cast_value.range.clamp", "cast_value.rounding.no-zero"] }),
    (CLAMP, Kind { name: "clamp-wraps", wrong: |it| it.over(CLAMP)?.wrap(it.far()),
        nothing: |from, to, mode| is_always_in_range(from, to, mode) || integer(to).is_none(), fits: &["cast_value.range.clamp"] }),
    (WRAP, Kind { name: "wrap-ignored", wrong: |it| it.over(WRAP)?.to_integer().and_then(|_| reject()),
        nothing: |from, to, mode| is_always_in_range(from, to, mode) || integer(to).is_none(), fits: &["cast_value.range.wrap"] }),
    (WRAP, Kind { name: "wrap-clamps", wrong: |it| it.over(WRAP)?.clamp(it.above()), nothing: is_always_in_range, fits: BY_RANGE }),
];

/// Faults of special values, in the default mode and under every rule.
#[rustfmt::skip] // A table.
const SPECIAL: &[Kind] = &[
    Kind { name: "nan-is-zero", wrong: |it| it.nan().and_then(|_| give(0)), nothing: |from, _, _| !has_nan(from),
        fits: &["cast_value.special.nan"] },
    Kind { name: "infinity-is-the-limit", wrong: |it| it.infinite()?.largest(it.above()),
        nothing: |from, _, _| !from.float().is_some_and(|float| float.infinity), fits: &["cast_value.special.infinity"] },
    Kind { name: "zero-without-sign", nothing: |from, to, _| !has_negative_zero(to) || !from.float().is_some_and(|it| it.signed),
        fits: &["cast_value.special.signed-zero"],
        wrong: |it| {
            let (to, result) = (it.to.float()?, it.result()?);
            it.when(to.is_zero(result)).and_then(|_| give(0))
        } },
];

/// Faults of elements that the map matches.
#[rustfmt::skip] // A table.
const MAP: &[Kind] = &[
    Kind { name: "map-ignored", wrong: |it| it.with(|_| ()), nothing: |_, _, _| false, fits: BY_MAP },
    Kind { name: "last-key-for-first", nothing: |_, _, _| false, fits: &["cast_value.scalar_map.first-duplicate"],
        wrong: |it| {
            let mut entries = it.cast.map.iter();
            let last = entries.rfind(|entry| it.from.same_value(entry.input, it.bits))?;
            give(last.output)
        } },
    Kind { name: "first-key-only", nothing: |_, _, _| false, fits: BY_MAP,
        wrong: |it| {
            let first = it.cast.map.first()?;
            it.when(!it.from.same_value(first.input, it.bits))?
                .with(|_| ())
        } },
    Kind { name: "nan-key-by-bits", wrong: |it| it.nan()?.by_bits(), nothing: |from, _, _| !has_nan(from),
        fits: &["cast_value.scalar_map.nan-key"] },
    Kind { name: "zero-key-by-bits", wrong: |it| it.zero()?.by_bits(), nothing: |from, _, _| !has_negative_zero(from),
        fits: &["cast_value.scalar_map.zero-key"] },
];

impl Element<'_> {
    /// Matches keys by their bits.
    fn by_bits(&self) -> Wrong {
        match self.entry(|_, key, bits| key == bits) {
            Some(output) => give(output),
            None => self.with(|_| ()),
        }
    }
}

/// Returns all lies, each for one direction, one pair of types and one setting.
pub(crate) fn lies() -> Vec<CellMutant> {
    let mut lies = Vec::new();
    for direction in [Direction::Encode, Direction::Decode] {
        for from in numbers() {
            for to in numbers() {
                Pair {
                    direction,
                    from,
                    to,
                }
                .add(&mut lies);
            }
        }
        for [from, to] in of_practice() {
            Pair {
                direction,
                from,
                to,
            }
            .add(&mut lies);
        }
    }
    lies
}

/// A direction from one type to another.
#[derive(Clone, Copy)]
struct Pair {
    direction: Direction,
    from: DataType,
    to: DataType,
}

impl Pair {
    fn add(self, lies: &mut Vec<CellMutant>) {
        let plain = match self.direction {
            Direction::Encode => cast(self.from, self.to),
            Direction::Decode => cast(self.to, self.from),
        };
        for &rounding in Rounding::ALL {
            let default = rounding == NearestEven;
            if !default && !self.has_a_say(&plain, rounding) {
                // If all modes agree, one of them is enough.
                continue;
            }
            for rule in [ABSENT, CLAMP, WRAP] {
                if rule == WRAP && integer(&plain.encoded.format()).is_none() {
                    // No document can specify this.
                    continue;
                }
                let codec = CastValue {
                    rounding,
                    out_of_range: rule,
                    ..plain.clone()
                };
                let setting = setting(rounding, rule);
                let range = RANGE.iter().filter(|(of, _)| *of == rule);
                let special = if default { SPECIAL } else { &[] };
                let others = ROUNDING.iter().filter(|(mode, _)| *mode != rounding);
                let others: Vec<Kind> = others
                    .map(
                        |&(mode, kind)| match self.round_alike([rounding, mode], rule) {
                            true => Kind {
                                nothing: |_, _, _| true,
                                ..kind
                            },
                            false => kind,
                        },
                    )
                    .collect();
                let kinds = others.iter();
                for kind in kinds.chain(range.map(|(_, kind)| kind)).chain(special) {
                    let wrong = kind.wrong;
                    let codecs = vec![ArrayCodec::CastValue(codec.clone())];
                    lies.push(self.lie(kind, (setting, rounding), codecs, move |it| {
                        let here = it.cast.rounding == rounding && it.cast.out_of_range == rule;
                        it.when(here && it.mapped().is_none()).and_then(wrong)
                    }));
                }
            }
        }
        // Maps are tried only between types of the core and the registry, because they do not depend on the format.
        if !(self.from.is_registered() && self.to.is_registered()) {
            return;
        }
        for kind in MAP {
            let wrong = kind.wrong;
            let setting = (MAPPED, NearestEven);
            lies.push(self.lie(kind, setting, self.mapped(&plain), move |it| {
                it.when(it.mapped().is_some()).and_then(wrong)
            }));
        }
    }

    /// Returns whether a mode gives a different answer than one of the others. A comparison with the default mode alone
    /// would miss a mode that agrees with the default for a pair but differs from a third mode, as `towards-zero` does
    /// from `float8_e8m0fnu` into `float16`.
    fn has_a_say(self, plain: &CastValue, rounding: Rounding) -> bool {
        let in_mode = |rounding| CastValue {
            rounding,
            ..plain.clone()
        };
        let answer = |codec: &CastValue, bits| {
            let cast = match self.direction {
                Direction::Encode => codec.encoding(),
                Direction::Decode => codec.decoding(),
            };
            cast_element(&cast, bits).ok()
        };
        if is_exact_in_range(&self.from.format(), &self.to.format()) {
            return false;
        }
        let codec = in_mode(rounding);
        let others: Vec<CastValue> = Rounding::ALL.iter().map(|&mode| in_mode(mode)).collect();
        inputs(self.from, self.to).into_iter().any(|bits| {
            let here = answer(&codec, bits);
            others.iter().any(|other| answer(other, bits) != here)
        })
    }

    /// Returns whether two modes give the same results for a pair of types under a rule. Towards zero and towards
    /// negative differ only for negative values: an unsigned source type has none, and an unsigned target type clamps
    /// all of them to zero or rounds them to it.
    fn round_alike(self, modes: [Rounding; 2], rule: Option<OutOfRange>) -> bool {
        let downwards = |mode: &Rounding| matches!(mode, TowardsZero | TowardsNegative);
        let is_unsigned = |of: DataType| integer(&of.format()).is_some_and(|it| !it.signed);
        modes.iter().all(downwards)
            && (is_unsigned(self.from) || (rule == CLAMP && is_unsigned(self.to)))
    }

    /// Returns casts with maps that can show faults in maps.
    fn mapped(self, plain: &CastValue) -> Vec<ArrayCodec> {
        let nan = self.from.format().float().and_then(|it| it.nan_bits());
        let keys = [Some([1, 1]), Some([0, 1]), nan.map(|nan| [1, nan])];
        let maps = keys.into_iter().flatten().flat_map(|keys| {
            [[0, 1], [1, 0]].map(|outputs| {
                let entries = keys.into_iter().zip(outputs);
                let entry = |(input, output)| MapEntry::new(input, output);
                entries.map(entry).collect::<Vec<_>>()
            })
        });
        maps.map(|map| {
            let mut codec = plain.clone();
            match self.direction {
                Direction::Encode => codec.encode_map = map,
                Direction::Decode => codec.decode_map = map,
            }
            ArrayCodec::CastValue(codec)
        })
        .collect()
    }

    fn lie(
        self,
        kind: &Kind,
        (setting, rounding): (&'static str, Rounding),
        codecs: Vec<ArrayCodec>,
        wrong: impl Fn(&Element<'_>) -> Wrong + Send + Sync + 'static,
    ) -> CellMutant {
        let Self {
            direction,
            from,
            to,
        } = self;
        let nothing = kind.nothing;
        CellMutant {
            cell: Cell {
                what: coded!("cast_value", direction),
                from: from.name(),
                to: to.name(),
                setting,
            },
            kind: kind.name,
            overrides: elements(move |it| {
                let here = it.direction == direction && it.cast.from == from && it.cast.to == to;
                it.when(here).and_then(&wrong)
            }),
            fits: kind.fits,
            trial: Arc::new(move |overrides| {
                if nothing(&from.format(), &to.format(), rounding) {
                    Trial::Truth
                } else {
                    tried(overrides, &codecs, direction, [from, to], true)
                }
            }),
        }
    }
}
