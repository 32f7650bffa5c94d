//! Sources: the data from which views are computed.

use alloc::vec::Vec;

use crate::array::Array;
use crate::data_type::DataType;
use crate::domain::Domain;
use crate::rejection::{Reason, Rejection};
use crate::view::ArrayView;

/// The elements at the positions of a box, however they are stored: an array in memory, an array in a store, or
/// another view.
///
/// ```
/// use exactum_model::{Array, DataType, Domain, Placed, Source};
///
/// let array = Array::new(DataType::Uint8, vec![3], vec![7, 8, 9])?;
/// let placed = Placed::new(array, vec![-1])?;
/// let region = Domain::new(vec![0], vec![2])?;
/// assert_eq!(placed.read(&region)?.data(), [8, 9]);
/// assert!(placed.view(&region).is_some());
/// assert_eq!(placed.domain(), Domain::new(vec![-1], vec![3])?);
/// assert_eq!(placed.array().data_type(), Source::data_type(&placed));
/// # Ok::<(), exactum_model::Rejection>(())
/// ```
pub trait Source {
    /// Returns the data type of the elements.
    fn data_type(&self) -> DataType;

    /// Returns the positions at which the source has elements.
    fn domain(&self) -> Domain;

    /// Returns the elements of a box, in C order.
    ///
    /// # Errors
    /// [`Reason::OutOfRange`] if the box is not inside the [`domain`](Self::domain); [`Reason::Shape`] if the box
    /// has more elements than an array may have; any rejection by the storage.
    fn read(&self, region: &Domain) -> Result<Array, Rejection>;

    /// Returns the elements of a box without a copy, if they are already in memory.
    fn view(&self, region: &Domain) -> Option<ArrayView<'_>> {
        let _ = region;
        None
    }
}

/// An array whose first element is at an arbitrary position instead of at 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    domain: Domain,
    array: Array,
}

impl Placed {
    /// Places the first element of an array at `origin`.
    ///
    /// # Errors
    /// The same as for [`Domain::new`].
    pub fn new(array: Array, origin: Vec<i64>) -> Result<Self, Rejection> {
        Ok(Self {
            domain: Domain::new(origin, array.shape().to_vec())?,
            array,
        })
    }

    /// Returns the array.
    #[must_use]
    pub fn array(&self) -> &Array {
        &self.array
    }
}

impl Source for Placed {
    fn data_type(&self) -> DataType {
        self.array.data_type()
    }

    fn domain(&self) -> Domain {
        self.domain.clone()
    }

    fn read(&self, region: &Domain) -> Result<Array, Rejection> {
        part(&self.domain, &ArrayView::of(&self.array), region)?.to_array()
    }

    fn view(&self, region: &Domain) -> Option<ArrayView<'_>> {
        part(&self.domain, &ArrayView::of(&self.array), region).ok()
    }
}

impl Source for Array {
    fn data_type(&self) -> DataType {
        Array::data_type(self)
    }

    /// Returns the box that has the array's shape and begins at position 0. An array without elements may have
    /// extents of 2^63 and more, which a box cannot have. In that case, the result is a box without positions.
    fn domain(&self) -> Domain {
        of_shape(self.shape())
    }

    fn read(&self, region: &Domain) -> Result<Array, Rejection> {
        ArrayView::of(self).read(region)
    }

    fn view(&self, region: &Domain) -> Option<ArrayView<'_>> {
        part(&Source::domain(self), &ArrayView::of(self), region).ok()
    }
}

impl Source for ArrayView<'_> {
    fn data_type(&self) -> DataType {
        ArrayView::data_type(self)
    }

    /// Returns the box that has the view's shape and begins at position 0, as for an [`Array`].
    fn domain(&self) -> Domain {
        let shape: Vec<u64> = self.shape().iter().map(|&extent| extent as u64).collect();
        of_shape(&shape)
    }

    fn read(&self, region: &Domain) -> Result<Array, Rejection> {
        part(&Source::domain(self), self, region)?.to_array()
    }

    fn view(&self, region: &Domain) -> Option<ArrayView<'_>> {
        part(&Source::domain(self), self, region).ok()
    }
}

/// Returns the box that has this shape and begins at position 0. If a box cannot have these extents, which is
/// only possible for an empty array, the result is a box without positions.
fn of_shape(shape: &[u64]) -> Domain {
    Domain::of_shape(shape).unwrap_or_else(|_| Domain::of_intervals(shape.iter().map(|_| 0..0)))
}

fn part<'a>(
    domain: &Domain,
    whole: &ArrayView<'a>,
    region: &Domain,
) -> Result<ArrayView<'a>, Rejection> {
    domain.require(region)?;
    let too_large = |_| {
        Rejection::new(
            Reason::Shape,
            "downsample.domain",
            format!("{region} is too large"),
        )
    };
    let extents: Vec<usize> = region
        .shape()
        .iter()
        .map(|&extent| usize::try_from(extent))
        .collect::<Result<_, _>>()
        .map_err(too_large)?;
    let starts: Vec<usize> = if region.is_empty() {
        vec![0; region.rank()]
    } else {
        let starts = region.origin().iter().zip(domain.origin());
        starts
            .map(|(start, origin)| usize::try_from(start.abs_diff(*origin)))
            .collect::<Result<_, _>>()
            .map_err(too_large)?
    };
    whole.part(&starts, &extents, &vec![1; region.rank()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_read_from_where_it_lies() {
        let array = Array::new(DataType::Uint8, vec![2, 3], (0..6).collect()).expect("6 elements");
        let placed = Placed::new(array, vec![-1, 7]).expect("placed");
        let region = |origin: [i64; 2], shape: [u64; 2]| {
            Domain::new(origin.to_vec(), shape.to_vec()).expect("a box")
        };
        let data = |region: &Domain| placed.read(region).map(Array::into_data);
        assert_eq!(data(&region([0, 8], [1, 2])), Ok(vec![4, 5]));
        assert_eq!(data(&region([-1, 9], [2, 1])), Ok(vec![2, 5]));
        assert_eq!(data(&region([90, 9], [0, 1])), Ok(vec![]));
        for outside in [region([-2, 7], [1, 1]), region([-1, 7], [1, 4])] {
            let rejection = data(&outside).expect_err("outside");
            assert_eq!(rejection.reason, Reason::OutOfRange);
            assert!(placed.view(&outside).is_none());
        }
    }
}
