//! `downsample`: a view whose every element is made from a block of another array (spec/downsample.md).

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

/// The decisions of views. Every method does what its clause demands; overriding one reads a view with a single
/// decision that is known to be wrong.
pub trait Downsampling {
    /// The positions of a level over a base (downsample.domain).
    ///
    /// # Errors
    /// If the ranks differ.
    fn domain(&self, level: &Level, base: &Domain) -> Result<Domain, Rejection> {
        level.domain(base)
    }

    /// The elements of which the one at a position is made (downsample.origin, downsample.bounds).
    ///
    /// # Errors
    /// What the base rejects.
    fn block(
        &self,
        level: &Level,
        base: &dyn Source,
        position: &[i64],
    ) -> Result<Array, Rejection> {
        base.read(&level.block(&base.domain(), position))
    }

    /// Returns whether nothing is downsampled, and so nothing computed (downsample.identity).
    fn is_identity(&self, level: &Level) -> bool {
        level.is_identity()
    }

    /// The element that is made of a block, which has at least one.
    fn reduce(&self, level: &Level, block: &Array) -> Scalar {
        block::reduce(self, level, block)
    }

    /// The sum of a mean, in the order of the positions and from +0 (downsample.mean.float).
    fn sum(&self, format: &Format, values: &[&Exact]) -> Exact {
        values.iter().fold(Exact::integer(0), |sum, value| {
            self.accumulated(format, &sum.add(value))
        })
    }

    /// A sum as it is kept: that of integers exactly (downsample.mean.integer), that of floats rounded
    /// to float32, or of float64 to float64 (downsample.mean.float).
    fn accumulated(&self, format: &Format, sum: &Exact) -> Exact {
        match format.float() {
            None => sum.clone(),
            Some(FloatFormat::FLOAT64) => mean::rounded(sum, FloatFormat::FLOAT64),
            Some(_) => mean::rounded(sum, FloatFormat::FLOAT32),
        }
    }

    /// A sum divided once (downsample.mean.float).
    fn quotient(&self, format: &Format, sum: &Exact, count: &Exact) -> Exact {
        self.accumulated(format, &sum.divide(&self.accumulated(format, count)))
    }

    /// The rounding of a mean: half to even (downsample.mean.integer), so that a tie of bools is false
    /// (downsample.mean.bool).
    fn rounding(&self, _format: &Format) -> Rounding {
        Rounding::NearestEven
    }

    /// The order of elements (downsample.special.nan, downsample.special.zero, downsample.mode.complex).
    fn order(&self, _format: &Format, a: &Element, b: &Element) -> Ordering {
        order::compare_parts(a, b)
    }

    /// The place of the median among the sorted elements: of two in the middle the lower one
    /// (downsample.median.even).
    fn middle(&self, _level: &Level, elements: usize) -> usize {
        (elements - 1) / 2
    }

    /// Returns whether some equal elements are the mode rather than smaller ones: if they are more frequent
    /// (downsample.mode, downsample.mode.tie).
    fn is_mode(&self, elements: &[&Element], smaller: &[&Element]) -> bool {
        elements.len() > smaller.len()
    }
}

impl Downsampling for Reference {}

/// Reads a view of a source: its levels one after another, each element rounded to the data type
/// (downsample.chained), and of the last one what the transform asks for.
///
/// # Errors
/// The rejections of [`Downsample::answer`] and of the source.
pub fn read(view: &Downsample, source: &dyn Source) -> Result<Placed, Rejection> {
    read_with(&Reference, view, source)
}

/// Reads a view of a source by the given decisions.
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

/// Each level is a source for the next one.
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

/// Returns the element at each position of a transform, which is that of the view at the position to which
/// the transform maps it (downsample.transform).
fn select(transform: &Transform, view: &dyn Source) -> Result<Array, Rejection> {
    let mut data = Vec::new();
    for position in transform.domain().positions() {
        let from = transform.apply(&position);
        let element = view.read(&Domain::of_intervals(from.into_iter().map(|at| at..at + 1)))?;
        data.extend_from_slice(element.data());
    }
    Array::new(view.data_type(), transform.domain().shape().to_vec(), data)
}

/// A level of a source; itself a source.
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
            // Bits above those of a type are not part of an element.
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
