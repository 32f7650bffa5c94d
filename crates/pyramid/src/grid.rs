//! The parts that can be read separately, seen through levels and transforms. They only determine how much is
//! read at a time: cells that differ from those of an array are valid too, and only cause a few more reads.

use exactum_model::{Domain, Level, Selected, Transform};

use crate::budget::CELL_BYTES;
use crate::tiles::common;

/// The extent of a cell along a dimension whose lines are not known.
const UNKNOWN: u64 = 64;

/// The positions at which cells begin along a dimension: every `step`-th one, including `origin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) origin: i64,
    pub(crate) step: u64,
}

impl Line {
    /// Returns the number of the cell that contains a position.
    pub(crate) fn cell(self, at: i64) -> i64 {
        let distance = i128::from(at) - i128::from(self.origin);
        let cell = distance.div_euclid(i128::from(self.step.max(1)));
        i64::try_from(cell).unwrap_or(i64::MAX)
    }
}

/// Returns the lines for data in memory, where a box does not save more than a few elements.
pub(crate) fn of_memory(rank: usize) -> Vec<Line> {
    let line = Line {
        origin: 0,
        step: UNKNOWN,
    };
    vec![line; rank]
}

/// Returns the lines of chunks.
pub(crate) fn of_chunks(chunks: &[u64]) -> Vec<Line> {
    let steps = chunks.iter().map(|&step| step.max(1));
    steps.map(|step| Line { origin: 0, step }).collect()
}

/// Returns the lines of a level, whose cells consist of whole blocks.
pub(crate) fn of_level(lines: &[Line], level: &Level) -> Vec<Line> {
    let pairs = lines.iter().zip(level.factors());
    pairs
        .map(|(line, &factor)| Line {
            origin: divided(i128::from(line.origin), i128::from(factor)),
            step: line.step / common(line.step, factor),
        })
        .collect()
}

/// Returns the lines after a transform.
pub(crate) fn through(lines: &[Line], transform: &Transform) -> Vec<Line> {
    let of_dimension = |dimension: usize| {
        let mut maps = transform.output().iter().zip(lines);
        let found =
            maps.find(|(map, _)| map.stride != 0 && map.selected == Selected::Dimension(dimension));
        let Some((map, line)) = found else {
            return Line {
                origin: 0,
                step: UNKNOWN,
            };
        };
        let distance = i128::from(line.origin) - i128::from(map.offset);
        // A reversed cell begins after the end of another.
        let turned = i128::from(map.stride < 0);
        let stride = i128::from(map.stride);
        Line {
            origin: divided((distance - turned) * stride.signum(), stride.abs()),
            step: (line.step / map.stride.unsigned_abs()).max(1),
        }
    };
    (0..transform.domain().rank()).map(of_dimension).collect()
}

/// Returns the lines of cells that are small enough to be held.
pub(crate) fn shrunk(lines: &[Line], whole: &Domain, width: u64) -> Vec<Line> {
    let mut lines = lines.to_vec();
    loop {
        let extents = lines.iter().zip(whole.shape());
        let extents = extents.map(|(line, &extent)| line.step.min(extent.max(1)));
        let size = extents.fold(width, u64::saturating_mul);
        let longest = lines.iter_mut().zip(whole.shape());
        let longest = longest.max_by_key(|(line, extent)| line.step.min(**extent));
        match longest {
            Some((line, &extent)) if size > CELL_BYTES && line.step > 1 => {
                line.step = line.step.min(extent.max(1)).div_ceil(2);
            }
            _ => return lines,
        }
    }
}

/// Returns a quotient, rounded up, or 0 if it has more than 64 bits.
fn divided(number: i128, by: i128) -> i64 {
    i64::try_from(-(-number).div_euclid(by)).unwrap_or_default()
}
