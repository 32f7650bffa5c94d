//! The cells of `cf`: a direction, the data type of codes, their signedness, and the data type of values.

use exactum_conformance::model::{Cf, Direction};

use super::Cell;

/// Returns the cell of a codec, or `None` if the values are the codes and nothing is computed.
pub(crate) fn of_cf(codec: &Cf, direction: Direction) -> Option<Cell> {
    codec.unpacked.format().float()?;
    let (codes, values) = (codec.packed.name(), codec.unpacked.name());
    let (what, from, to) = match direction {
        Direction::Encode => ("cf.encode", values, codes),
        Direction::Decode => ("cf.decode", codes, values),
    };
    let setting = if codec.packed == codec.counted {
        ""
    } else {
        "unsigned"
    };
    Some(Cell {
        what,
        from,
        to,
        setting,
    })
}
