//! Boxes in documents: of transforms and of schemas.

use super::MAX_RANK;
use super::extents::{Bound, Extents, Firm, Interval};
use super::number::index;
use crate::diagnostic::{Diagnostic, Read};
use crate::faults::Parts;
use crate::json::{Kind, Node};
use crate::members::array;

/// The members that state where a box begins and ends, as they are written.
pub(super) struct Bounds<'d> {
    clause: &'static str,
    rank: Option<Node<'d>>,
    minimum: Option<Node<'d>>,
    /// The exclusive end, the last position and the extents, in this order. At most one of them is given.
    ends: [Option<Node<'d>>; 3],
    labels: Option<Node<'d>>,
}

/// A list of bounds.
#[derive(Clone, Copy)]
enum Side {
    Starts,
    Ends,
}

impl<'d> Bounds<'d> {
    /// Takes the members rank, first positions, ends, last positions, extents and labels.
    pub(super) fn new(clause: &'static str, members: [Option<Node<'d>>; 6]) -> Self {
        let [rank, minimum, exclusive, inclusive, shape, labels] = members;
        Self {
            clause,
            rank,
            minimum,
            ends: [exclusive, inclusive, shape],
            labels,
        }
    }

    /// Reads the bounds. Returns `None` if not even the rank is stated.
    pub(super) fn read(&self) -> Read<Option<Extents>> {
        let stated = [self.rank, self.minimum, self.labels].into_iter();
        let Some(any) = stated.chain(self.ends).flatten().next() else {
            return Ok(None);
        };
        let mut parts = Parts::of(any);
        let rank_said = self.rank.map(|node| rank(node, self.clause)).transpose();
        let rank_said = parts.take(rank_said)?.flatten();
        if let [Some(_), Some(second), _]
        | [Some(_), _, Some(second)]
        | [_, Some(_), Some(second)] = self.ends
        {
            let fault = second
                .reject(self.clause, "the end of the domain is given twice")
                .help("write one of exclusive_max, inclusive_max and shape");
            parts.take::<()>(Err(fault))?;
        }
        let lists = [self.minimum, self.ends[0], self.ends[1], self.ends[2]];
        let mut read = [const { None }; 4];
        for (index, (read, list)) in read.iter_mut().zip(lists).enumerate() {
            let side = if index == 0 { Side::Starts } else { Side::Ends };
            let list = list.map(|node| self.list(node, side)).transpose();
            *read = parts.take(list)?.flatten();
        }
        let [minimum, exclusive, inclusive, shape] = read;
        let labels = self.labels.map(|node| self.names(node)).transpose();
        let labels = parts.take(labels)?.flatten();
        parts.end()?;
        let found = [
            (self.minimum, minimum.as_ref().map(Vec::len)),
            (self.ends[0], exclusive.as_ref().map(Vec::len)),
            (self.ends[1], inclusive.as_ref().map(Vec::len)),
            (self.ends[2], shape.as_ref().map(Vec::len)),
            (self.labels, labels.as_ref().map(Vec::len)),
        ];
        let mut known = rank_said;
        for (node, length) in found {
            let (Some(node), Some(length)) = (node, length) else {
                continue;
            };
            let rank = known.unwrap_or(length).min(MAX_RANK);
            if rank != length {
                return Err(self.wrong_rank(node, length, rank));
            }
            known = Some(length);
        }
        let Some(rank) = known else {
            return Ok(None);
        };
        let at =
            |list: &Option<Vec<Bound>>, dimension: usize| list.as_ref()?.get(dimension).copied();
        let mut intervals = Vec::with_capacity(rank);
        for dimension in 0..rank {
            // With only a shape, positions begin at 0.
            let start = match (&minimum, &shape) {
                (None, Some(_)) => Bound::stated(0),
                _ => at(&minimum, dimension).unwrap_or(Bound::OPEN),
            };
            let extent = at(&shape, dimension);
            let end = match (at(&exclusive, dimension), at(&inclusive, dimension)) {
                (Some(end), _) => Some(Some(end)),
                (None, Some(last)) => Some(further(last, 1)),
                (None, None) => extent.map(|extent| sized(start, extent)),
            };
            let end = match end {
                Some(Some(end)) => end,
                Some(None) => return Err(self.beyond(any, dimension)),
                None => Bound::OPEN,
            };
            let interval = Interval { start, end };
            // After an infinite start, an end at one position would be infinite too.
            let least = if start.at.is_none() { 2 } else { 0 };
            let is_short = extent.and_then(|it| it.at).is_some_and(|it| it < least);
            if is_short || interval != interval.ordered() {
                return Err(self.backwards(any, dimension));
            }
            intervals.push(interval);
        }
        let mut extents = Extents::of(intervals);
        extents.labels = labels.unwrap_or(extents.labels);
        Ok(Some(extents))
    }

    /// Returns the place that states the end of the box.
    fn end_place<'a>(&'a self, any: Node<'a>) -> Node<'a> {
        let place = self.ends.into_iter().flatten().next();
        place.or(self.minimum).unwrap_or(any)
    }

    fn backwards(&self, any: Node<'_>, dimension: usize) -> Box<Diagnostic> {
        let message = format!("dimension {dimension} ends before it begins");
        self.end_place(any)
            .reject(self.clause, message)
            .help("an interval must not end before it begins")
    }

    fn beyond(&self, any: Node<'_>, dimension: usize) -> Box<Diagnostic> {
        let message = format!("dimension {dimension} does not end below 2^63");
        self.end_place(any)
            .reject(self.clause, message)
            .help("write \"+inf\" if there is no end")
    }

    fn wrong_rank(&self, node: Node<'_>, length: usize, rank: usize) -> Box<Diagnostic> {
        node.reject(
            self.clause,
            format!("a list of length {length} does not fit {rank} dimensions"),
        )
        .help("all lists of a domain must have one entry for each dimension")
    }

    /// Reads a list of bounds: integers, or `"-inf"` for a start and `"+inf"` for an end, in brackets if they
    /// are implicit.
    fn list(&self, node: Node<'d>, side: Side) -> Read<Vec<Bound>> {
        array(node, self.clause, "a list of bounds")?;
        let bounds = node.all(node.elements().map(|element| self.bound(element, side)))?;
        if bounds.len() > MAX_RANK {
            return Err(self.wrong_rank(node, bounds.len(), MAX_RANK));
        }
        Ok(bounds)
    }

    fn bound(&self, node: Node<'d>, side: Side) -> Read<Bound> {
        let mut value = node;
        if node.kind() == Kind::Array {
            let mut inner = node.elements();
            if let (Some(only), None) = (inner.next(), inner.next()) {
                value = only;
            }
        }
        let firm = match node.kind() {
            Kind::Array => Firm::Implied,
            _ => Firm::Stated,
        };
        if let Some(index) = index(value) {
            let at = Some(index);
            return Ok(Bound { at, firm });
        }
        let infinite = match side {
            Side::Starts => "-inf",
            Side::Ends => "+inf",
        };
        if value.kind() == Kind::String && value.text()? == infinite {
            return Ok(Bound { at: None, firm });
        }
        Err(node
            .reject(self.clause, format!("{} is not a bound", node.describe()))
            .help(format!(
                "a bound is an integer or \"{infinite}\", in brackets if it is implicit"
            )))
    }

    fn names(&self, node: Node<'d>) -> Read<Vec<String>> {
        array(node, self.clause, "labels")?;
        let mut seen: Vec<String> = Vec::new();
        let count = node.elements().count();
        if count > MAX_RANK {
            return Err(self.wrong_rank(node, count, MAX_RANK));
        }
        for label in node.elements() {
            if label.kind() != Kind::String {
                return Err(label
                    .reject(self.clause, format!("{} is not a label", label.describe()))
                    .help("a label is a string, and an empty string stands for no label"));
            }
            let text = label.text()?.into_owned();
            if !text.is_empty() && seen.contains(&text) {
                return Err(label
                    .reject(self.clause, format!("two dimensions are called {text:?}"))
                    .help("labels must be different unless they are empty"));
            }
            seen.push(text);
        }
        Ok(seen)
    }
}

/// Returns the end of an interval of this extent, or `None` if it has more than 64 bits.
fn sized(start: Bound, extent: Bound) -> Option<Bound> {
    // After an infinite start, the interval ends where it does in TensorStore.
    let from = Interval {
        start,
        ..Interval::OPEN
    };
    further(extent, from.held().0)
}

/// Returns a bound moved by this number of positions, or `None` if there is no such position.
fn further(bound: Bound, more: i64) -> Option<Bound> {
    let at = match bound.at {
        Some(at) => Some(at.checked_add(more)?),
        None => None,
    };
    Some(Bound { at, ..bound })
}

/// Reads a number of dimensions (downsample.document.rank).
pub(super) fn rank(node: Node<'_>, clause: &'static str) -> Read<usize> {
    index(node)
        .and_then(|rank| usize::try_from(rank).ok())
        .filter(|&rank| rank <= MAX_RANK)
        .ok_or_else(|| {
            node.reject(clause, format!("{} is not a rank", node.describe()))
                .help("a rank is an integer from 0 to 32")
        })
}
