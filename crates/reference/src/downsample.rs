//! `downsample`: computes views, whose elements are each reduced from a block of another array
//! (spec/downsample.md).

mod block;
mod element;
mod mean;
mod order;
mod text;

#[cfg(test)]
mod tests;

pub use text::read as read_texts;

use std::cmp::Ordering;

use exactum_exact::Exact;
use exactum_model::{
    Array, DataType, Domain, Downsample, FloatFormat, Format, Level, Placed, Rejection, Rounding,
    Scalar, Source, Transform,
};

use crate::Reference;
pub use element::Element;

/// The decisions that reading a view makes. Each method implements its clause. Overriding a method reads a view with
/// one decision that is deliberately wrong.
pub trait Downsampling {
    /// Returns the positions of a level over a base (downsample.domain).
    ///
    /// # Errors
    /// If the ranks differ.
    fn domain(&self, level: &Level, base: &Domain) -> Result<Domain, Rejection> {
        level.domain(base)
    }

    /// Returns the elements from which the element at a position is computed (downsample.origin, downsample.bounds).
    ///
    /// # Errors
    /// The rejections of the base.
    fn block(
        &self,
        level: &Level,
        base: &dyn Source,
        position: &[i64],
    ) -> Result<Array, Rejection> {
        base.read(&level.block(&base.domain(), position))
    }

    /// Returns whether a level downsamples nothing, so that nothing is computed (downsample.identity).
    fn is_identity(&self, level: &Level) -> bool {
        level.is_identity()
    }

    /// Reduces a block of at least one element to a single element.
    fn reduce(&self, level: &Level, block: &Array) -> Scalar {
        block::reduce(self, level, block)
    }

    /// Returns the sum for a mean. Values are added in the order of their positions, starting from +0
    /// (downsample.mean.float).
    fn sum(&self, format: &Format, values: &[&Exact]) -> Exact {
        values.iter().fold(Exact::integer(0), |sum, value| {
            self.accumulated(format, &sum.add(value))
        })
    }

    /// Returns a sum as it is stored in the accumulator. A sum of integers is exact (downsample.mean.integer), a sum of
    /// float64 values is rounded to float64, and a sum of other floats is rounded to float32 (downsample.mean.float).
    fn accumulated(&self, format: &Format, sum: &Exact) -> Exact {
        match format.float() {
            None => sum.clone(),
            Some(FloatFormat::FLOAT64) => mean::rounded(sum, FloatFormat::FLOAT64),
            Some(_) => mean::rounded(sum, FloatFormat::FLOAT32),
        }
    }

    /// Divides a sum by the number of values, once (downsample.mean.float).
    fn quotient(&self, format: &Format, sum: &Exact, count: &Exact) -> Exact {
        self.accumulated(format, &sum.divide(&self.accumulated(format, count)))
    }

    /// Returns the rounding mode of a mean, which is nearest-even (downsample.mean.integer). A tie of bools is
    /// therefore false (downsample.mean.bool).
    fn rounding(&self, _format: &Format) -> Rounding {
        Rounding::NearestEven
    }

    /// Compares two elements (downsample.special.nan, downsample.special.zero, downsample.mode.complex).
    fn order(&self, _format: &Format, a: &Element, b: &Element) -> Ordering {
        order::compare_parts(a, b)
    }

    /// Returns the index of the median among the sorted elements. Of two elements in the middle, it is the lower one
    /// (downsample.median.even).
    fn middle(&self, _level: &Level, elements: usize) -> usize {
        (elements - 1) / 2
    }

    /// Returns whether a run of equal elements is the mode rather than a run of smaller elements. It must be more
    /// frequent (downsample.mode, downsample.mode.tie).
    fn is_mode(&self, elements: &[&Element], smaller: &[&Element]) -> bool {
        elements.len() > smaller.len()
    }
}

impl Downsampling for Reference {}

/// Reads a view of a source. Its levels are computed one after another, with each element rounded to the data type
/// (downsample.chained), and the transform then selects elements of the last level.
///
/// # Errors
/// The rejections of [`Downsample::answer`] and of the source.
pub fn read(view: &Downsample, source: &dyn Source) -> Result<Placed, Rejection> {
    read_with(&Reference, view, source)
}

/// Reads a view of a source with the given decisions.
///
/// # Errors
/// The same as for [`read`].
pub fn read_with(
    by: &dyn Downsampling,
    view: &Downsample,
    source: &dyn Source,
) -> Result<Placed, Rejection> {
    view.answer(source)?;
    through(by, &view.levels, view.transform.as_ref(), source)
}

/// Reads a chain of levels, each of which is the source of the next.
fn through(
    by: &dyn Downsampling,
    levels: &[Level],
    transform: Option<&Transform>,
    base: &dyn Source,
) -> Result<Placed, Rejection> {
    let (array, domain) = match (levels.split_first(), transform) {
        (Some((level, rest)), _) => {
            let domain = by.domain(level, &base.domain())?;
            let view = View {
                by,
                base,
                level,
                domain,
            };
            return through(by, rest, transform, &view);
        }
        (None, Some(transform)) => (select(transform, base)?, transform.domain().clone()),
        (None, None) => (base.read(&base.domain())?, base.domain()),
    };
    Placed::new(array, domain.origin().to_vec())
}

/// Returns the array that a transform selects from a view. Each element is the view's element at the position to
/// which the transform maps its own position (downsample.transform).
fn select(transform: &Transform, view: &dyn Source) -> Result<Array, Rejection> {
    let mut data = Vec::new();
    for position in transform.domain().positions() {
        let from = transform.apply(&position);
        let element = view.read(&Domain::of_intervals(from.into_iter().map(|at| at..at + 1)))?;
        data.extend_from_slice(element.data());
    }
    Array::new(view.data_type(), transform.domain().shape().to_vec(), data)
}

/// A level over a source, which is itself a source.
struct View<'a> {
    by: &'a dyn Downsampling,
    base: &'a dyn Source,
    level: &'a Level,
    domain: Domain,
}

impl Source for View<'_> {
    fn data_type(&self) -> DataType {
        self.base.data_type()
    }

    fn domain(&self) -> Domain {
        self.domain.clone()
    }

    fn read(&self, region: &Domain) -> Result<Array, Rejection> {
        self.domain.require(region)?;
        if self.by.is_identity(self.level) {
            let same = self.base.read(region)?;
            // The unused bits of a sub-byte type are not part of an element, so they are cleared.
            let shape = same.shape().to_vec();
            return Array::from_components(same.data_type(), shape, same.components());
        }
        Array::bytes_of(self.data_type(), region.shape())?;
        let mut data = Vec::new();
        for position in region.positions() {
            let block = self.by.block(self.level, self.base, &position)?;
            data.extend(self.by.reduce(self.level, &block).to_bytes());
        }
        Array::new(self.data_type(), region.shape().to_vec(), data)
    }
}
