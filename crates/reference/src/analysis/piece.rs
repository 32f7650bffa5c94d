//! The division of a range into pieces on which every step of the chain has a single case.

use super::lower::Steps;
use super::order::Order;
use super::step::Label;

/// The results of passing one value through the steps, up to the step at which it has no result.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    /// The case of each step.
    pub(super) labels: Vec<Label>,
    /// The result of each step.
    pub(super) bits: Vec<u64>,
}

impl Trace {
    /// Returns the result after the first `steps` steps, which is the value itself before the first step.
    pub(super) fn after(&self, steps: usize, value: u64) -> Option<u64> {
        match steps.checked_sub(1) {
            None => Some(value),
            Some(last) => self.bits.get(last).copied(),
        }
    }
}

/// The treatment of values that lose multiples of 2^N when they are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrapping {
    /// The values are not processed further, and all values on the same side of the range are one case.
    Ends,
    /// The values are processed further, and each number of multiples is a separate case.
    GoesOn,
}

/// A range of numbers that have the same label in every step.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The key of the smallest number.
    pub(super) first: i128,
    /// The key of the largest number.
    pub(super) last: i128,
    /// The results of the smallest number.
    pub(super) low: Trace,
    /// The results of the largest number.
    pub(super) high: Trace,
}

/// The steps of a chain, and the order of the numbers that pass through them.
#[derive(Clone, Debug)]
pub(super) struct Course<'a> {
    /// The steps.
    pub(super) steps: Steps<'a>,
    /// The order of the array's numbers.
    pub(super) order: Order,
}

impl Course<'_> {
    /// Passes the number with a key through the first `count` steps.
    pub(super) fn trace(&self, key: i128, count: usize, wrapping: Wrapping) -> Trace {
        let value = self.order.bits(key);
        let mut trace = Trace {
            labels: Vec::new(),
            bits: Vec::new(),
        };
        let mut bits = value;
        // From this step on, every step has given different values different results.
        let mut lossless_since = 0;
        for (index, step) in self.steps.all.iter().enumerate().take(count) {
            let is_whole = step
                .mirror
                .is_some_and(|mirror| lossless_since <= mirror + 1);
            let (mut label, result) = step.apply(bits, is_whole);
            if !(label.is_within() && step.is_lossless()) {
                lossless_since = index + 1;
            }
            let encodes = index < self.steps.encoding;
            let ends = label.event.is_wrapped() && encodes && wrapping == Wrapping::Ends;
            if ends {
                label.forget_multiples();
            }
            trace.labels.push(label);
            match result {
                Some(result) if !ends => bits = result,
                _ => break,
            }
            trace.bits.push(bits);
        }
        trace
    }

    /// Passes the number with a key through the whole chain.
    pub(super) fn full_trace(&self, key: i128, wrapping: Wrapping) -> Trace {
        self.trace(key, self.steps.all.len(), wrapping)
    }

    /// Passes the result of the first `from` steps through the steps up to `to`.
    pub(super) fn forward(&self, bits: u64, from: usize, to: usize) -> Option<u64> {
        let steps = self.steps.all.get(from..to)?;
        steps
            .iter()
            .try_fold(bits, |bits, step| step.apply(bits, false).1)
    }

    /// Divides the numbers from one key to another into pieces, in ascending order. Also returns whether the pieces
    /// are complete. If not, only the first `limit` pieces are returned.
    ///
    /// Consider the first step at which the labels of the ends of an interval differ. All previous labels are the same
    /// at both ends, and therefore in between, so the inputs of this step are monotonic over the whole interval. Its
    /// label therefore changes at only a few places, and bisection finds each of them.
    pub(super) fn pieces(
        &self,
        first: i128,
        last: i128,
        wrapping: Wrapping,
        limit: usize,
    ) -> (Vec<Piece>, bool) {
        let mut pieces = Vec::new();
        let mut low = self.full_trace(first, wrapping);
        let mut first = first;
        // The ends of the intervals that are still to be examined, with the nearest end last.
        let mut rest = vec![(last, self.full_trace(last, wrapping))];
        while let Some((last, high)) = rest.pop() {
            let labels = low.labels.iter().zip(&high.labels);
            let Some(step) = labels.clone().position(|(a, b)| a != b) else {
                pieces.push(Piece {
                    first,
                    last,
                    low,
                    high,
                });
                if rest.is_empty() {
                    break;
                }
                if pieces.len() >= limit {
                    return (pieces, false);
                }
                first = last + 1;
                low = self.full_trace(first, wrapping);
                continue;
            };
            // Find the last number that still has the label of the first.
            let is_same =
                |key| self.trace(key, step + 1, wrapping).labels.get(step) == low.labels.get(step);
            let end = last_that(first, last, is_same);
            rest.push((last, high));
            rest.push((end, self.full_trace(end, wrapping)));
        }
        (pieces, true)
    }
}

/// Returns the last key for which a condition holds. The condition must hold for the first key and not for the last,
/// and it must change only once in between.
pub(super) fn last_that(first: i128, last: i128, holds: impl Fn(i128) -> bool) -> i128 {
    let (mut yes, mut no) = (first, last);
    while no - yes > 1 {
        let middle = yes + (no - yes) / 2;
        match holds(middle) {
            true => yes = middle,
            false => no = middle,
        }
    }
    yes
}
