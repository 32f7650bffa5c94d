//! Bounds for the error of a value that is stored and read back.

use exactum_exact::Exact;
use exactum_model::{BitRound, Format, Rounding};

use super::number::{ZERO, distance, half, is_finite, larger, largest, magnitude, power};
use super::order::Order;
use super::piece::{Course, Piece, Wrapping, last_that};
use super::step::{Event, Label, Step, Work};

/// A bound for the largest error, and the largest error that was found.
#[derive(Clone, Debug)]
pub struct WorstError {
    /// An upper bound for all errors.
    pub bound: Exact,
    /// The bits of the value with the largest error that was found, and this error.
    pub shown: Option<(u64, Exact)>,
}

impl WorstError {
    /// Returns whether the bound is exact, that is, whether the value in `shown` has an error as large as the bound.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.shown.as_ref().is_some_and(|(_, error)| {
            error
                .compare(&self.bound)
                .is_some_and(std::cmp::Ordering::is_eq)
        })
    }
}

/// The deviation of a value from the result of exact arithmetic, which lies between `shift - error` and
/// `shift + error`.
struct Deviation {
    shift: Exact,
    error: Exact,
}

/// Returns a bound for the error on a piece, or `None` if its values have no finite result.
///
/// Every operation is affine. It multiplies previous deviations by its slope and adds the error of its own rounding.
/// That error grows with the magnitude of the result, so the results at the ends of the piece bound it.
pub(super) fn bound(course: &Course<'_>, piece: &Piece) -> Option<Exact> {
    let [first, last] = [piece.first, piece.last].map(|key| course.order.bits(key));
    let mut deviation = Deviation {
        shift: ZERO,
        error: ZERO,
    };
    let steps = &course.steps.all;
    for (index, (step, label)) in steps.iter().zip(&piece.low.labels).enumerate() {
        let read = |format: &Format, steps: usize| -> Option<[Exact; 2]> {
            let low = piece.low.after(steps, first)?;
            let high = piece.high.after(steps, last)?;
            Some([low, high].map(|bits| Exact::from_bits(format, bits)))
        };
        let (input, output) = (read(&step.from, index)?, read(&step.to, index + 1)?);
        if !output.iter().all(is_finite) {
            return None;
        }
        deviation = through(step, label, deviation, &input, &output);
    }
    if piece.low.bits.len() < steps.len() {
        return None;
    }
    let by_steps = magnitude(&deviation.shift).add(&deviation.error);
    // The values that are read back are monotonic, so the results at the ends of the piece bound the error too.
    let format = steps.first().map(|step| step.from);
    let by_ends = format.and_then(|format| {
        let ends = [first, last].map(|bits| Exact::from_bits(&format, bits));
        let back = [
            piece.low.after(steps.len(), first)?,
            piece.high.after(steps.len(), last)?,
        ];
        let back = back.map(|bits| Exact::from_bits(&format, bits));
        Some(farthest(&ends, &back))
    });
    Some(match by_ends {
        Some(by_ends) if larger(by_ends.clone(), by_steps.clone()) == by_steps => by_ends,
        _ => by_steps,
    })
}

/// Returns the largest distance between a number in one interval and a number in another.
fn farthest(these: &[Exact; 2], those: &[Exact; 2]) -> Exact {
    largest(
        these
            .iter()
            .flat_map(|a| those.iter().map(move |b| distance(a, b))),
    )
}

fn through(
    step: &Step<'_>,
    label: &Label,
    before: Deviation,
    input: &[Exact; 2],
    output: &[Exact; 2],
) -> Deviation {
    let far = |ends: &[Exact; 2]| largest(ends.iter().map(magnitude));
    let Deviation { shift, error } = before;
    let (shift, error) = match (&step.work, &label.event) {
        (Work::Pack(codec), Event::Within | Event::Wrapped { .. })
            if matches!(step.from, Format::Integer(_)) =>
        {
            let cut = power(codec.first_bit.into()).subtract(&Exact::integer(1));
            let lost = multiples(&label.event, codec.last_bit + 1);
            (shift.subtract(&lost), error.add(&cut))
        }
        (Work::Pack(codec), Event::Within) => {
            let cut = power(codec.first_bit.into()).subtract(&Exact::integer(1));
            let unit = quantum(&step.from, &far(input));
            (shift, error.add(&cut.multiply(&unit)))
        }
        (work, Event::Within | Event::Quotient { .. } | Event::Wrapped { .. })
            if !matches!(work, Work::Pack(_)) =>
        {
            let (shift, error) = match work {
                Work::Multiply(scale) => (shift.multiply(scale), error.multiply(&magnitude(scale))),
                Work::Divide(scale, ideal) => {
                    let one = Exact::integer(1);
                    let differs = distance(&one.divide(scale), &one.divide(ideal));
                    let range = far(input).add(&magnitude(&shift)).add(&error);
                    (
                        shift.divide(scale),
                        error
                            .divide(&magnitude(scale))
                            .add(&range.multiply(&differs)),
                    )
                }
                Work::Add(offset, ideal) => (shift, error.add(&distance(offset, ideal))),
                _ => (shift, error),
            };
            // A cast rounds the value itself, so its magnitude determines the distance between results.
            let near = match work {
                Work::Cast => far(input),
                _ => far(output),
            };
            let error = error.add(&match work {
                Work::Keep(codec) => kept(codec, input),
                _ => rounding(step, &near),
            });
            let bits = step.to.component_bits();
            (shift.subtract(&multiples(&label.event, bits)), error)
        }
        // The output does not depend on the input.
        _ => {
            let between = farthest(input, output);
            (ZERO, between.add(&magnitude(&shift)).add(&error))
        }
    };
    Deviation { shift, error }
}

/// Returns the multiple of `2^bits` that a value has lost.
fn multiples(event: &Event, bits: u32) -> Exact {
    let Event::Wrapped { below, times } = event else {
        return ZERO;
    };
    let lost = Exact::Finite(exactum_exact::Finite {
        negative: *below,
        numerator: times.clone(),
        denominator: 1u32.into(),
        exponent: bits.into(),
    });
    match times.bits() {
        0 => ZERO,
        _ => lost,
    }
}

/// Returns a bound for the error of rounding a result whose magnitude is at most `far`.
fn rounding(step: &Step<'_>, far: &Exact) -> Exact {
    let unit = match (&step.work, step.from, step.to) {
        (Work::NearestInteger, _, _) => return half(&power(0)),
        (Work::Cast, Format::Integer(_), Format::Integer(_)) => return ZERO,
        // Integer operations are exact or have no result.
        (work, _, Format::Integer(_)) if !matches!(work, Work::Cast) => return ZERO,
        (Work::Cast, Format::Integer(_), to) => {
            let unit = quantum(&to, far);
            // An integer is a multiple of 1.
            match larger(unit.clone(), power(0)) == unit {
                true if unit
                    .compare(&power(0))
                    .is_some_and(std::cmp::Ordering::is_gt) =>
                {
                    unit
                }
                _ => return ZERO,
            }
        }
        (Work::Cast, from, to) if widens(&from, &to) => return ZERO,
        (_, _, to) => quantum(&to, far),
    };
    match step.rounding {
        Rounding::NearestEven | Rounding::NearestAway => half(&unit),
        _ => unit,
    }
}

/// Returns a bound for the loss of an integer between two ends when only some of its bits are kept. An integer that
/// cannot be rounded up loses all bits after the kept ones. A negative integer has as many bits as the type.
fn kept(codec: &BitRound, ends: &[Exact; 2]) -> Exact {
    let format = codec.data_type.format();
    let length = |end: &Exact| match end {
        Exact::Finite(finite) if finite.negative => format.component_bits().into(),
        Exact::Finite(finite) => finite.floor_log2() + 1,
        _ => 0,
    };
    let longest = ends.iter().map(length).max().unwrap_or_default();
    let keep_bits = i64::try_from(codec.keep_bits).unwrap_or(i64::MAX);
    power(longest.saturating_sub(keep_bits).max(0)).subtract(&Exact::integer(1))
}

/// Returns the distance between the numbers of a format in the neighbourhood of a number.
fn quantum(format: &Format, far: &Exact) -> Exact {
    let Some(float) = format.float() else {
        return power(0);
    };
    let mantissa = i64::from(float.mantissa_bits);
    let least = 1 - i64::from(float.bias) - mantissa;
    power(match far {
        Exact::Finite(finite) => (finite.floor_log2() - mantissa).max(least),
        _ => least,
    })
}

/// Returns whether a format contains all finite numbers of another one.
fn widens(from: &Format, to: &Format) -> bool {
    let (Some(from), Some(to)) = (from.float(), to.float()) else {
        return false;
    };
    let least = |format: &exactum_model::FloatFormat| {
        -i64::from(format.bias) - i64::from(format.mantissa_bits)
    };
    from.mantissa_bits <= to.mantissa_bits && least(&from) >= least(&to) && (to.zero || !from.zero)
}

/// Returns whether these pieces have few enough values or codes to try each of them.
pub(super) fn may_try(course: &Course<'_>, pieces: &[Piece], codes: usize) -> bool {
    let encoding = course.steps.encoding;
    let Some(stored) = course.steps.all.get(encoding.wrapping_sub(1)) else {
        return true;
    };
    let order = Order::of_format(stored.to);
    let count = |piece: &Piece| {
        let values = piece.last - piece.first + 1;
        let ends = [(piece.first, &piece.low), (piece.last, &piece.high)].map(|(key, trace)| {
            let code = trace.after(encoding, course.order.bits(key))?;
            order.key(code)
        });
        match ends {
            [Some(a), Some(b)] => values.min((b - a).abs() + 1),
            _ => values,
        }
    };
    let all: i128 = pieces.iter().map(count).sum();
    usize::try_from(all).is_ok_and(|all| all <= codes)
}

/// The measure of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// The distance itself.
    Absolute,
    /// The distance divided by the magnitude of the value, which is not zero.
    Relative,
}

/// A search for the largest error of single values. On a piece, the values that are read back are monotonic, so the
/// largest error is at an end of a run of values that are read back as the same number.
pub(super) struct Search<'c, 'a> {
    course: &'c Course<'a>,
    format: Format,
    /// The number of runs that may still be examined.
    left: usize,
    measure: Measure,
    /// The largest error so far, with the key of its value.
    pub(super) worst: Option<(i128, Exact)>,
}

impl<'c, 'a> Search<'c, 'a> {
    /// Creates a search that examines at most the given number of runs with [`all`](Self::all).
    pub(super) fn new(course: &'c Course<'a>, runs: usize, measure: Measure) -> Option<Self> {
        let format = course.steps.all.first()?.from;
        Some(Self {
            course,
            format,
            left: runs,
            measure,
            worst: None,
        })
    }

    fn back(&self, key: i128) -> Option<u64> {
        let whole = self.course.full_trace(key, Wrapping::GoesOn);
        whole.after(self.course.steps.all.len(), self.course.order.bits(key))
    }

    fn look(&mut self, key: i128, back: u64) {
        let read = |bits| Exact::from_bits(&self.format, bits);
        let value = read(self.course.order.bits(key));
        let error = match self.measure {
            Measure::Absolute => distance(&value, &read(back)),
            Measure::Relative => distance(&value, &read(back)).divide(&magnitude(&value)),
        };
        let is_worse = self
            .worst
            .as_ref()
            .is_none_or(|(_, worst)| error.compare(worst).is_some_and(std::cmp::Ordering::is_gt));
        if is_finite(&error) && is_worse {
            self.worst = Some((key, error));
        }
    }

    /// Examines the run that contains the value `first`, and returns the key of the run's last value. `guess` is the
    /// expected length of the run.
    fn run(&mut self, first: i128, last: i128, guess: i128) -> Option<i128> {
        let back = self.back(first)?;
        self.look(first, back);
        let is_same = |key| {
            self.back(key)
                .is_some_and(|bits| self.format.same_value(bits, back))
        };
        // Adjacent runs have about the same length, so the search for the end starts at the guess and proceeds at
        // increasing distances.
        let near = (first + guess - 1).clamp(first, last);
        let (mut from, mut to) = (first, last + 1);
        let mut reach = 1;
        if is_same(near) {
            from = near;
            while from + reach < to {
                match is_same(from + reach) {
                    true => from += reach,
                    false => to = from + reach,
                }
                reach *= 2;
            }
        } else {
            to = near;
            while to - reach > from {
                match is_same(to - reach) {
                    true => from = to - reach,
                    false => to -= reach,
                }
                reach *= 2;
            }
        }
        let end = last_that(from, to, is_same);
        self.look(end, back);
        Some(end)
    }

    /// Examines all values of a piece. Returns `false` if the piece has too many runs, or values without a result.
    pub(super) fn all(&mut self, piece: &Piece) -> bool {
        let (mut first, mut length) = (piece.first, 1);
        while first <= piece.last {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            let Some(end) = self.run(first, piece.last, length) else {
                return false;
            };
            length = end - first + 1;
            first = end + 1;
        }
        true
    }

    /// Examines the runs of `count + 1` evenly spaced values of a piece.
    pub(super) fn some(&mut self, piece: &Piece, count: u32) {
        let order = Order::clone(&self.course.order);
        let read = |key| Exact::from_bits(&self.format, order.bits(key));
        let (low, high) = (read(piece.first), read(piece.last));
        let step = high.subtract(&low).divide(&Exact::integer(count.into()));
        for index in 0..=count {
            let value = low.add(&step.multiply(&Exact::integer(index.into())));
            let key = match exactum_exact::round(&value, &self.format, Rounding::NearestEven) {
                exactum_exact::Rounded::Bits(bits) => order.key(bits),
                _ => None,
            };
            let key = key.unwrap_or(piece.last).clamp(piece.first, piece.last);
            self.run(key, piece.last, 1);
        }
    }
}
