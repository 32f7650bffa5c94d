//! Blocks of two elements in each of one, two or four rows, without gaps, which halve an image or a volume.

use core::cell::Cell;

use super::blocks::Strip;
use crate::arch::{Flags, Kernel, NO_FLAGS, SimdLevel, prefetch};
use crate::lanes::Lane;

/// The maximum number of blocks computed at a time.
pub(super) const CHUNK: usize = 64;

/// Returns the number of blocks computed at a time. Since it is a constant, the compiler generates whole
/// vectors without a remainder loop. For long elements it is small: memory is prefetched before each chunk,
/// and the processor computes in the meantime only if little is prefetched. For short elements, such a small
/// number would give worse code.
const fn at_a_time(size: usize) -> usize {
    if size > 2 { CHUNK / size } else { CHUNK }
}

/// The number of bytes of each row that are processed at a time.
///
/// Several rows side by side are more than the processor prefetches by itself, and prefetching a piece of
/// each row in turn does not help it: memory is fastest in sequential order. Therefore, while one part is
/// reduced, the rows of the next part are prefetched one after another, each from its first byte to its last.
/// Both parts stay in the first-level cache.
const PART: usize = 2048;

/// A reduction of such blocks.
pub(super) trait Halving {
    /// The elements.
    type Element: Lane;

    /// The number of blocks computed at a time; at most [`CHUNK`].
    const AT_A_TIME: usize = at_a_time(size_of::<<Self::Element as Lane>::Bytes>());

    /// Computes the results of [`AT_A_TIME`](Self::AT_A_TIME) blocks: the first result from the first two
    /// elements of every row, and so on. Must be `#[inline(always)]`, so that it is compiled with the
    /// caller's target features.
    fn halve<const ROWS: usize>(
        &self,
        rows: [&[u8]; ROWS],
        results: &mut [<Self::Element as Lane>::Bytes],
    );
}

/// Reduces a strip of such blocks. Returns whether the strip consists of them.
pub(super) fn halve<H: Halving>(
    level: SimdLevel,
    halving: &H,
    strip: &Strip<'_>,
    data: &[u8],
    target: &mut [u8],
) -> bool {
    fn with<H: Halving, const ROWS: usize>(
        level: SimdLevel,
        halving: &H,
        strip: &Strip<'_>,
        data: &[u8],
        target: &mut [u8],
    ) -> bool {
        let Some(starts) = strip.starts::<ROWS>() else {
            return false;
        };
        let reduce = |rows: [&[u8]; ROWS], next: &Cell<Next<'_, ROWS>>, target: &mut [u8]| {
            let chunks = Chunks {
                halving,
                rows,
                next,
            };
            level.run(&chunks, &[], target);
        };
        let chunk = H::AT_A_TIME * size_of::<<H::Element as Lane>::Bytes>();
        lines(&reduce, chunk, strip, starts, data, target);
        true
    }
    strip.is_dense(size_of::<<H::Element as Lane>::Bytes>())
        && strip.width == 2
        && (with::<H, 4>(level, halving, strip, data, target)
            || with::<H, 2>(level, halving, strip, data, target)
            || with::<H, 1>(level, halving, strip, data, target))
}

/// A function that reduces whole chunks of blocks, given their rows and what to prefetch meanwhile.
type Reduce<'a, const ROWS: usize> = dyn Fn([&[u8]; ROWS], &Cell<Next<'_, ROWS>>, &mut [u8]) + 'a;

/// Reduces all lines of a strip, whose first one has its rows at `starts`. Since it takes a function, it is
/// compiled only once, and not for each reduction, which took a fifth of the time to compile this crate.
fn lines<const ROWS: usize>(
    reduce: &Reduce<'_, ROWS>,
    chunk: usize,
    strip: &Strip<'_>,
    starts: [usize; ROWS],
    data: &[u8],
    target: &mut [u8],
) {
    let (lines, apart) = (strip.lines, strip.apart);
    let bytes = target.len() / lines;
    // For short rows, prefetching looks further ahead than the next line. If there is only one line, `apart`
    // may have any value.
    let soon = (PART / (2 * bytes)).max(1).saturating_mul(apart);
    let (mut filled, mut spare) = ([[0; 8 * CHUNK]; ROWS], [0; 4 * CHUNK]);
    for (line, target) in target.chunks_exact_mut(bytes).enumerate() {
        for (part, target) in target.chunks_mut(PART / 2).enumerate() {
            let at = line * apart + part * PART;
            let rows = starts.map(|start| &data[start + at..][..2 * target.len()]);
            let rest = 2 * bytes - part * PART;
            let (next, count) = match rest.saturating_sub(PART) {
                0 if lines > 1 => ((line * apart).saturating_add(soon), 2 * bytes),
                // A row continues if the strip is only a piece of it.
                0 => (at + PART, PART),
                rest => (at + PART, rest),
            };
            let next = Cell::new(Next {
                rows: starts.map(|start| {
                    let from = start.saturating_add(next);
                    let to = from.saturating_add(count.min(PART));
                    data.get(from..to).unwrap_or_default()
                }),
                row: 0,
            });
            let (whole, rest) = target.split_at_mut(target.len() / chunk * chunk);
            if !whole.is_empty() {
                reduce(rows.map(|row| &row[..2 * whole.len()]), &next, whole);
            }
            // The remainder is padded to a chunk: loops for any number of blocks would double the code.
            if !rest.is_empty() {
                for (filled, row) in filled.iter_mut().zip(rows) {
                    filled[..2 * rest.len()].copy_from_slice(&row[2 * whole.len()..]);
                }
                let filled = filled.each_ref().map(|filled| &filled[..2 * chunk]);
                reduce(filled, &next, &mut spare[..chunk]);
                rest.copy_from_slice(&spare[..rest.len()]);
            }
            next.into_inner().ask(usize::MAX);
        }
    }
}

/// Whole chunks of blocks, by their rows, and what is prefetched meanwhile.
struct Chunks<'a, 'n, H, const ROWS: usize> {
    halving: &'a H,
    rows: [&'a [u8]; ROWS],
    next: &'a Cell<Next<'n, ROWS>>,
}

impl<H: Halving, const ROWS: usize> Kernel for Chunks<'_, '_, H, ROWS> {
    #[inline(always)]
    fn run(&self, _: &[u8], target: &mut [u8]) -> Flags {
        let size = size_of::<<H::Element as Lane>::Bytes>();
        let (mut rows, mut next) = (self.rows, self.next.get());
        for results in H::Element::split_mut(target).chunks_exact_mut(H::AT_A_TIME) {
            next.ask(ROWS * 2 * H::AT_A_TIME * size);
            let mut some: [&[u8]; ROWS] = [&[]; ROWS];
            for (some, row) in some.iter_mut().zip(&mut rows) {
                (*some, *row) = row.split_at(2 * H::AT_A_TIME * size);
            }
            self.halving.halve(some, results);
        }
        self.next.set(next);
        NO_FLAGS
    }
}

/// The rows that are still to be prefetched.
#[derive(Clone, Copy)]
struct Next<'a, const ROWS: usize> {
    rows: [&'a [u8]; ROWS],
    row: usize,
}

impl<const ROWS: usize> Next<'_, ROWS> {
    /// Prefetches the given number of bytes.
    fn ask(&mut self, mut bytes: usize) {
        while bytes > 0
            && let Some(row) = self.rows.get_mut(self.row)
        {
            let soon;
            (soon, *row) = row.split_at(bytes.min(row.len()));
            prefetch(soon);
            bytes -= soon.len();
            self.row += usize::from(row.is_empty());
        }
    }
}
