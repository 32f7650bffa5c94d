//! Faults of `bytes` and `packbits` that concern whole arrays.

use exactum_conformance::model::{Array, DataType, Nan, Rejection};

/// The elements of the transposed array under the shape of the array.
pub(super) fn column_major(input: &Array) -> Result<Array, Rejection> {
    let shape = input.shape().to_vec();
    let count = input.len();
    let width = input.data_type().element_bytes();
    let extents: Vec<usize> = shape
        .iter()
        .map(|&extent| usize::try_from(extent).unwrap_or(usize::MAX))
        .collect();
    let mut data = Vec::with_capacity(input.data().len());
    for index in 0..count {
        // The coordinates of the first dimension run fastest.
        let mut rest = index;
        let mut source = 0;
        let mut stride = count;
        for &extent in &extents {
            stride /= extent;
            source += rest % extent * stride;
            rest /= extent;
        }
        data.extend_from_slice(&input.data()[source * width..(source + 1) * width]);
    }
    Array::new(input.data_type(), shape, data)
}

/// Every component changed by its bits.
fn changed(input: &Array, change: impl Fn(u64) -> u64) -> Result<Array, Rejection> {
    let components = input.components().map(change);
    Array::from_components(input.data_type(), input.shape().to_vec(), components)
}

/// Every NaN is the default NaN.
pub(super) fn default_nans(input: &Array) -> Result<Array, Rejection> {
    let Some(float) = input.data_type().format().float() else {
        return Ok(input.clone());
    };
    changed(input, |bits| match float.nan_bits() {
        Some(nan) if float.is_nan(bits) => nan,
        _ => bits,
    })
}

/// Every NaN is quiet.
pub(super) fn quiet_nans(input: &Array) -> Result<Array, Rejection> {
    changed(input, |bits| quiet(input.data_type(), bits))
}

/// The bits of a component, with the quiet bit where they are a NaN.
pub(super) fn quiet(data_type: DataType, bits: u64) -> u64 {
    let float = data_type.format().float();
    match float.map(|float| (float, float.nan, float.nan_bits())) {
        Some((float, Nan::Ieee, Some(quiet))) if float.is_nan(bits) => bits | quiet,
        _ => bits,
    }
}

/// Zeros have no sign.
pub(super) fn plain_zeros(input: &Array) -> Result<Array, Rejection> {
    let Some(float) = input.data_type().format().float() else {
        return Ok(input.clone());
    };
    changed(input, |bits| if float.is_zero(bits) { 0 } else { bits })
}

/// The bytes made as many as an array takes in memory, where the fault says so of the number that
/// is needed and the number that is there.
pub(super) fn resized(
    data_type: DataType,
    shape: &[u64],
    bytes: &[u8],
    fault: fn(usize, usize) -> bool,
) -> Vec<u8> {
    let needed = Array::bytes_of(data_type, shape)
        .ok()
        .and_then(|needed| usize::try_from(needed).ok())
        .filter(|&needed| needed <= 1 << 20);
    sized(needed, bytes, fault)
}

/// The bytes made as many as are needed, where the fault says so.
pub(super) fn sized(
    needed: Option<usize>,
    bytes: &[u8],
    fault: fn(usize, usize) -> bool,
) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if let Some(needed) = needed
        && fault(needed, bytes.len())
    {
        bytes.resize(needed, 0);
    }
    bytes
}
