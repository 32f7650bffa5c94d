//! The cells of `zfp`: a direction, a data type, a rank and a mode.

use exactum_conformance::model::{Direction, Zfp};

use super::Cell;

/// A mode as the limits of a block tell it.
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

    /// A mode and a rank as a setting.
    fn setting(self, rank: usize) -> &'static str {
        let settings = match self {
            Reversible => [
                "0-D reversible",
                "1-D reversible",
                "2-D reversible",
                "3-D reversible",
                "4-D reversible",
            ],
            Rate => [
                "0-D fixed_rate",
                "1-D fixed_rate",
                "2-D fixed_rate",
                "3-D fixed_rate",
                "4-D fixed_rate",
            ],
            Precision => [
                "0-D fixed_precision",
                "1-D fixed_precision",
                "2-D fixed_precision",
                "3-D fixed_precision",
                "4-D fixed_precision",
            ],
            Accuracy => [
                "0-D fixed_accuracy",
                "1-D fixed_accuracy",
                "2-D fixed_accuracy",
                "3-D fixed_accuracy",
                "4-D fixed_accuracy",
            ],
            Expert => [
                "0-D expert",
                "1-D expert",
                "2-D expert",
                "3-D expert",
                "4-D expert",
            ],
        };
        settings.get(rank).copied().unwrap_or_default()
    }
}

/// The cell of a codec in a direction.
pub(crate) fn of_zfp(codec: &Zfp, direction: Direction) -> Cell {
    Cell {
        what: match direction {
            Direction::Encode => "zfp.encode",
            Direction::Decode => "zfp.decode",
        },
        from: codec.data_type.name(),
        to: codec.data_type.name(),
        setting: ZfpMode::of(codec).setting(codec.rank),
    }
}
