//! The codecs with which an array is packed, and the largest error that is proved for them.

use std::path::Path;

use exactum_metadata::parse_array;
use exactum_model::DataType;
use exactum_plan::{
    Candidate, EFFORT, Proof, Request, Target, Verdict, candidate, candidates, needs, number,
    with_both_zeros,
};
use exactum_pyramid::Packing;
use serde_json::Value;

use crate::errors::Errors;
use crate::plan::scan::{Found, scan};

/// Returns the request for all values of the array in a folder. It is the same as that of
/// `exactum plan --scan` with these errors.
///
/// # Errors
/// If the array cannot be read.
pub(super) fn request(folder: &Path, errors: &Errors) -> Result<Request, String> {
    Ok(of(&scan(folder, true)?, errors))
}

/// Returns the request for all values of an array, with its fill value.
///
/// If the array holds no finite number, the range is zero.
fn of(found: &Found, errors: &Errors) -> Request {
    let data_type = found.data_type;
    let shown = found.fill_value.map(|bits| number::shown(data_type, bits));
    let is_needed =
        |name: &str| found.specials().any(|it| it == name) || shown.as_deref() == Some(name);
    Request {
        data_type,
        range: with_both_zeros(data_type, found.range.unwrap_or_default()),
        needs: needs(is_needed),
        fill_value: found.fill_value,
        tolerance: errors.tolerance(data_type, found.smallest()),
        step: None,
        effort: EFFORT,
    }
}

/// Returns the largest error that is proved for the codecs of a document, within the limits of the request.
///
/// # Errors
/// If nothing is proved. The message gives the reason.
pub(super) fn proved(request: &Request, document: &Value) -> Result<f64, String> {
    let parsed = parse_array(&document.to_string()).map_err(|rejection| rejection.to_string())?;
    let needs = request.needs();
    let proof = Proof::of(&parsed.chain, request.range, &needs, &request.tolerance)?;
    match (proof.verdict(), &proof.analysis.error) {
        (Verdict::Proved, Some(error)) => Ok(f64::from_bits(number::above(&error.bound))),
        _ => Err(format!(
            "the codecs are not proved to keep the values: {}",
            proof.summary()
        )),
    }
}

/// Adds the proved error to a packing.
///
/// # Errors
/// If nothing is proved for it, or the error is above the allowed one.
pub(super) fn promised(
    request: &Request,
    document: &Value,
    packing: Packing,
) -> Result<Packing, String> {
    let packed = packing
        .document(document)
        .map_err(|fault| fault.to_string())?;
    let bound = proved(request, &packed)?;
    Ok(Packing { bound, ..packing })
}

/// Returns the packing that `exactum plan` prints first: the smallest packing that stays within the allowed
/// errors, or the packing into `target`.
///
/// # Errors
/// If there is none.
pub(super) fn planned(
    request: &Request,
    document: &Value,
    target: Option<DataType>,
    packing: Packing,
) -> Result<Packing, String> {
    let Candidate {
        codecs, fill_value, ..
    } = match target {
        Some(target) => candidate(request, Target::of(target))?,
        None => candidates(request).into_iter().next().ok_or_else(|| {
            format!(
                "no packing of {} stays within the allowed errors",
                request.data_type
            )
        })?,
    };
    let packing = Packing {
        codecs,
        fill_value: Some(fill_value),
        ..packing
    };
    promised(request, document, packing)
}
