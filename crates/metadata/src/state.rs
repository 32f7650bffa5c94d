//! The known facts about the elements and the shape that a codec receives.

use crate::element::Element;

/// The input of a codec.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The elements. If their data type is unknown, nothing is known about them.
    pub(crate) element: Element,
    /// The shape.
    pub(crate) shape: Shape,
}

impl State {
    /// Returns the same elements with another shape.
    pub(crate) fn in_shape(&self, shape: Shape) -> Self {
        Self {
            element: self.element.clone(),
            shape,
        }
    }
}

/// A shape that may be unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The extents of all dimensions.
    Known(Vec<u64>),
    /// The number of dimensions, if the chunk grid is unknown.
    Rank(usize),
    /// Nothing, for the output of an unknown codec.
    Unknown,
}

impl Shape {
    /// Returns the extents, if they are known.
    pub(crate) fn known(&self) -> Option<&[u64]> {
        match self {
            Shape::Known(extents) => Some(extents),
            Shape::Rank(_) | Shape::Unknown => None,
        }
    }

    /// Returns the number of dimensions, if it is known.
    pub(crate) fn rank(&self) -> Option<usize> {
        match self {
            Shape::Known(extents) => Some(extents.len()),
            Shape::Rank(rank) => Some(*rank),
            Shape::Unknown => None,
        }
    }

    /// Returns the shape whose dimension `i` is dimension `order[i]` of this one, which has as many
    /// dimensions.
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
