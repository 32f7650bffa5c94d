//! The memory layout of blocks.

use alloc::vec::Vec;
use core::ops::Range;

use exactum_model::{ArrayView, DataType, Domain};

/// A box of a view, laid over the memory of its base: rows of blocks along one axis.
///
/// The axis is the last dimension whose factor is not 1. The dimensions after it form a *run*: contiguous
/// elements that are reduced side by side, such as the channels of an image, or the two parts of a complex
/// number.
pub(super) struct Blocks {
    pub(super) data_type: DataType,
    outer: Vec<Axis>,
    axis: Axis,
    /// The number of elements side by side, in units of the component.
    pub(super) run: usize,
    /// The number of bytes of an element, or of a component if parts are reduced separately.
    width: usize,
}

/// The blocks along one dimension.
#[derive(Clone, Copy)]
struct Axis {
    /// The number of blocks.
    count: usize,
    factor: usize,
    /// The number of elements missing from the first block.
    skew: usize,
    /// The number of elements.
    extent: usize,
    /// The distance between elements in bytes.
    stride: usize,
}

/// Blocks of equal length along the axis, and the rows of the base that they cover.
pub(super) struct Strip<'a> {
    outer: &'a [(Range<usize>, usize)],
    /// The number of rows.
    rows: usize,
    /// The offset of the first block in each row, in bytes.
    start: usize,
    /// The length of a block along the axis, in elements.
    pub(super) width: usize,
    /// The distance between neighbours along the axis, in bytes.
    pub(super) step: usize,
    /// The number of elements that are reduced side by side.
    pub(super) run: usize,
    /// The number of consecutive strips, in the output as well.
    pub(super) lines: usize,
    /// The distance between strips, in bytes.
    pub(super) apart: usize,
}

/// Returns whether the last dimension has no gaps, as required for reducing.
pub(super) fn is_contiguous(view: &ArrayView<'_>) -> bool {
    match (view.shape().last(), view.strides().last()) {
        (Some(&extent), Some(&stride)) => extent < 2 || stride == view.data_type().element_bytes(),
        _ => true,
    }
}

impl Axis {
    /// Returns the elements of block `index`. A product saturates only if the base ends before the block.
    fn range(&self, index: usize) -> Range<usize> {
        let edge = |index: usize| index.saturating_mul(self.factor).saturating_sub(self.skew);
        edge(index)..edge(index.saturating_add(1)).min(self.extent)
    }

    /// Returns the number of blocks of equal length from `index` on: all whole ones up to the last block,
    /// which may be partial.
    fn alike(&self, index: usize) -> usize {
        let length = |index: usize| self.range(index).len();
        if length(index) != self.factor {
            return 1;
        }
        self.count - index - usize::from(length(self.count - 1) != self.factor)
    }
}

impl Blocks {
    /// Lays a box `region` of a view over the memory of `base`, which holds the positions from which the box
    /// is computed. If `parts` is 2, the components of an element are reduced separately.
    pub(super) fn new(
        view: &ArrayView<'_>,
        parts: usize,
        base: &Domain,
        region: &Domain,
        factors: &[u64],
    ) -> Self {
        let size = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
        let mut axes: Vec<Axis> = (0..view.shape().len())
            .map(|dimension| {
                let factor = factors[dimension];
                // It is less than one block before the base, and therefore within 64 bits.
                let first = i128::from(region.origin()[dimension]) * i128::from(factor);
                let skew = i128::from(base.origin()[dimension]) - first;
                Axis {
                    count: size(region.shape()[dimension]),
                    factor: size(factor),
                    skew: usize::try_from(skew).unwrap_or_default(),
                    extent: view.shape()[dimension],
                    stride: view.strides()[dimension],
                }
            })
            .collect();
        let width = view.data_type().element_bytes() / parts;
        let mut run = parts;
        while let Some(axis) =
            axes.pop_if(|axis| axis.factor == 1 && (axis.extent == 1 || axis.stride == run * width))
        {
            run *= axis.extent;
        }
        // If all factors are 1, the whole box is a single block of one element at each place.
        let axis = axes.pop().unwrap_or(Axis {
            count: 1,
            factor: 1,
            skew: 0,
            extent: 1,
            stride: run * width,
        });
        Self {
            data_type: view.data_type(),
            outer: axes,
            axis,
            run,
            width,
        }
    }

    /// Returns the maximum number of elements in a block.
    pub(super) fn most_elements(&self) -> u64 {
        let axes = self.outer.iter().chain([&self.axis]);
        axes.map(|axis| axis.factor.min(axis.extent) as u64)
            .product()
    }

    /// Calls `reduce` with strips of blocks of equal length, none wider than `limit` elements, and with the
    /// elements to write, in order. Strips as long as the axis are combined into lines, one for each equal
    /// block along the previous dimension.
    pub(super) fn strips(
        &self,
        limit: usize,
        output: &mut [u8],
        reduce: &mut dyn FnMut(&Strip<'_>, &mut [u8]),
    ) {
        let mut rest = output;
        let mut position = vec![0; self.outer.len()];
        let mut ranges: Vec<(Range<usize>, usize)> = Vec::with_capacity(self.outer.len());
        let axis = &self.axis;
        let whole = axis.alike(0) == axis.count && axis.count.saturating_mul(self.run) <= limit;
        'blocks: loop {
            let (lines, apart) = match (whole, self.outer.last(), position.last()) {
                (true, Some(axis), Some(&index)) => {
                    (axis.alike(index), axis.factor.saturating_mul(axis.stride))
                }
                _ => (1, 0),
            };
            ranges.clear();
            let outer = self.outer.iter().zip(&position);
            ranges.extend(outer.map(|(axis, &index)| (axis.range(index), axis.stride)));
            let rows = ranges.iter().map(|(range, _)| range.len()).product();
            let mut strip = |index: usize, count: usize, from: usize, run: usize| {
                let range = axis.range(index);
                let strip = Strip {
                    outer: &ranges,
                    rows,
                    start: range.start * axis.stride + from * self.width,
                    width: range.len(),
                    step: axis.stride,
                    run,
                    lines,
                    apart,
                };
                let target;
                let bytes = lines * count * run * self.width;
                (target, rest) = core::mem::take(&mut rest).split_at_mut(bytes);
                reduce(&strip, target);
            };
            let mut index = 0;
            while index < axis.count {
                let alike = axis.alike(index).min((limit / self.run).max(1));
                for from in (0..self.run).step_by(limit) {
                    // There is more than one piece only if there is a single block.
                    strip(index, alike, from, limit.min(self.run - from));
                }
                index += alike;
            }
            let mut step = lines;
            for dimension in (0..self.outer.len()).rev() {
                position[dimension] += core::mem::replace(&mut step, 1);
                if position[dimension] < self.outer[dimension].count {
                    continue 'blocks;
                }
                position[dimension] = 0;
            }
            return;
        }
    }
}

impl Strip<'_> {
    /// Returns the number of elements of a block.
    pub(super) fn elements(&self) -> u64 {
        (self.rows as u64) * (self.width as u64)
    }

    /// Calls `reduce` with each line of the strip, and with the elements to write.
    pub(super) fn each_line(
        &self,
        target: &mut [u8],
        reduce: &mut dyn FnMut(&Strip<'_>, &mut [u8]),
    ) {
        let bytes = target.len() / self.lines;
        for (line, target) in target.chunks_exact_mut(bytes).enumerate() {
            let start = self.start + line * self.apart;
            let line = Strip {
                start,
                lines: 1,
                ..*self
            };
            reduce(&line, target);
        }
    }

    /// Returns whether blocks of `width` elements of `size` bytes follow each other without gaps.
    pub(super) fn is_dense(&self, size: usize) -> bool {
        self.run == 1 && self.step == size
    }

    /// Calls `row` with the offset in bytes of the first element in each row, in C order.
    #[inline(always)]
    pub(super) fn each_row(&self, mut row: impl FnMut(usize)) {
        // Up to three dimensions need no allocated memory, because rows may be short and many.
        match self.outer {
            [] => row(self.start),
            [(range, stride)] => {
                for index in range.clone() {
                    row(self.start + index * stride);
                }
            }
            [(first, far), (second, near)] => {
                for outer in first.clone() {
                    for inner in second.clone() {
                        row(self.start + outer * far + inner * near);
                    }
                }
            }
            outer => self.each_row_of(outer, &mut row),
        }
    }

    fn each_row_of(&self, outer: &[(Range<usize>, usize)], row: &mut dyn FnMut(usize)) {
        let mut position: Vec<usize> = outer.iter().map(|(range, _)| range.start).collect();
        loop {
            let places = position.iter().zip(outer);
            row(self.start + places.map(|(at, (_, stride))| at * stride).sum::<usize>());
            let mut dimension = outer.len();
            loop {
                let Some(next) = dimension.checked_sub(1) else {
                    return;
                };
                dimension = next;
                position[dimension] += 1;
                if position[dimension] < outer[dimension].0.end {
                    break;
                }
                position[dimension] = outer[dimension].0.start;
            }
        }
    }

    /// Returns the offsets of the rows, if there are exactly `ROWS` of them.
    pub(super) fn starts<const ROWS: usize>(&self) -> Option<[usize; ROWS]> {
        if self.rows != ROWS {
            return None;
        }
        let mut starts = [0; ROWS];
        let mut index = 0;
        self.each_row(|start| {
            starts[index] = start;
            index += 1;
        });
        Some(starts)
    }
}
