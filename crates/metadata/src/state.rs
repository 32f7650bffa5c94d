//! The known facts about the elements and the shape that a codec receives.

use crate::element::Element;

/// What goes into a codec.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Its elements; of an unknown data type, nothing is known of them.
    pub(crate) element: Element,
    /// Its shape.
    pub(crate) shape: Shape,
}

impl State {
    /// The same elements in another shape.
    pub(crate) fn in_shape(&self, shape: Shape) -> Self {
        Self {
            element: self.element.clone(),
            shape,
        }
    }
}

/// A shape, where it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The extents of all dimensions.
    Known(Vec<u64>),
    /// The number of dimensions: the chunk grid is unknown.
    Rank(usize),
    /// Nothing: it comes out of an unknown codec.
    Unknown,
}

impl Shape {
    /// The extents, where they are known.
    pub(crate) fn known(&self) -> Option<&[u64]> {
        match self {
            Shape::Known(extents) => Some(extents),
            Shape::Rank(_) | Shape::Unknown => None,
        }
    }

    /// The number of dimensions, where it is known.
    pub(crate) fn rank(&self) -> Option<usize> {
        match self {
            Shape::Known(extents) => Some(extents.len()),
            Shape::Rank(rank) => Some(*rank),
            Shape::Unknown => None,
        }
    }

    /// The shape whose dimension `i` is dimension `order[i]` of this one, which has as many.
    pub(crate) fn permuted(&self, order: &[usize]) -> Self {
        match self {
            Shape::Known(extents) => Shape::Known(
                order
                    .iter()
                    .filter_map(|&dimension| extents.get(dimension).copied())
                    .collect(),
            ),
            Shape::Rank(_) | Shape::Unknown => Shape::Rank(order.len()),
        }
    }
}
