//! Lost codes: integers that a float type with too few digits reads back as the same value.

use exactum_model::{Chain, Format};

use super::order::Order;
use super::piece::{Course, Piece};
use super::step::Event;

/// Two codes that are read back as the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The bits of the two codes, which are neighbours.
    pub codes: [u64; 2],
    /// The bits of the value that is read back.
    pub value: u64,
}

/// Searches for lost codes among the codes of these pieces.
///
/// If an interval of codes contains more codes than the interval of their values contains numbers of the array's data
/// type, two neighbouring codes share a value, and bisection finds them. The distance between numbers is largest at
/// the ends of a piece, so intervals of all sizes are examined there.
pub(super) fn lost(chain: &Chain, course: &Course<'_>, pieces: &[Piece]) -> Option<Lost> {
    let encoding = course.steps.encoding;
    let stored = course.steps.all.get(encoding - 1)?.to;
    let is_float = chain.data_type.format().float().is_some();
    if !is_float || !matches!(stored, Format::Integer(_)) {
        return None;
    }
    let codes = Order::of_format(stored);
    let values = Order::of(chain.data_type);
    let value = |code: i128| {
        let bits = codes.bits(code);
        let back = course.forward(bits, encoding, course.steps.all.len())?;
        values.key(back)
    };
    // Returns whether an interval of codes has fewer numbers than codes.
    let is_poor = |[low, high]: [i128; 2]| {
        let between = value(low).zip(value(high));
        between.is_some_and(|(a, b)| (b - a).abs() < high - low)
    };
    for piece in pieces {
        let mut labels = piece.low.labels.iter();
        if !labels.all(|label| matches!(label.event, Event::Within | Event::Quotient { .. })) {
            continue;
        }
        let ends = [(piece.first, &piece.low), (piece.last, &piece.high)].map(|(key, trace)| {
            let code = trace.after(encoding, course.order.bits(key))?;
            codes.key(code)
        });
        let [Some(a), Some(b)] = ends else { continue };
        let [low, high] = [a.min(b), a.max(b)];
        let sizes = (0..64).map(|power| 1i128 << power);
        let poor = sizes
            .take_while(|size| *size <= high - low)
            .flat_map(|size| [[low, low + size], [high - size, high]])
            .chain([[low, high]])
            .find(|interval| low < high && is_poor(*interval));
        let Some([mut low, mut high]) = poor else {
            continue;
        };
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match is_poor([low, middle]) {
                true => high = middle,
                false => low = middle,
            }
        }
        if let (Some(a), Some(b)) = (value(low), value(high))
            && a == b
        {
            return Some(Lost {
                codes: [low, high].map(|code| codes.bits(code)),
                value: values.bits(a),
            });
        }
    }
    None
}
