//! What the makers of topics share.

use std::fmt::Debug;

use exactum_model::Reason;
use exactum_vectors::Request;
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
