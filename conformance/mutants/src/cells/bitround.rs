//! The cells of `bitround`: a direction and a data type.

use exactum_conformance::model::{BitRound, Direction};

use super::Cell;

/// The cell of a codec in a direction.
pub(crate) fn of_bitround(codec: &BitRound, direction: Direction) -> Cell {
    Cell {
        what: match direction {
            Direction::Encode => "bitround.encode",
            Direction::Decode => "bitround.decode",
        },
        from: codec.data_type.name(),
        to: codec.data_type.name(),
        setting: "",
    }
}
