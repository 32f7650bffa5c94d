//! The regions of a pyramid that have to be made: those that overlap stored chunks. All others have the fill
//! value, at every level whose method maps blocks of fill values to the fill value.

use exactum_model::{Array as Elements, DataType, Domain, Level, Placed};
use exactum_optimized::downsample::View;

use crate::error::Error;
use crate::plan::{LevelPlan, Plan, usize_of};
use crate::present::Present;

/// The extents along each dimension of the blocks with which a method is tried.
const TRIED: [u64; 3] = [1, 2, 3];

/// The number of dimensions up to which a method is tried with all of [`TRIED`]; for more dimensions, the
/// blocks would be too large.
const FEW: usize = 6;

/// A bit for each region of each level.
#[derive(Debug)]
pub(crate) struct Needed {
    levels: Vec<Vec<u64>>,
}

impl Needed {
    /// Returns the regions that depend on stored chunks, or all regions if `present` is `None`. `fill_value`
    /// holds the bytes of an element in little-endian order.
    pub(crate) fn new(plan: &Plan, present: Option<&Present>, fill_value: &[u8]) -> Self {
        let mut levels: Vec<Option<Vec<u64>>> = Vec::with_capacity(plan.levels.len());
        for (level, own) in plan.levels.iter().enumerate() {
            levels.push(match &own.step {
                None => present.map(|present| {
                    let mut bits = none(own);
                    for chunk in present.chunks() {
                        set(&mut bits, own.number(chunk));
                    }
                    bits
                }),
                Some(step) => {
                    let source = plan.source(level);
                    let below = levels[source].as_ref();
                    below
                        .filter(|_| keeps(step, plan.data_type, fill_value))
                        .map(|below| above(&plan.levels[source], below, own, step))
                }
            });
        }
        let levels = std::iter::zip(levels, &plan.levels);
        Self {
            levels: levels
                .map(|(bits, own)| bits.unwrap_or_else(|| inverted(none(own), own.regions)))
                .collect(),
        }
    }

    /// Returns the regions of arrays whose chunks are listed, and all regions of the others.
    pub(crate) fn of_chunks<'a>(
        arrays: impl Iterator<Item = (&'a LevelPlan, Option<Present>)>,
    ) -> Self {
        let levels = arrays.map(|(own, present)| match present {
            None => inverted(none(own), own.regions),
            Some(present) => {
                let mut bits = none(own);
                for chunk in present.chunks() {
                    set(&mut bits, own.number(chunk));
                }
                bits
            }
        });
        Self {
            levels: levels.collect(),
        }
    }

    /// Returns the chosen regions of a single level.
    pub(crate) fn of_regions(own: &LevelPlan, chosen: impl Fn(&[u64]) -> bool) -> Self {
        let mut bits = none(own);
        for number in 0..own.regions {
            if chosen(&own.region(number)) {
                set(&mut bits, number);
            }
        }
        Self { levels: vec![bits] }
    }

    /// Returns the regions of a single level with this chunk shape that contain an element of one of the
    /// boxes.
    pub(crate) fn of_elements(
        own: &LevelPlan,
        chunk_shape: &[u64],
        boxes: impl Iterator<Item = Result<Domain, Error>>,
    ) -> Result<Self, Error> {
        let mut bits = none(own);
        for elements in boxes {
            let elements = elements?;
            if !elements.is_empty() {
                for region in regions(&elements, chunk_shape).positions() {
                    set(&mut bits, own.number(&position(&region)));
                }
            }
        }
        Ok(Self { levels: vec![bits] })
    }

    /// Returns the numbers of the regions of a level that have to be made.
    pub(crate) fn numbers(&self, level: usize) -> impl Iterator<Item = u64> {
        numbers(&self.levels[level])
    }

    /// Returns only the regions of the highest level.
    pub(crate) fn of_highest(mut self) -> Self {
        Self {
            levels: self.levels.pop().into_iter().collect(),
        }
    }

    /// Returns whether a region has to be made.
    pub(crate) fn has(&self, level: usize, number: u64) -> bool {
        self.levels[level][usize_of(number / 64)] >> (number % 64) & 1 == 1
    }

    /// Returns a bit for each of the `count` regions of a level, set for those that do not have to be made.
    pub(crate) fn others(&self, level: usize, count: u64) -> Vec<u64> {
        inverted(self.levels[level].clone(), count)
    }

    /// Returns whether a region that contains some of these elements of a level has to be made.
    pub(crate) fn has_any(&self, plan: &Plan, level: usize, elements: &Domain) -> bool {
        if elements.is_empty() {
            return false;
        }
        let own = &plan.levels[level];
        let regions = regions(elements, &plan.chunk_shape);
        regions
            .positions()
            .any(|region| self.has(level, own.number(&position(&region))))
    }
}

/// Returns the regions with this chunk shape that contain some of these elements.
fn regions(elements: &Domain, chunk_shape: &[u64]) -> Domain {
    let ranges = elements.intervals().zip(chunk_shape);
    let ranges = ranges.map(|(interval, &chunk)| {
        let at = |edge: i64| edge.cast_unsigned();
        let (start, end) = (at(interval.start) / chunk, at(interval.end).div_ceil(chunk));
        start.cast_signed()..end.cast_signed()
    });
    Domain::of_intervals(ranges)
}

fn position(region: &[i64]) -> Vec<u64> {
    region.iter().map(|at| at.cast_unsigned()).collect()
}

fn none(level: &LevelPlan) -> Vec<u64> {
    vec![0; usize_of(level.regions.div_ceil(64))]
}

fn set(bits: &mut [u64], number: u64) {
    bits[usize_of(number / 64)] |= 1 << (number % 64);
}

/// Returns the other regions of a level with `count` regions.
fn inverted(mut bits: Vec<u64>, count: u64) -> Vec<u64> {
    bits.iter_mut().for_each(|word| *word = !*word);
    // Bits that do not belong to a region stay unset.
    if let (Some(last), rest @ 1..) = (bits.last_mut(), count % 64) {
        *last &= (1 << rest) - 1;
    }
    bits
}

/// Returns the numbers of the bits that are set.
pub(crate) fn numbers(bits: &[u64]) -> impl Iterator<Item = u64> {
    let words = bits.iter().enumerate().filter(|(_, word)| **word != 0);
    words.flat_map(|(at, &word)| {
        (0..64)
            .filter(move |bit| word >> bit & 1 == 1)
            .map(move |bit| at as u64 * 64 + bit)
    })
}

/// Returns the regions of a level that depend on some regions of another level.
fn above(source: &LevelPlan, below: &[u64], own: &LevelPlan, step: &Level) -> Vec<u64> {
    let mut bits = none(own);
    for number in numbers(below) {
        let region = source.region(number);
        let region: Vec<u64> = std::iter::zip(&region, step.factors())
            .map(|(at, factor)| at / factor)
            .collect();
        set(&mut bits, own.number(&region));
    }
    bits
}

/// Returns whether a level maps blocks of fill values to the fill value, for every size of a block.
pub(crate) fn keeps(step: &Level, data_type: DataType, fill_value: &[u8]) -> bool {
    let rank = step.factors().len();
    let sizes = if rank > FEW { &TRIED[..1] } else { &TRIED[..] };
    sizes.iter().all(|&size| {
        let shape: Vec<u64> = step
            .factors()
            .iter()
            .map(|&factor| size.min(factor))
            .collect();
        let made = || {
            let count = shape.iter().product::<u64>();
            let block = Elements::new(data_type, shape.clone(), fill_value.repeat(usize_of(count)));
            let block = Placed::new(block.ok()?, vec![0; rank]).ok()?;
            let mut made = vec![0; fill_value.len()];
            let first = Domain::new(vec![0; rank], vec![1; rank]).ok()?;
            View::new(&block, step)
                .ok()?
                .read_into(&first, &mut made)
                .ok()?;
            Some(made)
        };
        made().is_some_and(|made| made == fill_value)
    })
}
