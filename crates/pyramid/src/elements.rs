//! Elements in memory.

use exactum_model::Domain;

use crate::plan::usize_of;

/// Returns a chunk of fill values, which remain where the chunk extends beyond the array.
pub(crate) fn filled(fill_value: &[u8], extents: &[u64]) -> Result<Vec<u8>, String> {
    let too_large = || format!("not enough memory for a chunk of shape {extents:?}");
    let size = extents
        .iter()
        .try_fold(fill_value.len() as u64, |size, &extent| {
            size.checked_mul(extent)
        })
        .and_then(|size| usize::try_from(size).ok())
        .ok_or_else(too_large)?;
    let mut elements = Vec::new();
    elements.try_reserve_exact(size).map_err(|_| too_large())?;
    elements.extend(fill_value.iter().copied().cycle().take(size));
    Ok(elements)
}

/// Copies the elements of a part into those of a chunk that begins at `origin`.
pub(crate) fn scatter(
    made: &[u8],
    tile: &Domain,
    origin: &[i64],
    chunk: &[u64],
    width: usize,
    elements: &mut [u8],
) {
    let Some((&row, outer)) = tile.shape().split_last() else {
        elements.copy_from_slice(made);
        return;
    };
    let row = usize_of(row) * width;
    let starts = Domain::new(vec![0; outer.len()], outer.to_vec())
        .map(|outer| outer.positions().collect::<Vec<_>>())
        .unwrap_or_default();
    for (made, start) in made.chunks_exact(row.max(1)).zip(starts) {
        let mut at = 0;
        for (dimension, &extent) in chunk.iter().enumerate() {
            let within = tile.origin()[dimension] - origin[dimension]
                + start.get(dimension).copied().unwrap_or_default();
            at = at * extent + within.cast_unsigned();
        }
        let at = usize_of(at);
        elements[at * width..][..row].copy_from_slice(made);
    }
}
