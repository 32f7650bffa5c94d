//! Positions whose bounds need not all be known: those of transforms, of schemas, and of views before the
//! last transform is applied.

use std::fmt;

use exactum_model::{Domain, Level, Rejection};

use crate::diagnostic::Read;
use crate::json::Node;

/// The bounds of an unbounded dimension where a box needs numbers. TensorStore's positions lie between them.
const INFINITE: i64 = (1 << 62) - 1;

/// The degree to which a bound is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Firm {
    /// The bound is not stated, and nothing is known beyond it.
    Implied,
    /// The bound is not stated, and there is nothing beyond it. It belongs to an array in another place that
    /// can grow.
    Limit,
    /// The bound is stated.
    Stated,
}

/// The beginning or the end of a dimension, or `None` if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) at: Option<i64>,
    pub(super) firm: Firm,
}

impl Bound {
    pub(super) const OPEN: Self = Self {
        at: None,
        firm: Firm::Implied,
    };

    pub(super) fn stated(at: i64) -> Self {
        Self {
            at: Some(at),
            firm: Firm::Stated,
        }
    }

    pub(super) fn is_said(self) -> bool {
        self.firm == Firm::Stated
    }

    /// Returns this bound or another: a stated bound has priority, and otherwise the `narrower` one.
    fn or(self, other: Self, narrower: impl Fn(i64, i64) -> i64) -> Self {
        match (self.is_said(), other.is_said()) {
            (true, false) => return self,
            (false, true) => return other,
            _ => {}
        }
        let at = match (self.at, other.at) {
            (Some(own), Some(there)) => Some(narrower(own, there)),
            (own, there) => own.or(there),
        };
        let mut chosen = [self, other].into_iter().filter(|it| it.at == at);
        let first = chosen.next().unwrap_or(self);
        let firm = chosen.fold(first.firm, |firm, it| firm.max(it.firm));
        Self { at, firm }
    }
}

/// The positions along a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) start: Bound,
    pub(super) end: Bound,
}

impl Interval {
    /// All positions, unless stated otherwise.
    pub(super) const OPEN: Self = Self {
        start: Bound::OPEN,
        end: Bound::OPEN,
    };

    /// Returns these positions and no others.
    pub(super) fn fixed(start: i64, end: i64) -> Self {
        Self {
            start: Bound::stated(start),
            end: Bound::stated(end),
        }
    }

    /// Returns the bounds as numbers; infinite ones are as far away as possible.
    pub(super) fn held(self) -> (i64, i64) {
        let start = self.start.at.unwrap_or(-INFINITE);
        (start, self.end.at.unwrap_or(INFINITE + 1).max(start))
    }

    /// Returns the interval with those bounds that are firm enough, and without the others.
    pub(super) fn firm(self, least: Firm) -> Self {
        let bound = |bound: Bound| match bound.firm >= least {
            true => bound,
            false => Bound::OPEN,
        };
        Self {
            start: bound(self.start),
            end: bound(self.end),
        }
    }

    pub(super) fn is_said(self) -> bool {
        self.start.is_said() && self.end.is_said()
    }

    pub(super) fn is_empty(self) -> bool {
        self.start.at.is_some() && self.start.at == self.end.at
    }

    /// Returns whether this interval contains every position of another.
    pub(super) fn contains(self, other: Self) -> bool {
        let starts = match (self.start.at, other.start.at) {
            (None, _) => true,
            (Some(own), Some(other)) => own <= other,
            (Some(_), None) => false,
        };
        let ends = match (self.end.at, other.end.at) {
            (None, _) => true,
            (Some(own), Some(other)) => other <= own,
            (Some(_), None) => false,
        };
        other.is_empty() || (starts && ends)
    }

    /// Returns whether this interval contains a position.
    pub(super) fn has(self, at: i64) -> bool {
        self.start.at.is_none_or(|start| start <= at) && self.end.at.is_none_or(|end| at < end)
    }

    /// Returns the intersection of two intervals.
    pub(super) fn meet(self, other: Self) -> Self {
        Self {
            start: self.start.or(other.start, i64::max),
            end: self.end.or(other.end, i64::min),
        }
        .ordered()
    }

    /// Returns the interval, shortened so that it does not end before it begins.
    pub(super) fn ordered(mut self) -> Self {
        if let (Some(start), Some(end)) = (self.start.at, self.end.at) {
            self.end.at = Some(end.max(start));
        }
        self
    }
}

impl fmt::Display for Interval {
    /// Writes `[0, 4)`, with `(-inf` and `+inf)` for missing bounds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.start.at {
            Some(start) => write!(f, "[{start}, ")?,
            None => f.write_str("(-inf, ")?,
        }
        match self.end.at {
            Some(end) => write!(f, "{end})"),
            None => f.write_str("+inf)"),
        }
    }
}

/// A box of positions whose bounds need not all be known, and the names of its dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Extents {
    pub(super) intervals: Vec<Interval>,
    /// A name for each dimension, empty where it has none.
    pub(super) labels: Vec<String>,
}

impl Extents {
    /// Returns dimensions without names.
    pub(super) fn of(intervals: Vec<Interval>) -> Self {
        Self {
            labels: vec![String::new(); intervals.len()],
            intervals,
        }
    }

    /// Returns the positions of a box, all of them stated.
    pub(super) fn fixed(domain: &Domain) -> Self {
        let intervals = domain.intervals();
        Self::of(
            intervals
                .map(|it| Interval::fixed(it.start, it.end))
                .collect(),
        )
    }

    /// Returns the positions of an array in another place.
    pub(super) fn stored(domain: &Domain, labels: Vec<String>) -> Self {
        let mut extents = Self::fixed(domain);
        for interval in &mut extents.intervals {
            interval.end.firm = Firm::Limit;
        }
        if labels.len() == extents.rank() {
            extents.labels = labels;
        }
        extents
    }

    pub(super) fn rank(&self) -> usize {
        self.intervals.len()
    }

    /// Returns the box, if every bound is known.
    pub(super) fn whole(&self) -> Option<Domain> {
        let (mut origin, mut shape) = (Vec::new(), Vec::new());
        for interval in &self.intervals {
            let (start, end) = (interval.start.at?, interval.end.at?);
            origin.push(start);
            shape.push(end.abs_diff(start));
        }
        Domain::new(origin, shape).ok()
    }

    /// Returns the first dimension without a bound.
    pub(super) fn open(&self) -> Option<usize> {
        let is_open = |it: &Interval| it.start.at.is_none() || it.end.at.is_none();
        self.intervals.iter().position(is_open)
    }

    /// Returns the box with numbers in place of missing bounds.
    pub(super) fn held(&self) -> Domain {
        self.reach(&[])
    }

    /// Returns the box of all positions that may exist: along the named dimensions, there can be more beyond
    /// an implied bound.
    pub(super) fn reach(&self, along: &[bool]) -> Domain {
        let intervals = self.intervals.iter().enumerate();
        Domain::of_intervals(intervals.map(|(dimension, interval)| {
            let is_wide = along.get(dimension).is_some_and(|wide| *wide);
            let least = if is_wide { Firm::Limit } else { Firm::Implied };
            let (start, end) = interval.firm(least).held();
            start..end
        }))
    }

    /// Returns the positions of a level of this box. Missing bounds stay missing in the level, and implicit bounds stay
    /// implicit.
    pub(super) fn level(&self, level: &Level) -> Result<Self, Rejection> {
        let domain = level.domain(&self.held())?;
        let intervals = std::iter::zip(domain.intervals(), &self.intervals);
        let bound = |own: Bound, made: i64| Bound {
            at: own.at.map(|_| made),
            ..own
        };
        let intervals = intervals.map(|(made, own)| Interval {
            start: bound(own.start, made.start),
            end: bound(own.end, made.end),
        });
        Ok(Self {
            intervals: intervals.collect(),
            labels: self.labels.clone(),
        })
    }

    /// Requires these positions to be those that a schema demands: stated bounds and names of dimensions must
    /// be equal.
    pub(super) fn require(&self, demanded: &Demanded<'_>) -> Read<()> {
        let bound = |stated: Bound, own: Bound| {
            let is_open = |it: Bound| it.at.is_none() && !it.is_said();
            is_open(stated) || is_open(own) || stated.at == own.at
        };
        let Demanded { node, extents, .. } = demanded;
        let pairs = self.intervals.iter().zip(&extents.intervals);
        for (dimension, (own, stated)) in pairs.enumerate() {
            if !bound(stated.start, own.start) || !bound(stated.end, own.end) {
                return Err(node
                    .reject(
                        "downsample.document.schema",
                        format!("dimension {dimension} is {own}, but the schema demands {stated}"),
                    )
                    .help(
                        "the domain of a schema is not the domain of the base; it applies before \
                         the transform of the same document",
                    ));
            }
        }
        let names = self.labels.iter().zip(&extents.labels);
        for (dimension, (own, stated)) in names.enumerate() {
            if !own.is_empty() && !stated.is_empty() && own != stated {
                return Err(demanded
                    .labels
                    .unwrap_or(*node)
                    .reject(
                        "downsample.document.schema",
                        format!("dimension {dimension} is called {own:?}, but the schema demands {stated:?}"),
                    )
                    .help("write the name of the dimension, or an empty string"));
            }
        }
        Ok(())
    }

    /// Marks demanded bounds that exist as stated.
    pub(super) fn harden(&mut self, demanded: &Extents) {
        for (own, stated) in self.intervals.iter_mut().zip(&demanded.intervals) {
            own.start.firm = own.start.firm.max(stated.start.firm);
            own.end.firm = own.end.firm.max(stated.end.firm);
        }
    }
}

/// The positions that a schema demands, and the place of the demand.
pub(super) struct Demanded<'d> {
    pub(super) node: Node<'d>,
    pub(super) labels: Option<Node<'d>>,
    pub(super) extents: Extents,
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Interval {
        fn with(mut self, firm: Firm) -> Self {
            (self.start.firm, self.end.firm) = (firm, firm);
            self
        }
    }

    #[test]
    fn a_bound_that_is_said_comes_first() {
        let soft = |start, end| Interval::fixed(start, end).with(Firm::Implied);
        let check = |one: Interval, other: Interval, expected: &str| {
            for met in [one.meet(other), other.meet(one)] {
                assert_eq!(met.to_string(), expected, "{one} and {other}");
            }
        };
        check(Interval::fixed(0, 9), soft(2, 5), "[0, 9)");
        check(Interval::fixed(0, 9), Interval::fixed(2, 12), "[2, 9)");
        check(Interval::OPEN, soft(2, 5), "[2, 5)");
        check(soft(1, 9), soft(3, 4), "[3, 4)");
        check(Interval::fixed(0, 2), Interval::fixed(5, 9), "[5, 5)");
        let all = -INFINITE..INFINITE + 1;
        assert_eq!(Extents::of(vec![Interval::OPEN]).held().interval(0), all);
        let implied = Extents::of(vec![soft(0, 3)]);
        assert_eq!(implied.held().interval(0), 0..3);
        assert_eq!(implied.reach(&[true]).interval(0), all);
        let limit = Extents::of(vec![Interval::fixed(0, 3).with(Firm::Limit)]);
        assert_eq!(limit.reach(&[true]).interval(0), 0..3);
    }
}
