//! `downsample`: a view whose every element is made from a block of another array (spec/downsample.md).

mod block;
mod element;
mod mean;
mod order;
mod text;

#[cfg(test)]
mod tests;

pub use text::read as read_texts;

use exactum_model::{
    Array, DataType, Domain, Downsample, Level, Placed, Rejection, Source, Transform,
};

/// Reads a view of a source: applies its levels one after another, with each element rounded to the data type
/// (downsample.chained), and then the transform to the last one.
///
/// # Errors
/// The rejections of [`Downsample::answer`] and of the source.
pub fn read(view: &Downsample, source: &dyn Source) -> Result<Placed, Rejection> {
    let (_, result) = view.answer(source)?;
    let output = through(&view.levels, view.transform.as_ref(), source)?;
    Placed::new(output, result.origin().to_vec())
}

/// Each level is a source for the next one.
fn through(
    levels: &[Level],
    transform: Option<&Transform>,
    base: &dyn Source,
) -> Result<Array, Rejection> {
    match (levels.split_first(), transform) {
        (Some((level, rest)), _) => through(rest, transform, &View::new(base, level)?),
        (None, Some(transform)) => select(transform, base),
        (None, None) => base.read(&base.domain()),
    }
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

/// A level of a source, which is itself a source.
pub struct View<'a> {
    base: &'a dyn Source,
    level: &'a Level,
    domain: Domain,
}

impl<'a> View<'a> {
    /// Makes the view.
    ///
    /// # Errors
    /// If the method is not defined for the data type, or the ranks differ.
    pub fn new(base: &'a dyn Source, level: &'a Level) -> Result<Self, Rejection> {
        level.require(base.data_type())?;
        let domain = level.domain(&base.domain())?;
        Ok(Self {
            base,
            level,
            domain,
        })
    }
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
        // Nothing is computed if nothing is downsampled (downsample.identity).
        if self.level.is_identity() {
            let same = self.base.read(region)?;
            // Bits above those of a type are not part of an element.
            let shape = same.shape().to_vec();
            return Array::from_components(same.data_type(), shape, same.components());
        }
        Array::bytes_of(self.data_type(), region.shape())?;
        let base = self.base.domain();
        let mut data = Vec::new();
        for position in region.positions() {
            let block = self.base.read(&self.level.block(&base, &position))?;
            data.extend(block::reduce(self.level, &block).to_bytes());
        }
        Array::new(self.data_type(), region.shape().to_vec(), data)
    }
}
