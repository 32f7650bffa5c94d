//! Times of what runs in turn.

use std::hint::black_box;
use std::time::Instant;

use super::placed::{self, Placed};
use super::{Options, Row};

/// Something that is timed: its name and one run of it.
pub(super) type Contestant<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// What is measured.
pub(super) struct Case {
    pub(super) row: &'static str,
    pub(super) name: String,
    /// Bytes read plus bytes written by one run.
    pub(super) bytes: usize,
}

/// Runs all contestants and the copy in turn and adds a row for each contestant.
pub(super) fn race(
    options: &Options,
    case: &Case,
    mut contestants: Vec<Contestant<'_>>,
    rows: &mut Vec<Row>,
) {
    let half = case.bytes / 2;
    let source = Placed::new(placed::INPUT, half, &[1u8]);
    let mut target = Placed::new(placed::OUTPUT, half, &[2u8]);
    let mut copies = Vec::new();
    let mut times = vec![Vec::new(); contestants.len()];
    // The first round touches all memory and is not counted.
    for round in 0..=options.rounds() {
        let copy = seconds(options, || {
            target.copy_from_slice(black_box(&source[..]));
            black_box(&mut target[..]);
        });
        if round > 0 {
            copies.push(copy);
        }
        // The other way round every second time: what a run leaves in the caches, above all what
        // still has to be written, is paid for by the next one.
        let mut turns: Vec<_> = contestants.iter_mut().zip(&mut times).collect();
        if round % 2 == 1 {
            turns.reverse();
        }
        for ((_, run), times) in turns {
            let time = seconds(options, run);
            if round > 0 {
                times.push(time);
            }
        }
    }
    copies.sort_by(f64::total_cmp);
    let copy_seconds = quantile(&copies, 2);
    let copy_spread = (quantile(&copies, 3) - quantile(&copies, 1)) / copy_seconds;
    for ((implementation, _), times) in contestants.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let seconds = quantile(times, 2);
        #[expect(clippy::cast_precision_loss, reason = "a rate in a table")]
        let bytes = case.bytes as f64;
        rows.push(Row {
            row: case.row,
            case: case.name.clone(),
            implementation,
            seconds,
            copy_seconds,
            x_copy: seconds / copy_seconds,
            gigabytes_per_second: bytes / seconds / 1e9,
            copy_spread,
        });
    }
}

/// The time of one run.
fn seconds(options: &Options, mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..options.repeats() {
        run();
    }
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let repeats = options.repeats() as f64;
    start.elapsed().as_secs_f64() / repeats
}

/// The quarter, half (the median) or three quarters of sorted times.
fn quantile(sorted: &[f64], quarters: usize) -> f64 {
    sorted[(sorted.len() - 1) * quarters / 4]
}
