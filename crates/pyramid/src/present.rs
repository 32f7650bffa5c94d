//! The stored chunks of an array. Unwritten chunks have the fill value and cost nothing, because the folders
//! of an array are listed instead of requesting one chunk after another.

use std::iter;
use std::ops::Range;
use std::path::Path;

use exactum_model::{Array as Elements, DataType, Domain};
use serde_json::Value;

use crate::elements::{filled, scatter};
use crate::error::Error;
use crate::plan::usize_of;
use crate::record::each_chunk;
use crate::store::{Concurrency, StoredArray};

/// The encodings of keys for which the folders of an array are listed.
const LISTED: [&str; 2] = ["default", "v2"];

/// The positions of stored chunks in the grid, in C order.
#[derive(Debug)]
pub(crate) struct Present {
    rank: usize,
    /// The coordinates of all of them, in sequence.
    coordinates: Vec<u64>,
    count: usize,
}

impl Present {
    /// Lists the chunks of an array in a folder, given its document and its number of chunks along each
    /// dimension. Returns `None` if the encoding of its keys is not known here.
    ///
    /// # Errors
    /// If a folder cannot be listed: its chunks are not treated as missing.
    pub(crate) fn of(
        folder: &Path,
        document: &str,
        array: &StoredArray,
        grid: &[u64],
    ) -> Result<Option<Self>, Error> {
        let document: Value = serde_json::from_str(document).unwrap_or_default();
        let encoding = &document["chunk_key_encoding"];
        let name = encoding.as_str().or_else(|| encoding["name"].as_str());
        if !name.is_some_and(|name| LISTED.contains(&name)) {
            return Ok(None);
        }
        let mut found = Vec::new();
        each_chunk(folder, array, grid, &mut |chunk, _, _| found.push(chunk))?;
        found.sort_unstable();
        found.dedup();
        Ok(Some(Self {
            rank: grid.len(),
            count: found.len(),
            coordinates: found.concat(),
        }))
    }

    /// Returns the positions, in C order.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = &[u64]> {
        (0..self.count).map(|at| self.chunk(at))
    }

    fn chunk(&self, at: usize) -> &[u64] {
        &self.coordinates[at * self.rank..][..self.rank]
    }

    /// Returns the positions in a box, in C order. The cost depends on the number of positions, not on the
    /// size of the box.
    pub(crate) fn within<'a>(
        &'a self,
        of: &'a [Range<u64>],
    ) -> impl Iterator<Item = &'a [u64]> + 'a {
        let starts: Vec<u64> = of.iter().map(|range| range.start).collect();
        let mut next = of.iter().all(|range| !range.is_empty()).then_some(starts);
        iter::from_fn(move || {
            loop {
                let found = self.first_from(&next.take()?)?;
                let outside = iter::zip(found, of).position(|(at, range)| !range.contains(at));
                next = following(found, outside, of);
                if outside.is_none() {
                    return Some(found);
                }
            }
        })
    }

    /// Returns the first position that is not before another one.
    fn first_from(&self, position: &[u64]) -> Option<&[u64]> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            match self.chunk(middle) < position {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        (low < self.count).then(|| self.chunk(low))
    }
}

/// Reads some elements of an array with these stored chunks: the other chunks are not requested if they are
/// the majority. If `present` is `None`, the stored chunks are not known.
///
/// # Errors
/// The same as for [`StoredArray::read`].
pub(crate) fn read(
    array: &StoredArray,
    present: Option<&Present>,
    data_type: DataType,
    taken: &Domain,
    options: &Concurrency,
) -> Result<Elements, Error> {
    let (Some(present), Some(chunks)) = (present, array.chunks_of(taken)) else {
        return array.read(data_type, taken, options);
    };
    let extents = chunks
        .iter()
        .map(|range| range.end.saturating_sub(range.start));
    let most = usize_of(extents.fold(1, u64::saturating_mul) / 2);
    let stored: Vec<&[u64]> = present
        .within(&chunks)
        .take(most.saturating_add(1))
        .collect();
    if stored.len() > most {
        return array.read(data_type, taken, options);
    }
    let fill_value = array.little_fill_value(data_type);
    let mut elements = filled(&fill_value, taken.shape()).map_err(Error::Input)?;
    for chunk in stored {
        let whole = array.elements_of(chunk)?;
        let both = iter::zip(whole.intervals(), taken.intervals());
        let own = Domain::of_intervals(
            both.map(|(one, other)| one.start.max(other.start)..one.end.min(other.end)),
        );
        let read = array.read(data_type, &own, options)?;
        let (origin, shape) = (taken.origin(), taken.shape());
        let width = data_type.element_bytes();
        scatter(read.data(), &own, origin, shape, width, &mut elements);
    }
    Elements::new(data_type, taken.shape().to_vec(), elements).map_err(Error::from)
}

/// Returns the first position of a box after another one, whose first coordinate beyond the box is `outside`.
fn following(position: &[u64], outside: Option<usize>, of: &[Range<u64>]) -> Option<Vec<u64>> {
    let from = |kept: usize| of[kept..].iter().map(|range| range.start);
    let same = |kept: usize| position[..kept].iter().copied();
    let end = match outside {
        Some(at) if position[at] < of[at].start => return Some(same(at).chain(from(at)).collect()),
        Some(at) => at,
        None => of.len(),
    };
    let raised = (0..end).rfind(|&at| position[at] + 1 < of[at].end)?;
    let one_more = iter::once(position[raised] + 1);
    Some(
        same(raised)
            .chain(one_more)
            .chain(from(raised + 1))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the positions in a box are those that a scan of all positions finds.
    fn check(stored: &[[u64; 3]], of: [Range<u64>; 3]) {
        let present = Present {
            rank: 3,
            coordinates: stored.concat(),
            count: stored.len(),
        };
        let found: Vec<&[u64]> = present.within(&of).collect();
        let all = present.chunks();
        let expected: Vec<&[u64]> = all
            .filter(|chunk| iter::zip(*chunk, &of).all(|(at, range)| range.contains(at)))
            .collect();
        assert_eq!(found, expected, "{of:?} of {stored:?}");
    }

    #[test]
    fn chunks_of_a_box_are_found() {
        let mut random = 1u64;
        let mut below = |end: u64| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (random >> 33) % end
        };
        for count in [0, 1, 2, 9, 60] {
            for _ in 0..50 {
                let mut stored: Vec<[u64; 3]> =
                    (0..count).map(|_| [below(4), below(5), below(3)]).collect();
                stored.sort_unstable();
                stored.dedup();
                let of = [below(4), below(5), below(3)].map(|at| at..at + below(4));
                check(&stored, of);
            }
        }
        let present = Present {
            rank: 0,
            coordinates: Vec::new(),
            count: 1,
        };
        assert_eq!(present.within(&[]).count(), 1);
    }
}
