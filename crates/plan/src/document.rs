//! A packing as JSON, and as the attributes and encodings of other conventions.

use exactum_exact::Exact;
use exactum_metadata::sds::number_to_json;
use exactum_metadata::{Document, DocumentKind};
use exactum_model::{DataType, Format};
use serde_json::{Value, json};

use super::candidates::{Candidate, Request, Target};
use super::number::{self, shown};
use super::proof::{Proof, Tolerance, Verdict};
use super::unpacked::of_variable;

/// The scale and the offset as other conventions write them.
#[derive(Clone, Copy, Debug)]
pub struct Scaling {
    /// The SCALE of the note, which is the scale of the codec.
    pub scale: u64,
    /// The OFFSET of the note.
    pub offset: u64,
    /// The size of a step.
    pub factor: u64,
    /// The value of the code 0, which is the offset of the codec.
    pub zero: u64,
    /// Whether the factor and the zero are exact.
    pub is_exact: bool,
}

impl Scaling {
    /// Returns the scaling of a packing into integers.
    #[must_use]
    pub fn of(candidate: &Candidate) -> Option<Self> {
        let target = candidate.target.data_type.format();
        let layout = &candidate.layout;
        // A packing that consists only of a map has no scale.
        let is_scaled = layout.scale.is_some() || layout.offset.is_some() || layout.map.is_empty();
        if !matches!(target, Format::Integer(_)) || !is_scaled || layout.keep_bits.is_some() {
            return None;
        }
        let (scale, zero) = (layout.scale(), layout.offset());
        let factor = Exact::integer(1).divide(&scale);
        let offset = match &zero {
            Exact::Zero { .. } => Exact::integer(0),
            zero => zero.negate().multiply(&scale),
        };
        let binary64 = DataType::Float64.format();
        let is_exact = |value: &Exact| {
            let rounded = Exact::from_bits(&binary64, number::nearest(value));
            rounded
                .compare(value)
                .is_some_and(std::cmp::Ordering::is_eq)
        };
        Some(Self {
            scale: number::nearest(&scale),
            offset: number::nearest(&offset),
            factor: number::nearest(&factor),
            zero: number::nearest(&zero),
            is_exact: is_exact(&factor) && is_exact(&zero),
        })
    }
}

/// Returns the codes of NaN and the infinities, with their names.
#[must_use]
pub fn codes(candidate: &Candidate) -> Vec<(String, String)> {
    let layout = &candidate.layout;
    let entries = layout.map.iter();
    entries
        .map(|&(value, code)| {
            (
                shown(layout.work, value),
                shown(layout.target.data_type, code),
            )
        })
        .collect()
}

/// Returns the code of NaN.
#[must_use]
pub fn missing(candidate: &Candidate) -> Option<Value> {
    let nan = codes(candidate).into_iter().find(|(name, _)| name == "NaN");
    nan.and_then(|(_, code)| serde_json::from_str(&code).ok())
}

/// Returns the attributes of CF, for integer types of NetCDF. They have a code only for NaN.
#[must_use]
pub fn cf(candidate: &Candidate) -> Option<Value> {
    let Target { data_type, bits } = candidate.target;
    let is_plain = matches!(bits, 8 | 16 | 32) && !candidate.target.is_packed();
    let scaling = Scaling::of(candidate).filter(|_| is_plain)?;
    let mut attributes = json!({
        "scale_factor": number_to_json(scaling.factor),
        "add_offset": number_to_json(scaling.zero),
    });
    if let Some(code) = missing(candidate) {
        attributes["_FillValue"] = code;
    }
    debug_assert!(matches!(data_type.format(), Format::Integer(_)));
    Some(attributes)
}

/// Returns the largest error of the values that a reader of CF gets with these attributes, if it is proved to
/// be within the tolerance and everything else that has to survive does. Such a reader computes in float64
/// with the numbers of the attributes, not in the data type of the codecs.
#[must_use]
pub fn cf_error(request: &Request, candidate: &Candidate, tolerance: &Tolerance) -> Option<Exact> {
    let mut variable = cf(candidate)?;
    variable["data_type"] = candidate.target.data_type.name().into();
    let variable = variable.to_string();
    let document = Document::scan_as(variable.as_bytes(), DocumentKind::Cf).ok()?;
    let codec = document.variable().ok()?;
    let format = request.data_type.format();
    let [least, greatest] = request.range.map(|bits| Exact::from_bits(&format, bits));
    let range = [number::below(&least), number::above(&greatest)];
    let chain = of_variable(codec);
    let proof = Proof::with(&chain, range, &request.needs(), tolerance, request.effort).ok()?;
    let is_proved = proof.verdict() == Verdict::Proved;
    let error = proof.analysis.error.as_ref().filter(|_| is_proved)?;
    Some(error.bound.clone())
}

/// Returns the encoding of a variable for xarray.
#[must_use]
pub fn encoding(candidate: &Candidate) -> Option<Value> {
    let mut encoding = cf(candidate)?;
    encoding["dtype"] = candidate.target.data_type.name().into();
    Some(encoding)
}

/// Returns a plan as JSON.
#[must_use]
pub fn document(request: &Request, first: &Candidate, all: &[Candidate]) -> Value {
    let mut document = one(request, first);
    if !all.is_empty() {
        document["candidates"] = all.iter().map(|it| one(request, it)).collect();
    }
    document
}

/// Returns a packing as JSON.
fn one(request: &Request, candidate: &Candidate) -> Value {
    let scaling = Scaling::of(candidate);
    let code = |name: &str| {
        let code = codes(candidate).into_iter().find(|(it, _)| it == name);
        code.and_then(|(_, code)| serde_json::from_str::<Value>(&code).ok())
    };
    let (positive, negative) = (code("Infinity"), code("-Infinity"));
    let infinite = match (&positive, &negative) {
        (None, None) => Value::Null,
        _ => json!({"pos": positive, "neg": negative}),
    };
    let error = |error: &Exact| number_to_json(number::above(error));
    json!({
        "data_type": request.data_type.name(),
        "range": request.range.map(|bits| end(request.data_type, bits)),
        "target": candidate.target.data_type.name(),
        "bytes": candidate.target.bytes(),
        "keepbits": candidate.layout.keep_bits,
        "scale": scaling.as_ref().map(|it| number_to_json(it.scale)),
        "offset": scaling.as_ref().map(|it| number_to_json(it.offset)),
        "fill": code("NaN"),
        "infinite": infinite,
        "maximum_error": error(&candidate.error),
        "maximum_relative_error": candidate.relative_error.as_ref().map(error),
        "headroom": candidate.headroom(),
        "codecs": candidate.codecs,
        "fill_value": candidate.fill_value,
        "cf": cf(candidate),
        "cf_maximum_error": cf_error(request, candidate, &Tolerance::any(DataType::Float64)).as_ref().map(error),
        "xarray": encoding(candidate),
    })
}

/// Returns an end of a range as text; the sign of a zero does not matter.
fn end(data_type: DataType, bits: u64) -> String {
    let is_zero = data_type.format().same_value(bits, 0);
    shown(data_type, if is_zero { 0 } else { bits })
}
