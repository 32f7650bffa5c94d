//! Elements that are copied unchanged.

use alloc::vec::Vec;

use exactum_model::{Array, ArrayView, Domain, Rejection, Source};

use super::blocks::is_contiguous;

/// Copies a box of a source.
pub(super) fn copy(base: &dyn Source, region: &Domain, output: &mut [u8]) -> Result<(), Rejection> {
    match base.view(region) {
        Some(view) => put(&view, output),
        None => output.copy_from_slice(base.read(region)?.data()),
    }
    Ok(())
}

/// Copies every factor-th element of a source. From a source in memory, single elements are copied. From any
/// other source, the rows along the dimensions with the factor 1 are read one after another, without anything
/// in between.
pub(super) fn read(
    base: &dyn Source,
    factors: &[u64],
    region: &Domain,
    output: &mut [u8],
) -> Result<(), Rejection> {
    let rank = region.rank();
    // The shape is whole along the last dimensions, and 1 along the others.
    let whole = factors
        .iter()
        .rev()
        .take_while(|&&factor| factor == 1)
        .count();
    let split = rank - whole;
    let first = |position: &[i64], extents: &[u64]| {
        Domain::of_intervals((0..rank).map(|dimension| {
            // A position of the view times its factor is a position of the base.
            let factor = i64::try_from(factors[dimension]).unwrap_or(i64::MAX);
            let start = position[dimension].saturating_mul(factor);
            start..start.saturating_add_unsigned(extents[dimension])
        }))
    };
    let hull: Vec<u64> = region
        .shape()
        .iter()
        .zip(factors)
        .map(|(&extent, &factor)| (extent - 1).saturating_mul(factor).saturating_add(1))
        .collect();
    if let Some(view) = base.view(&first(region.origin(), &hull)) {
        let size = |values: &[u64]| -> Vec<usize> {
            let sizes = values.iter().map(|&value| usize::try_from(value));
            sizes.map(|size| size.unwrap_or(usize::MAX)).collect()
        };
        let part = view.part(&vec![0; rank], &size(region.shape()), &size(factors))?;
        put(&part, output);
        return Ok(());
    }
    let mut row = region.shape().to_vec();
    row[..split].fill(1);
    let bytes = usize::try_from(Array::bytes_of(base.data_type(), &row)?).unwrap_or(usize::MAX);
    let intervals = region.intervals().take(split);
    let outer = Domain::of_intervals(intervals);
    for (position, target) in outer.positions().zip(output.chunks_exact_mut(bytes)) {
        let mut position = position;
        position.extend_from_slice(&region.origin()[split..]);
        target.copy_from_slice(base.read(&first(&position, &row))?.data());
    }
    Ok(())
}

/// Copies the elements of a view in C order.
pub(super) fn put(view: &ArrayView<'_>, output: &mut [u8]) {
    let count = view.shape().last().copied().unwrap_or(1);
    let step = view.strides().last().copied().unwrap_or_default();
    let contiguous = is_contiguous(view);
    let data = view.data();
    let width = view.data_type().element_bytes();
    let mut rest = output;
    view.rows(|start| {
        let target;
        (target, rest) = core::mem::take(&mut rest).split_at_mut(count * width);
        let source = &data[start..];
        match (contiguous, width) {
            (true, _) => target.copy_from_slice(&source[..count * width]),
            (false, 1) => spread::<1>(source, step, target),
            (false, 2) => spread::<2>(source, step, target),
            (false, 4) => spread::<4>(source, step, target),
            (false, 8) => spread::<8>(source, step, target),
            (false, _) => spread::<16>(source, step, target),
        }
    });
}

/// Copies elements of `WIDTH` bytes that are `step` bytes apart.
fn spread<const WIDTH: usize>(source: &[u8], step: usize, target: &mut [u8]) {
    for (index, element) in target.as_chunks_mut::<WIDTH>().0.iter_mut().enumerate() {
        element.copy_from_slice(&source[index * step..][..WIDTH]);
    }
}
