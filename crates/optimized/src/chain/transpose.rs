//! Transposition of arrays.

use alloc::vec::Vec;

/// The plan of a transposition.
pub(super) struct Transpose {
    /// The size of an element, in bytes.
    width: usize,
    extents: Vec<usize>,
    /// The stride of the input, in bytes, along each dimension of the output.
    strides: Vec<usize>,
}

impl Transpose {
    /// Plans the transposition in which dimension `i` of the output is dimension `order[i]` of the input
    /// (chain.transpose). Returns `None` if that changes nothing.
    pub(super) fn of(order: &[usize], shape: &[u64], width: usize) -> Option<Self> {
        if order.iter().copied().eq(0..order.len()) {
            return None;
        }
        // A shape that does not fit is never run, because no array in memory has it.
        let extent = |dimension: usize| usize::try_from(shape[dimension]).unwrap_or(usize::MAX);
        let mut strides = vec![width; order.len()];
        for dimension in (1..order.len()).rev() {
            strides[dimension - 1] = strides[dimension].saturating_mul(extent(dimension));
        }
        Some(Self {
            width,
            extents: order.iter().map(|&dimension| extent(dimension)).collect(),
            strides: order.iter().map(|&dimension| strides[dimension]).collect(),
        })
    }

    /// Writes all elements; `position` is memory that is reused.
    pub(super) fn run(&self, input: &[u8], output: &mut [u8], position: &mut Vec<usize>) {
        if output.is_empty() {
            return;
        }
        position.clear();
        position.resize(self.extents.len(), 0);
        match self.width {
            1 => self.copy::<1>(input, output, position),
            2 => self.copy::<2>(input, output, position),
            4 => self.copy::<4>(input, output, position),
            8 => self.copy::<8>(input, output, position),
            _ => self.copy::<16>(input, output, position),
        }
    }

    /// Copies elements of `WIDTH` bytes, row by row of the output's last dimension.
    fn copy<const WIDTH: usize>(&self, input: &[u8], output: &mut [u8], position: &mut [usize]) {
        let (Some((&row, outer)), Some((&step, outer_strides))) =
            (self.extents.split_last(), self.strides.split_last())
        else {
            return;
        };
        let mut start = 0;
        for target in output.as_chunks_mut::<WIDTH>().0.chunks_exact_mut(row) {
            for (index, element) in target.iter_mut().enumerate() {
                let source = start + index * step;
                element.copy_from_slice(&input[source..source + WIDTH]);
            }
            // Advance to the next row by counting up from the innermost dimension.
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
}

/// Returns whether an order contains each dimension of an array once.
pub(super) fn is_order(order: &[usize], rank: usize) -> bool {
    order.len() == rank && (0..rank).all(|dimension| order.contains(&dimension))
}

/// Returns the order that undoes another.
pub(super) fn inverse(order: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; order.len()];
    for (position, &dimension) in order.iter().enumerate() {
        inverse[dimension] = position;
    }
    inverse
}
