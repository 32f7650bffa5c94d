//! The packings of a range of values that are proved: which integers or shorter floats can store it, how, and with what
//! error.
//!
//! A search tries scales and offsets in the data type of the array, and keeps what `exactum prove` proves for the
//! document that is printed, with its fill value.

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
use exactum_reference::chain::resolve;
use serde_json::Value;

use super::scan::Found;
use crate::number;
use crate::proof::{Errors, Proof, Tolerance, Verdict, with_both_zeros};

pub(crate) use codes::Target;
pub(crate) use keepbits::keepbits;
pub(crate) use layout::Layout;

/// What is to be packed.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The data type of the array.
    pub(crate) data_type: DataType,
    /// The least and the greatest value, by their bits in the data type; both are finite.
    pub(crate) range: [u64; 2],
    /// What has to survive beside the values of the range.
    pub(crate) needs: Needs,
    /// The bits of the array's fill value, which has to survive; without it the plan chooses one.
    pub(crate) fill_value: Option<u64>,
    /// The errors that are allowed.
    pub(crate) tolerance: Tolerance,
    /// How the step of integers is chosen. Without it, it is the coarsest one that keeps the tolerance, or that of
    /// [`Policy::Tn115`] where every error is allowed.
    pub(crate) step: Option<Step>,
}

/// How the step of integers is chosen.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// By a policy, as `sds.plan.scale` has it.
    Policy(Policy),
    /// It has this size.
    Size(Exact),
}

/// A packing that is proved.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// What is stored.
    pub(crate) target: Target,
    /// The codecs, as an array document has them.
    pub(crate) codecs: Value,
    /// The fill value of the array, as its document has it.
    pub(crate) fill_value: Value,
    /// No error of a value of the range is larger.
    pub(crate) error: Exact,
    /// No error is larger as a part of its value, where that was asked for.
    pub(crate) relative_error: Option<Exact>,
    /// The part of the range by which values may leave it on either side; `None` for floats and for a range of one
    /// value.
    pub(crate) room: Option<Exact>,
    /// The numbers of the codecs.
    pub(crate) layout: Layout,
}

/// The data types that values of a data type are packed into: all integers of up to 32 bits, and floats with fewer
/// bits than the values have.
pub(crate) fn targets(data_type: DataType) -> impl Iterator<Item = DataType> {
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

/// All packings of a range that are proved within the tolerance, the smallest first, and of equally small ones that
/// with the smaller error. Where an error or a size of the steps is given, integers with no more bits than they need
/// are among them.
pub(crate) fn candidates(request: &Request) -> Vec<Candidate> {
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

/// What has to survive beside finite numbers, by the names of NaN and the infinities.
pub(crate) fn needs(is_needed: impl Fn(&str) -> bool) -> Needs {
    Needs {
        nan: is_needed("NaN"),
        positive_infinity: is_needed("Infinity"),
        negative_infinity: is_needed("-Infinity"),
    }
}

/// The packing into one type.
///
/// # Errors
/// When there is none that is proved, with the reason.
pub(crate) fn candidate(request: &Request, target: Target) -> Result<Candidate, String> {
    match target.data_type.format() {
        Format::Integer(_) => integers::integer(request, target),
        _ => floats::float(request, target),
    }
}

impl Request {
    /// The request for all values of an array, with its fill value.
    ///
    /// Where the array holds no finite number, the range is zero.
    pub(crate) fn of(found: &Found, errors: &Errors) -> Self {
        let data_type = found.data_type;
        let shown = found.fill_value.map(|bits| number::shown(data_type, bits));
        let is_needed =
            |name: &str| found.specials().any(|it| it == name) || shown.as_deref() == Some(name);
        Self {
            data_type,
            range: with_both_zeros(data_type, found.range.unwrap_or_default()),
            needs: needs(is_needed),
            fill_value: found.fill_value,
            tolerance: errors.tolerance(data_type, found.smallest()),
            step: None,
        }
    }

    /// What has to survive, by the names that a proof has for it.
    pub(crate) fn needs(&self) -> Vec<String> {
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

    /// The value of bits of the data type.
    fn value(&self, bits: u64) -> Exact {
        Exact::from_bits(&self.data_type.format(), bits)
    }

    /// The least and the greatest value.
    fn ends(&self) -> [Exact; 2] {
        self.range.map(|bits| self.value(bits))
    }

    /// Whether the range has one value only.
    fn is_single(&self) -> bool {
        self.data_type
            .format()
            .same_value(self.range[0], self.range[1])
    }

    /// Proves the document of a layout and makes a candidate of it.
    ///
    /// # Errors
    /// With what the proof says instead.
    fn prove(&self, layout: Layout, fill_value: u64) -> Result<Candidate, String> {
        let document = layout.document(self.data_type, fill_value);
        let parsed = exactum_metadata::parse_array(&document.to_string())
            .map_err(|rejection| rejection.to_string())?;
        let survives = resolve(&parsed.chain).map_err(|rejection| rejection.to_string())?;
        if !survives.round_trips {
            return Err("the fill value does not come back".into());
        }
        let needs = self.needs();
        let proof = Proof::of(&parsed.chain, self.range, &needs, &self.tolerance)?;
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
