//! Numbers in base64, as xarray writes them.

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Returns the bits of a little-endian `float64` in base64: eleven characters and one `=`.
pub(super) fn decode(text: &str) -> Option<u64> {
    let digits = text.strip_suffix('=').filter(|it| it.len() == 11)?;
    let mut bytes = Vec::new();
    for group in digits.as_bytes().chunks(4) {
        let mut bits = 0u32;
        for index in 0..4 {
            let digit = match group.get(index) {
                Some(digit) => BASE64.iter().position(|it| it == digit)?,
                None => 0,
            };
            bits = bits << 6 | u32::try_from(digit).ok()?;
        }
        bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
    }
    // There are eight bytes, and one that the last character does not fill.
    let (number, rest) = bytes.split_first_chunk()?;
    (rest == [0]).then(|| u64::from_le_bytes(*number))
}

/// Returns the bits of a `float64`, little-endian, in base64.
pub(super) fn encode(bits: u64) -> String {
    let mut text = String::new();
    for group in bits.to_le_bytes().chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or_default());
        let all = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..=group.len() {
            let digit = all >> (18 - 6 * index) & 63;
            text.push(char::from(
                BASE64[usize::try_from(digit).unwrap_or_default()],
            ));
        }
    }
    text.push('=');
    text
}
