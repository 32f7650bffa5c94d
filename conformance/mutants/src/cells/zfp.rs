//! The cells of `zfp`: a direction, a data type, a rank and a mode.

use exactum_conformance::model::{Direction, Zfp};

use super::Cell;

/// A mode, as determined by the limits of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ZfpMode {
    Reversible,
    Rate,
    Precision,
    Accuracy,
    Expert,
}

use ZfpMode::{Accuracy, Expert, Precision, Rate, Reversible};

impl ZfpMode {
    pub(crate) const ALL: [Self; 5] = [Reversible, Rate, Precision, Accuracy, Expert];

    pub(crate) fn of(codec: &Zfp) -> Self {
        let reversible = Zfp::reversible(codec.data_type, codec.rank);
        let lossy = Zfp {
            min_exponent: Zfp::MIN_EXPONENT,
            ..reversible
        };
        let is = |limits: Zfp| *codec == limits;
        let Zfp {
            min_bits,
            max_bits,
            max_precision,
            min_exponent,
            ..
        } = *codec;
        if is(reversible) {
            Reversible
        } else if min_bits == max_bits
            && is(Zfp {
                min_bits,
                max_bits,
                ..lossy
            })
        {
            Rate
        } else if is(Zfp {
            max_precision,
            ..lossy
        }) {
            Precision
        } else if !codec.is_reversible()
            && is(Zfp {
                min_exponent,
                ..lossy
            })
        {
            Accuracy
        } else {
            Expert
        }
    }

    /// Returns a mode and a rank as a setting.
    fn setting(self, rank: usize) -> &'static str {
        macro_rules! by_rank {
            ($mode:literal) => {
                [
                    concat!("0-D ", $mode),
                    concat!("1-D ", $mode),
                    concat!("2-D ", $mode),
                    concat!("3-D ", $mode),
                    concat!("4-D ", $mode),
                ]
            };
        }
        let settings = match self {
            Reversible => by_rank!("reversible"),
            Rate => by_rank!("fixed_rate"),
            Precision => by_rank!("fixed_precision"),
            Accuracy => by_rank!("fixed_accuracy"),
            Expert => by_rank!("expert"),
        };
        settings.get(rank).copied().unwrap_or_default()
    }
}

/// Returns the cell of a codec in a direction.
pub(crate) fn of_zfp(codec: &Zfp, direction: Direction) -> Cell {
    Cell {
        setting: ZfpMode::of(codec).setting(codec.rank),
        ..Cell::of_type(coded!("zfp", direction), codec.data_type.name())
    }
}
