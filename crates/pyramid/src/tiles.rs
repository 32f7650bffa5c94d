//! Determines how much of a region is made at a time.

use std::iter;
use std::ops::Range;

use exactum_model::Domain;

use crate::budget::PIECE_BYTES;

/// Returns the pieces of a region. Each piece is made from at most [`PIECE_BYTES`] of the input, or from one chunk of
/// the input if a chunk is larger. The region is divided along as few dimensions as possible, beginning with the first
/// ones, so that a piece is a run of rows.
///
/// `factors` are those by which the region is smaller than the input, whose elements have `width` bytes;
/// `chunk` is the part of the input that can be read separately.
pub(crate) fn tiles(
    region: &Domain,
    factors: &[u64],
    chunk: &[u64],
    width: u64,
) -> impl Iterator<Item = Domain> + use<> {
    let mut tile = region.shape().to_vec();
    // The smallest piece consists of whole chunks of the input.
    let least: Vec<u64> = std::iter::zip(factors, chunk)
        .map(|(&factor, &chunk)| chunk / common(factor, chunk))
        .collect();
    let bytes = |tile: &[u64]| {
        std::iter::zip(tile, factors).fold(width, |bytes, (&extent, &factor)| {
            bytes.saturating_mul(extent).saturating_mul(factor)
        })
    };
    let most = PIECE_BYTES.max(bytes(&least));
    for at in 0..tile.len() {
        if bytes(&tile) <= most {
            break;
        }
        let mut row = tile.clone();
        row[at] = 1;
        let fit = most / bytes(&row).max(1) / least[at] * least[at];
        tile[at] = fit.max(least[at]).min(tile[at]);
    }
    // The pieces are made one after another, because a document may require any number of them.
    let steps: Vec<(Range<i64>, u64)> = region
        .intervals()
        .zip(&tile)
        .map(|(interval, &extent)| (interval, extent.max(1)))
        .collect();
    let counts = steps.iter().map(|(interval, step)| {
        let extent = interval.end.abs_diff(interval.start);
        extent.div_ceil(*step)
    });
    let counts: Vec<u64> = counts.collect();
    let all = !counts.contains(&0);
    let mut next = all.then(|| vec![0u64; counts.len()]);
    iter::from_fn(move || {
        let at = next.take()?;
        let intervals = std::iter::zip(&steps, &at).map(|((interval, step), at)| {
            let start = interval.start.saturating_add_unsigned(at * step);
            start..start.saturating_add_unsigned(*step).min(interval.end)
        });
        let tile = Domain::of_intervals(intervals);
        next = (0..at.len())
            .rfind(|&dimension| at[dimension] + 1 < counts[dimension])
            .map(|dimension| {
                let mut following = at;
                following[dimension] += 1;
                following[dimension + 1..].fill(0);
                following
            });
        Some(tile)
    })
}

/// Returns the greatest common divisor.
pub(crate) fn common(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { common(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shape: &[u64], factors: &[u64], chunk: &[u64], first: &[u64], count: usize) {
        let region = Domain::of_shape(shape).expect("a box");
        let tiles: Vec<Domain> = tiles(&region, factors, chunk, 1).collect();
        assert_eq!(tiles[0].shape(), first);
        assert_eq!(tiles.len(), count);
        let elements: u64 = tiles.iter().filter_map(Domain::len).sum();
        assert_eq!(Some(elements), region.len());
        assert!(tiles.iter().all(|tile| region.contains(tile)));
    }

    #[test]
    fn a_region_is_cut_where_its_input_is_large() {
        check(&[64, 64, 64], &[2, 2, 2], &[64, 64, 64], &[64, 64, 64], 1);
        // 512^3 of the input are 128 MiB: eight rows of 64 chunks fit.
        check(&[256; 3], &[2, 2, 2], &[64; 3], &[64, 256, 256], 4);
        // A chunk that is larger than the limit is read once.
        check(&[256; 3], &[2, 2, 2], &[512; 3], &[256; 3], 1);
        // The factor does not divide the chunk: three chunks are read at a time, and then shorter rows.
        check(&[1000, 1 << 20], &[3, 1], &[100, 100], &[100, 111_800], 100);
        check(&[], &[], &[], &[], 1);
        // There are 2^37 pieces, of which only the first is made.
        let region = Domain::of_shape(&[1 << 62]).expect("a box");
        let first = tiles(&region, &[1], &[1], 1).next().expect("a tile");
        assert_eq!(first.shape(), [PIECE_BYTES]);
    }
}
