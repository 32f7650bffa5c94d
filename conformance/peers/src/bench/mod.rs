//! How fast the implementations are, against a plain copy of as many bytes and against each
//! other, on this machine.
//!
//! All implementations of a case run in turn, round after round, on one thread, with outputs
//! allocated beforehand; what counts is the median over the rounds. `x copy` is the time relative
//! to a `memcpy` that reads and writes, together, as many bytes as the operation's input and
//! output have. The copy is timed in the same rounds; how far its times lie apart says whether the
//! machine is quiet enough to tell anything.
//!
//! Implementations in other languages run in processes of their own ([`Outside`]), which prepare
//! the same elements, and are asked in turn with ours to run once and tell the time of it. They
//! take part where the design names a target, or in all cases that a filter selects: all pairs in
//! all modes would take hours.

mod array_to_bytes;
mod bytes;
mod cast_value;
mod chain;
mod outside;
mod packbits;
mod peer;
mod placed;
mod report;
mod scale_offset;
mod small;
mod time;

pub use outside::{ENVIRONMENTS, Environment, Outside};
pub use report::{Noise, json, noise, table};

/// What to measure.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only this row of the grid (`bytes`, `cast_value`, `chain`, `packbits`, `scale_offset`).
    pub row: Option<String>,
    /// Only cases whose name contains this.
    pub filter: Option<String>,
    /// Less data and fewer rounds: a look, not a measurement.
    pub quick: bool,
    /// Data that stays in the second-level cache, over and over: what the processor can do where
    /// memory does not set the pace.
    pub cached: bool,
    /// Every mode of every pair instead of the representative ones.
    pub all_modes: bool,
}

impl Options {
    /// Bytes that one run reads and writes.
    fn traffic(&self) -> usize {
        match (self.cached, self.quick) {
            (true, _) => 128 << 10,
            (false, true) => 8 << 20,
            (false, false) => 128 << 20,
        }
    }

    /// Runs that are timed together.
    fn repeats(&self) -> usize {
        if self.cached { 50 } else { 1 }
    }

    /// Rounds that count, an even number: every order of the contestants as often as the other.
    fn rounds(&self) -> usize {
        match (self.cached, self.quick) {
            (true, false) => 16,
            (false, false) => 8,
            (_, true) => 4,
        }
    }
}

/// What there is to say of a contestant in a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Every run allocates its output, since its interface has it so.
    pub allocates: bool,
    /// It computes other numbers than ours.
    pub differs: bool,
}

/// One measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The row of the grid.
    pub row: &'static str,
    /// What was done.
    pub case: String,
    /// Who did it.
    pub implementation: String,
    /// What there is to say of it.
    pub marks: Marks,
    /// Median over the rounds.
    pub seconds: f64,
    /// Median of the copy over the same rounds.
    pub copy_seconds: f64,
    /// `seconds / copy_seconds`.
    pub x_copy: f64,
    /// Input and output bytes in 10^9 a second.
    pub gigabytes_per_second: f64,
    /// How far the copy's times lie apart: the middle half of them, relative to the median.
    pub copy_spread: f64,
    /// How far its own times lie apart, in the same way.
    pub spread: f64,
}

/// What all cases share.
struct Bench<'a> {
    options: &'a Options,
    outside: &'a Outside,
    progress: &'a mut dyn FnMut(&str),
    rows: Vec<Row>,
}

impl<'a> Bench<'a> {
    /// Whether the filter takes a case.
    fn takes(&self, case: &str) -> bool {
        let filter = self.options.filter.as_ref();
        filter.is_none_or(|filter| case.contains(filter.as_str()))
    }

    /// Who else has a case; `main` is one that the design names.
    fn outside(&self, main: bool, work: &outside::Work) -> Vec<time::Contestant<'a>> {
        if main || self.options.filter.is_some() {
            self.outside.contestants(work)
        } else {
            Vec::new()
        }
    }
}

/// Measures; `progress` is told each case before it runs.
#[must_use]
pub fn run(options: &Options, outside: &Outside, mut progress: impl FnMut(&str)) -> Vec<Row> {
    let mut bench = Bench {
        options,
        outside,
        progress: &mut progress,
        rows: Vec::new(),
    };
    let wanted = |row: &str| options.row.as_deref().is_none_or(|only| only == row);
    if wanted(bytes::ROW) {
        bytes::run(&mut bench);
    }
    if wanted(cast_value::ROW) {
        cast_value::run(&mut bench);
        small::run(&mut bench);
    }
    if wanted(chain::ROW) {
        chain::run(&mut bench);
    }
    if wanted(packbits::ROW) {
        packbits::run(&mut bench);
    }
    if wanted(scale_offset::ROW) {
        scale_offset::run(&mut bench);
    }
    bench.rows
}
