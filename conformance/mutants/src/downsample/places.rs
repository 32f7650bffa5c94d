//! Wrong positions in views, in blocks, in what a transform selects, and in answers about documents.

use exactum_conformance::model::{Domain, Indices, Level, Method, OutputMap, Selected, Transform};
use serde_json::{Map, Value, json};

fn factors(level: &Level) -> Vec<i64> {
    let factors = level.factors().iter();
    factors
        .map(|&factor| i64::try_from(factor).unwrap_or(i64::MAX))
        .collect()
}

/// Returns all positions of a box, or `None` if there are too many to list.
fn listed(intervals: impl Iterator<Item = std::ops::Range<i64>>) -> Option<Vec<Vec<i64>>> {
    let domain = Domain::of_intervals(intervals);
    let few = domain.len().is_some_and(|count| count <= 1 << 12);
    few.then(|| domain.positions().collect())
}

fn is_stride(level: &Level) -> bool {
    level.method() == Method::Stride
}

/// Returns all positions of a block, including those beyond the base, which are moved to its edge.
pub(super) fn repeated_at_the_edge(
    level: &Level,
    _: &Domain,
    position: &[i64],
) -> Option<Vec<Vec<i64>>> {
    if is_stride(level) {
        return None;
    }
    let dimensions = position.iter().zip(factors(level));
    listed(
        dimensions.map(|(&at, factor)| at.saturating_mul(factor)..(at + 1).saturating_mul(factor)),
    )
}

/// Returns the positions of a block shifted by one towards the start.
pub(super) fn one_early(level: &Level, _: &Domain, position: &[i64]) -> Option<Vec<Vec<i64>>> {
    if is_stride(level) {
        return None;
    }
    let dimensions = position.iter().zip(factors(level));
    listed(dimensions.map(|(&at, factor)| {
        let start = at.saturating_mul(factor);
        match factor {
            1 => start..start + 1,
            _ => start - 1..start + factor - 1,
        }
    }))
}

/// Reads past the end of a base that begins and ends inside one block, by the offset of its start in the block.
pub(super) fn past_inside_one_block(
    level: &Level,
    base: &Domain,
    position: &[i64],
) -> Option<Vec<Vec<i64>>> {
    let factors = factors(level);
    let inside = |dimension: usize| {
        let (interval, factor) = (base.interval(dimension), factors[dimension]);
        interval.start.rem_euclid(factor) != 0
            && interval.end - interval.start > 1
            && interval.start.div_euclid(factor) == interval.end.div_euclid(factor)
    };
    if is_stride(level) || !(0..base.rank()).any(inside) {
        return None;
    }
    let block = level.block(base, position);
    listed(block.intervals().enumerate().map(|(dimension, own)| {
        let offset = own.start.rem_euclid(factors[dimension]);
        let past = if inside(dimension) { offset } else { 0 };
        own.start..(own.end + past).min(own.start - offset + factors[dimension])
    }))
}

/// Returns whether a transform selects by index arrays or strides.
pub(super) fn selects(transform: &Transform) -> bool {
    let selects = |map: &OutputMap| match map.selected {
        Selected::Indices(_) => true,
        Selected::Dimension(_) => map.stride.unsigned_abs() != 1,
        Selected::Nothing => false,
    };
    transform.output().iter().any(selects)
}

/// Returns whether a transform reads backwards.
pub(super) fn reverses(transform: &Transform) -> bool {
    let reverses =
        |map: &OutputMap| matches!(map.selected, Selected::Dimension(_)) && map.stride < 0;
    transform.output().iter().any(reverses)
}

/// Computes the positions of a level, dimension by dimension.
fn domain_of(
    level: &Level,
    base: &Domain,
    interval: fn(i64, i64, i64) -> (i64, i64),
) -> Option<Domain> {
    let dimensions = base.intervals().zip(factors(level));
    Some(Domain::of_intervals(dimensions.map(|(base, factor)| {
        let (start, end) = interval(base.start, base.end, factor);
        start..end.max(start)
    })))
}

/// Keeps only blocks that lie entirely in the base.
pub(super) fn whole_blocks(level: &Level, base: &Domain) -> Option<Domain> {
    (!is_stride(level)).then(|| {
        domain_of(level, base, |start, end, factor| {
            let first = start.div_euclid(factor) + i64::from(start.rem_euclid(factor) != 0);
            (first, end.div_euclid(factor))
        })
    })?
}

pub(super) fn from_origin_domain(level: &Level, base: &Domain) -> Option<Domain> {
    (!is_stride(level)).then(|| {
        domain_of(level, base, |start, end, factor| {
            let first = start.div_euclid(factor);
            let extent = end - start;
            let blocks = extent / factor + i64::from(extent % factor != 0);
            (first, first + blocks)
        })
    })?
}

pub(super) fn from_origin(level: &Level, base: &Domain, position: &[i64]) -> Option<Vec<Vec<i64>>> {
    if is_stride(level) {
        return None;
    }
    let dimensions = position.iter().zip(base.intervals()).zip(factors(level));
    listed(dimensions.map(|((&at, base), factor)| {
        let block = at - base.start.div_euclid(factor);
        let start = base.start.saturating_add(block.saturating_mul(factor));
        start..start.saturating_add(factor).min(base.end)
    }))
}

pub(super) fn truncated_domain(level: &Level, base: &Domain) -> Option<Domain> {
    (!is_stride(level)).then(|| {
        domain_of(level, base, |start, end, factor| match end == start {
            true => (start / factor, start / factor),
            false => (start / factor, (end - 1) / factor + 1),
        })
    })?
}

/// Returns all positions of the base whose truncated quotient is the position.
pub(super) fn truncated_block(
    level: &Level,
    base: &Domain,
    position: &[i64],
) -> Option<Vec<Vec<i64>>> {
    if is_stride(level) {
        return None;
    }
    let dimensions = position.iter().zip(base.intervals()).zip(factors(level));
    listed(dimensions.map(|((&at, base), factor)| {
        let first = at.saturating_mul(factor);
        let (start, end) = match at.signum() {
            1 => (first, first.saturating_add(factor)),
            0 => (1 - factor, factor),
            _ => (first - factor + 1, first + 1),
        };
        start.max(base.start)..end.min(base.end)
    }))
}

pub(super) fn empty_at_zero(level: &Level, base: &Domain) -> Option<Domain> {
    let domain = level.domain(base).ok()?;
    let zero = |extent: &u64| match extent {
        0 => 0..0,
        _ => 0..1,
    };
    domain
        .is_empty()
        .then(|| Domain::of_intervals(domain.shape().iter().map(zero)))
}

pub(super) fn stride_from_floor(level: &Level, base: &Domain) -> Option<Domain> {
    is_stride(level).then(|| {
        domain_of(level, base, |start, end, factor| match end == start {
            true => (start.div_euclid(factor), start.div_euclid(factor)),
            false => (start.div_euclid(factor), (end - 1).div_euclid(factor) + 1),
        })
    })?
}

pub(super) fn stride_from_origin_domain(level: &Level, base: &Domain) -> Option<Domain> {
    is_stride(level).then(|| {
        domain_of(level, base, |start, end, factor| {
            let first = start.div_euclid(factor);
            let extent = end - start;
            (
                first,
                first + extent / factor + i64::from(extent % factor != 0),
            )
        })
    })?
}

pub(super) fn stride_from_origin(
    level: &Level,
    base: &Domain,
    position: &[i64],
) -> Option<Vec<Vec<i64>>> {
    is_stride(level).then(|| {
        let dimensions = position.iter().zip(base.intervals()).zip(factors(level));
        let at = dimensions.map(|((&at, base), factor)| {
            base.start + (at - base.start.div_euclid(factor)).saturating_mul(factor)
        });
        vec![at.collect()]
    })
}

pub(super) fn last_of_stride(level: &Level, _: &Domain, position: &[i64]) -> Option<Vec<Vec<i64>>> {
    is_stride(level).then(|| {
        let dimensions = position.iter().zip(factors(level));
        let at = dimensions.map(|(&at, factor)| (at + 1).saturating_mul(factor) - 1);
        vec![at.collect()]
    })
}

/// Returns the positions of a block with the first dimension varying fastest.
pub(super) fn by_columns(level: &Level, base: &Domain, position: &[i64]) -> Option<Vec<Vec<i64>>> {
    if level.method() != Method::Mean {
        return None;
    }
    let block = level.block(base, position);
    let mut intervals: Vec<_> = block.intervals().collect();
    intervals.reverse();
    let mut positions = listed(intervals.into_iter())?;
    for position in &mut positions {
        position.reverse();
    }
    Some(positions)
}

/// Returns a transform with changed maps, if it stays within the view.
fn mapped(
    transform: &Transform,
    view: &Domain,
    change: impl Fn(usize, &OutputMap) -> OutputMap,
) -> Option<Transform> {
    let maps = transform.output().iter().enumerate();
    let maps = maps.map(|(dimension, map)| change(dimension, map));
    let changed = Transform::new(transform.domain().clone(), maps.collect()).ok()?;
    changed.require(view).is_ok().then_some(changed)
}

pub(super) fn offset_lost(transform: &Transform, view: &Domain) -> Option<Transform> {
    mapped(transform, view, |dimension, map| OutputMap {
        offset: match map.selected {
            Selected::Nothing => view.origin()[dimension],
            _ => 0,
        },
        ..map.clone()
    })
}

pub(super) fn stride_lost(transform: &Transform, view: &Domain) -> Option<Transform> {
    mapped(transform, view, |_, map| OutputMap {
        stride: 1,
        ..map.clone()
    })
}

pub(super) fn dimensions_in_order(transform: &Transform, view: &Domain) -> Option<Transform> {
    mapped(transform, view, |dimension, map| OutputMap {
        selected: match &map.selected {
            Selected::Dimension(_) => Selected::Dimension(dimension),
            other => other.clone(),
        },
        ..map.clone()
    })
}

pub(super) fn indices_sorted(transform: &Transform, view: &Domain) -> Option<Transform> {
    mapped(transform, view, |_, map| OutputMap {
        selected: match &map.selected {
            Selected::Indices(indices) => {
                let mut values = indices.values.clone();
                values.sort_unstable();
                Selected::Indices(Indices {
                    shape: indices.shape.clone(),
                    values,
                })
            }
            other => other.clone(),
        },
        ..map.clone()
    })
}

/// Returns the units of the base: they are divided by the factors again.
pub(super) fn units_of_base(
    level: &Level,
    _transform: Option<&Transform>,
    members: &mut Map<String, Value>,
) {
    divide_units(members, level.factors().iter().copied().enumerate());
}

/// Returns the units before the transform: they are divided by its strides again.
pub(super) fn units_without_strides(
    _level: &Level,
    transform: Option<&Transform>,
    members: &mut Map<String, Value>,
) {
    let maps = transform.into_iter().flat_map(Transform::output);
    let strides = maps.filter_map(|map| match map.selected {
        Selected::Dimension(dimension) => Some((dimension, map.stride.unsigned_abs())),
        _ => None,
    });
    divide_units(members, strides);
}

/// Gives a dimension that is not mapped the first known unit.
pub(super) fn units_of_any(
    _level: &Level,
    transform: Option<&Transform>,
    members: &mut Map<String, Value>,
) {
    let units = members
        .get_mut("dimension_units")
        .and_then(Value::as_array_mut);
    let Some((units, _)) = units.zip(transform) else {
        return;
    };
    let known = units.iter().find(|unit| !unit.is_null()).cloned();
    let known = known.unwrap_or_else(|| json!([1, ""]));
    for unit in units.iter_mut().filter(|unit| unit.is_null()) {
        *unit = known.clone();
    }
}

fn divide_units(members: &mut Map<String, Value>, divisors: impl Iterator<Item = (usize, u64)>) {
    let units = members
        .get_mut("dimension_units")
        .and_then(Value::as_array_mut);
    let Some(units) = units else {
        return;
    };
    for (dimension, divisor) in divisors {
        let multiplier = units.get_mut(dimension).and_then(|unit| unit.get_mut(0));
        if let Some(multiplier) = multiplier
            && let Some(number) = multiplier.as_u64()
        {
            *multiplier = json!(number / divisor.max(1));
        }
    }
}

/// Returns the chunks of the base: they are multiplied by the factors again.
pub(super) fn chunks_of_base(
    level: &Level,
    _transform: Option<&Transform>,
    members: &mut Map<String, Value>,
) {
    let chunks = members.get_mut("chunk_shape").and_then(Value::as_array_mut);
    for (chunk, &factor) in chunks.into_iter().flatten().zip(level.factors()) {
        if let Some(extent) = chunk.as_u64() {
            *chunk = json!(extent * factor);
        }
    }
}
