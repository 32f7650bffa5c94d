//! What is made of an array: levels, their regions, and who makes which.

use exactum_model::{Array, DataType, Domain, Level};

use crate::error::Error;
use crate::options::MOST_LEVELS;
pub(crate) use crate::options::{Options, Part};

/// The most regions of a level: which of them were made is kept in a bit each.
const MOST_REGIONS: u64 = 1 << 28;

/// Bytes of a chunk that are too many to be held.
const HELD: u64 = 4 << 30;

/// Bytes of the input that are held at a time, where a single chunk has no more.
pub(crate) const BYTES: u64 = 32 << 20;

/// A level of the pyramid; level 0 is the array itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LevelPlan {
    /// The extents of the array.
    pub(crate) shape: Vec<u64>,
    /// The number of its chunks along each dimension.
    pub(crate) chunks: Vec<u64>,
    /// The number of its regions, which are its chunks.
    pub(crate) regions: u64,
    /// How it is made of the array that it is made of; level 0 is none.
    pub(crate) step: Option<Level>,
}

/// What is made of an array.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) data_type: DataType,
    /// The extents of a chunk at every level.
    pub(crate) chunk_shape: Vec<u64>,
    pub(crate) levels: Vec<LevelPlan>,
    pub(crate) options: Options,
    /// The highest level that is made in the same pass over the array as level 1: 1 if that is made alone, and 0 where there
    /// is none.
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
            level
                .map(|level| level.with_omission(omission))
                .map_err(|fault| Error::of_options(&fault))
        };
        let refused = |fault| Error::of_options(&fault);
        if shape.is_empty() {
            return Err(Error::Options(
                "an array without dimensions is a single element, and there is nothing to downsample".into(),
            ));
        }
        let count = options.count()?;
        let base = Domain::of_shape(shape).map_err(refused)?;
        let size = Array::bytes_of(data_type, chunk_shape).unwrap_or(u64::MAX);
        if size > HELD {
            return Err(Error::Input(format!(
                "a chunk of shape {chunk_shape:?} has {size} bytes, and one of more than {HELD} cannot be held"
            )));
        }
        let mut levels = vec![LevelPlan::new(shape, chunk_shape, None)?];
        let mut domain = base.clone();
        let mut factors = vec![1u64; shape.len()];
        for number in 1..=count.unwrap_or(MOST_LEVELS) {
            let own = options.factors_of(number as usize);
            let fits = number > 1
                && std::iter::zip(domain.shape(), chunk_shape)
                    .zip(own)
                    .all(|((extent, chunk), factor)| *factor == 1 || extent <= chunk);
            if count.is_none() && fits {
                break;
            }
            let step = level(own.to_vec())?;
            step.require(data_type).map_err(refused)?;
            let next = step.domain(&domain).map_err(refused)?;
            if number == 1 && next == base || own.iter().all(|&factor| factor == 1) {
                return Err(Error::Options(format!(
                    "the factors {own:?} leave an array of shape {:?} as it is; at least one must be greater than 1",
                    domain.shape()
                )));
            }
            domain = next;
            for (factor, more) in factors.iter_mut().zip(own) {
                // A level of one element stays one, whatever the factor.
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

    /// Whether the blocks of a level, made of the array, lie in regions of level 1 as wholes, and are small enough to be
    /// held: then whoever makes such a region has read all that its share of the level takes.
    fn goes_along(&self, level: usize) -> bool {
        let width = self.data_type.element_bytes() as u64;
        self.options.from_base
            && level < self.levels.len()
            && self.growth(level).saturating_mul(width) <= BYTES
            && std::iter::zip(self.apart(level), &self.chunk_shape)
                .zip(&self.levels[1].chunks)
                .all(|((apart, chunk), &chunks)| chunks <= 1 || chunk % apart == 0)
    }

    /// How many elements of level 1 one of a level stands for, along each dimension, where both are made of the array.
    fn apart(&self, level: usize) -> impl Iterator<Item = u64> {
        let factors = |level: usize| self.levels[level].step.iter().flat_map(Level::factors);
        std::iter::zip(factors(level), factors(1)).map(|(all, first)| all / first)
    }

    /// How a level of the pass is made from the one before it, where that comes to the same.
    pub(crate) fn between(&self, level: usize) -> Result<Level, Error> {
        let refused = |fault| Error::of_options(&fault);
        let factors = self.options.factors_of(level).to_vec();
        let step = Level::new(factors, self.options.method).map_err(refused)?;
        Ok(step.with_omission(self.options.omission(self.data_type)?))
    }

    /// Whether a level is made of pieces, one of each region of level 1.
    pub(crate) fn is_of_pieces(&self, level: usize) -> bool {
        (2..=self.pass).contains(&level)
    }

    /// The elements of a level in the pass that are made of the same part of the array as some of level 1.
    pub(crate) fn above(&self, level: usize, first: &Domain) -> Domain {
        let intervals = std::iter::zip(first.intervals(), self.apart(level));
        Domain::of_intervals(intervals.map(|(interval, apart)| {
            let at = |edge: i64| edge.cast_unsigned();
            (at(interval.start) / apart).cast_signed()
                ..at(interval.end).div_ceil(apart).cast_signed()
        }))
    }

    /// The elements of level 1 that are made of the same part of the array as some of a level in the pass.
    pub(crate) fn below(&self, level: usize, of: &Domain) -> Domain {
        let intervals = of.intervals().zip(self.apart(level));
        let shape = &self.levels[1].shape;
        Domain::of_intervals(intervals.zip(shape).map(|((interval, apart), &extent)| {
            let at = |edge: i64| edge.cast_unsigned().saturating_mul(apart).min(extent);
            at(interval.start).cast_signed()..at(interval.end).cast_signed()
        }))
    }

    /// The level that a level is made of; level 0 is copied.
    pub(crate) fn source(&self, level: usize) -> usize {
        match self.options.from_base {
            true => 0,
            false => level.saturating_sub(1),
        }
    }

    /// Bytes of the elements of a chunk.
    pub(crate) fn chunk_bytes(&self) -> u64 {
        let width = self.data_type.element_bytes() as u64;
        self.chunk_shape
            .iter()
            .fold(width, |bytes, &extent| bytes.saturating_mul(extent))
    }

    /// How many elements an element of a level is made of.
    pub(crate) fn growth(&self, level: usize) -> u64 {
        let step = self.levels[level].step.as_ref();
        let factors = step.into_iter().flat_map(Level::factors);
        factors.fold(1, |product, &factor| product.saturating_mul(factor))
    }

    /// The levels that are written.
    pub(crate) fn written(&self) -> impl Iterator<Item = usize> {
        usize::from(!self.options.copy_base)..self.levels.len()
    }

    /// The levels whose regions are made of regions of others, and these.
    pub(crate) fn shared(&self) -> &[LevelPlan] {
        match self.options.from_base {
            true => &self.levels[..=self.pass],
            false => &self.levels,
        }
    }

    /// The highest level that is divided among so many parts: each of them has several regions of it, as far as
    /// there are any.
    pub(crate) fn divided(&self, parts: u64) -> usize {
        let enough = |level: &LevelPlan| level.regions / 4 >= parts;
        match parts {
            // Nobody waits for anybody.
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

    /// Whether a part makes a region, without waiting for anybody. Higher levels than [`Self::divided`] belong to
    /// nobody.
    pub(crate) fn belongs(&self, part: Part, level: usize, region: &[u64]) -> bool {
        let divided = self.divided(part.count());
        if level >= self.shared().len() || self.pass < 2 && self.options.from_base {
            let plan = &self.levels[level];
            return part.has(plan.number(region), plan.regions);
        }
        if level > divided {
            return false;
        }
        // The region of the divided level that this one becomes a piece of.
        let mut above = region.to_vec();
        for level in level..divided {
            for (at, factor) in above.iter_mut().zip(self.options.factors_of(level + 1)) {
                *at /= factor;
            }
        }
        let plan = &self.levels[divided];
        part.has(plan.number(&above), plan.regions)
    }

    /// The elements of a region.
    pub(crate) fn extent(&self, level: usize, region: &[u64]) -> Domain {
        let plan = &self.levels[level];
        let intervals = region.iter().zip(&self.chunk_shape).zip(&plan.shape);
        Domain::of_intervals(intervals.map(|((&at, &chunk), &extent)| {
            let start = at.saturating_mul(chunk).min(extent);
            let end = start.saturating_add(chunk).min(extent);
            start.cast_signed()..end.cast_signed()
        }))
    }

    /// The regions of the level that a region is made of; of pieces, those of level 1.
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
            .filter(|&regions| regions <= MOST_REGIONS);
        let Some(regions) = regions else {
            return Err(Error::Input(format!(
                "an array of shape {shape:?} in chunks of {chunk_shape:?} has more than {MOST_REGIONS} chunks, \
                 and no more can be kept track of; write it with larger chunks, or with shards"
            )));
        };
        Ok(Self {
            shape: shape.to_vec(),
            chunks,
            regions,
            step,
        })
    }

    /// The number of a region, in C order.
    pub(crate) fn number(&self, region: &[u64]) -> u64 {
        std::iter::zip(region, &self.chunks).fold(0, |number, (&at, &chunks)| number * chunks + at)
    }

    /// The region of a number.
    pub(crate) fn region(&self, mut number: u64) -> Vec<u64> {
        let mut region = vec![0; self.chunks.len()];
        for (at, &chunks) in region.iter_mut().zip(&self.chunks).rev() {
            *at = number % chunks;
            number /= chunks;
        }
        region
    }
}

/// A number of things in memory, of which there are never more.
pub(crate) fn usize_of(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use exactum_model::Method;

    use super::*;

    fn plan(shape: &[u64], chunks: &[u64], options: &Options) -> Result<Plan, Error> {
        Plan::new(DataType::Uint8, shape, chunks, options)
    }

    fn options(factors: &[u64]) -> Options {
        Options::new(factors.to_vec(), Method::Mean)
    }

    /// Factors for each level.
    fn each(factors: &[&[u64]]) -> Options {
        let factors = factors.iter().map(|it| it.to_vec()).collect();
        Options {
            factors,
            ..options(&[])
        }
    }

    #[test]
    fn levels_have_factors_of_their_own() {
        for from_base in [false, true] {
            let options = Options {
                from_base,
                ..each(&[&[1, 2, 2], &[2, 2, 2], &[3, 1, 1]])
            };
            let plan = plan(&[30, 100, 70], &[4, 8, 8], &options).expect("a plan");
            let shapes: Vec<&[u64]> = plan.levels.iter().map(|it| &it.shape[..]).collect();
            assert_eq!(
                shapes,
                [[30, 100, 70], [30, 50, 35], [15, 25, 18], [5, 25, 18]]
            );
            let factors = plan.levels[3].step.as_ref().map(Level::factors);
            let expected: &[u64] = if from_base { &[6, 4, 4] } else { &[3, 1, 1] };
            assert_eq!(factors, Some(expected));
            for parts in 1..6 {
                check_parts(&plan, parts);
            }
        }
    }

    #[test]
    fn levels_end_where_one_fits_into_a_chunk() {
        let plan = plan(&[3, 1000, 70], &[1, 100, 100], &options(&[1, 2, 2])).expect("a plan");
        let shapes: Vec<&[u64]> = plan.levels.iter().map(|it| &it.shape[..]).collect();
        assert_eq!(
            shapes,
            [
                [3, 1000, 70],
                [3, 500, 35],
                [3, 250, 18],
                [3, 125, 9],
                [3, 63, 5]
            ]
        );
        assert_eq!(plan.levels[1].chunks, [3, 5, 1]);
    }

    /// Every region belongs to one part, or to nobody, and what it is made of belongs to the same part.
    #[test]
    fn regions_are_divided_with_what_they_are_made_of() {
        for factors in [[2, 2], [3, 1], [1, 5]] {
            for from_base in [false, true] {
                for parts in 1..9 {
                    let options = Options {
                        from_base,
                        ..options(&factors)
                    };
                    for chunks in [[10, 7], [8, 25], [36, 333]] {
                        let plan = plan(&[1001, 333], &chunks, &options).expect("a plan");
                        check_parts(&plan, parts);
                    }
                }
            }
        }
    }

    fn check_parts(plan: &Plan, parts: u64) {
        let owner = |level: usize, number: u64| -> Option<u64> {
            let region = plan.levels[level].region(number);
            assert_eq!(plan.levels[level].number(&region), number);
            let all = (1..=parts).filter_map(|index| Part::new(index, parts));
            let owners: Vec<u64> = all
                .filter(|part| plan.belongs(*part, level, &region))
                .map(Part::index)
                .collect();
            assert!(owners.len() <= 1, "{level} {region:?}: {owners:?}");
            owners.first().copied()
        };
        for (level, it) in plan.levels.iter().enumerate().skip(1) {
            for number in 0..it.regions {
                let owned = owner(level, number);
                let alone = plan.options.from_base && (plan.pass < 2 || level > plan.pass);
                let divided = alone || level <= plan.divided(parts);
                assert_eq!(owned.is_some(), divided, "{level} {number}");
                if level > 1 && owned.is_some() && !alone {
                    let from = if plan.options.from_base { 1 } else { level - 1 };
                    for input in plan.inputs(level, &it.region(number)) {
                        assert_eq!(owner(from, input), owned);
                    }
                }
            }
        }
    }

    /// A pass has the levels whose blocks lie in regions of level 1 and are small.
    #[test]
    fn what_goes_along() {
        let check = |shape: &[u64], chunks: &[u64], factors: &[u64], pass: usize| {
            let mut options = options(factors);
            options.levels = Some(5);
            assert_eq!(plan(shape, chunks, &options).expect("a plan").pass, 1);
            options.from_base = true;
            let plan = plan(shape, chunks, &options).expect("a plan");
            assert_eq!(plan.pass, pass, "{shape:?} {chunks:?} {factors:?}");
        };
        check(&[1000, 1000], &[16, 16], &[2, 2], 5);
        check(&[1000, 1000], &[12, 16], &[2, 2], 3);
        check(&[1000, 1000], &[12, 16], &[1, 2], 5);
        check(&[1000, 1000], &[9, 16], &[2, 2], 1);
        // One region of level 1 is whole in any case.
        check(&[18, 1000], &[9, 16], &[2, 2], 5);
        check(&[1000, 1000], &[64, 100], &[4, 5], 3);
        // A block of level 5 has 1 GiB, as far as it knows.
        check(&[1 << 13; 2], &[1 << 12; 2], &[64, 1], 4);
        check(&[1 << 16; 2], &[1 << 15; 2], &[32, 32], 2);
    }

    #[test]
    fn what_is_made_of_what() {
        let plan = plan(&[100, 100], &[10, 10], &options(&[2, 3])).expect("a plan");
        assert_eq!(plan.inputs(1, &[4, 3]), [89, 99]);
        assert_eq!(plan.inputs(1, &[0, 0]), [0, 1, 2, 10, 11, 12]);
        let region = plan.extent(1, &[4, 3]);
        assert_eq!(
            (region.origin(), region.shape()),
            (&[40, 30][..], &[10, 4][..])
        );
    }

    #[test]
    fn what_cannot_be_is_told() {
        let none = Options {
            levels: Some(0),
            ..options(&[2])
        };
        let rows = [
            (
                plan(&[10], &[5], &options(&[1])),
                "at least one must be greater than 1",
            ),
            (
                plan(&[10], &[5], &options(&[0])),
                "is not a valid downsampling factor",
            ),
            (plan(&[10], &[5], &options(&[2, 2])), "do not go with"),
            (plan(&[10], &[5], &none), "1 to 64 levels"),
            (
                plan(&[u64::MAX >> 2], &[1], &options(&[2])),
                "larger chunks",
            ),
            (plan(&[1], &[1], &options(&[2])), "as it is"),
            (plan(&[], &[], &options(&[])), "without dimensions"),
            (plan(&[9], &[3], &each(&[&[2], &[1]])), "factors [1] leave"),
            (
                plan(
                    &[9],
                    &[3],
                    &Options {
                        levels: Some(3),
                        ..each(&[&[2], &[2]])
                    },
                ),
                "factors for 2 levels, and 3 levels",
            ),
        ];
        for (plan, words) in rows {
            let error = plan.expect_err(words).to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
