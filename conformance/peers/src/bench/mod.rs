//! How fast the implementations are, against a plain copy of as many bytes and against each
//! other, on this machine.
//!
//! All implementations of a case run in turn, round after round, on one thread, with outputs
//! allocated beforehand; what counts is the median over the rounds. `x copy` is the time relative
//! to a `memcpy` that reads and writes, together, as many bytes as the operation's input and
//! output have. The copy is timed in the same rounds; how far its times lie apart says whether the
//! machine is quiet enough to tell anything.

mod cast_value;
mod peer;
mod placed;
mod report;
mod scale_offset;
mod time;

pub use report::{Noise, json, noise, table};

/// What to measure.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only this row of the grid (`cast_value`, `scale_offset`).
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

/// One measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The row of the grid.
    pub row: &'static str,
    /// What was done.
    pub case: String,
    /// Who did it.
    pub implementation: &'static str,
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
}

/// Measures; `progress` is told each case before it runs.
#[must_use]
pub fn run(options: &Options, mut progress: impl FnMut(&str)) -> Vec<Row> {
    let mut rows = Vec::new();
    let wanted = |row: &str| options.row.as_deref().is_none_or(|only| only == row);
    if wanted(cast_value::ROW) {
        cast_value::run(options, &mut progress, &mut rows);
    }
    if wanted(scale_offset::ROW) {
        scale_offset::run(options, &mut progress, &mut rows);
    }
    rows
}
