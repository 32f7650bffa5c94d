//! Dimensions in another order.

use exactum_model::{Array, Rejection};

/// Dimension `i` of the output is dimension `order[i]` of the input (chain.transpose).
pub(super) fn transpose(order: &[usize], input: &Array) -> Result<Array, Rejection> {
    let width = input.data_type().element_bytes();
    let shape: Vec<u64> = order
        .iter()
        .map(|&dimension| input.shape()[dimension])
        .collect();
    if input.is_empty() || order.iter().copied().eq(0..order.len()) {
        return Array::new(input.data_type(), shape, input.data().to_vec());
    }
    // How many bytes the input moves with one step along each dimension of the output. All extents
    // fit in memory: the array is there.
    let extent = |dimension: usize| usize::try_from(input.shape()[dimension]).unwrap_or(0);
    let mut strides = vec![width; order.len()];
    for dimension in (1..order.len()).rev() {
        strides[dimension - 1] = strides[dimension] * extent(dimension);
    }
    let extents: Vec<usize> = order.iter().map(|&dimension| extent(dimension)).collect();
    let strides: Vec<usize> = order.iter().map(|&dimension| strides[dimension]).collect();

    let mut output = vec![0; input.data().len()];
    match width {
        1 => copy::<1>(&extents, &strides, input.data(), &mut output),
        2 => copy::<2>(&extents, &strides, input.data(), &mut output),
        4 => copy::<4>(&extents, &strides, input.data(), &mut output),
        8 => copy::<8>(&extents, &strides, input.data(), &mut output),
        _ => copy::<16>(&extents, &strides, input.data(), &mut output),
    }
    Array::new(input.data_type(), shape, output)
}

/// Copies elements of `WIDTH` bytes, row by row of the output's last dimension.
fn copy<const WIDTH: usize>(extents: &[usize], strides: &[usize], input: &[u8], output: &mut [u8]) {
    let (Some((&row, outer)), Some((&step, outer_strides))) =
        (extents.split_last(), strides.split_last())
    else {
        return;
    };
    let mut position = vec![0; outer.len()];
    let mut start = 0;
    for target in output.as_chunks_mut::<WIDTH>().0.chunks_exact_mut(row) {
        for (index, element) in target.iter_mut().enumerate() {
            let source = start + index * step;
            element.copy_from_slice(&input[source..source + WIDTH]);
        }
        // The next row: count up from the innermost dimension.
        for dimension in (0..outer.len()).rev() {
            position[dimension] += 1;
            start += outer_strides[dimension];
            if position[dimension] < outer[dimension] {
                break;
            }
            start -= outer_strides[dimension] * outer[dimension];
            position[dimension] = 0;
        }
    }
}

/// The order that undoes another.
pub(super) fn inverse(order: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; order.len()];
    for (position, &dimension) in order.iter().enumerate() {
        inverse[dimension] = position;
    }
    inverse
}
