//! The missing codes of a packed variable (spec/cf.md).

use std::cmp::Ordering;

use exactum_exact::Exact;
use exactum_model::Cf;

/// Returns the position of a code relative to the missing codes and the ends of the valid range, and whether the code
/// is missing. The position is twice the number of these marks below the code, plus one if the code itself is missing.
/// Codes between two neighbouring marks have the same position.
pub(super) fn place(codec: &Cf, bits: u64) -> (usize, bool) {
    let format = codec.counted.format();
    let code = Exact::from_bits(&format, bits);
    let compare = |other: &Exact| code.compare(other);
    let is_above = |other: &Exact| compare(other).is_some_and(Ordering::is_gt);
    let is_below = |other: &Exact| compare(other).is_some_and(Ordering::is_lt);
    let [least, greatest] = [codec.valid.0, codec.valid.1].map(|end| Exact::integer(end.into()));
    let below = codec
        .missing
        .iter()
        .filter(|missing| is_above(&Exact::from_bits(&format, **missing)))
        .count();
    let ends = usize::from(!is_below(&least)) + usize::from(is_above(&greatest));
    let is_invalid = is_below(&least) || is_above(&greatest);
    let is_missing = is_invalid || codec.missing.contains(&bits);
    (2 * (below + ends) + usize::from(is_missing), is_missing)
}
