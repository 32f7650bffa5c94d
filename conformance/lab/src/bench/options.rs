//! The options and results of a benchmark.

use exactum_optimized::Instructions;

/// The options of a benchmark.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only this row of the grid (`arrays`, `bitround`, `bytes`, `cast_value`, `chain`, `downsample`, `growth`, `packbits`,
    /// `scale_offset`, `sds`, `zfp`).
    pub row: Option<String>,
    /// Only cases whose name contains this.
    pub filter: Option<String>,
    /// Less data and fewer rounds: a look, not a measurement.
    pub quick: bool,
    /// Data that stays in the second-level cache, over and over: what the processor can do where
    /// memory does not set the pace.
    pub cached: bool,
    /// The number of rounds that count, an even one; by default by the other options.
    pub rounds: Option<usize>,
    /// The most that ours may use of the machine; all of it by default.
    pub instructions: Option<Instructions>,
    /// Every mode of every pair instead of the representative ones.
    pub all_modes: bool,
}

impl Options {
    /// The name of the optimized implementation: with the instructions, where they are not all.
    pub(super) fn ours(&self) -> &'static str {
        match self.instructions {
            Some(Instructions::Portable) => "optimized (portable)",
            Some(Instructions::Avx2) => "optimized (AVX2)",
            Some(Instructions::Avx512) | None => "optimized",
        }
    }

    /// Bytes that one run reads and writes.
    pub(super) fn traffic(&self) -> usize {
        match (self.cached, self.quick) {
            (true, _) => 128 << 10,
            (false, true) => 8 << 20,
            (false, false) => 128 << 20,
        }
    }

    /// Runs that are timed together.
    pub(super) fn repeats(&self) -> usize {
        if self.cached { 50 } else { 1 }
    }

    /// Rounds that count, an even number: every order of the contestants as often as the other.
    pub(super) fn rounds(&self) -> usize {
        if let Some(rounds) = self.rounds {
            return rounds;
        }
        match (self.cached, self.quick) {
            (true, false) => 16,
            (false, false) => 8,
            (_, true) => 4,
        }
    }
}

/// Remarks about a contestant in a case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Every run allocates its output, since its interface has it so.
    pub allocates: bool,
    /// It computes other numbers than ours, or accepts an element that the case rejects.
    pub differs: bool,
}

/// One measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The row of the grid.
    pub row: &'static str,
    /// The name of the case.
    pub case: String,
    /// Who did it.
    pub implementation: String,
    /// Remarks about the contestant.
    pub marks: Marks,
    /// Median over the rounds.
    pub seconds: f64,
    /// Median of the copy over the same rounds.
    pub copy_seconds: f64,
    /// `seconds / copy_seconds`.
    pub x_copy: f64,
    /// Input and output bytes in 10^9 a second.
    pub gigabytes_per_second: f64,
    /// The spread of the copy's times: the middle half of them, relative to the median.
    pub copy_spread: f64,
    /// The spread of the contestant's times, measured in the same way.
    pub spread: f64,
}
