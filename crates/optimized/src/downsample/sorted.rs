//! Methods that need all elements of a block in sorted order: median and mode.

use alloc::vec::Vec;
use core::hint::select_unpredictable as select;

use exactum_model::{DataType, FloatFormat, Format, NanPolicy, Omission};

use super::blocks::Blocks;
use super::keys::{Keys, Sorted, Unsigned, Whole};
use super::long::{Omitted, Scratch, one_by_one};
use super::pairs::{self, CHUNK, Halving};
use crate::arch::SimdLevel;
use crate::lanes::Lane;

/// The number of blocks that are sorted at a time.
const TILE: usize = 4096;

/// Picks the key of the result from the sorted keys.
trait Pick<U: Unsigned>: Copy {
    fn pick<const N: usize>(&self, sorted: [U; N]) -> U;

    /// Returns the result, given the element of the key that was picked.
    #[inline(always)]
    fn element(&self, _: U, element: U) -> U {
        element
    }
}

/// The middle element, or the lower of two (downsample.median.even).
#[derive(Clone, Copy)]
struct Median;

/// The middle element except for NaN, whose key is the last (downsample.omission.nan).
#[derive(Clone, Copy)]
struct MedianOfRest;

/// The middle element, or NaN if the block contains one (downsample.omission.nan).
#[derive(Clone, Copy)]
struct MedianOrNan;

/// The most frequent element, or the smallest of several (downsample.mode.tie).
#[derive(Clone, Copy)]
struct Mode;

/// The most frequent key, ignoring one key (downsample.omission.value).
#[derive(Clone, Copy)]
struct ModeOfRest<U> {
    key: U,
    /// The result of a block that contains only the ignored key.
    nothing: U,
}

/// The middle key, ignoring one key, with NaN treated as requested (downsample.omission.value,
/// downsample.omission.nan).
#[derive(Clone, Copy)]
struct MedianOfOthers<U> {
    key: U,
    /// The result of a block that contains only the ignored key.
    nothing: U,
    nan: Option<NanPolicy>,
}

impl<U: Unsigned> Pick<U> for MedianOfOthers<U> {
    #[inline(always)]
    fn pick<const N: usize>(&self, sorted: [U; N]) -> U {
        // NaN, whose key is the last, is only considered for types that have it.
        if self.nan == Some(NanPolicy::Propagate) && sorted[N - 1] == U::MAX {
            return U::MAX;
        }
        let skips = self.nan == Some(NanPolicy::Skip);
        let is_left = |key: U| (key != self.key) & !(skips & (key == U::MAX));
        let left: usize = sorted.iter().map(|key| usize::from(is_left(*key))).sum();
        let middle = left.saturating_sub(1) / 2;
        let has_value = sorted.contains(&self.key);
        let mut result = select(has_value, self.key, U::MAX);
        let mut before = 0;
        for key in sorted {
            let counts = is_left(key);
            result = select(counts & (before == middle), key, result);
            before += usize::from(counts);
        }
        result
    }

    #[inline(always)]
    fn element(&self, key: U, element: U) -> U {
        select(key == self.key, self.nothing, element)
    }
}

impl<U: Unsigned> Pick<U> for Median {
    #[inline(always)]
    fn pick<const N: usize>(&self, sorted: [U; N]) -> U {
        sorted[(N - 1) / 2]
    }
}

impl<U: Unsigned> Pick<U> for MedianOfRest {
    #[inline(always)]
    fn pick<const N: usize>(&self, sorted: [U; N]) -> U {
        // The key at `index` is the middle one if the key at twice its index is not NaN. The loop over the up
        // to eight keys is written out, because the compiler does not turn it into vector code.
        let mut middle = sorted[0];
        macro_rules! at {
            ($($index:literal)*) => {$(
                if 2 * $index < N {
                    let is_nan = sorted[2 * $index % N] == U::MAX;
                    middle = select(is_nan, middle, sorted[$index % N]);
                }
            )*};
        }
        at!(1 2 3);
        middle
    }
}

impl<U: Unsigned> Pick<U> for MedianOrNan {
    #[inline(always)]
    fn pick<const N: usize>(&self, sorted: [U; N]) -> U {
        select(sorted[N - 1] == U::MAX, U::MAX, sorted[(N - 1) / 2])
    }
}

impl<U: Unsigned> Pick<U> for Mode {
    #[inline(always)]
    fn pick<const N: usize>(&self, sorted: [U; N]) -> U {
        // The lengths of runs stay in their lanes if they are numbers of the elements' own width. They are
        // counted from 0 and are small enough, because longer blocks are processed one by one.
        let mut best = sorted[0];
        let (mut longest, mut length) = (U::default(), U::default());
        for index in 1..N {
            let (key, longer) = (sorted[index], length.plus(U::of(1)));
            length = if sorted[index - 1] == key {
                longer
            } else {
                U::default()
            };
            best = if length > longest { key } else { best };
            longest = longest.max(length);
        }
        best
    }
}

impl<U: Unsigned> Pick<U> for ModeOfRest<U> {
    #[inline(always)]
    fn pick<const N: usize>(&self, sorted: [U; N]) -> U {
        // Like in `Mode`, but counted from 1: a run of skipped values has length 0.
        let (mut best, mut before) = (self.key, self.key);
        let (mut longest, mut length) = (U::default(), U::default());
        for key in sorted {
            let longer = select(key == before, length, U::default()).plus(U::of(1));
            length = select(key == self.key, U::default(), longer);
            best = select(length > longest, key, best);
            longest = longest.max(length);
            before = key;
        }
        best
    }

    #[inline(always)]
    fn element(&self, key: U, element: U) -> U {
        select(key == self.key, self.nothing, element)
    }
}

/// Computes the median of each block.
pub(super) fn median(
    level: SimdLevel,
    omission: &Omission,
    blocks: &Blocks,
    data: &[u8],
    output: &mut [u8],
) {
    real(level, omission, blocks, data, output, false);
}

/// Computes the mode of each block.
pub(super) fn mode(
    level: SimdLevel,
    omission: &Omission,
    blocks: &Blocks,
    data: &[u8],
    output: &mut [u8],
) {
    match blocks.data_type.format() {
        Format::Complex(format) => complex(blocks, &format, data, output),
        _ => real(level, omission, blocks, data, output, true),
    }
}

fn real(
    level: SimdLevel,
    omission: &Omission,
    blocks: &Blocks,
    data: &[u8],
    output: &mut [u8],
    mode: bool,
) {
    fn of<U: Unsigned>(
        level: SimdLevel,
        omission: &Omission,
        blocks: &Blocks,
        data: &[u8],
        output: &mut [u8],
        mode: bool,
    ) {
        match blocks.data_type.format() {
            Format::Float(format) | Format::Complex(format) => {
                let keys = Sorted::<U>::new(&format);
                sort(level, keys, omission, blocks, data, output, mode);
            }
            format => {
                let keys = Whole::<U>::new(&format, false);
                sort(level, keys, omission, blocks, data, output, mode);
            }
        }
    }
    match blocks.data_type.format().component_bytes() {
        1 => of::<u8>(level, omission, blocks, data, output, mode),
        2 => of::<u16>(level, omission, blocks, data, output, mode),
        4 => of::<u32>(level, omission, blocks, data, output, mode),
        _ => of::<u64>(level, omission, blocks, data, output, mode),
    }
}

fn sort<K: Keys>(
    level: SimdLevel,
    keys: K,
    omission: &Omission,
    blocks: &Blocks,
    data: &[u8],
    output: &mut [u8],
    mode: bool,
) {
    fn with<K: Keys, P: Pick<K::Key>>(
        (level, pick): (SimdLevel, P),
        keys: K,
        omitted: &Omitted<K::Key>,
        blocks: &Blocks,
        data: &[u8],
        output: &mut [u8],
        mode: bool,
    ) {
        let mut scratch = Scratch::default();
        let pairs = Pairs { keys, pick };
        blocks.strips(TILE, output, &mut |strip, target| {
            if !pairs::halve(level, &pairs, strip, data, target) {
                strip.each_line(target, &mut |strip, target| {
                    one_by_one(keys, omitted, strip, data, target, &mut scratch, mode);
                });
            }
        });
    }
    let omitted = Omitted::new(keys, omission);
    let all = &omitted;
    match (mode, omitted.value, omitted.nan) {
        (true, Some((key, _)), _) => {
            let nothing = omitted.nothing(keys);
            let pick = ModeOfRest { key, nothing };
            with((level, pick), keys, all, blocks, data, output, mode);
        }
        (false, Some((key, _)), nan) => {
            let nothing = omitted.nothing(keys);
            let pick = MedianOfOthers { key, nothing, nan };
            with((level, pick), keys, all, blocks, data, output, mode);
        }
        (true, None, _) => with((level, Mode), keys, all, blocks, data, output, mode),
        (false, None, None) => with((level, Median), keys, all, blocks, data, output, mode),
        (false, None, Some(NanPolicy::Skip)) => {
            with((level, MedianOfRest), keys, all, blocks, data, output, mode);
        }
        (false, None, Some(NanPolicy::Propagate)) => {
            with((level, MedianOrNan), keys, all, blocks, data, output, mode);
        }
    }
}

/// Sorts an array by comparing pairs of elements in the given order. With Batcher's odd-even merge, this
/// takes 5 comparisons for 4 keys and 19 for 8. The loop is written out, so that every key has its own
/// register.
macro_rules! network {
    ($keys:ident: $($a:literal $b:literal),*) => {
        $(($keys[$a], $keys[$b]) = ($keys[$a].min($keys[$b]), $keys[$a].max($keys[$b]));)*
    };
}

/// Blocks of two elements in each of several rows.
struct Pairs<K, P> {
    keys: K,
    pick: P,
}

impl<K: Keys, P: Pick<K::Key>> Pairs<K, P> {
    /// Returns the result, given the sorted keys of a block.
    #[inline(always)]
    fn result<const N: usize>(
        &self,
        zeros: &Zeros<K::Key>,
        sorted: [K::Key; N],
    ) -> <K::Key as Lane>::Bytes {
        let key = self.pick.pick(sorted);
        let element = zeros.element(&self.keys, key);
        self.pick.element(key, element).store()
    }
}

impl<K: Keys, P: Pick<K::Key>> Halving for Pairs<K, P> {
    type Element = K::Key;

    /// The number is the same for long elements, because a network on fewer elements than a vector holds is
    /// slow.
    const AT_A_TIME: usize = CHUNK / 2;

    #[inline(always)]
    fn halve<const ROWS: usize>(
        &self,
        rows: [&[u8]; ROWS],
        results: &mut [<K::Key as Lane>::Bytes],
    ) {
        let count = results.len();
        let rows = rows.map(|row| &K::Key::split(row).as_chunks::<2>().0[..count]);
        let results = results.iter_mut();
        match ROWS {
            4 => {
                let [a, b, c, d] = [0, 1, 2, 3].map(|row| rows[row]);
                for ((((result, a), b), c), d) in results.zip(a).zip(b).zip(c).zip(d) {
                    let mut zeros = Zeros::default();
                    let mut keys = [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]
                        .map(|element| zeros.key(&self.keys, element));
                    network!(keys: 0 1, 2 3, 4 5, 6 7, 0 2, 1 3, 4 6, 5 7, 1 2, 5 6,
                        0 4, 1 5, 2 6, 3 7, 2 4, 3 5, 1 2, 3 4, 5 6);
                    *result = self.result(&zeros, keys);
                }
            }
            2 => {
                let [a, b] = [0, 1].map(|row| rows[row]);
                for ((result, a), b) in results.zip(a).zip(b) {
                    let mut zeros = Zeros::default();
                    let mut keys =
                        [a[0], a[1], b[0], b[1]].map(|element| zeros.key(&self.keys, element));
                    network!(keys: 0 1, 2 3, 0 2, 1 3, 1 2);
                    *result = self.result(&zeros, keys);
                }
            }
            _ => {
                for (result, pair) in results.zip(rows[0]) {
                    let mut zeros = Zeros::default();
                    let mut keys = pair.map(|element| zeros.key(&self.keys, element));
                    network!(keys: 0 1);
                    *result = self.result(&zeros, keys);
                }
            }
        }
    }
}

/// All ones if there is a zero without a sign, which is then the result if the result is zero.
#[derive(Default)]
struct Zeros<U>(U);

impl<U: Unsigned> Zeros<U> {
    #[inline(always)]
    fn key<K: Keys<Key = U>>(&mut self, keys: &K, bytes: U::Bytes) -> U {
        let element = U::load(bytes);
        let plain = select(keys.is_plain_zero(element), U::MAX, U::default());
        self.0 = self.0.or(plain);
        keys.key(element)
    }

    #[inline(always)]
    fn element<K: Keys<Key = U>>(&self, keys: &K, key: U) -> U {
        let zero = keys.key(U::default());
        let signed = keys.has_signed_zero() & (key == zero) & (self.0 == U::default());
        select(signed, keys.signed_zero(), keys.element(key))
    }
}

/// Computes the mode of complex numbers, which are ordered by their real parts, then by their imaginary
/// parts.
fn complex(blocks: &Blocks, format: &FloatFormat, data: &[u8], output: &mut [u8]) {
    let keys = Sorted::<u64>::new(format);
    let part = blocks.data_type.component();
    let size = part.element_bytes();
    let zero = keys.key(0);
    let bits = |place: usize| crate::element_bits(part, &data[place..], 0);
    let mut scratch: Vec<([u64; 2], [u64; 2])> = Vec::new();
    blocks.strips(TILE, output, &mut |lines, target| {
        lines.each_line(target, &mut |strip, target| {
            for (index, result) in target.chunks_exact_mut(2 * size).enumerate() {
                let (block, lane) = (index / strip.run, index % strip.run);
                scratch.clear();
                strip.each_row(|start| {
                    for at in block * strip.width..(block + 1) * strip.width {
                        let place = start + at * strip.step + 2 * lane * size;
                        let parts = [bits(place), bits(place + size)];
                        scratch.push((parts.map(|part| keys.key(part)), parts));
                    }
                });
                scratch.sort_unstable_by_key(|(keys, _)| *keys);
                let mut best = &scratch[..1];
                for run in scratch.chunk_by(|a, b| a.0 == b.0) {
                    if run.len() > best.len() {
                        best = run;
                    }
                }
                for side in 0..2 {
                    let key = best[0].0[side];
                    let signed =
                        |(_, parts): &([u64; 2], [u64; 2])| keys.is_signed_zero(parts[side]);
                    let bits = if key == zero && best.iter().all(signed) {
                        keys.signed_zero()
                    } else {
                        keys.element(key)
                    };
                    set(part, result, side, bits);
                }
            }
        })
    });
}

fn set(part: DataType, element: &mut [u8], side: usize, bits: u64) {
    crate::set_element_bits(part, element, side, bits);
}
