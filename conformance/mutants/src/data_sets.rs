//! Deviations from the reference in answers about data sets.

use std::sync::Arc;

use exactum_conformance::Converted;
use exactum_conformance::model::Rejection;
use exactum_conformance::model::sds::{
    DataSet, External, Lowered, Output, Plan, PlanRequest, Profile, Scaling, SdsType, Warning,
};
use exactum_reference::Reference;
use exactum_reference::sds::{self, Conversion};
use serde_json::{Map, Value};

/// A question about data sets.
#[derive(Clone, Copy)]
pub enum SdsAsked<'a> {
    /// `sds.convert`
    Convert(&'a DataSet, SdsType, Profile),
    /// `sds.read`
    Read(&'a DataSet, Option<SdsType>, Option<External>, Profile),
    /// `sds.write`
    Write(&'a DataSet, Option<SdsType>, Output, Profile),
}

/// A change to the right answer.
pub type SdsPart = Arc<dyn Fn(&SdsAsked<'_>, Converted) -> Converted + Send + Sync>;

impl SdsAsked<'_> {
    pub(crate) fn input(&self) -> &DataSet {
        match self {
            SdsAsked::Convert(input, ..)
            | SdsAsked::Read(input, ..)
            | SdsAsked::Write(input, ..) => input,
        }
    }

    /// Returns the right answer.
    pub(crate) fn answer(&self) -> Converted {
        self.by(&Reference)
    }

    /// Returns the answer under the given decisions.
    pub(crate) fn by(&self, rules: &dyn Conversion) -> Converted {
        match *self {
            SdsAsked::Convert(input, target, profile) => {
                sds::convert_with(rules, input, target, profile)
            }
            SdsAsked::Read(input, cast, external, profile) => {
                sds::read_with(rules, input, cast, external, profile)
            }
            SdsAsked::Write(input, cast, ref output, profile) => {
                sds::write_with(rules, input, cast, output, profile)
            }
        }
    }

    /// Returns the right answer for another data set.
    pub(crate) fn about(&self, input: &DataSet) -> Converted {
        match *self {
            SdsAsked::Convert(_, target, profile) => SdsAsked::Convert(input, target, profile),
            SdsAsked::Read(_, cast, external, profile) => {
                SdsAsked::Read(input, cast, external, profile)
            }
            SdsAsked::Write(_, cast, output, profile) => {
                SdsAsked::Write(input, cast, output, profile)
            }
        }
        .answer()
    }
}

/// A change to the mask of missing values.
pub type MaskPart = fn(&DataSet, Vec<bool>) -> Vec<bool>;

/// A change to the right plan for a range.
pub(crate) type PlanPart =
    Arc<dyn Fn(&PlanRequest, Result<Plan, Rejection>) -> Result<Plan, Rejection> + Send + Sync>;

/// A change to the answer about a plan.
pub(crate) type AnswerPart = fn(&PlanRequest, &mut Map<String, Value>);

/// Deviations from the reference in answers about data sets.
#[derive(Clone)]
pub struct SdsFaults {
    /// Changes a converted data set.
    pub answer: Option<SdsPart>,
    /// Changes a scaling expressed in other conventions.
    pub lowered: Option<fn(Scaling, Lowered) -> Lowered>,
    /// Changes the mask of missing values.
    pub mask: Option<MaskPart>,
    /// A warning that is omitted.
    pub omitted: Option<Warning>,
    /// Changes a plan.
    pub planned: Option<PlanPart>,
    /// Changes the answer about a plan, including its codecs.
    pub codecs: Option<AnswerPart>,
}

impl SdsFaults {
    /// No deviation from the reference.
    pub const NONE: Self = Self {
        answer: None,
        lowered: None,
        mask: None,
        omitted: None,
        planned: None,
        codecs: None,
    };

    pub(crate) fn are_none(&self) -> bool {
        self.answer.is_none()
            && self.lowered.is_none()
            && self.mask.is_none()
            && self.omitted.is_none()
    }

    pub(crate) fn converted(&self, asked: &SdsAsked<'_>) -> Converted {
        let mut right = asked.answer();
        if let Some(part) = &self.answer {
            right = part(asked, right);
        }
        match self.omitted {
            Some(warning) => right.map(|(set, mut warnings)| {
                warnings.remove(&warning);
                (set, warnings)
            }),
            None => right,
        }
    }
}
