//! Views that are read with wrong decisions.

use std::sync::Arc;

use exactum_conformance::model::{
    Array, DataType, Domain, Downsample, Level, Method, Placed, Rejection, Scalar, Source,
};
use exactum_reference::Reference;
use exactum_reference::downsample::{Downsampling, read_with};

use crate::{NONE, Overrides, Wrong, some_rejection};

/// Returns overrides that give wrong views.
pub(super) fn views(
    part: impl Fn(&Downsample, &Placed) -> Wrong<Placed> + Send + Sync + 'static,
) -> Overrides {
    Overrides {
        view: Some(Arc::new(part)),
        ..NONE
    }
}

/// Returns overrides that read views with wrong decisions.
pub(super) fn decided(wrong: impl Downsampling + Send + Sync + 'static) -> Overrides {
    views(move |view, source| Some(read_with(&wrong, view, source)))
}

/// Returns the positions of the base that are reduced to one element of a level; those outside the base are moved to
/// its edge.
pub(super) type BlockPart = fn(&Level, &Domain, &[i64]) -> Option<Vec<Vec<i64>>>;

/// Wrong positions. `None` is right, as is a function that returns `None`.
pub(super) struct Positions {
    /// The positions of a level over a base.
    pub(super) domain: Option<fn(&Level, &Domain) -> Option<Domain>>,
    /// The positions of a block.
    pub(super) block: Option<BlockPart>,
}

impl Downsampling for Positions {
    fn domain(&self, level: &Level, base: &Domain) -> Result<Domain, Rejection> {
        match self.domain.and_then(|domain| domain(level, base)) {
            Some(domain) => Ok(domain),
            None => Reference.domain(level, base),
        }
    }

    fn block(
        &self,
        level: &Level,
        base: &dyn Source,
        position: &[i64],
    ) -> Result<Array, Rejection> {
        let domain = base.domain();
        let block = match self.block.and_then(|block| block(level, &domain, position)) {
            Some(positions) => gathered(base, &positions)?,
            None => Reference.block(level, base, position)?,
        };
        // A block without elements has no result.
        (!block.is_empty())
            .then_some(block)
            .ok_or_else(some_rejection)
    }
}

/// Returns the elements at some positions; positions outside are moved to the edge.
fn gathered(base: &dyn Source, positions: &[Vec<i64>]) -> Result<Array, Rejection> {
    let domain = base.domain();
    let mut data = Vec::new();
    for position in positions {
        let inside = position.iter().zip(domain.intervals());
        let inside = inside.map(|(&at, interval)| {
            let at = at.clamp(interval.start, interval.end - 1);
            at..at + 1
        });
        data.extend_from_slice(base.read(&Domain::of_intervals(inside))?.data());
    }
    Array::new(base.data_type(), vec![positions.len() as u64], data)
}

/// A decision that is wrong only for one method and, if one is given, for one data type.
pub(super) struct Here {
    pub(super) method: Method,
    pub(super) data_type: Option<DataType>,
    pub(super) wrong: &'static (dyn Downsampling + Sync),
}

impl Downsampling for Here {
    fn reduce(&self, level: &Level, block: &Array) -> Scalar {
        let is_here = self.method == level.method()
            && self.data_type.is_none_or(|it| it == block.data_type());
        match is_here {
            true => self.wrong.reduce(level, block),
            false => Reference.reduce(level, block),
        }
    }
}

/// Reduces a block to another element; if this returns `None`, the reference is right.
pub(super) struct Made(pub(super) fn(&Block) -> Option<Vec<u64>>);

impl Downsampling for Made {
    fn reduce(&self, level: &Level, block: &Array) -> Scalar {
        let data_type = block.data_type();
        let made = (self.0)(&Block {
            method: level.method(),
            data_type,
            bits: block.components().collect(),
        });
        match made.as_deref() {
            Some(&[real, imaginary]) => Scalar::complex(data_type, real, imaginary),
            Some(&[bits]) => Scalar::new(data_type, bits.into()),
            _ => Reference.reduce(level, block),
        }
    }
}

/// The elements of one block, in C order of their positions.
pub(super) struct Block {
    pub(super) method: Method,
    pub(super) data_type: DataType,
    /// The bits of all components of the elements.
    pub(super) bits: Vec<u64>,
}

impl Block {
    /// Returns the result for the same elements by another method.
    pub(super) fn by(
        &self,
        wrong: &dyn Downsampling,
        method: Method,
        bits: &[u64],
    ) -> Option<Vec<u64>> {
        let parts = self.data_type.format().components();
        let count = (bits.len() / parts) as u64;
        let array = Array::from_components(self.data_type, vec![count], bits.to_vec()).ok()?;
        let level = Level::new(vec![1], method).ok()?;
        let made = wrong.reduce(&level, &array);
        Some((0..parts).map(|part| made.component(part)).collect())
    }

    /// Returns the reference's result for other elements.
    pub(super) fn of(&self, bits: &[u64]) -> Option<Vec<u64>> {
        self.by(&Reference, self.method, bits)
    }

    /// Returns the reference's result.
    pub(super) fn reduced(&self) -> Option<Vec<u64>> {
        self.of(&self.bits)
    }
}
