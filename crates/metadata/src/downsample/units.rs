//! The size of a step along each dimension (downsample.document.units).

use exactum_model::{OutputMap, Selected};

/// The size of one step along each dimension: a multiple of a unit, if it is known.
pub type Units = Vec<Option<(f64, String)>>;

/// Returns the units of a view with these factors whose base has the given units.
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

/// Returns the units after a transform with this number of dimensions and these maps. The unit of a dimension
/// is that of the dimension to which it is mapped, times the size of the stride. It is unknown for a
/// dimension that is not mapped, or that is mapped to several with different units.
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
