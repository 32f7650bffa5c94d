//! The size of a step along each dimension (downsample.document.units).

use exactum_model::{OutputMap, Selected};

/// The size of one step along each dimension: a multiple of a unit, where it is known.
pub type Units = Vec<Option<(f64, String)>>;

/// The units of a view whose base has these, with these factors.
#[expect(
    clippy::cast_precision_loss,
    reason = "a unit's multiplier is a binary64, and so is its product"
)]
pub(super) fn multiplied(base: Units, factors: &[u64]) -> Units {
    let units = base.into_iter().zip(factors);
    units
        .map(|(unit, &factor)| unit.map(|(multiplier, name)| (multiplier * factor as f64, name)))
        .collect()
}

/// The units behind a transform of this number of dimensions and these maps: those of the dimensions that each of its own is mapped to, times the size of the
/// stride. None is known of a dimension that is not mapped, or to several whose units differ.
#[expect(
    clippy::cast_precision_loss,
    reason = "a unit's multiplier is a binary64, and so is its product"
)]
pub(super) fn through(units: &Units, rank: usize, maps: &[OutputMap]) -> Units {
    let own = 0..rank;
    own.map(|dimension| {
        let maps = maps.iter().zip(units);
        let mut steps = maps
            .filter(|(map, _)| map.selected == Selected::Dimension(dimension) && map.stride != 0)
            .map(|(map, unit)| {
                let (multiplier, name) = unit.as_ref()?;
                let size = map.stride.unsigned_abs() as f64;
                Some((multiplier * size, name.clone()))
            });
        let first = steps.next()?;
        steps.all(|step| step == first).then_some(first)?
    })
    .collect()
}
