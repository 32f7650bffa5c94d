//! The finite numbers of a data type.

use exactum_exact::Exact;
use exactum_model::DataType;

/// Returns all finite numbers of a type in ascending order.
pub(crate) fn numbers(data_type: DataType) -> Vec<u64> {
    let format = data_type.format();
    let mut all: Vec<(Exact, u64)> = (0..=format.component_mask())
        .map(|bits| (Exact::from_bits(&format, bits), bits))
        .filter(|(value, _)| matches!(value, Exact::Finite(_) | Exact::Zero { .. }))
        .collect();
    all.sort_by(|(a, _), (b, _)| {
        let order = a.compare(b).expect("numbers");
        order.then(b.is_negative().cmp(&a.is_negative()))
    });
    all.into_iter().map(|(_, bits)| bits).collect()
}
