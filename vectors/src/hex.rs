//! Hexadecimal digits, in which bits, elements and bytes are written.

use base16ct::{lower, mixed};

/// Returns two lower-case digits for each byte.
#[must_use]
pub fn encode(bytes: impl AsRef<[u8]>) -> String {
    lower::encode_string(bytes.as_ref())
}

/// Reads bytes from digits in either case, without a prefix.
///
/// # Errors
/// If a character is not a digit, or the number of digits is odd.
pub fn decode(text: &str) -> Result<Vec<u8>, String> {
    mixed::decode_vec(text).map_err(|_| {
        let other = |c: char| !c.is_ascii_hexdigit();
        match text.char_indices().find(|(_, c)| other(*c)) {
            Some((place, c)) => format!("{c:?} at position {place} is not a hexadecimal digit"),
            None => "an odd number of hexadecimal digits".into(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_read_back() {
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        let digits = encode(&bytes);
        assert!(digits.starts_with("000102") && digits.ends_with("fdfeff"));
        assert_eq!(decode(&digits), Ok(bytes.clone()));
        assert_eq!(decode(&digits.to_uppercase()), Ok(bytes));
    }

    #[test]
    fn other_texts_are_rejected() {
        for (text, message) in [
            ("0", "an odd number of hexadecimal digits"),
            ("0x00", "'x' at position 1 is not a hexadecimal digit"),
            ("00 00", "' ' at position 2 is not a hexadecimal digit"),
            ("0é0", "'é' at position 1 is not a hexadecimal digit"),
        ] {
            assert_eq!(decode(text), Err(message.to_owned()));
        }
    }
}
