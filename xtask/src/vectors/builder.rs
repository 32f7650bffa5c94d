//! What the makers of topics share.

use std::fmt::Debug;

use exactum_model::{Array, Format, Reason};
use exactum_vectors::{Expect, Request};
use serde_json::Value;

/// The text of `cast_value` and `scale_offset`.
pub(crate) const ZARR_EXTENSIONS: &str =
    "zarr-developers/zarr-extensions@4da7b37a84f76e660902f6d3de3eaef0e0febae6";

/// The text of array documents and fill values.
pub(crate) const ZARR_SPECS: &str =
    "zarr-developers/zarr-specs@fc7dd9c9beb5a50b87f9b08b00bf50fc0048482f";

/// A request, or a part of one, of its members in order.
pub(crate) fn request<const N: usize>(members: [(&str, Value); N]) -> Request {
    members
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

/// Two opinions on one result: both the same value, or both a rejection. The reference's is
/// returned. Reasons inform only, so they may differ.
pub(crate) fn agreed<T: PartialEq + Debug>(
    what: impl FnOnce() -> String,
    reference: Result<T, Reason>,
    oracle: Result<T, Reason>,
) -> Result<Result<T, Reason>, String> {
    match (&reference, &oracle) {
        (Ok(a), Ok(b)) if a == b => Ok(reference),
        (Err(_), Err(_)) => Ok(reference),
        _ => Err(format!(
            "{}: reference {reference:?}, second oracle {oracle:?}",
            what()
        )),
    }
}

/// An expected output of arithmetic. How an implementation holds a negative number of less than 8
/// bits in its byte is its own affair: the expectation is the number with zeros above it, as arrays
/// are written here, or with its sign there. Anything else above it would be another number.
pub(crate) fn output(array: &Array) -> Result<Expect, String> {
    let Format::Integer(format) = array.data_type().format() else {
        return Ok(Expect::output(array));
    };
    let sign = 1 << (format.bits - 1);
    let negative = |bits: u64| format.signed && bits & sign != 0;
    if format.bits >= 8 || !array.components().any(negative) {
        return Ok(Expect::output(array));
    }
    let extended = array.components().map(|bits| {
        if negative(bits) {
            bits | !format.mask()
        } else {
            bits
        }
    });
    let extended = Array::from_components(array.data_type(), array.shape().to_vec(), extended)
        .map_err(|rejection| rejection.message)?;
    Ok(Expect::OneOf(vec![
        Expect::output(array),
        Expect::output(&extended),
    ]))
}
