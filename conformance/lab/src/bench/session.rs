//! State that all cases of a run share.

use exactum_conformance::model::Rejection;
use serde_json::Value;

use super::options::{Options, Row};
use super::outside::{Outside, Work};
use super::peer::{Number, bytes};
use super::placed::{self, Placed};
use super::time::{Case, Contestant, race};

/// The state that all cases share.
pub(super) struct Bench<'a> {
    pub(super) options: &'a Options,
    pub(super) outside: &'a Outside,
    pub(super) progress: &'a mut dyn FnMut(&str),
    pub(super) rows: Vec<Row>,
}

impl<'a> Bench<'a> {
    /// Returns whether the filter selects a case.
    pub(super) fn takes(&self, case: &str) -> bool {
        let filter = self.options.filter.as_ref();
        filter.is_none_or(|filter| case.contains(filter.as_str()))
    }

    /// Returns whether programs in other languages run all cases, not only those that the design names. With cached
    /// data no case takes long.
    pub(super) fn is_small(&self) -> bool {
        self.options.filter.is_some() || self.options.cached
    }

    /// Announces a case that reads and writes a number of bytes. Returns `None` if the filter excludes it.
    pub(super) fn case(&mut self, row: &'static str, name: String, bytes: usize) -> Option<Case> {
        if !self.takes(&name) {
            return None;
        }
        (self.progress)(&name);
        Some(Case { row, name, bytes })
    }

    /// Times the contestants of a case, including the programs in other languages that support it.
    pub(super) fn race<'b>(
        &mut self,
        case: &Case,
        mut contestants: Vec<Contestant<'b>>,
        work: Option<&Work>,
    ) where
        'a: 'b,
    {
        if let Some(work) = work {
            contestants.extend(self.outside.contestants(case.row, work));
        }
        race(self.options, case, contestants, &mut self.rows);
    }
}

/// A codec of Exactum on slices.
type Function<'a, E> = dyn Fn(&[E], &mut [E]) -> Result<(), Rejection> + 'a;

impl Bench<'_> {
    /// Measures one codec on slices whose elements keep their type, with 30000 elements that repeat.
    pub(super) fn slices<E: Number>(
        &mut self,
        row: &'static str,
        name: String,
        work: Value,
        element: fn(u16) -> E,
        function: &Function<'_, E>,
    ) {
        let count = self.options.traffic() / 2 / size_of::<E>();
        let Some(case) = self.case(row, name, 2 * count * size_of::<E>()) else {
            return;
        };
        let period: Vec<E> = (0..30_000).map(element).collect();
        let input = Placed::new(placed::INPUT, count, &period);
        let mut output = Placed::new(placed::OUTPUT, count, &period);
        let first = period.len().min(count);
        function(&input[..first], &mut output[..first]).expect("the input is accepted");
        let work = Work {
            case: work,
            period: bytes(&period),
            count,
            output: E::DATA_TYPE,
            first: bytes(&output[..first]),
        };
        let contestants = vec![Contestant::here("optimized", || {
            function(&input, &mut output).expect("the input is accepted");
        })];
        self.race(&case, contestants, Some(&work));
    }
}

/// Returns the measurements of a quick run of the cases of a row whose names contain `filter`.
#[cfg(test)]
pub(super) fn quick(row: &str, filter: &str, cached: bool) -> Vec<Row> {
    let options = Options {
        row: Some(row.to_owned()),
        filter: Some(filter.to_owned()),
        quick: true,
        cached,
        ..Options::default()
    };
    super::run(&options, &Outside::default(), |_| ())
}
