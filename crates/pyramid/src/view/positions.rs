//! Positions of a source that a transform selects.

use exactum_model::{Domain, Selected, Transform};

/// Returns a box of the source that contains all positions on which a region depends, or `None` if a position
/// has more than 64 bits or the region is not in the transform.
pub(super) fn hull(transform: Option<&Transform>, region: &Domain) -> Option<Domain> {
    let Some(transform) = transform else {
        return Some(region.clone());
    };
    let part = transform.part(region).ok()?;
    let intervals = part.output().iter().map(|map| {
        let ends = match &map.selected {
            Selected::Nothing => [0, 0],
            Selected::Dimension(input) => {
                let own = region.interval(*input);
                [own.start, own.end.checked_sub(1)?]
            }
            Selected::Indices(indices) => {
                let values = || indices.values.iter().copied();
                [values().min()?, values().max()?]
            }
        };
        let at = |end: i64| end.checked_mul(map.stride)?.checked_add(map.offset);
        let [one, other] = [at(ends[0])?, at(ends[1])?];
        Some(one.min(other)..one.max(other).checked_add(1)?)
    });
    let intervals: Vec<_> = intervals.collect::<Option<_>>()?;
    Some(Domain::of_intervals(intervals))
}

/// Returns the positions of the source on which a region depends, if the transform moves all of them by the
/// same amount.
pub(super) fn moved(transform: &Transform, region: &Domain) -> Option<Domain> {
    let maps = transform.output().iter().enumerate();
    let intervals = maps.map(|(at, map)| {
        let moves = map.stride == 1 && map.selected == Selected::Dimension(at);
        let own = moves.then(|| region.interval(at))?;
        Some(own.start.checked_add(map.offset)?..own.end.checked_add(map.offset)?)
    });
    let intervals: Vec<_> = intervals.collect::<Option<_>>()?;
    (intervals.len() == region.rank()).then(|| Domain::of_intervals(intervals))
}
