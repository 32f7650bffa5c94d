//! Mutants of one cell, or lies: implementations that are wrong for one direction, one pair of data types, one setting
//! and one kind of fault. Together they cover the whole grid.
//!
//! A mutant shows that a clause is defended somewhere; a lie shows where it is not. A mutant that answers every input
//! as the reference does is not a lie. This is proven, not assumed: for each lie there is an input that shows it, or
//! else the formats, and a search through all inputs that matter, prove that there is no such input.
//!
//! Each row provides what `of_call` needs, the cells that a request touches, and its lies.

/// Returns the operation of a codec in a direction.
macro_rules! coded {
    ($row:literal, $direction:expr) => {
        match $direction {
            Direction::Encode => concat!($row, ".encode"),
            Direction::Decode => concat!($row, ".decode"),
        }
    };
}
pub(crate) use coded;

mod cf;
mod fill;
mod formats;
mod inputs;
mod sets;
mod views;
mod zfp;

use std::fmt;
use std::sync::Arc;

use exactum_conformance::model::{
    ArrayCodec, BitRound, CastValue, Chain, DataType, Direction, OutOfRange, Rounding,
};
use exactum_conformance::{Call, Codec, Document};

use super::Overrides;

pub(crate) use cf::of_cf;
pub(super) use fill::{fill_values, scaled_fill_values};
pub(crate) use formats::{has_nan, has_negative_zero, is_always_in_range, is_exact_in_range};
pub(crate) use inputs::{inputs, tried};
pub(crate) use sets::{SetOp, of_plan, of_set};
pub(crate) use views::of_view;
pub(crate) use zfp::{ZfpMode, of_zfp};

/// The cell that a mutant is confined to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The operation, such as `cast_value.decode`.
    pub what: &'static str,
    /// The data type of the input.
    pub from: &'static str,
    /// The data type of the output.
    pub to: &'static str,
    /// The setting, such as `towards-zero clamp` or `3-D reversible`.
    pub setting: &'static str,
}

impl Cell {
    /// Returns the cell of an operation that is described by a data type alone.
    pub(crate) const fn of_type(what: &'static str, data_type: &'static str) -> Self {
        Self {
            what,
            from: data_type,
            to: data_type,
            setting: "",
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            from,
            to,
            setting,
        } = self;
        write!(f, "{what} {from} {to} {setting}")
    }
}

/// A wrong implementation that is right outside its cell.
#[derive(Clone)]
pub struct CellMutant {
    /// The cell.
    pub cell: Cell,
    /// The kind of fault.
    pub kind: &'static str,
    /// The differences from the reference.
    pub overrides: Overrides,
    /// Prefixes of the clauses that fit the fault. A case kills the mutant only if it cites one of them.
    pub fits: &'static [&'static str],
    /// Determines whether any input can distinguish it from the reference.
    pub trial: TrialPart,
}

impl CellMutant {
    /// Returns whether the fault may break a clause.
    #[must_use]
    pub fn fits(&self, clause: &str) -> bool {
        self.fits.iter().any(|front| clause.starts_with(front))
    }
}

/// Determines whether any input can distinguish overrides from the reference.
pub type TrialPart = Arc<dyn Fn(&Overrides) -> Trial + Send + Sync>;

/// The knowledge about a cell mutant that is independent of the vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// An input shows that it is wrong.
    Wrong,
    /// No input can distinguish it: this follows from the formats, or all inputs that matter were tried.
    Truth,
    /// No input was found, but it is not proven that there is none.
    Undecided,
}

impl Trial {
    /// Combines several trials.
    pub(crate) fn of(trials: impl Iterator<Item = Self>) -> Self {
        let mut all = Self::Truth;
        for trial in trials {
            match trial {
                Self::Wrong => return Self::Wrong,
                Self::Truth => {}
                Self::Undecided => all = Self::Undecided,
            }
        }
        all
    }
}

/// Returns the types of the core and the registry that `cast_value` and `scale_offset` accept.
pub(crate) fn numbers() -> impl Iterator<Item = DataType> {
    let real = |data_type: &DataType| data_type.is_real() && data_type.is_registered();
    DataType::ALL.iter().copied().filter(real)
}

/// Returns the type that is missing from the registry, paired with each of the others in both roles.
pub(crate) fn of_practice() -> impl Iterator<Item = [DataType; 2]> {
    let of = DataType::Float8E4m3fn;
    numbers().flat_map(move |with| [[of, with], [with, of]])
}

/// Returns a cast without any member except the data type.
pub(crate) fn cast(decoded: DataType, encoded: DataType) -> CastValue {
    CastValue::new(decoded, encoded)
}

/// The setting of casts that have a map.
pub(crate) const MAPPED: &str = "map";

/// The setting for all fill values of a type in a mode other than the default, which form a single cell.
pub(crate) const ANY: &str = "any";

/// Returns a mode and a rule as a setting.
pub(crate) const fn setting(rounding: Rounding, rule: Option<OutOfRange>) -> &'static str {
    use OutOfRange::{Clamp, Wrap};
    use Rounding::{NearestAway, NearestEven, TowardsNegative, TowardsPositive, TowardsZero};
    macro_rules! under {
        ($mode:literal) => {
            match rule {
                None => $mode,
                Some(Clamp) => concat!($mode, " clamp"),
                Some(Wrap) => concat!($mode, " wrap"),
            }
        };
    }
    match rounding {
        NearestEven => under!("nearest-even"),
        TowardsZero => under!("towards-zero"),
        TowardsPositive => under!("towards-positive"),
        TowardsNegative => under!("towards-negative"),
        NearestAway => under!("nearest-away"),
    }
}

/// Returns the cell of `bitround` in a direction.
pub(crate) fn of_bitround(codec: &BitRound, direction: Direction) -> Cell {
    Cell::of_type(coded!("bitround", direction), codec.data_type.name())
}

/// Returns the cells that a codec touches in a direction.
#[must_use]
pub fn of_codec(codec: &ArrayCodec, direction: Direction) -> Vec<Cell> {
    match codec {
        ArrayCodec::BitRound(codec) => vec![of_bitround(codec, direction)],
        ArrayCodec::CastValue(codec) => {
            let cast = match direction {
                Direction::Encode => codec.encoding(),
                Direction::Decode => codec.decoding(),
            };
            let settings = [
                Some(setting(cast.rounding, cast.out_of_range)),
                (!cast.map.is_empty()).then_some(MAPPED),
            ];
            let settings = settings.into_iter().flatten();
            settings
                .map(|setting| Cell {
                    what: coded!("cast_value", direction),
                    from: cast.from.name(),
                    to: cast.to.name(),
                    setting,
                })
                .collect()
        }
        ArrayCodec::ScaleOffset(codec) => vec![Cell::of_type(
            coded!("scale_offset", direction),
            codec.data_type.name(),
        )],
        _ => Vec::new(),
    }
}

/// Returns the cells of the fill value before a codec.
#[must_use]
pub fn of_fill(codec: &ArrayCodec) -> Vec<Cell> {
    match codec {
        ArrayCodec::CastValue(codec) => vec![of_fill_cast(codec)],
        ArrayCodec::ScaleOffset(codec) => {
            vec![Cell::of_type("scale_offset: fill", codec.data_type.name())]
        }
        _ => Vec::new(),
    }
}

/// Returns the cell of the fill value before a cast: a pair of types and a rule in the default mode, or only the
/// array's type in another mode.
pub(crate) fn of_fill_cast(codec: &CastValue) -> Cell {
    let default = codec.rounding == Rounding::NearestEven;
    let rule = codec.out_of_range.filter(|_| default);
    Cell {
        what: "cast_value: fill",
        from: codec.decoded.name(),
        to: if default { codec.encoded.name() } else { ANY },
        setting: setting(codec.rounding, rule),
    }
}

/// Returns the cells of a call's codecs.
pub(crate) fn of_call(call: &Call) -> Vec<Cell> {
    let chain = |chain: &Chain, directions: &[Direction], fill: bool| {
        let mut found = Vec::new();
        for step in chain.pipeline.all_array_to_array() {
            let elements = directions.iter();
            found.extend(elements.flat_map(|way| of_codec(&step.codec, *way)));
            if fill {
                found.extend(of_fill(&step.codec));
            }
        }
        found
    };
    let of = |codec: &Codec, direction| match codec {
        Codec::Chain(codecs) => chain(codecs, &[direction], false),
        Codec::CastValue(codec) => of_codec(&ArrayCodec::CastValue(codec.clone()), direction),
        Codec::BitRound(codec) => of_codec(&ArrayCodec::BitRound(*codec), direction),
        Codec::ScaleOffset(codec) => of_codec(&ArrayCodec::ScaleOffset(*codec), direction),
        Codec::Cf(codec) => of_cf(codec, direction).into_iter().collect(),
        Codec::Zfp(codec) => vec![of_zfp(codec, direction)],
        _ => Vec::new(),
    };
    let both = &[Direction::Encode, Direction::Decode];
    match call {
        Call::Encode(codec, _) => of(codec, Direction::Encode),
        Call::Decode(codec, _) => of(codec, Direction::Decode),
        Call::Resolve(codecs)
        | Call::Validate(Document {
            chain: Ok(Some(codecs)),
            ..
        }) => chain(codecs, both, true),
        Call::Downsample(call) => views::of_downsample(call),
        Call::Sds(call) => sets::of_sets(call),
        _ => Vec::new(),
    }
}
