//! The plan of a pyramid: levels, their regions, and the parts that make them.

use exactum_model::{Array, DataType, Domain, Level};

use crate::budget::{HELD_BYTES, LEVELS, PIECE_BYTES, REGIONS};
use crate::error::Error;
pub(crate) use crate::options::{Options, Part};

/// A level of the pyramid; level 0 is the array itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LevelPlan {
    /// The shape of the array.
    pub(crate) shape: Vec<u64>,
    /// The number of its chunks along each dimension.
    pub(crate) chunks: Vec<u64>,
    /// The number of its regions, which are its chunks.
    pub(crate) regions: u64,
    /// The step that makes this level from its source; level 0 has none.
    pub(crate) step: Option<Level>,
}

/// The plan of a pyramid.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) data_type: DataType,
    /// The shape of a chunk at every level.
    pub(crate) chunk_shape: Vec<u64>,
    pub(crate) levels: Vec<LevelPlan>,
    pub(crate) options: Options,
    /// The highest level that is made in the same pass over the array as level 1. It is 1 if only level 1 is
    /// made, and 0 if there is none.
    pub(crate) pass: usize,
}

impl Plan {
    pub(crate) fn new(
        data_type: DataType,
        shape: &[u64],
        chunk_shape: &[u64],
        options: &Options,
    ) -> Result<Self, Error> {
        let omission = options.omission(data_type)?;
        let level = |factors: Vec<u64>| {
            let level = Level::new(factors, options.method);
            Ok::<_, Error>(level?.with_omission(omission))
        };
        if shape.is_empty() {
            return Err(Error::Options(
                "an array without dimensions is a single element, and there is nothing to downsample".into(),
            ));
        }
        let count = options.count()?;
        let base = Domain::of_shape(shape)?;
        require_holdable(data_type, chunk_shape)?;
        let mut levels = vec![LevelPlan::new(shape, chunk_shape, None)?];
        let mut domain = base.clone();
        let mut factors = vec![1u64; shape.len()];
        for number in 1..=count.unwrap_or(LEVELS) {
            let own = options.factors_of(number as usize);
            let fits = number > 1
                && std::iter::zip(domain.shape(), chunk_shape)
                    .zip(own)
                    .all(|((extent, chunk), factor)| *factor == 1 || extent <= chunk);
            if count.is_none() && fits {
                break;
            }
            let step = level(own.to_vec())?;
            step.require(data_type)?;
            let next = step.domain(&domain)?;
            if number == 1 && next == base || own.iter().all(|&factor| factor == 1) {
                return Err(Error::Options(format!(
                    "the factors {own:?} do not change an array of shape {:?}; at least one must \
                     be greater than 1",
                    domain.shape()
                )));
            }
            domain = next;
            for (factor, more) in factors.iter_mut().zip(own) {
                // A level with one element keeps one element for any factor.
                *factor = factor.saturating_mul(*more).min(i64::MAX as u64);
            }
            let from = match options.from_base {
                true => level(factors.clone())?,
                false => step,
            };
            levels.push(LevelPlan::new(domain.shape(), chunk_shape, Some(from))?);
        }
        let mut plan = Self {
            data_type,
            chunk_shape: chunk_shape.to_vec(),
            levels,
            options: options.clone(),
            pass: 1,
        };
        while plan.goes_along(plan.pass + 1) {
            plan.pass += 1;
        }
        Ok(plan)
    }

    /// Returns whether each block of a level that is made from the array lies inside one region of level 1,
    /// and the blocks are small enough to be held. Then reading the input of a region of level 1 also covers
    /// its share of the level.
    fn goes_along(&self, level: usize) -> bool {
        let width = self.data_type.element_bytes() as u64;
        self.options.from_base
            && level < self.levels.len()
            && self.growth(level).saturating_mul(width) <= PIECE_BYTES
            && std::iter::zip(self.apart(level), &self.chunk_shape)
                .zip(&self.levels[1].chunks)
                .all(|((apart, chunk), &chunks)| chunks <= 1 || chunk % apart == 0)
    }

    /// Returns the number of elements of level 1 that one element of a level represents along each dimension,
    /// if both are made from the array.
    fn apart(&self, level: usize) -> impl Iterator<Item = u64> {
        let factors = |level: usize| self.levels[level].step.iter().flat_map(Level::factors);
        std::iter::zip(factors(level), factors(1)).map(|(all, first)| all / first)
    }

    /// Returns how a level of the pass can be made from the level before it, if the elements are the same
    /// either way.
    pub(crate) fn between(&self, level: usize) -> Result<Level, Error> {
        let factors = self.options.factors_of(level).to_vec();
        let step = Level::new(factors, self.options.method)?;
        Ok(step.with_omission(self.options.omission(self.data_type)?))
    }

    /// Returns whether a level is made from pieces, one for each region of level 1.
    pub(crate) fn is_of_pieces(&self, level: usize) -> bool {
        (2..=self.pass).contains(&level)
    }

    /// Returns the elements of a level in the pass that depend on the same part of the array as some elements
    /// of level 1.
    pub(crate) fn above(&self, level: usize, first: &Domain) -> Domain {
        let intervals = std::iter::zip(first.intervals(), self.apart(level));
        Domain::of_intervals(intervals.map(|(interval, apart)| {
            let at = |edge: i64| edge.cast_unsigned();
            (at(interval.start) / apart).cast_signed()
                ..at(interval.end).div_ceil(apart).cast_signed()
        }))
    }

    /// Returns the elements of level 1 that depend on the same part of the array as some elements of a level
    /// in the pass.
    pub(crate) fn below(&self, level: usize, of: &Domain) -> Domain {
        let intervals = of.intervals().zip(self.apart(level));
        let shape = &self.levels[1].shape;
        Domain::of_intervals(intervals.zip(shape).map(|((interval, apart), &extent)| {
            let at = |edge: i64| edge.cast_unsigned().saturating_mul(apart).min(extent);
            at(interval.start).cast_signed()..at(interval.end).cast_signed()
        }))
    }

    /// Returns the source level of a level; level 0 is copied.
    pub(crate) fn source(&self, level: usize) -> usize {
        match self.options.from_base {
            true => 0,
            false => level.saturating_sub(1),
        }
    }

    /// Returns the number of bytes of the elements of a chunk.
    pub(crate) fn chunk_bytes(&self) -> u64 {
        let width = self.data_type.element_bytes() as u64;
        self.chunk_shape
            .iter()
            .fold(width, |bytes, &extent| bytes.saturating_mul(extent))
    }

    /// Returns the number of elements from which an element of a level is made.
    pub(crate) fn growth(&self, level: usize) -> u64 {
        let step = self.levels[level].step.as_ref();
        let factors = step.into_iter().flat_map(Level::factors);
        factors.fold(1, |product, &factor| product.saturating_mul(factor))
    }

    /// Returns the levels that are written.
    pub(crate) fn written(&self) -> impl Iterator<Item = usize> {
        usize::from(!self.options.copy_base)..self.levels.len()
    }

    /// Returns the levels whose regions depend on regions of other levels, and these levels.
    pub(crate) fn shared(&self) -> &[LevelPlan] {
        match self.options.from_base {
            true => &self.levels[..=self.pass],
            false => &self.levels,
        }
    }

    /// Returns the highest level that is divided among a number of parts: each part has several of its
    /// regions, if there are that many.
    pub(crate) fn divided(&self, parts: u64) -> usize {
        let enough = |level: &LevelPlan| level.regions / 4 >= parts;
        match parts {
            // A single part does not wait for another.
            1 => self.levels.len() - 1,
            _ if self.options.from_base && self.pass < 2 => self.levels.len() - 1,
            _ => self
                .shared()
                .iter()
                .skip(1)
                .take_while(|it| enough(it))
                .count()
                .max(1),
        }
    }

    /// Returns whether a part makes a region without waiting for another part. Levels above [`Self::divided`]
    /// belong to no part.
    pub(crate) fn belongs(&self, part: Part, level: usize, region: &[u64]) -> bool {
        let divided = self.divided(part.count());
        if level >= self.shared().len() || self.pass < 2 && self.options.from_base {
            let plan = &self.levels[level];
            return part.has(plan.number(region), plan.regions);
        }
        if level > divided {
            return false;
        }
        // This is the region of the divided level of which this region becomes a piece.
        let mut above = region.to_vec();
        for level in level..divided {
            for (at, factor) in above.iter_mut().zip(self.options.factors_of(level + 1)) {
                *at /= factor;
            }
        }
        let plan = &self.levels[divided];
        part.has(plan.number(&above), plan.regions)
    }

    /// Returns the elements of a region.
    pub(crate) fn extent(&self, level: usize, region: &[u64]) -> Domain {
        let plan = &self.levels[level];
        let intervals = region.iter().zip(&self.chunk_shape).zip(&plan.shape);
        Domain::of_intervals(intervals.map(|((&at, &chunk), &extent)| {
            let start = at.saturating_mul(chunk).min(extent);
            let end = start.saturating_add(chunk).min(extent);
            start.cast_signed()..end.cast_signed()
        }))
    }

    /// Returns the regions of the source level on which a region depends; for pieces, these are regions of
    /// level 1.
    pub(crate) fn inputs(&self, level: usize, region: &[u64]) -> Vec<u64> {
        let Some(step) = &self.levels[level].step else {
            return Vec::new();
        };
        let (source, factors) = match self.is_of_pieces(level) {
            true => (1, self.apart(level).collect()),
            false => (self.source(level), step.factors().to_vec()),
        };
        let source = &self.levels[source];
        let ranges =
            std::iter::zip(region, factors)
                .zip(&source.chunks)
                .map(|((&at, factor), &chunks)| {
                    let start = at.saturating_mul(factor).min(chunks);
                    start..start.saturating_add(factor).min(chunks)
                });
        let mut found = vec![0u64];
        for (range, &chunks) in ranges.zip(&source.chunks) {
            let before = found;
            found = before
                .iter()
                .flat_map(|&number| range.clone().map(move |at| number * chunks + at))
                .collect();
        }
        found
    }
}

/// Refuses chunks that are too large to be encoded, which requires the whole chunk or shard in memory.
pub(crate) fn require_holdable(data_type: DataType, chunk_shape: &[u64]) -> Result<(), Error> {
    let size = Array::bytes_of(data_type, chunk_shape).unwrap_or(u64::MAX);
    if size <= HELD_BYTES {
        return Ok(());
    }
    Err(Error::Input(format!(
        "a chunk of shape {chunk_shape:?} has {size} bytes of elements, but chunks are written as \
         a whole, and more than {} GiB are not held in memory; store the array in smaller chunks \
         or shards",
        HELD_BYTES >> 30
    )))
}

impl LevelPlan {
    pub(crate) fn new(
        shape: &[u64],
        chunk_shape: &[u64],
        step: Option<Level>,
    ) -> Result<Self, Error> {
        let chunks: Vec<u64> = std::iter::zip(shape, chunk_shape)
            .map(|(&extent, &chunk)| extent.div_ceil(chunk.max(1)))
            .collect();
        let regions = chunks
            .iter()
            .try_fold(1u64, |product, &count| product.checked_mul(count))
            .filter(|&regions| regions <= REGIONS);
        let Some(regions) = regions else {
            return Err(Error::Input(format!(
                "an array of shape {shape:?} in chunks of {chunk_shape:?} has more than {REGIONS} \
                 chunks, which is the maximum; write it with larger chunks, or with shards"
            )));
        };
        Ok(Self {
            shape: shape.to_vec(),
            chunks,
            regions,
            step,
        })
    }

    /// Returns the number of a region, in C order.
    pub(crate) fn number(&self, region: &[u64]) -> u64 {
        std::iter::zip(region, &self.chunks).fold(0, |number, (&at, &chunks)| number * chunks + at)
    }

    /// Returns the region with a number.
    pub(crate) fn region(&self, mut number: u64) -> Vec<u64> {
        let mut region = vec![0; self.chunks.len()];
        for (at, &chunks) in region.iter_mut().zip(&self.chunks).rev() {
            *at = number % chunks;
            number /= chunks;
        }
        region
    }
}

/// Converts a number of items in memory, which always fits.
pub(crate) fn usize_of(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
