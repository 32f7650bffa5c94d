//! A reader of views with faults. It goes position by position, as the reference does, and asks it for
//! everything that is not to be wrong.

use std::sync::Arc;

use exactum_conformance::model::{
    Array, DataType, Domain, Downsample, Level, Method, Placed, Rejection, Source, Transform,
};
use exactum_reference::downsample::read;

use crate::{NONE, Overrides, Wrong};

/// The elements of one block, in C order of their positions.
pub(super) struct Block {
    pub(super) method: Method,
    pub(super) data_type: DataType,
    /// The bits of all their components.
    pub(super) bits: Vec<u64>,
    /// How many elements a whole block has.
    pub(super) whole: u64,
}

/// What is made of a block where it is not what the reference makes.
type Reduce<'a> = &'a dyn Fn(&Block) -> Option<Vec<u64>>;

pub(super) type BlockPart = fn(&Level, &Domain, &[i64]) -> Option<Vec<Vec<i64>>>;
pub(super) type TransformPart = fn(&Transform, &Domain) -> Option<Transform>;
type ReducePart = fn(&Block) -> Option<Vec<u64>>;
type LevelsPart = fn(&[Level]) -> Option<Vec<Level>>;

/// What is wrong; `None` is right, and so is a function that gives `None`.
#[derive(Clone, Copy)]
pub(super) struct Faults {
    /// The positions of a level over a base.
    pub(super) domain: Option<fn(&Level, &Domain) -> Option<Domain>>,
    /// The positions of the base that make one of a level; those outside the base are moved to its edge.
    pub(super) block: Option<BlockPart>,
    /// What is made of a block: the bits of the components.
    pub(super) reduce: Option<ReducePart>,
    /// The levels in the place of those that are asked for.
    pub(super) levels: Option<LevelsPart>,
    /// The transform in the place of the one that is asked for.
    pub(super) transform: Option<TransformPart>,
    /// Whether a fault of blocks shows under such a transform only.
    pub(super) under: Option<fn(&Transform) -> bool>,
    /// Whether levels of factors 1 are computed.
    pub(super) recomputes: bool,
    /// A clause that is not enforced: what it rejects is answered by the base.
    pub(super) unchecked: Option<&'static str>,
    /// The origin of the answer is 0.
    pub(super) origin_lost: bool,
}

/// Nothing wrong.
pub(super) const RIGHT: Faults = Faults {
    domain: None,
    block: None,
    reduce: None,
    levels: None,
    transform: None,
    under: None,
    recomputes: false,
    unchecked: None,
    origin_lost: false,
};

impl Faults {
    /// An implementation that reads views so.
    pub(super) fn overrides(self) -> Overrides {
        Overrides {
            view: Some(Arc::new(move |view, source| self.read(view, source))),
            ..NONE
        }
    }

    fn read(&self, view: &Downsample, source: &Placed) -> Wrong<Placed> {
        match view.answer(source) {
            Err(rejection) if Some(rejection.clause) == self.unchecked => {
                return Some(Ok(source.clone()));
            }
            Err(_) => return None,
            Ok(_) => {}
        }
        let under = self
            .under
            .is_none_or(|shows| view.transform.as_ref().is_some_and(shows));
        let reduce = |block: &Block| self.reduce.and_then(|reduce| reduce(block));
        under.then(|| self.read_view(view, source, &reduce))
    }

    fn read_view(
        &self,
        view: &Downsample,
        source: &Placed,
        reduce: Reduce<'_>,
    ) -> Result<Placed, Rejection> {
        let levels = self.levels.and_then(|levels| levels(&view.levels));
        let mut placed = source.clone();
        for level in levels.as_ref().unwrap_or(&view.levels) {
            placed = self.downsampled(level, &placed, reduce)?;
        }
        if let Some(transform) = &view.transform {
            let other = self
                .transform
                .and_then(|change| change(transform, &placed.domain()));
            let transform = other.as_ref().unwrap_or(transform);
            let positions = transform.domain().positions();
            let positions: Vec<Vec<i64>> = positions.map(|it| transform.apply(&it)).collect();
            let array = gathered(&placed, &positions, transform.domain().shape())?;
            placed = Placed::new(array, transform.domain().origin().to_vec())?;
        }
        if self.origin_lost {
            let zeros = vec![0; placed.domain().rank()];
            placed = Placed::new(placed.array().clone(), zeros)?;
        }
        Ok(placed)
    }

    fn downsampled(
        &self,
        level: &Level,
        base: &Placed,
        reduce: Reduce<'_>,
    ) -> Result<Placed, Rejection> {
        if level.is_identity() && !self.recomputes {
            return Ok(base.clone());
        }
        let positions = base.domain();
        let domain = match self.domain.and_then(|domain| domain(level, &positions)) {
            Some(domain) => domain,
            None => level.domain(&positions)?,
        };
        let mut bits = Vec::new();
        for position in domain.positions() {
            let block = self
                .block
                .and_then(|block| block(level, &positions, &position));
            let elements = match block {
                Some(block) => gathered(base, &block, &[block.len() as u64])?,
                None => base.read(&level.block(&positions, &position))?,
            };
            let block = Block {
                method: level.method(),
                data_type: base.data_type(),
                bits: elements.components().collect(),
                whole: level.factors().iter().product(),
            };
            bits.extend(match reduce(&block) {
                Some(bits) => bits,
                None => block.reduced()?,
            });
        }
        let array = Array::from_components(base.data_type(), domain.shape().to_vec(), bits)?;
        Placed::new(array, domain.origin().to_vec())
    }
}

/// Reads a view in which other things are made of blocks.
pub(super) fn read_reduced(
    view: &Downsample,
    source: &Placed,
    reduce: Reduce<'_>,
) -> Wrong<Placed> {
    view.answer(source).ok()?;
    Some(RIGHT.read_view(view, source, reduce))
}

/// The elements at some positions; those outside are moved to the edge.
fn gathered(base: &Placed, positions: &[Vec<i64>], shape: &[u64]) -> Result<Array, Rejection> {
    let domain = base.domain();
    let mut data = Vec::new();
    for position in positions {
        let inside = position.iter().zip(domain.intervals());
        let inside = inside.map(|(&at, interval)| {
            let at = at.clamp(interval.start, interval.end - 1);
            at..at + 1
        });
        let element = base.read(&Domain::of_intervals(inside))?;
        data.extend_from_slice(element.data());
    }
    Array::new(base.data_type(), shape.to_vec(), data)
}

impl Block {
    /// A block of one data type.
    pub(super) fn new(method: Method, data_type: DataType, bits: Vec<u64>) -> Self {
        let whole = bits.len() as u64;
        Self {
            method,
            data_type,
            bits,
            whole,
        }
    }

    /// What the reference makes of it.
    pub(super) fn reduced(&self) -> Result<Vec<u64>, Rejection> {
        let count = (self.bits.len() / self.data_type.format().components()) as u64;
        let array = Array::from_components(self.data_type, vec![count], self.bits.iter().copied())?;
        // A factor of 1 would return the element untouched.
        let level = Level::new(vec![count.max(2)], self.method)?;
        let view = Downsample {
            levels: vec![level],
            transform: None,
        };
        Ok(read(&view, &array)?.array().components().collect())
    }

    /// The same elements, of which other bits are made.
    pub(super) fn of(&self, bits: Vec<u64>) -> Option<Vec<u64>> {
        Self::new(self.method, self.data_type, bits).reduced().ok()
    }
}
