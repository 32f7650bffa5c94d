//! Median and mode of blocks of any size and memory layout, processed one after another.

use alloc::vec::Vec;

use exactum_model::{NanPolicy, Omission};

use super::blocks::Strip;
use super::keys::{Keys, Unsigned};
use crate::lanes::Lane;

/// The number of elements above which blocks of 8-bit keys are counted; for fewer, sorting is as fast.
const COUNTED: usize = 16;

/// The keys to skip.
pub(super) struct Omitted<U> {
    /// The key and the bits of the value that is skipped.
    pub(super) value: Option<(U, U)>,
    pub(super) nan: Option<NanPolicy>,
}

impl<U: Unsigned> Omitted<U> {
    pub(super) fn new<K: Keys<Key = U>>(keys: K, omission: &Omission) -> Self {
        let value = omission.skip_value.map(|value| U::of(value.component(0)));
        Self {
            value: value.map(|value| (keys.key(value), value)),
            nan: omission.nan,
        }
    }

    /// Removes the keys that do not count. Returns the result if it is already determined.
    fn leave<K: Keys<Key = U>>(&self, keys: K, of_block: &mut Vec<U>) -> Option<U> {
        if self.value.is_none() && self.nan.is_none() {
            return None;
        }
        // This is only used for types that have NaN.
        let is_nan = |key: &U| *key == U::MAX;
        if self.nan == Some(NanPolicy::Propagate) && of_block.iter().any(is_nan) {
            return Some(keys.element(U::MAX));
        }
        let skips = self.nan == Some(NanPolicy::Skip);
        let value = self.value.map(|(key, _)| key);
        let mut had_value = false;
        of_block.retain(|key| {
            let is_value = Some(*key) == value;
            had_value |= is_value;
            !(is_value || skips && is_nan(key))
        });
        of_block.is_empty().then(|| match had_value {
            true => self.nothing(keys),
            false => keys.element(U::MAX),
        })
    }

    /// Returns the result of a block in which every element is skipped and the value occurs.
    pub(super) fn nothing<K: Keys<Key = U>>(&self, keys: K) -> U {
        match self.value {
            // For NaN, the result has the bits that every NaN becomes.
            Some((key, bits)) if key != U::MAX => bits,
            _ => keys.element(U::MAX),
        }
    }
}

/// The scratch memory for one block.
pub(super) struct Scratch<U> {
    keys: Vec<U>,
    counts: Counts,
}

impl<U> Default for Scratch<U> {
    fn default() -> Self {
        Self {
            keys: Vec::new(),
            counts: Counts([0; 256]),
        }
    }
}

/// Whether a block contains -0, and whether it contains +0.
#[derive(Clone, Copy, Default)]
struct Zeros {
    signed: bool,
    plain: bool,
}

/// Reduces any strip by the keys of one block after another.
pub(super) fn one_by_one<K: Keys>(
    keys: K,
    omitted: &Omitted<K::Key>,
    strip: &Strip<'_>,
    data: &[u8],
    target: &mut [u8],
    scratch: &mut Scratch<K::Key>,
    mode: bool,
) {
    let zero = keys.key(K::Key::default());
    let results = K::Key::split_mut(target).iter_mut().enumerate();
    for (index, result) in results {
        let zeros = load(keys, strip, data, index, &mut scratch.keys);
        if let Some(element) = omitted.leave(keys, &mut scratch.keys) {
            *result = element.store();
            continue;
        }
        let key = match mode {
            true => scratch.mode(),
            false => scratch.median(),
        };
        // If all zeros have a sign, so does the result.
        *result = if key == zero && zeros.signed && !zeros.plain {
            keys.signed_zero()
        } else {
            keys.element(key)
        }
        .store();
    }
}

/// Loads the keys of the block that belongs to element `index` of the strip.
fn load<K: Keys>(
    keys: K,
    strip: &Strip<'_>,
    data: &[u8],
    index: usize,
    of_block: &mut Vec<K::Key>,
) -> Zeros {
    let (block, lane) = (index / strip.run, index % strip.run);
    let dense = strip.is_dense(size_of::<K::Key>());
    let mut zeros = Zeros::default();
    of_block.clear();
    let mut row = |row: &[<K::Key as Lane>::Bytes]| {
        of_block.extend(row.iter().map(|&bytes| keys.key(K::Key::load(bytes))));
        if keys.has_signed_zero() {
            for &bytes in row {
                let element = K::Key::load(bytes);
                zeros.signed |= keys.is_signed_zero(element);
                zeros.plain |= keys.is_plain_zero(element);
            }
        }
    };
    strip.each_row(|start| {
        let first = start + block * strip.width * strip.step;
        if dense {
            row(&K::Key::split(&data[first..])[..strip.width]);
            return;
        }
        for at in 0..strip.width {
            let elements = K::Key::split(&data[first + at * strip.step..]);
            row(&elements[lane..=lane]);
        }
    });
    zeros
}

impl<U: Unsigned> Scratch<U> {
    /// Returns whether counting is faster than sorting.
    fn is_counted(&self) -> bool {
        U::MAX.wide() == u64::from(u8::MAX) && self.keys.len() > COUNTED
    }

    /// Returns the most frequent key, or the smallest of several (downsample.mode.tie).
    fn mode(&mut self) -> U {
        let first = self.keys[0];
        // This is the usual case inside an object of labels.
        if self.keys.iter().all(|&key| key == first) {
            return first;
        }
        if self.is_counted() {
            return self.counts.mode(&self.keys);
        }
        if let Some(key) = majority(&self.keys) {
            return key;
        }
        self.keys.sort_unstable();
        let mut best = &self.keys[..1];
        for run in self.keys.chunk_by(|a, b| a == b) {
            if run.len() > best.len() {
                best = run;
            }
        }
        best[0]
    }

    /// Returns the middle key, or the lower of two (downsample.median.even).
    fn median(&mut self) -> U {
        let middle = (self.keys.len() - 1) / 2;
        match self.is_counted() {
            true => self.counts.median(&self.keys, middle),
            false => *self.keys.select_nth_unstable(middle).1,
        }
    }
}

/// Returns the key that more than half of all elements have, if there is one. Each different key cancels one
/// of the candidate's votes, and only the last candidate can have the majority.
fn majority<U: Unsigned>(keys: &[U]) -> Option<U> {
    let (mut candidate, mut votes) = (keys[0], 0_usize);
    for &key in keys {
        if votes == 0 {
            candidate = key;
        }
        if key == candidate {
            votes += 1;
        } else {
            votes -= 1;
        }
    }
    let count = keys.iter().filter(|key| **key == candidate).count();
    (count > keys.len() / 2).then_some(candidate)
}

/// The frequency of each 8-bit key. All counts are zero between two blocks.
struct Counts([u64; 256]);

impl Counts {
    fn at<U: Unsigned>(&mut self, key: U) -> &mut u64 {
        &mut self.0[usize::try_from(key.wide()).unwrap_or_default() & 0xff]
    }

    fn mode<U: Unsigned>(&mut self, keys: &[U]) -> U {
        let (mut best, mut most) = (keys[0], 0);
        for &key in keys {
            let count = self.at(key);
            *count += 1;
            if *count > most || (*count == most && key < best) {
                (best, most) = (key, *count);
            }
        }
        self.clear(keys);
        best
    }

    fn median<U: Unsigned>(&mut self, keys: &[U], middle: usize) -> U {
        for &key in keys {
            *self.at(key) += 1;
        }
        let mut below = 0;
        let key = self.0.iter().position(|count| {
            below += count;
            below > middle as u64
        });
        self.clear(keys);
        U::of(key.unwrap_or_default() as u64)
    }

    fn clear<U: Unsigned>(&mut self, keys: &[U]) {
        if keys.len() > self.0.len() {
            self.0 = [0; 256];
            return;
        }
        for &key in keys {
            *self.at(key) = 0;
        }
    }
}
