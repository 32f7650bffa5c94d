//! Boxes in documents: of transforms and of schemas.

use exactum_model::Domain;

use super::MAX_RANK;
use super::number::index;
use crate::diagnostic::{Diagnostic, Read};
use crate::faults::Parts;
use crate::json::{Kind, Node};
use crate::members::array;

/// The members that say where a box begins and ends, as they stand.
pub(super) struct Bounds<'d> {
    pub(super) clause: &'static str,
    pub(super) rank: Option<Node<'d>>,
    pub(super) minimum: Option<Node<'d>>,
    /// The end, the last position, or the extents, in this order; one of them at most.
    pub(super) ends: [Option<Node<'d>>; 3],
    pub(super) labels: Option<Node<'d>>,
}

/// A box of which not every bound need be known.
pub(super) struct Partial {
    pub(super) rank: usize,
    /// First position and end of each dimension; `None` where it is open.
    pub(super) intervals: Vec<(Option<i64>, Option<i64>)>,
}

/// A bound of one dimension.
#[derive(Clone, Copy)]
enum Bound {
    At(i64),
    Open,
}

impl<'d> Bounds<'d> {
    /// Reads the bounds; `None` where not even the rank is said.
    pub(super) fn read(&self) -> Read<Option<Partial>> {
        let said = [self.rank, self.minimum, self.labels].into_iter();
        let Some(any) = said.chain(self.ends).flatten().next() else {
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
                .reject(self.clause, "the end of the domain is said twice")
                .help("write one of exclusive_max, inclusive_max and shape");
            parts.take::<()>(Err(fault))?;
        }
        let lists = [self.minimum, self.ends[0], self.ends[1], self.ends[2]];
        let mut read = [const { None }; 4];
        for (read, list) in read.iter_mut().zip(lists) {
            let list = list.map(|node| self.list(node)).transpose();
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
            (self.labels, labels),
        ];
        let mut known = rank_said;
        for (node, length) in found {
            let (Some(node), Some(length)) = (node, length) else {
                continue;
            };
            if known.is_some_and(|rank| rank != length) {
                return Err(self.wrong_rank(node, length, known.unwrap_or_default()));
            }
            known = Some(length);
        }
        let Some(rank) = known else {
            return Ok(None);
        };
        let at =
            |list: &Option<Vec<Bound>>, dimension: usize| match list.as_ref()?.get(dimension)? {
                Bound::At(value) => Some(*value),
                Bound::Open => None,
            };
        let mut intervals = Vec::with_capacity(rank);
        for dimension in 0..rank {
            // With a shape alone, positions begin at 0.
            let start = match (&minimum, &shape) {
                (None, Some(_)) => Some(0),
                _ => at(&minimum, dimension),
            };
            let end = if let Some(end) = at(&exclusive, dimension) {
                Some(end)
            } else if let Some(last) = at(&inclusive, dimension) {
                last.checked_add(1)
            } else {
                at(&shape, dimension).and_then(|extent| start?.checked_add(extent))
            };
            let negative = at(&shape, dimension).is_some_and(|extent| extent < 0);
            if negative || start.zip(end).is_some_and(|(start, end)| end < start) {
                let place = self.ends.into_iter().flatten().next().or(self.minimum);
                let place = place.or(self.rank);
                return Err(place.map_or_else(
                    || unreachable!("an interval has bounds"),
                    |node| {
                        node.reject(
                            self.clause,
                            format!("dimension {dimension} ends before it begins"),
                        )
                        .help("an interval ends at its beginning or after it")
                    },
                ));
            }
            intervals.push((start, end));
        }
        Ok(Some(Partial { rank, intervals }))
    }

    fn wrong_rank(&self, node: Node<'_>, length: usize, rank: usize) -> Box<Diagnostic> {
        node.reject(
            self.clause,
            format!("a list of {length} does not go with {rank} dimensions"),
        )
        .help("all lists of a domain are as long as it has dimensions")
    }

    /// A list of bounds: integers, `[n]` where the bound is implicit, `"-inf"` and `"+inf"`.
    fn list(&self, node: Node<'d>) -> Read<Vec<Bound>> {
        array(node, self.clause, "a list of bounds")?;
        let bounds = node.all(node.elements().map(|element| self.bound(element)))?;
        if bounds.len() > MAX_RANK {
            return Err(self.wrong_rank(node, bounds.len(), MAX_RANK));
        }
        Ok(bounds)
    }

    fn bound(&self, node: Node<'d>) -> Read<Bound> {
        let mut value = node;
        if node.kind() == Kind::Array {
            let mut inner = node.elements();
            if let (Some(only), None) = (inner.next(), inner.next()) {
                value = only;
            }
        }
        if let Some(index) = index(value) {
            return Ok(Bound::At(index));
        }
        if value.kind() == Kind::String && matches!(&*value.text()?, "-inf" | "+inf") {
            return Ok(Bound::Open);
        }
        Err(node
            .reject(self.clause, format!("{} is no bound", node.describe()))
            .help("a bound is an integer, [integer], \"-inf\" or \"+inf\""))
    }

    fn names(&self, node: Node<'d>) -> Read<usize> {
        array(node, self.clause, "labels")?;
        let mut seen: Vec<String> = Vec::new();
        let mut count = 0;
        for label in node.elements() {
            if label.kind() != Kind::String {
                return Err(label
                    .reject(self.clause, format!("{} is no label", label.describe()))
                    .help("a label is a string, empty for none"));
            }
            let text = label.text()?.into_owned();
            if !text.is_empty() && seen.contains(&text) {
                return Err(label
                    .reject(self.clause, format!("two dimensions are called {text:?}"))
                    .help("labels differ, or are empty"));
            }
            seen.push(text);
            count += 1;
        }
        Ok(count)
    }
}

impl Partial {
    /// The box, where every bound is known.
    pub(super) fn whole(&self) -> Option<Domain> {
        let (mut origin, mut shape) = (Vec::new(), Vec::new());
        for &(start, end) in &self.intervals {
            let (start, end) = (start?, end?);
            origin.push(start);
            shape.push(end.abs_diff(start));
        }
        Domain::new(origin, shape).ok()
    }

    /// Whether the known bounds are those of a box.
    pub(super) fn agrees(&self, domain: &Domain) -> bool {
        self.rank == domain.rank()
            && self
                .intervals
                .iter()
                .zip(domain.intervals())
                .all(|(&(start, end), own)| {
                    start.is_none_or(|start| start == own.start)
                        && end.is_none_or(|end| end == own.end)
                })
    }
}

/// A number of dimensions (downsample.document.rank).
pub(super) fn rank(node: Node<'_>, clause: &'static str) -> Read<usize> {
    index(node)
        .and_then(|rank| usize::try_from(rank).ok())
        .filter(|&rank| rank <= MAX_RANK)
        .ok_or_else(|| {
            node.reject(clause, format!("{} is no rank", node.describe()))
                .help("a rank is an integer of 0 to 32")
        })
}
