//! The proof that the codecs of an array keep a range of values.

mod report;

use exactum_exact::Exact;
use exactum_model::{Chain, DataType, Format, Reason};
use exactum_reference::analysis::{
    self, Analysis, Effort, Special, WorstError, analyse, relative_error,
};

use crate::number::{self, shown};

pub use report::{error_figure, fault_name};

/// The errors that a packing may have. Without limits, every error is allowed.
#[derive(Clone, Debug)]
pub struct Tolerance {
    /// The largest error.
    pub absolute: Option<Exact>,
    /// The largest error relative to the value.
    pub relative: Option<Exact>,
    /// The least magnitude, other than zero, of the values to which the relative error applies.
    pub smallest: Exact,
}

impl Tolerance {
    /// Returns a tolerance that allows every error.
    #[must_use]
    pub fn any(data_type: DataType) -> Self {
        Self {
            absolute: None,
            relative: None,
            smallest: number::least_normal(data_type),
        }
    }
}

/// The effort of the two commands: the largest error is computed for each code of 16 bits, and for up to
/// 131,072 codes of wider types. For more codes, it is bounded, and some values are tried.
pub const EFFORT: Effort = Effort {
    codes: 1 << 17,
    values: 64,
};

/// The outcome of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every value survives within the allowed error.
    Proved,
    /// A value does not survive.
    Refuted,
    /// Neither a proof nor a counterexample was found.
    Undecided,
}

impl Verdict {
    /// Returns the name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Refuted => "refuted",
            Verdict::Undecided => "undecided",
        }
    }
}

/// Whether an error is within the tolerance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The error is within the tolerance.
    Yes,
    /// The error of a value, given by its bits, is too large.
    Exceeded(u64, Exact),
    /// The bound is too large, but no value that was tried has too large an error.
    Unknown,
}

impl Kept {
    fn of(error: Option<&WorstError>, limit: Option<&Exact>) -> Self {
        let Some(limit) = limit else {
            return Kept::Yes;
        };
        let Some(error) = error else {
            return Kept::Unknown;
        };
        let is_kept = |error: &Exact| error.compare(limit).is_some_and(std::cmp::Ordering::is_le);
        match &error.shown {
            _ if is_kept(&error.bound) => Kept::Yes,
            Some((value, error)) if !is_kept(error) => Kept::Exceeded(*value, error.clone()),
            _ => Kept::Unknown,
        }
    }
}

/// The results about a range.
pub struct Proof<'c> {
    chain: &'c Chain,
    /// The chain for a single element, which is used to show values.
    pub one: Chain,
    range: [u64; 2],
    tolerance: Tolerance,
    /// The analysis of the values.
    pub analysis: Analysis,
    /// The largest relative error, if it was requested and every value survives.
    pub relative: Option<WorstError>,
    /// The special values that have to survive and do not.
    unmet: Vec<Special>,
    /// The values of the range that attributes of CF declare missing.
    missing: Vec<Missing>,
}

/// A value of the array that readers of CF treat as missing, although it survives.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Missing {
    /// The name of the attribute.
    attribute: &'static str,
    /// The bits of the value.
    value: u64,
}

impl<'c> Proof<'c> {
    /// Analyses a range, given by the bits of its ends.
    ///
    /// # Errors
    /// If there is nothing to analyse. The message gives the reason.
    pub fn of(
        chain: &'c Chain,
        range: [u64; 2],
        needs: &[String],
        tolerance: &Tolerance,
    ) -> Result<Self, String> {
        Self::with(chain, range, needs, tolerance, EFFORT)
    }

    /// Analyses a range with the given effort.
    ///
    /// # Errors
    /// If there is nothing to analyse. The message gives the reason.
    pub fn with(
        chain: &'c Chain,
        range: [u64; 2],
        needs: &[String],
        tolerance: &Tolerance,
        effort: Effort,
    ) -> Result<Self, String> {
        let data_type = chain.data_type;
        let one = analysis::single(chain).map_err(|rejection| rejection.message)?;
        if !data_type.is_real() {
            return Err(format!("the values of {data_type} are not real numbers"));
        }
        let refused = |rejection: exactum_model::Rejection| match rejection.reason {
            Reason::OutOfRange => format!(
                "{}..{} is not a range: expected two finite numbers, of which the second is not \
                 less than the first",
                shown(data_type, range[0]),
                shown(data_type, range[1])
            ),
            _ => rejection.message,
        };
        let analysis = analyse(chain, range, effort).map_err(refused)?;
        let relative = match &tolerance.relative {
            Some(_) if analysis.is_proof() => {
                relative_error(chain, range, &tolerance.smallest, effort).map_err(refused)?
            }
            _ => None,
        };
        let mut unmet = Vec::new();
        for need in needs {
            let bits = number::read(data_type, need)
                .map_err(|_| format!("{data_type} has no {need}, so it cannot be required"))?;
            let is_it = |special: &&Special| data_type.format().same_value(special.value, bits);
            let special = analysis.specials.iter().find(is_it);
            unmet.extend(special.filter(|it| !comes_back(data_type, it)).cloned());
        }
        Ok(Proof {
            chain,
            one,
            range,
            tolerance: tolerance.clone(),
            analysis,
            relative,
            unmet,
            missing: Vec::new(),
        })
    }

    /// Adds the bits of values that readers of CF treat as missing, with the names of the attributes. If one
    /// of them is in the range, the proof is refuted.
    pub fn with_missing(mut self, missing: &[(&'static str, u64)]) -> Self {
        let format = self.chain.data_type.format();
        let value = |bits: u64| Exact::from_bits(&format, bits);
        let [least, greatest] = self.range.map(value);
        let is_in_range = |it: &Missing| {
            let value = value(it.value);
            let from = least.compare(&value);
            let to = value.compare(&greatest);
            [from, to]
                .into_iter()
                .all(|order| order.is_some_and(std::cmp::Ordering::is_le))
        };
        let named = missing
            .iter()
            .map(|&(attribute, value)| Missing { attribute, value });
        self.missing = named.filter(is_in_range).collect();
        self
    }

    /// Returns the outcome of the proof.
    pub fn verdict(&self) -> Verdict {
        let analysis = &self.analysis;
        if !analysis.faults.is_empty() || !self.unmet.is_empty() || !self.missing.is_empty() {
            return Verdict::Refuted;
        }
        if !self.analysis.complete {
            return Verdict::Undecided;
        }
        match (self.absolute_kept(), self.relative_kept()) {
            (Kept::Exceeded(..), _) | (_, Kept::Exceeded(..)) => Verdict::Refuted,
            (Kept::Yes, Kept::Yes) => Verdict::Proved,
            _ => Verdict::Undecided,
        }
    }

    /// Returns the reason why there is no proof, as a clause of a sentence.
    pub fn summary(&self) -> String {
        if let Some(fault) = self.analysis.faults.first() {
            return self.short_fault(fault);
        }
        if let Some(special) = self.unmet.first() {
            return format!("{} is not read back as itself", self.value(special.value));
        }
        match (self.absolute_kept(), self.relative_kept()) {
            (Kept::Yes, Kept::Yes) => "it is not decided whether every value survives".into(),
            (Kept::Yes, _) => {
                let error = self
                    .relative
                    .as_ref()
                    .map(|error| error_figure(&error.bound));
                let error = error.unwrap_or_else(|| "not known".into());
                format!("the relative error is {error}, which exceeds the allowed error")
            }
            _ => {
                let error = self.analysis.error.as_ref();
                let error = error.map(|error| error_figure(&error.bound));
                let error = error.unwrap_or_else(|| "not known".into());
                format!("the error is {error}, which exceeds the allowed error")
            }
        }
    }

    /// Returns whether the largest error is within the tolerance.
    fn absolute_kept(&self) -> Kept {
        Kept::of(
            self.analysis.error.as_ref(),
            self.tolerance.absolute.as_ref(),
        )
    }

    /// Returns whether the largest relative error is within the tolerance.
    fn relative_kept(&self) -> Kept {
        Kept::of(self.relative.as_ref(), self.tolerance.relative.as_ref())
    }
}

/// Returns a range that contains both zeros if it begins or ends with one.
pub fn with_both_zeros(data_type: DataType, range: [u64; 2]) -> [u64; 2] {
    let [mut least, mut greatest] = range;
    if let Format::Float(format) = data_type.format() {
        if format.negative_zero && format.is_zero(least) {
            least = format.sign_mask();
        }
        if format.is_zero(greatest) {
            greatest = 0;
        }
    }
    [least, greatest]
}

fn comes_back(data_type: DataType, special: &Special) -> bool {
    let stored = special.outcome.as_ref();
    stored.is_ok_and(|stored| {
        let back = stored.back.as_ref();
        back.is_ok_and(|back| data_type.format().same_value(*back, special.value))
    })
}
