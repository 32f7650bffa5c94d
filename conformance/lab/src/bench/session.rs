//! State that all cases of a run share.

use super::options::{Options, Row};
use super::outside::{Outside, Work};
use super::time::Contestant;

/// What all cases share.
pub(super) struct Bench<'a> {
    pub(super) options: &'a Options,
    pub(super) outside: &'a Outside,
    pub(super) progress: &'a mut dyn FnMut(&str),
    pub(super) rows: Vec<Row>,
}

impl<'a> Bench<'a> {
    /// Returns whether the filter takes a case.
    pub(super) fn takes(&self, case: &str) -> bool {
        let filter = self.options.filter.as_ref();
        filter.is_none_or(|filter| case.contains(filter.as_str()))
    }

    /// Who else has a case; `main` is one that the design names. In cache no case takes long.
    pub(super) fn outside(&self, main: bool, work: &Work) -> Vec<Contestant<'a>> {
        if main || self.options.filter.is_some() || self.options.cached {
            self.outside.contestants(work)
        } else {
            Vec::new()
        }
    }
}
