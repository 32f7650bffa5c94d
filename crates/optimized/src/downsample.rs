//! `downsample`: a view whose every element is made from a block of another array (spec/downsample.md).
//!
//! A view in memory is reduced in place. From any other source, slabs of whole blocks are read, so that the
//! memory is bounded by the slabs and not by the size of the request. Along the last axis, the blocks of a
//! row are processed side by side in vector lanes. Each lane is one block, so that sums of floats keep their
//! order.

mod blocks;
mod fold;
mod keys;
mod long;
mod mean;
mod omit;
mod pairs;
mod select;
mod sorted;
mod stride;
mod text;

use exactum_model::{
    Array, ArrayView, DataType, Domain, Downsample, Level, Method, NanPolicy, Placed, Rejection,
    Source,
};

use crate::arch;

#[cfg(test)]
pub(crate) use text::read_at as read_texts_at;
pub use text::read_texts;

/// The settings of a computation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// The instruction set.
    pub(crate) arch: arch::SimdLevel,
    /// The maximum number of bytes of a source that are held at a time, unless a single block needs more.
    pub(crate) slab: u64,
}

impl How {
    fn best() -> Self {
        Self {
            arch: arch::SimdLevel::best(),
            slab: 4 << 20,
        }
    }
}

/// Reads a view of a source: applies its levels one after another, with each element rounded to the data type
/// (downsample.chained), and then the transform to the last one.
///
/// # Errors
/// The rejections of [`Downsample::answer`] and of the source.
///
/// ```
/// use exactum_optimized::downsample;
/// use exactum_optimized::model::{Array, DataType, Downsample, Level, Method};
///
/// let array = Array::new(DataType::Uint8, vec![6], vec![1, 2, 3, 4, 5, 6])?;
/// let view = Downsample { levels: vec![Level::new(vec![3], Method::Mean)?], transform: None };
/// assert_eq!(downsample::read(&view, &array)?.array().data(), [2, 5]);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn read(view: &Downsample, source: &dyn Source) -> Result<Placed, Rejection> {
    read_at(How::best(), view, source)
}

pub(crate) fn read_at(
    how: How,
    view: &Downsample,
    source: &dyn Source,
) -> Result<Placed, Rejection> {
    let (_, result) = view.answer(source)?;
    let output = through(how, &view.levels, view, source)?;
    Placed::new(output, result.origin().to_vec())
}

/// Reads a view level by level; each level is the source of the next one.
fn through(
    how: How,
    levels: &[Level],
    view: &Downsample,
    base: &dyn Source,
) -> Result<Array, Rejection> {
    match (levels.split_first(), &view.transform) {
        (Some((level, rest)), _) => through(how, rest, view, &View::at(how, base, level)?),
        (None, Some(transform)) => select::select(transform, base),
        (None, None) => base.read(&base.domain()),
    }
}

/// Clears the bits above the data type in copied elements.
fn clear_above(data_type: DataType, elements: &mut [u8]) {
    let format = data_type.format();
    if let (1, Ok(mask)) = (
        format.component_bytes(),
        u8::try_from(format.component_mask()),
    ) && mask != u8::MAX
    {
        elements.iter_mut().for_each(|byte| *byte &= mask);
    }
}

/// A level of a source, which is itself a source. A read computes only the requested elements, and reads only
/// the positions of the source that they need.
///
/// ```
/// use exactum_optimized::downsample::View;
/// use exactum_optimized::model::{Array, DataType, Level, Method, Source};
///
/// let array = Array::new(DataType::Uint8, vec![4], vec![1, 2, 3, 4])?;
/// let level = Level::new(vec![2], Method::Max)?;
/// let view = View::new(&array, &level)?;
/// let mut output = [0; 2];
/// view.read_into(&view.domain(), &mut output)?;
/// assert_eq!(output, [2, 4]);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub struct View<'a> {
    base: &'a dyn Source,
    level: &'a Level,
    domain: Domain,
    how: How,
}

impl<'a> View<'a> {
    /// Creates the view.
    ///
    /// # Errors
    /// If the method is not defined for the data type, or the ranks differ.
    pub fn new(base: &'a dyn Source, level: &'a Level) -> Result<Self, Rejection> {
        Self::at(How::best(), base, level)
    }

    fn at(how: How, base: &'a dyn Source, level: &'a Level) -> Result<Self, Rejection> {
        level.require(base.data_type())?;
        Ok(Self {
            base,
            level,
            domain: level.domain(&base.domain())?,
            how,
        })
    }

    /// Writes the elements of a box into the caller's memory.
    ///
    /// # Errors
    /// The same as for [`Source::read`], or if the length is not that of the box.
    pub fn read_into(&self, region: &Domain, output: &mut [u8]) -> Result<(), Rejection> {
        self.domain.require(region)?;
        let data_type = self.data_type();
        if Array::bytes_of(data_type, region.shape())? != output.len() as u64 {
            return Err(Rejection::new(
                exactum_model::Reason::Shape,
                "downsample.domain",
                format!(
                    "{region} of {data_type} does not have {} bytes",
                    output.len()
                ),
            ));
        }
        if region.is_empty() {
            return Ok(());
        }
        match self.level.method() {
            _ if self.level.is_identity() => stride::copy(self.base, region, output)?,
            Method::Stride => stride::read(self.base, self.level.factors(), region, output)?,
            _ => return self.reduce(region, output),
        }
        clear_above(data_type, output);
        Ok(())
    }

    fn reduce(&self, region: &Domain, output: &mut [u8]) -> Result<(), Rejection> {
        let data_type = self.data_type();
        let base = self.level.base(&self.base.domain(), region);
        // Means of small floats are computed in float32, and therefore slab by slab.
        let copies = self.level.method() == Method::Mean && mean::widened(data_type).is_some();
        let view = self.base.view(&base);
        if let Some(view) = &view
            && !copies
        {
            return self.reduce_view(view, &base, region, output);
        }
        let bytes = Array::bytes_of(data_type, base.shape());
        let whole = bytes.as_ref().is_ok_and(|&bytes| bytes <= self.how.slab);
        let split = (0..region.rank()).find(|&dimension| region.shape()[dimension] > 1);
        let Some(dimension) = split.filter(|_| !whole) else {
            let array;
            let view = match view {
                Some(view) => view,
                None => {
                    array = self.base.read(&base)?;
                    ArrayView::of(&array)
                }
            };
            return self.reduce_view(&view, &base, region, output);
        };
        // All previous dimensions have the extent 1, so that the parts are contiguous in the output.
        let extent = region.shape()[dimension];
        let share = bytes.unwrap_or(u64::MAX).div_ceil(extent);
        let step = (self.how.slab / share.max(1)).clamp(1, extent);
        let element = output.len() / usize::try_from(extent).unwrap_or(usize::MAX);
        let mut rest = output;
        let interval = region.interval(dimension);
        let mut start = interval.start;
        while start < interval.end {
            let end = start.saturating_add_unsigned(step).min(interval.end);
            let part = region.intervals().enumerate();
            let part =
                Domain::of_intervals(part.map(
                    |(at, whole)| {
                        if at == dimension { start..end } else { whole }
                    },
                ));
            let count = usize::try_from(end.abs_diff(start)).unwrap_or(usize::MAX);
            let target;
            (target, rest) = core::mem::take(&mut rest).split_at_mut(count * element);
            self.reduce(&part, target)?;
            start = end;
        }
        Ok(())
    }

    /// Reduces the elements of `base` to those of `region`.
    fn reduce_view(
        &self,
        view: &ArrayView<'_>,
        base: &Domain,
        region: &Domain,
        output: &mut [u8],
    ) -> Result<(), Rejection> {
        let factors = self.level.factors();
        let data_type = self.data_type();
        let contiguous = blocks::is_contiguous(view);
        let copy;
        let view = if contiguous {
            view
        } else {
            copy = view.to_array()?;
            &ArrayView::of(&copy)
        };
        let parts = data_type.format().components();
        let blocks = |view: &ArrayView<'_>, parts: usize| {
            blocks::Blocks::new(view, parts, base, region, factors)
        };
        let arch = self.how.arch;
        let omission = self.level.omission();
        match self.level.method() {
            Method::Mean => match mean::widened(data_type) {
                None => mean::mean(arch, omission, &blocks(view, parts), view.data(), output),
                Some(component) => {
                    let wide = mean::widen(arch, component, &view.to_array()?)?;
                    let omission = mean::widened_omission(arch, component, omission)?;
                    let blocks = blocks(&ArrayView::of(&wide), parts);
                    mean::narrowed(arch, &omission, component, &blocks, wide.data(), output)?;
                }
            },
            method @ (Method::Min | Method::Max)
                if omission.skip_value.is_some() || omission.nan == Some(NanPolicy::Propagate) =>
            {
                let largest = method == Method::Max;
                omit::extreme(
                    arch,
                    omission,
                    &blocks(view, 1),
                    largest,
                    view.data(),
                    output,
                );
            }
            Method::Min => fold::extreme(arch, &blocks(view, 1), false, view.data(), output),
            Method::Max => fold::extreme(arch, &blocks(view, 1), true, view.data(), output),
            Method::Median => {
                sorted::median(arch, omission, &blocks(view, 1), view.data(), output);
            }
            Method::Mode | Method::Stride => {
                sorted::mode(arch, omission, &blocks(view, 1), view.data(), output);
            }
        }
        Ok(())
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
        let bytes = Array::bytes_of(self.data_type(), region.shape())?;
        let mut output = vec![0; usize::try_from(bytes).unwrap_or(usize::MAX)];
        self.read_into(region, &mut output)?;
        Array::new(self.data_type(), region.shape().to_vec(), output)
    }
}
