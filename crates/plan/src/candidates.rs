//! The proved packings of a range of values: which integers or shorter floats can store it, how, and with
//! what error.
//!
//! A search tries scales and offsets in the data type of the array, and keeps those that `exactum prove`
//! proves for the printed document and its fill value.

mod arithmetic;
mod codes;
mod floats;
mod integers;
mod keepbits;
mod layout;
mod survival;

use exactum_exact::Exact;
use exactum_model::sds::{Needs, Policy};
use exactum_model::{DataType, Format};
use exactum_reference::analysis::Effort;
use exactum_reference::chain::resolve;
use serde_json::Value;

use crate::number;
use crate::proof::{Proof, Tolerance, Verdict};

pub use codes::Target;
pub use keepbits::keepbits;
pub use layout::Layout;

/// A range of values to pack, and the requirements.
#[derive(Clone, Debug)]
pub struct Request {
    /// The data type of the array.
    pub data_type: DataType,
    /// The least and the greatest value, by their bits in the data type; both are finite.
    pub range: [u64; 2],
    /// The special values that have to survive in addition to the values of the range.
    pub needs: Needs,
    /// The bits of the array's fill value, which has to survive. Without it, the plan chooses one.
    pub fill_value: Option<u64>,
    /// The allowed errors.
    pub tolerance: Tolerance,
    /// The choice of the step between integers. Without it, the step is the coarsest one within the
    /// tolerance, or that of [`Policy::Tn115`] if every error is allowed.
    pub step: Option<Step>,
    /// The effort of each proof.
    pub effort: Effort,
}

/// The choice of the step between integers.
#[derive(Clone, Debug)]
pub enum Step {
    /// The step follows from a policy, as defined in `sds.plan.scale`.
    Policy(Policy),
    /// The step has this size.
    Size(Exact),
}

/// A proved packing.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The stored data type.
    pub target: Target,
    /// The codecs, in the form of an array document.
    pub codecs: Value,
    /// The fill value of the array, in the form of an array document.
    pub fill_value: Value,
    /// The largest error of any value of the range.
    pub error: Exact,
    /// The largest error relative to its value, if it was requested.
    pub relative_error: Option<Exact>,
    /// The fraction of the range by which values may leave it on either side; `None` for floats and for a
    /// range of one value.
    pub room: Option<Exact>,
    /// The parameters of the codecs.
    pub layout: Layout,
}

impl Candidate {
    /// Returns the fraction of the range by which values may leave it on either side, rounded to the nearest binary64
    /// number.
    #[must_use]
    pub fn headroom(&self) -> Option<f64> {
        let room = self.room.as_ref()?;
        Some(f64::from_bits(number::nearest(room)))
    }
}

/// Returns the data types into which values of a data type are packed: all integers of up to 32 bits, and
/// floats with fewer bits than the values have.
pub fn targets(data_type: DataType) -> impl Iterator<Item = DataType> {
    let bits = data_type.format().component_bits();
    let is_float = data_type.format().float().is_some();
    DataType::ALL.iter().copied().filter(move |target| {
        let target_bits = target.format().component_bits();
        match target.format() {
            Format::Integer(_) => target_bits <= 32 && (is_float || target_bits < bits),
            Format::Float(_) => is_float && target_bits < bits,
            _ => false,
        }
    })
}

/// Returns all packings of a range that are proved within the tolerance, the smallest first, and among
/// equally small ones those with the smaller error first. If an error or a step size is given, the list
/// includes integers with no more bits than needed.
pub fn candidates(request: &Request) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = targets(request.data_type)
        .filter_map(|target| candidate(request, Target::of(target)).ok())
        .collect();
    found.extend(integers::narrow(request));
    found.sort_by(|a, b| {
        let errors = a.error.compare(&b.error);
        (a.target.bits.cmp(&b.target.bits))
            .then(errors.unwrap_or(std::cmp::Ordering::Equal))
            .then(a.target.data_type.cmp(&b.target.data_type))
    });
    found.dedup_by(|b, a| a.target == b.target);
    found
}

/// Returns the special values that have to survive, selected by the names of NaN and the infinities.
pub fn needs(is_needed: impl Fn(&str) -> bool) -> Needs {
    Needs {
        nan: is_needed("NaN"),
        positive_infinity: is_needed("Infinity"),
        negative_infinity: is_needed("-Infinity"),
    }
}

/// Returns the packing into one type.
///
/// # Errors
/// If no packing is proved. The message gives the reason.
pub fn candidate(request: &Request, target: Target) -> Result<Candidate, String> {
    match target.data_type.format() {
        Format::Integer(_) => integers::integer(request, target),
        _ => floats::float(request, target),
    }
}

impl Request {
    /// Returns the names of the special values that have to survive, as a proof uses them.
    pub fn needs(&self) -> Vec<String> {
        let Needs {
            nan,
            positive_infinity,
            negative_infinity,
        } = self.needs;
        let all = [
            (nan, "NaN"),
            (positive_infinity, "Infinity"),
            (negative_infinity, "-Infinity"),
        ];
        let needed = all.into_iter().filter(|(is_needed, _)| *is_needed);
        needed.map(|(_, name)| name.to_owned()).collect()
    }

    /// Returns the value of an element with these bits.
    fn value(&self, bits: u64) -> Exact {
        Exact::from_bits(&self.data_type.format(), bits)
    }

    /// Returns the least and the greatest value.
    fn ends(&self) -> [Exact; 2] {
        self.range.map(|bits| self.value(bits))
    }

    /// Returns whether the range consists of a single value.
    fn is_single(&self) -> bool {
        self.data_type
            .format()
            .same_value(self.range[0], self.range[1])
    }

    /// Proves the document of a layout, and makes a candidate of it.
    ///
    /// # Errors
    /// If the document is not proved. The message is the result of the proof.
    fn prove(&self, layout: Layout, fill_value: u64) -> Result<Candidate, String> {
        let document = layout.document(self.data_type, fill_value);
        let parsed = exactum_metadata::parse_array(&document.to_string())
            .map_err(|rejection| rejection.to_string())?;
        let survives = resolve(&parsed.chain).map_err(|rejection| rejection.to_string())?;
        if !survives.round_trips {
            return Err("the fill value is not read back as itself".into());
        }
        let needs = self.needs();
        let proof = Proof::with(
            &parsed.chain,
            self.range,
            &needs,
            &self.tolerance,
            self.effort,
        )?;
        let error = proof.analysis.error.as_ref();
        match (proof.verdict(), error) {
            (Verdict::Proved, Some(error)) => Ok(Candidate {
                target: layout.target,
                codecs: document["codecs"].clone(),
                fill_value: document["fill_value"].clone(),
                error: error.bound.clone(),
                relative_error: proof.relative.as_ref().map(|error| error.bound.clone()),
                room: layout.room(self),
                layout,
            }),
            _ => Err(proof.summary()),
        }
    }
}
