//! Views: elements of an array that are accessed without a copy.

use alloc::vec::Vec;

use crate::array::Array;
use crate::data_type::DataType;
use crate::rejection::{Reason, Rejection};

/// A strided view of elements in memory, such as a part of an array or an array with permuted dimensions.
///
/// The element at index `i` begins `sum(i[d] * strides[d])` bytes into [`data`](Self::data). Each element is
/// stored as in an [`Array`].
///
/// ```
/// use exactum_model::{Array, ArrayView, DataType};
///
/// let array = Array::new(DataType::Uint8, vec![2, 3], vec![1, 2, 3, 4, 5, 6])?;
/// let view = ArrayView::of(&array);
/// assert_eq!((view.data_type(), view.shape(), view.strides()), (DataType::Uint8, &[2, 3][..], &[3, 1][..]));
/// assert_eq!(view.permuted(&[1, 0]).to_array()?.data(), [1, 4, 2, 5, 3, 6]);
/// let corners = view.part(&[0, 0], &[2, 2], &[1, 2])?;
/// assert_eq!((corners.to_array()?.data(), corners.is_empty()), (&[1, 3, 4, 6][..], false));
/// let mut starts = Vec::new();
/// corners.rows(|start| starts.push(corners.data()[start]));
/// assert_eq!(starts, [1, 4]);
/// # Ok::<(), exactum_model::Rejection>(())
/// ```
#[derive(Clone, Debug)]
pub struct ArrayView<'a> {
    data_type: DataType,
    shape: Vec<usize>,
    strides: Vec<usize>,
    data: &'a [u8],
}

impl<'a> ArrayView<'a> {
    /// Returns a view of a whole array.
    #[must_use]
    pub fn of(array: &'a Array) -> Self {
        Self::whole(array.data_type(), array.shape(), array.data())
    }

    /// Returns a view of the caller's memory, which holds the elements in the same layout as an [`Array`].
    ///
    /// ```
    /// use exactum_model::{ArrayView, DataType, Source};
    ///
    /// let numbers = [1, 2, 3, 4, 5, 6];
    /// let view = ArrayView::new(DataType::Uint8, &[2, 3], &numbers)?;
    /// assert_eq!(view.read(&view.domain())?.data(), numbers);
    /// assert!(ArrayView::new(DataType::Uint8, &[2, 4], &numbers).is_err());
    /// # Ok::<(), exactum_model::Rejection>(())
    /// ```
    ///
    /// # Errors
    /// [`Reason::Shape`] if the number of bytes does not fit the shape.
    pub fn new(data_type: DataType, shape: &[u64], data: &'a [u8]) -> Result<Self, Rejection> {
        Array::require_bytes(data_type, shape, data.len())?;
        Ok(Self::whole(data_type, shape, data))
    }

    fn whole(data_type: DataType, shape: &[u64], data: &'a [u8]) -> Self {
        // The elements are in memory, so every extent fits into `usize` unless the view is empty.
        let shape: Vec<usize> = shape
            .iter()
            .map(|&extent| usize::try_from(extent).unwrap_or(usize::MAX))
            .collect();
        let mut stride = data_type.element_bytes();
        let mut strides = vec![stride; shape.len()];
        for dimension in (0..shape.len()).rev() {
            strides[dimension] = stride;
            stride = stride.saturating_mul(shape[dimension]);
        }
        Self {
            data_type,
            shape,
            strides,
            data,
        }
    }

    /// Returns the data type.
    #[must_use]
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    /// Returns the extents.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the distance between neighbouring elements along each dimension, in bytes.
    #[must_use]
    pub fn strides(&self) -> &[usize] {
        &self.strides
    }

    /// Returns the memory, beginning with the first element.
    #[must_use]
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// Returns whether the view is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Returns a part of the view. Along each dimension, it begins at `starts` and takes every `steps`-th element,
    /// `extents` elements in total.
    ///
    /// # Errors
    /// [`Reason::OutOfRange`] if an element lies outside the view, or if the lengths of the arguments are not the
    /// rank of the view.
    pub fn part(
        &self,
        starts: &[usize],
        extents: &[usize],
        steps: &[usize],
    ) -> Result<Self, Rejection> {
        let fits = [starts, extents, steps]
            .iter()
            .all(|list| list.len() == self.shape.len());
        let empty = extents.contains(&0);
        let inside = |dimension: usize| {
            (extents[dimension] - 1)
                .checked_mul(steps[dimension])
                .and_then(|last| last.checked_add(starts[dimension]))
                .is_some_and(|last| last < self.shape[dimension])
        };
        if !(fits && (empty || (0..self.shape.len()).all(inside))) {
            return Err(Rejection::new(
                Reason::OutOfRange,
                "downsample.domain",
                format!(
                    "{extents:?} elements from {starts:?} by {steps:?} exceed the shape {:?}",
                    self.shape
                ),
            ));
        }
        let first: usize = if empty {
            0
        } else {
            starts.iter().zip(&self.strides).map(|(s, t)| s * t).sum()
        };
        let strides = self.strides.iter().zip(steps).zip(extents);
        Ok(Self {
            data_type: self.data_type,
            shape: extents.to_vec(),
            // The stride of a dimension with a single element is not used, and the product might overflow.
            strides: strides
                .map(|((stride, step), &extent)| if extent > 1 { stride * step } else { 0 })
                .collect(),
            data: &self.data[first..],
        })
    }

    /// Returns the same elements with permuted dimensions: dimension `i` of the result is dimension `order[i]` of
    /// this view.
    ///
    /// # Panics
    /// Panics if the order contains a dimension that does not exist.
    #[must_use]
    pub fn permuted(&self, order: &[usize]) -> Self {
        Self {
            data_type: self.data_type,
            shape: order.iter().map(|&from| self.shape[from]).collect(),
            strides: order.iter().map(|&from| self.strides[from]).collect(),
            data: self.data,
        }
    }

    /// Calls `row` once for each row along the last dimension, in C order, with the offset of the row's first
    /// element in bytes. A view without dimensions is a single row.
    pub fn rows(&self, mut row: impl FnMut(usize)) {
        if self.is_empty() {
            return;
        }
        let outer = self.shape.len().saturating_sub(1);
        let mut position = vec![0; outer];
        let mut start = 0;
        'rows: loop {
            row(start);
            // Advance to the next row by counting up from the innermost dimension.
            for dimension in (0..outer).rev() {
                position[dimension] += 1;
                start += self.strides[dimension];
                if position[dimension] < self.shape[dimension] {
                    continue 'rows;
                }
                start -= self.strides[dimension] * self.shape[dimension];
                position[dimension] = 0;
            }
            return;
        }
    }

    /// Copies the elements into an array, in C order.
    ///
    /// # Errors
    /// [`Reason::Shape`] if there are more elements than an array may have.
    pub fn to_array(&self) -> Result<Array, Rejection> {
        let shape: Vec<u64> = self.shape.iter().map(|&extent| extent as u64).collect();
        let bytes = Array::bytes_of(self.data_type, &shape)?;
        let mut output = vec![0; usize::try_from(bytes).unwrap_or(usize::MAX)];
        match self.data_type.element_bytes() {
            1 => self.copy::<1>(&mut output),
            2 => self.copy::<2>(&mut output),
            4 => self.copy::<4>(&mut output),
            8 => self.copy::<8>(&mut output),
            _ => self.copy::<16>(&mut output),
        }
        Array::new(self.data_type, shape, output)
    }

    /// Copies elements of `WIDTH` bytes each.
    fn copy<const WIDTH: usize>(&self, output: &mut [u8]) {
        let count = self.shape.last().copied().unwrap_or(1);
        let step = self.strides.last().copied().unwrap_or(WIDTH);
        let mut rest = output;
        self.rows(|start| {
            let target;
            (target, rest) = core::mem::take(&mut rest).split_at_mut(count * WIDTH);
            if step == WIDTH {
                target.copy_from_slice(&self.data[start..start + count * WIDTH]);
                return;
            }
            for (index, element) in target.as_chunks_mut::<WIDTH>().0.iter_mut().enumerate() {
                let source = start + index * step;
                element.copy_from_slice(&self.data[source..source + WIDTH]);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array() -> Array {
        let data = (0u8..24).flat_map(|value| [value, 0]).collect();
        Array::new(DataType::Uint16, vec![2, 3, 4], data).expect("24 elements")
    }

    #[test]
    fn parts_and_orders_are_those_of_the_positions() {
        let check = |view: ArrayView<'_>, expected: &[u64]| {
            let copy = view.to_array().expect("a small array");
            assert_eq!(copy.components().collect::<Vec<_>>(), expected);
        };
        let array = array();
        let view = ArrayView::of(&array);
        let part = view.part(&[1, 0, 1], &[1, 3, 2], &[1, 1, 2]).expect("in");
        check(part.clone(), &[13, 15, 17, 19, 21, 23]);
        check(part.permuted(&[2, 1, 0]), &[13, 17, 21, 15, 19, 23]);
        let empty = view.part(&[9, 9, 9], &[1, 0, 7], &[1, 1, 1]);
        check(empty.expect("nothing"), &[]);
    }

    #[test]
    fn what_is_not_there_is_rejected() {
        let array = array();
        let view = ArrayView::of(&array);
        for (starts, extents, steps) in [
            ([0, 0, 0], [3, 1, 1], [1, 1, 1]),
            ([0, 1, 0], [1, 2, 1], [1, 2, 1]),
            ([0, 0, 4], [1, 1, 1], [1, 1, 1]),
            ([0, 0, 1], [1, 1, 3], [1, 1, usize::MAX]),
        ] {
            let rejection = view.part(&starts, &extents, &steps).expect_err("outside");
            assert_eq!(rejection.reason, Reason::OutOfRange);
        }
    }
}
