//! The times of contestants that run in turn.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::options::{Marks, Options, Row};
use super::placed::{self, Placed};

/// A contestant that is timed.
pub(super) struct Contestant<'a> {
    pub(super) name: String,
    pub(super) marks: Marks,
    /// Runs a number of times and returns the seconds of one run, or `None` if the contestant is lost.
    pub(super) run: Box<dyn FnMut(usize) -> Option<f64> + 'a>,
}

impl<'a> Contestant<'a> {
    /// Returns a contestant that runs in this process.
    pub(super) fn here(name: &str, mut run: impl FnMut() + 'a) -> Self {
        Self {
            name: name.to_owned(),
            marks: Marks::default(),
            run: Box::new(move |repeats| Some(seconds(repeats, &mut run))),
        }
    }
}

/// A benchmark case.
pub(super) struct Case {
    pub(super) row: &'static str,
    pub(super) name: String,
    /// The number of bytes that one run reads and writes.
    pub(super) bytes: usize,
}

/// The name of the optimized implementation among the contestants.
pub(super) const OURS: &str = "optimized";

/// A contestant that takes at least this many times as long as the copy runs only in every fourth round: a percent more
/// or less does not matter there.
const SLOW: f64 = 20.0;

/// While the fastest other contestant differs from ours by less than this part, there are more rounds.
const CLOSE: f64 = 0.1;

/// The number of rounds of a case in which two contestants remain close. It is even.
const MOST_ROUNDS: usize = 24;

/// The time after which a case has no more rounds than others.
const LONG: Duration = Duration::from_secs(5);

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
    let mut slow = vec![false; contestants.len()];
    let start = Instant::now();
    // The first round touches all memory and is not counted.
    for round in 0..=MOST_ROUNDS.max(options.rounds()) {
        // Before such a round, both orders of the contestants have been run equally often.
        let is_balanced = round % 2 == 1;
        let is_over = || start.elapsed() > LONG || !is_close(&contestants, &times);
        if round > options.rounds() && is_balanced && is_over() {
            break;
        }
        let copy = seconds(options.repeats(), || {
            target.copy_from_slice(black_box(&source[..]));
            black_box(&mut target[..]);
        });
        if round > 0 {
            copies.push(copy);
        }
        // Every second round runs in reverse order: a run pays for what the previous one leaves in the caches, above
        // all for data that still has to be written.
        let mut turns: Vec<_> = contestants
            .iter_mut()
            .zip(&mut times)
            .zip(&mut slow)
            .collect();
        if round % 2 == 1 {
            turns.reverse();
        }
        for ((contestant, times), slow) in turns {
            if *slow && round % 4 != 1 {
                continue;
            }
            let time = (contestant.run)(options.repeats());
            if round == 0 {
                *slow = time.is_some_and(|time| time > SLOW * copy);
            } else {
                times.extend(time);
            }
        }
    }
    let (copy_seconds, copy_spread) = typical(&mut copies);
    for (contestant, mut times) in contestants.into_iter().zip(times) {
        if times.is_empty() {
            continue;
        }
        let (seconds, spread) = typical(&mut times);
        #[expect(clippy::cast_precision_loss, reason = "a rate in a table")]
        let bytes = case.bytes as f64;
        rows.push(Row {
            row: case.row,
            case: case.name.clone(),
            implementation: match contestant.name.as_str() {
                OURS => options.ours().to_owned(),
                _ => contestant.name,
            },
            marks: contestant.marks,
            seconds,
            copy_seconds,
            x_copy: seconds / copy_seconds,
            gigabytes_per_second: bytes / seconds / 1e9,
            copy_spread,
            spread,
        });
    }
}

/// Returns whether the fastest other contestant that computes the same is about as fast as ours.
fn is_close(contestants: &[Contestant<'_>], times: &[Vec<f64>]) -> bool {
    let median = |is_taken: &dyn Fn(&Contestant<'_>) -> bool| {
        let taken = contestants.iter().zip(times);
        taken
            .filter(|(contestant, times)| is_taken(contestant) && !times.is_empty())
            .map(|(_, times)| typical(&mut times.clone()).0)
            .min_by(f64::total_cmp)
    };
    let ours = median(&|it| it.name == OURS);
    let best = median(&|it| it.name != OURS && !it.marks.differs);
    ours.zip(best)
        .is_some_and(|(ours, best)| (best / ours - 1.0).abs() < CLOSE)
}

/// Returns the time of a single run out of several.
fn seconds(repeats: usize, mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        run();
    }
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let repeats = repeats as f64;
    start.elapsed().as_secs_f64() / repeats
}

/// Returns the median of times, and the width of their middle half relative to it.
fn typical(times: &mut [f64]) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    let median = quantile(times, 2);
    let spread = (quantile(times, 3) - quantile(times, 1)) / median;
    (median, spread)
}

/// Returns the first quartile, the median or the third quartile of sorted times.
pub(super) fn quantile(sorted: &[f64], quarters: usize) -> f64 {
    sorted[(sorted.len() - 1) * quarters / 4]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a contestant that reports this time and counts how often it runs.
    fn telling<'a>(name: &str, asked: &'a mut usize, seconds: Option<f64>) -> Contestant<'a> {
        Contestant {
            run: Box::new(move |_| {
                *asked += 1;
                seconds
            }),
            ..Contestant::here(name, || {})
        }
    }

    #[test]
    fn slow_ones_run_less_often_and_lost_ones_have_no_row() {
        let options = Options::default();
        let case = Case {
            row: "cast_value",
            name: "a case".into(),
            bytes: 1 << 16,
        };
        let (mut quick, mut slow, mut lost) = (0, 0, 0);
        let mut rows = Vec::new();
        race(
            &options,
            &case,
            vec![
                telling("quick", &mut quick, Some(1e-9)),
                telling("slow", &mut slow, Some(1e3)),
                telling("lost", &mut lost, None),
            ],
            &mut rows,
        );
        let names: Vec<&str> = rows.iter().map(|row| row.implementation.as_str()).collect();
        assert_eq!(names, ["quick", "slow"]);
        assert_eq!((quick, slow, lost), (9, 3, 9));
        assert_eq!((rows[1].seconds, rows[1].spread), (1e3, 0.0));
    }

    #[test]
    fn close_ones_run_more_often() {
        let case = Case {
            row: "cast_value",
            name: "a case".into(),
            bytes: 1 << 16,
        };
        for (seconds, rounds) in [(1.05e-9, MOST_ROUNDS), (0.95e-9, MOST_ROUNDS), (2e-9, 8)] {
            let (mut ours, mut other) = (0, 0);
            let contestants = vec![
                telling(OURS, &mut ours, Some(1e-9)),
                telling("other", &mut other, Some(seconds)),
            ];
            race(&Options::default(), &case, contestants, &mut Vec::new());
            assert_eq!((ours, other), (1 + rounds, 1 + rounds), "{seconds}");
        }
    }

    #[test]
    fn typical_times() {
        assert_eq!(typical(&mut [4.0, 1.0, 2.0, 3.0, 5.0]), (3.0, 2.0 / 3.0));
        assert_eq!(typical(&mut [7.0]), (7.0, 0.0));
    }
}
