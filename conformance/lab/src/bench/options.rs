//! The options and results of a benchmark.

use exactum_optimized::Instructions;

/// The options of a benchmark.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only this row of the grid (`arrays`, `bitround`, `bytes`, `cast_value`, `chain`, `downsample`, `growth`,
    /// `packbits`, `scale_offset`, `sds`, `zfp`).
    pub row: Option<String>,
    /// Only cases whose name contains this.
    pub filter: Option<String>,
    /// Less data and fewer rounds: for a quick look, not a measurement.
    pub quick: bool,
    /// Data that stays in the second-level cache, processed repeatedly: shows what the processor can do if memory is
    /// not the limit.
    pub cached: bool,
    /// The number of rounds that count, which is even. The default depends on the other options.
    pub rounds: Option<usize>,
    /// The most advanced instructions that Exactum may use; by default all of the machine's.
    pub instructions: Option<Instructions>,
    /// Every mode of every pair instead of the representative ones.
    pub all_modes: bool,
}

impl Options {
    /// Returns the name of the optimized implementation, including the instructions if they are limited.
    pub(super) fn ours(&self) -> &'static str {
        match self.instructions {
            Some(Instructions::Portable) => "optimized (portable)",
            Some(Instructions::Avx2) => "optimized (AVX2)",
            Some(Instructions::Avx512) | None => "optimized",
        }
    }

    /// Returns the number of bytes that one run reads and writes.
    pub(super) fn traffic(&self) -> usize {
        match (self.cached, self.quick) {
            (true, _) => 128 << 10,
            (false, true) => 8 << 20,
            (false, false) => 128 << 20,
        }
    }

    /// Returns the number of runs that are timed together.
    pub(super) fn repeats(&self) -> usize {
        if self.cached { 50 } else { 1 }
    }

    /// Returns the number of rounds that count. It is even, so that both orders of the contestants occur equally often.
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
    /// Every run allocates its output, because the interface requires it.
    pub allocates: bool,
    /// Its results differ from Exactum's, or it accepts an element that the case rejects.
    pub differs: bool,
}

/// One measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The row of the grid.
    pub row: &'static str,
    /// The name of the case.
    pub case: String,
    /// The implementation.
    pub implementation: String,
    /// Remarks about the contestant.
    pub marks: Marks,
    /// The median over the rounds.
    pub seconds: f64,
    /// The median of the copy over the same rounds.
    pub copy_seconds: f64,
    /// `seconds / copy_seconds`.
    pub x_copy: f64,
    /// Input and output bytes in units of 10^9 per second.
    pub gigabytes_per_second: f64,
    /// The spread of the copy's times: the width of their middle half, relative to the median.
    pub copy_spread: f64,
    /// The spread of the contestant's times, measured in the same way.
    pub spread: f64,
}
