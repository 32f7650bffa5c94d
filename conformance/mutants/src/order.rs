//! Faults of `bytes` and `packbits` that concern whole arrays.

use exactum_conformance::model::{Array, DataType, Nan, Rejection};

/// Returns the elements of the transposed array in the shape of the original array.
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
        // The first dimension varies fastest.
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

/// Returns an array with the bits of every component changed.
fn changed(input: &Array, change: impl Fn(u64) -> u64) -> Result<Array, Rejection> {
    let components = input.components().map(change);
    Array::from_components(input.data_type(), input.shape().to_vec(), components)
}

/// Replaces every NaN by the default NaN.
pub(super) fn default_nans(input: &Array) -> Result<Array, Rejection> {
    let Some(float) = input.data_type().format().float() else {
        return Ok(input.clone());
    };
    changed(input, |bits| match float.nan_bits() {
        Some(nan) if float.is_nan(bits) => nan,
        _ => bits,
    })
}

/// Makes every NaN quiet.
pub(super) fn quiet_nans(input: &Array) -> Result<Array, Rejection> {
    changed(input, |bits| quiet(input.data_type(), bits))
}

/// Returns the bits of a component; a NaN gets the quiet bit.
pub(super) fn quiet(data_type: DataType, bits: u64) -> u64 {
    let float = data_type.format().float();
    match float.map(|float| (float, float.nan, float.nan_bits())) {
        Some((float, Nan::Ieee, Some(quiet))) if float.is_nan(bits) => bits | quiet,
        _ => bits,
    }
}

/// Removes the sign of zeros.
pub(super) fn plain_zeros(input: &Array) -> Result<Array, Rejection> {
    let Some(float) = input.data_type().format().float() else {
        return Ok(input.clone());
    };
    changed(input, |bits| if float.is_zero(bits) { 0 } else { bits })
}

/// Resizes the bytes to the number that an array takes in memory, if `fault` applies to that number and the actual
/// number of bytes.
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

/// Resizes the bytes to the required number, if `fault` applies.
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
