//! Numbers of arrays as people write and read them.

use exactum_exact::{Exact, Literal, Rounded, clamp, round};
use exactum_model::{DataType, Format, Rounding, Scalar};
use num_bigint::BigUint;

/// Digits of an exact value that are shown; a longer one is cut.
const DIGITS: usize = 60;

/// Reads a value of a data type: a number, `NaN`, `Infinity`, `-Infinity`, or the bits in hex.
///
/// # Errors
/// When it is none, in words.
pub(crate) fn read(data_type: DataType, text: &str) -> Result<u64, String> {
    if let (Some(hex), Format::Integer(format)) = (text.strip_prefix("0x"), data_type.format()) {
        return u64::from_str_radix(hex, 16)
            .ok()
            .filter(|bits| bits & !format.mask() == 0)
            .ok_or_else(|| format!("{text} are not the bits of a value of {data_type}"));
    }
    let literal = match Exact::decimal(text) {
        Some(_) => Literal::Number(text.to_owned()),
        None => Literal::Text(match text.to_ascii_lowercase().as_str() {
            "nan" => "NaN".to_owned(),
            "inf" | "infinity" => "Infinity".to_owned(),
            "-inf" | "-infinity" => "-Infinity".to_owned(),
            _ => text.to_owned(),
        }),
    };
    match exactum_exact::parse(data_type, &literal) {
        Ok(scalar) => Ok(scalar.component(0)),
        Err(rejection) => Err(rejection.message),
    }
}

/// A value as people read it.
pub(crate) fn shown(data_type: DataType, bits: u64) -> String {
    let text = exactum_exact::canonical(&Scalar::new(data_type, bits.into()));
    text.trim_matches('"').to_owned()
}

/// The bits of a value in hex, the most significant digit first.
pub(crate) fn hex(data_type: DataType, bits: u64) -> String {
    let digits = 2 * data_type.format().component_bytes();
    format!("0x{bits:0digits$x}")
}

/// The binary64 number nearest to an exact one.
pub(crate) fn nearest(value: &Exact) -> f64 {
    f64::from_bits(rounded(value, DataType::Float64, Rounding::NearestEven))
}

/// A number in a float type, as an infinity where it is too large.
pub(crate) fn rounded(value: &Exact, data_type: DataType, mode: Rounding) -> u64 {
    let format = data_type.format();
    match round(value, &format, mode) {
        Rounded::Bits(bits) => bits,
        Rounded::OutOfRange { above, .. } => clamp(&format, above),
        // Floats have all of them.
        Rounded::NotANumber | Rounded::NotFinite => 0,
    }
}

/// All digits of the exact value of a number's bits, or the first of very many.
pub(crate) fn exact(data_type: DataType, bits: u64) -> String {
    let value = Exact::from_bits(&data_type.format(), bits);
    let Exact::Finite(finite) = value else {
        return shown(data_type, bits);
    };
    let sign = if finite.negative { "-" } else { "" };
    let power = u32::try_from(finite.exponent.unsigned_abs()).unwrap_or(u32::MAX);
    let digits = if finite.exponent >= 0 {
        (finite.numerator << power).to_string()
    } else {
        // n / 2^k is n * 5^k / 10^k.
        let places = usize::try_from(power).unwrap_or(usize::MAX);
        let all = (finite.numerator * BigUint::from(5_u32).pow(power)).to_string();
        let all = format!("{all:0>width$}", width = places + 1);
        let (whole, rest) = all.split_at(all.len() - places);
        let rest = rest.trim_end_matches('0');
        match rest.is_empty() {
            true => whole.to_owned(),
            false => format!("{whole}.{rest}"),
        }
    };
    match digits.len() > DIGITS {
        true => format!("{sign}{}…", &digits[..DIGITS]),
        false => format!("{sign}{digits}"),
    }
}
