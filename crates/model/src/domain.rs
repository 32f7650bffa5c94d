//! Domains: boxes of positions.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::rejection::{Reason, Rejection};

/// A box of positions: one half-open interval for each dimension, given by an origin and an extent. Positions
/// are signed 64-bit numbers, and so are the ends of the intervals.
///
/// ```
/// use exactum_model::Domain;
///
/// let domain = Domain::new(vec![-1, 10], vec![2, 3])?;
/// assert_eq!((domain.rank(), domain.len(), domain.is_empty()), (2, Some(6), false));
/// assert_eq!((domain.origin(), domain.shape()), (&[-1, 10][..], &[2, 3][..]));
/// assert_eq!(domain.interval(1), 10..13);
/// assert_eq!(Domain::of_intervals(domain.intervals()), domain);
/// assert_eq!(domain.positions().next(), Some(vec![-1, 10]));
/// assert_eq!((domain.place(&[0, 11]), domain.place(&[1, 11])), (Some(4), None));
/// let part = Domain::new(vec![0, 11], vec![1, 1])?;
/// assert!(domain.contains(&part) && domain.require(&part).is_ok());
/// assert!(domain.require(&Domain::of_shape(&[1, 1])?).is_err());
/// # Ok::<(), exactum_model::Rejection>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    origin: Vec<i64>,
    shape: Vec<u64>,
}

impl Domain {
    /// Creates a box.
    ///
    /// # Errors
    /// [`Reason::Shape`] if the numbers of origins and extents differ, or if an interval ends beyond
    /// 2^63 - 1.
    pub fn new(origin: Vec<i64>, shape: Vec<u64>) -> Result<Self, Rejection> {
        if origin.len() != shape.len() {
            return Err(Rejection::new(
                Reason::Shape,
                "downsample.domain",
                format!(
                    "{} origins do not match {} extents",
                    origin.len(),
                    shape.len()
                ),
            ));
        }
        for (&start, &extent) in origin.iter().zip(&shape) {
            if start.checked_add_unsigned(extent).is_none() {
                return Err(Rejection::new(
                    Reason::Shape,
                    "downsample.domain",
                    format!("{extent} positions from {start} do not end below 2^63"),
                ));
            }
        }
        Ok(Self { origin, shape })
    }

    /// Returns the box that has this shape and begins at position 0.
    ///
    /// # Errors
    /// The same as for [`new`](Self::new).
    pub fn of_shape(shape: &[u64]) -> Result<Self, Rejection> {
        Self::new(vec![0; shape.len()], shape.to_vec())
    }

    /// Returns the box with these intervals, one for each dimension.
    ///
    /// # Panics
    /// Panics if an interval ends before it begins.
    #[must_use]
    pub fn of_intervals(intervals: impl IntoIterator<Item = Range<i64>>) -> Self {
        let (origin, shape) = intervals
            .into_iter()
            .map(|interval| {
                let extent = interval.end.checked_sub(interval.start).map_or_else(
                    || interval.end.abs_diff(interval.start),
                    |extent| {
                        u64::try_from(extent).expect("an interval does not end before it begins")
                    },
                );
                (interval.start, extent)
            })
            .unzip();
        Self { origin, shape }
    }

    /// Returns the number of dimensions.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Returns the first position.
    #[must_use]
    pub fn origin(&self) -> &[i64] {
        &self.origin
    }

    /// Returns the extent of each dimension.
    #[must_use]
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Returns the interval of positions along one dimension.
    ///
    /// # Panics
    /// Panics if the dimension is out of bounds.
    #[must_use]
    pub fn interval(&self, dimension: usize) -> Range<i64> {
        let start = self.origin[dimension];
        start..start.saturating_add_unsigned(self.shape[dimension])
    }

    /// Returns the interval of positions along each dimension.
    pub fn intervals(&self) -> impl ExactSizeIterator<Item = Range<i64>> + '_ {
        (0..self.rank()).map(|dimension| self.interval(dimension))
    }

    /// Returns whether the box contains no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Returns the number of positions, or `None` if it exceeds 2^64 - 1.
    #[must_use]
    pub fn len(&self) -> Option<u64> {
        if self.is_empty() {
            return Some(0);
        }
        self.shape
            .iter()
            .try_fold(1u64, |product, &extent| product.checked_mul(extent))
    }

    /// Returns every position, in C order. A box without dimensions has the single position `[]`.
    pub fn positions(&self) -> impl Iterator<Item = Vec<i64>> + '_ {
        let first = (!self.is_empty()).then(|| self.origin.clone());
        core::iter::successors(first, |position| {
            let mut next = position.clone();
            for dimension in (0..self.rank()).rev() {
                next[dimension] += 1;
                if next[dimension] < self.interval(dimension).end {
                    return Some(next);
                }
                next[dimension] = self.origin[dimension];
            }
            None
        })
    }

    /// Returns the index of a position in C order, or `None` if the position is outside the box.
    #[must_use]
    pub fn place(&self, position: &[i64]) -> Option<usize> {
        let mut place = 0_usize;
        for (dimension, interval) in self.intervals().enumerate() {
            let at = *position.get(dimension)?;
            if !interval.contains(&at) {
                return None;
            }
            let extent = usize::try_from(self.shape[dimension]).ok()?;
            let step = usize::try_from(at.abs_diff(interval.start)).ok()?;
            place = place.checked_mul(extent)?.checked_add(step)?;
        }
        Some(place)
    }

    /// Returns whether another box is inside this one. An empty box is inside every box of its rank.
    #[must_use]
    pub fn contains(&self, other: &Domain) -> bool {
        self.rank() == other.rank()
            && (other.is_empty()
                || self
                    .intervals()
                    .zip(other.intervals())
                    .all(|(own, other)| own.start <= other.start && other.end <= own.end))
    }

    /// Requires that another box is inside this one.
    ///
    /// # Errors
    /// [`Reason::OutOfRange`] if the other box is not inside; [`Reason::Shape`] if it has another rank.
    pub fn require(&self, other: &Domain) -> Result<(), Rejection> {
        if self.contains(other) {
            return Ok(());
        }
        let reason = if self.rank() == other.rank() {
            Reason::OutOfRange
        } else {
            Reason::Shape
        };
        Err(Rejection::new(
            reason,
            "downsample.domain",
            format!("{other} is not inside {self}"),
        ))
    }
}

impl fmt::Display for Domain {
    /// Formats a box as `[0, 4) x [-2, 3)`, and a box without dimensions as `()`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rank() == 0 {
            return f.write_str("()");
        }
        for (dimension, interval) in self.intervals().enumerate() {
            let by = if dimension == 0 { "" } else { " x " };
            write!(f, "{by}[{}, {})", interval.start, interval.end)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_end_within_64_bits() {
        assert!(Domain::new(vec![i64::MAX - 2], vec![2]).is_ok());
        assert!(Domain::new(vec![i64::MAX - 2], vec![3]).is_err());
        assert!(Domain::new(vec![i64::MIN], vec![u64::MAX]).is_ok());
        assert!(Domain::new(vec![i64::MIN, 0], vec![1]).is_err());
        let whole = Domain::of_intervals(core::iter::once(i64::MIN..i64::MAX));
        assert_eq!(whole.shape(), [u64::MAX]);
        assert_eq!(whole.interval(0), i64::MIN..i64::MAX);
    }

    #[test]
    fn positions_are_counted_from_the_last_dimension() {
        let positions = |intervals: &[Range<i64>]| -> Vec<Vec<i64>> {
            Domain::of_intervals(intervals.iter().cloned())
                .positions()
                .collect()
        };
        assert_eq!(
            positions(&[-1..1, 5..7]),
            [[-1, 5], [-1, 6], [0, 5], [0, 6]]
        );
        assert_eq!(positions(&[]), [[]; 1]);
        assert!(positions(&[0..2, 3..3]).is_empty());
    }

    #[test]
    fn nothing_is_in_everything_of_its_rank() {
        let check = |own: &[(i64, u64)], other: &[(i64, u64)], expected: bool| {
            let [own, other] = [own, other].map(|pairs| {
                let (origin, shape) = pairs.iter().copied().unzip();
                Domain::new(origin, shape).expect("a small box")
            });
            assert_eq!(own.contains(&other), expected, "{own} and {other}");
        };
        check(&[(0, 4)], &[(1, 3)], true);
        check(&[(0, 4)], &[(1, 4)], false);
        check(&[(0, 4)], &[(-1, 2)], false);
        check(&[(0, 4)], &[(9, 0)], true);
        check(&[(0, 4), (0, 0)], &[(9, 1), (3, 0)], true);
        check(&[(0, 4)], &[], false);
        check(&[], &[], true);
    }
}
