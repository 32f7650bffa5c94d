//! A small codec library with a fault that its authors know about.

/// Rounds float32 numbers to the nearest int8 and clamps values out of range. Returns `None` for a NaN.
///
/// Ties go away from zero, as in `f32::round`.
pub fn narrow(values: &[f32]) -> Option<Vec<i8>> {
    let narrow = |value: &f32| (!value.is_nan()).then(|| value.round() as i8);
    values.iter().map(narrow).collect()
}

/// Reads the fill value of an array of int8, which is a JSON integer.
pub fn fill_value(json: &str) -> Option<i8> {
    let json = json.trim_matches([' ', '\t', '\n', '\r']);
    let digits = json.strip_prefix('-').unwrap_or(json);
    let canonical = digits == "0" || !digits.starts_with(['0', '+']);
    json.parse().ok().filter(|_| canonical)
}
