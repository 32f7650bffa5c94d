//! Index transforms, which select the elements of a view to read and place each in the result. They are
//! TensorStore's index transforms, restricted to the part that the protocol supports.

use alloc::string::String;
use alloc::vec::Vec;

use crate::domain::Domain;
use crate::rejection::{Reason, Rejection};

/// A map that assigns a position of the view to each position of its own domain.
///
/// ```
/// use exactum_model::{Domain, Indices, OutputMap, Selected, Transform};
///
/// // Every second element, the last one first; and of another dimension the elements 7 and 3.
/// let backwards = OutputMap { offset: 8, stride: -2, selected: Selected::Dimension(0) };
/// let indices = Indices { shape: vec![1, 2], values: vec![7, 3] };
/// let chosen = OutputMap { offset: 0, stride: 1, selected: Selected::Indices(indices) };
/// let transform = Transform::new(Domain::of_shape(&[5, 2])?, vec![backwards, chosen])?;
/// assert_eq!(transform.apply(&[1, 1]), [6, 3]);
/// assert_eq!((transform.domain().rank(), transform.output().len()), (2, 2));
/// transform.require(&Domain::of_shape(&[9, 8])?)?;
/// assert!(transform.require(&Domain::of_shape(&[8, 8])?).is_err());
/// let corner = transform.part(&Domain::new(vec![1, 1], vec![1, 1])?)?;
/// assert_eq!(corner.apply(&[1, 1]), [6, 3]);
/// # Ok::<(), exactum_model::Rejection>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transform {
    domain: Domain,
    output: Vec<OutputMap>,
}

/// One coordinate of the view's position: `offset + stride * selected`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputMap {
    /// The number that is added.
    pub offset: i64,
    /// The factor. It has no effect on a constant.
    pub stride: i64,
    /// The value that is multiplied by the stride.
    pub selected: Selected,
}

/// The value on which a coordinate of the view depends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selected {
    /// The coordinate is a constant, which equals the offset.
    Nothing,
    /// The coordinate depends on this dimension of the transform's own position.
    Dimension(usize),
    /// The coordinate depends on an index that is listed for each of the transform's own positions.
    Indices(Indices),
}

/// An index array with one index for each position of a transform's domain. It has the rank and the extents of
/// the domain, except that a dimension of extent 1 is broadcast to all positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indices {
    /// The extents of the index array.
    pub shape: Vec<u64>,
    /// The indices, in C order.
    pub values: Vec<i64>,
}

impl Transform {
    /// Creates a transform.
    ///
    /// # Errors
    /// [`Reason::Metadata`] (downsample.transform.form) if a map depends on a dimension that does not exist,
    /// or if the shape of an index array does not fit the domain.
    pub fn new(domain: Domain, output: Vec<OutputMap>) -> Result<Self, Rejection> {
        let refuse = |dimension: usize, message: String| {
            Rejection::new(Reason::Metadata, "downsample.transform.form", message)
                .at_pointer(format!("/transform/output/{dimension}"))
        };
        for (dimension, map) in output.iter().enumerate() {
            match &map.selected {
                Selected::Dimension(input) if *input >= domain.rank() => {
                    let message = format!(
                        "input dimension {input} does not exist: the transform has {}",
                        domain.rank()
                    );
                    return Err(refuse(dimension, message));
                }
                Selected::Indices(indices) if !indices.cover(&domain) => {
                    let message = format!(
                        "an index array of shape {:?} does not match {domain}",
                        indices.shape
                    );
                    return Err(refuse(dimension, message));
                }
                _ => {}
            }
        }
        Ok(Self { domain, output })
    }

    /// Returns the positions of the result.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Returns one map for each dimension of the view.
    #[must_use]
    pub fn output(&self) -> &[OutputMap] {
        &self.output
    }

    /// Returns the transform restricted to a part of its domain.
    ///
    /// # Errors
    /// [`Reason::OutOfRange`] if the part is not inside the domain.
    pub fn part(&self, region: &Domain) -> Result<Self, Rejection> {
        self.domain.require(region)?;
        let map = |map: &OutputMap| {
            let selected = match &map.selected {
                Selected::Indices(indices) => Selected::Indices(indices.part(&self.domain, region)),
                other => other.clone(),
            };
            OutputMap {
                selected,
                ..map.clone()
            }
        };
        Ok(Self {
            domain: region.clone(),
            output: self.output.iter().map(map).collect(),
        })
    }

    /// Requires that the transform has one map for each dimension of the view, and that no map leaves the
    /// view (downsample.transform.bounds). If the transform's own domain is empty, nothing is read, so no map
    /// leaves the view.
    ///
    /// # Errors
    /// [`Reason::Shape`] if the number of maps is not the rank of the view; [`Reason::OutOfRange`] if a map leaves
    /// the view.
    pub fn require(&self, view: &Domain) -> Result<(), Rejection> {
        if self.output.len() != view.rank() {
            return Err(Rejection::new(
                Reason::Shape,
                "downsample.transform.form",
                format!(
                    "{} output maps do not match {} dimensions",
                    self.output.len(),
                    view.rank()
                ),
            ));
        }
        if self.domain.is_empty() {
            return Ok(());
        }
        for (dimension, map) in self.output.iter().enumerate() {
            let interval = view.interval(dimension);
            let inside = |selected: i64| {
                let position =
                    i128::from(map.offset) + i128::from(map.stride) * i128::from(selected);
                i128::from(interval.start) <= position && position < i128::from(interval.end)
            };
            let inside = match &map.selected {
                Selected::Nothing => interval.contains(&map.offset),
                // The map is monotonic, so it suffices to check both ends.
                Selected::Dimension(input) => {
                    let own = self.domain.interval(*input);
                    inside(own.start) && inside(own.end - 1)
                }
                Selected::Indices(indices) => indices.values.iter().copied().all(inside),
            };
            if !inside {
                return Err(Rejection::new(
                    Reason::OutOfRange,
                    "downsample.transform.bounds",
                    format!("output map {dimension} leaves the view's domain {view}"),
                )
                .at_pointer(format!("/transform/output/{dimension}")));
            }
        }
        Ok(())
    }

    /// Returns the position of the view that is read for a position of the result. The caller must have checked
    /// the transform with [`require`](Self::require).
    ///
    /// # Panics
    /// Panics if the position is not in the transform's domain.
    #[must_use]
    pub fn apply(&self, position: &[i64]) -> Vec<i64> {
        let map = |map: &OutputMap| {
            let selected = match &map.selected {
                Selected::Nothing => return map.offset,
                Selected::Dimension(input) => position[*input],
                Selected::Indices(indices) => indices.at(&self.domain, position),
            };
            let exact = i128::from(map.offset) + i128::from(map.stride) * i128::from(selected);
            i64::try_from(exact).unwrap_or(map.offset)
        };
        self.output.iter().map(map).collect()
    }
}

impl Indices {
    fn cover(&self, domain: &Domain) -> bool {
        let count = self
            .shape
            .iter()
            .try_fold(1u64, |product, &extent| product.checked_mul(extent));
        count == Some(self.values.len() as u64)
            && self.shape.len() == domain.rank()
            && self
                .shape
                .iter()
                .zip(domain.shape())
                .all(|(&own, &extent)| own == 1 || own == extent)
    }

    /// Returns the indices for a part of the positions. A dimension of extent 1 is still broadcast.
    fn part(&self, domain: &Domain, region: &Domain) -> Self {
        let own = self.shape.iter().zip(region.intervals());
        let intervals = own.zip(domain.origin()).map(|((&extent, part), &origin)| {
            match (extent, part.is_empty()) {
                (_, true) => part,
                (1, false) => origin..origin + 1,
                _ => part,
            }
        });
        let positions = Domain::of_intervals(intervals);
        Self {
            shape: positions.shape().to_vec(),
            values: positions
                .positions()
                .map(|position| self.at(domain, &position))
                .collect(),
        }
    }

    fn at(&self, domain: &Domain, position: &[i64]) -> i64 {
        let mut index = 0;
        for ((&position, &origin), &extent) in position.iter().zip(domain.origin()).zip(&self.shape)
        {
            let step = if extent == 1 {
                0
            } else {
                position.abs_diff(origin)
            };
            index = index * extent + step;
        }
        self.values[usize::try_from(index).unwrap_or(usize::MAX)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(offset: i64, stride: i64, selected: Selected) -> OutputMap {
        OutputMap {
            offset,
            stride,
            selected,
        }
    }

    fn indices(shape: &[u64], values: &[i64]) -> Selected {
        Selected::Indices(Indices {
            shape: shape.to_vec(),
            values: values.to_vec(),
        })
    }

    fn of_every_kind() -> Transform {
        let domain = Domain::of_intervals([3..5, -1..2]);
        let output = vec![
            map(7, 9, Selected::Nothing),
            map(1, -2, Selected::Dimension(1)),
            map(0, 10, indices(&[2, 1], &[4, 5])),
            map(1, 1, indices(&[2, 3], &[0, 1, 2, 3, 4, 5])),
        ];
        Transform::new(domain, output).expect("a transform")
    }

    #[test]
    fn maps_of_every_kind() {
        let transform = of_every_kind();
        assert_eq!(transform.apply(&[3, -1]), [7, 3, 40, 1]);
        assert_eq!(transform.apply(&[4, 1]), [7, -1, 50, 6]);
        let view = Domain::of_intervals([7..8, -1..4, 40..51, 1..7]);
        assert_eq!(transform.require(&view), Ok(()));
        for dimension in 0..4 {
            for (by_start, by_end) in [(1, 0), (0, 1)] {
                let mut intervals: Vec<_> = view.intervals().collect();
                intervals[dimension].start += by_start;
                intervals[dimension].end -= by_end;
                let smaller = Domain::of_intervals(intervals);
                let rejection = transform.require(&smaller).expect_err("outside");
                assert_eq!(rejection.reason, Reason::OutOfRange);
            }
        }
    }

    #[test]
    fn a_part_selects_what_the_whole_does() {
        let whole = of_every_kind();
        for rows in [3..4, 4..5, 3..5, 4..4] {
            for columns in [-1..0, 0..2, 1..2, -1..2] {
                let region = Domain::of_intervals([rows.clone(), columns]);
                let part = whole.part(&region).expect("inside");
                assert_eq!(
                    Transform::new(region.clone(), part.output().to_vec()),
                    Ok(part.clone())
                );
                for position in region.positions() {
                    assert_eq!(part.apply(&position), whole.apply(&position));
                }
            }
        }
        assert!(whole.part(&Domain::of_intervals([3..6, 0..1])).is_err());
    }

    #[test]
    fn maps_fit_the_domain() {
        for selected in [
            Selected::Dimension(1),
            indices(&[2], &[0, 1]),
            indices(&[3], &[0, 1]),
            indices(&[1, 3], &[0, 1, 2]),
            indices(&[u64::MAX], &[0]),
        ] {
            let domain = Domain::of_intervals(core::iter::once(0..3));
            let rejection =
                Transform::new(domain, vec![map(0, 1, selected)]).expect_err("another shape");
            assert_eq!(rejection.reason, Reason::Metadata);
        }
    }
}
