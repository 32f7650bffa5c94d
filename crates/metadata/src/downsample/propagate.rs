//! The bounds of a transform that leaves them open: they follow from its output maps and the domain of its input
//! (downsample.document.transform). The rules are those of TensorStore:
//!
//! - A bound is implicit if the document does not state it, or if it is in brackets. Then it is the bound
//!   that all maps of its dimension allow, and stated bounds have priority over implicit ones.
//! - A stated bound is kept, and is checked.
//! - Constants, index arrays and a stride of 0 do not determine any bounds. A dimension on which no other map depends
//!   keeps its own bounds.

use exactum_model::{OutputMap, Selected};

use super::extents::{Bound, Extents, Firm, Interval};

/// The reason why a transform leaves the array to which it is applied.
pub(super) struct Fault {
    /// The number of the output map.
    pub(super) map: usize,
    pub(super) message: String,
}

/// Returns the positions of a transform over existing positions, for each of which it has one map.
pub(super) fn propagated(
    input: &Extents,
    maps: &[&OutputMap],
    view: &Extents,
) -> Result<Extents, Fault> {
    let mut allowed: Vec<Option<Interval>> = vec![None; input.rank()];
    let mut of_maps = Vec::new();
    for (number, (map, &own)) in maps.iter().zip(&view.intervals).enumerate() {
        let Selected::Dimension(dimension) = map.selected else {
            continue;
        };
        if map.stride == 0 {
            continue;
        }
        let inverse = inverse(own, map.offset, map.stride).ok_or_else(|| Fault {
            map: number,
            message: format!("output map {number} takes {own} from positions that exceed 64 bits"),
        })?;
        if let Some(allowed) = allowed.get_mut(dimension) {
            *allowed = Some(allowed.unwrap_or(Interval::OPEN).meet(inverse));
        }
        of_maps.push((number, dimension, inverse));
    }
    let mut extents = input.clone();
    for (own, allowed) in extents.intervals.iter_mut().zip(&allowed) {
        if let Some(allowed) = *allowed {
            let bound = |own: Bound, allowed: Bound| if own.is_said() { own } else { allowed };
            // A stated start may lie beyond all existing positions.
            *own = Interval {
                start: bound(own.start, allowed.start),
                end: bound(own.end, allowed.end),
            }
            .ordered();
        }
    }
    // An empty selection cannot be out of bounds.
    if input
        .intervals
        .iter()
        .any(|it| it.is_said() && it.is_empty())
    {
        return Ok(extents);
    }
    let is_empty = extents.intervals.iter().any(|it| it.is_empty());
    let least = if is_empty { Firm::Stated } else { Firm::Limit };
    for (number, (map, &own)) in maps.iter().zip(&view.intervals).enumerate() {
        let Some(at) = constant(map) else {
            continue;
        };
        if !own.firm(least).has(at) {
            return Err(Fault {
                map: number,
                message: format!("output map {number} is {at}, which is outside of {own}"),
            });
        }
    }
    for (map, dimension, allowed) in of_maps {
        let own = extents.intervals.get(dimension);
        if let Some(own) = own.filter(|own| !allowed.firm(least).contains(**own)) {
            let message = format!(
                "input dimension {dimension} is {own}, but output map {map} allows {allowed}"
            );
            return Err(Fault { map, message });
        }
    }
    Ok(extents)
}

/// Returns the position to which a constant map takes everything.
fn constant(map: &OutputMap) -> Option<i64> {
    match map.selected {
        Selected::Dimension(_) if map.stride != 0 => None,
        Selected::Dimension(_) | Selected::Nothing => Some(map.offset),
        Selected::Indices(_) => None,
    }
}

/// Returns the positions that a map takes into an interval, or `None` if they have more than 64 bits.
fn inverse(interval: Interval, offset: i64, stride: i64) -> Option<Interval> {
    let (offset, stride) = (i128::from(offset), i128::from(stride));
    // The divisor is positive, so that this rounds down.
    let floor = |distance: i128| (distance * stride.signum()).div_euclid(stride.abs());
    let ceiling = |position: i64| -floor(offset - i128::from(position));
    let floor = |position: i64| floor(i128::from(position) - offset);
    let bound = |bound: Bound, to: &dyn Fn(i64) -> i128| {
        let at = bound.at.map(|at| i64::try_from(to(at)));
        let at = at.transpose().ok()?;
        Some(Bound { at, ..bound })
    };
    let Interval { start, end } = interval;
    let (first, last) = if stride < 0 {
        (end, start)
    } else {
        (start, end)
    };
    if interval.is_empty() {
        return Some(Interval {
            start: bound(first, &ceiling)?,
            end: bound(last, &ceiling)?,
        });
    }
    // An end is one more than the last position.
    let (to_first, to_end): (&dyn Fn(i64) -> i128, &dyn Fn(i64) -> i128) = match stride < 0 {
        false => (&ceiling, &|end| floor(end.saturating_sub(1)) + 1),
        true => (&|end| ceiling(end.saturating_sub(1)), &|start| {
            floor(start) + 1
        }),
    };
    let made = Interval {
        start: bound(first, to_first)?,
        end: bound(last, to_end)?,
    };
    Some(made.ordered())
}
