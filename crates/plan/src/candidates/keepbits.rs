//! Rounding to fewer bits, which keeps the size of the elements and lets compressors make use of the zero
//! bits.

use exactum_model::{DataType, Format};

use super::{Candidate, Layout, Request, Target, floats};

/// Rounds by `bitround` to this number of bits, or to the fewest that stay within the tolerance.
///
/// # Errors
/// If nothing is proved. The message gives the reason for the given number of bits, or for the largest one.
pub fn keepbits(request: &Request, keep_bits: Option<u64>) -> Result<Candidate, String> {
    let attempt = |keep_bits| {
        let layout = Layout {
            keep_bits: Some(keep_bits),
            ..Layout::plain(request.data_type, Target::of(request.data_type))
        };
        let fill_value = request
            .fill_value
            .unwrap_or_else(|| floats::chosen_fill(request));
        request.prove(layout, fill_value)
    };
    if let Some(keep_bits) = keep_bits {
        return attempt(keep_bits);
    }
    if request.tolerance.absolute.is_none() && request.tolerance.relative.is_none() {
        return Err(
            "--keepbits without a number needs an allowed error: add --max-error or \
             --max-relative-error, or write --keepbits=BITS"
                .into(),
        );
    }
    // More bits never make an error larger, so that the smallest number is found by bisection.
    let (mut least, mut most) = (1, all_bits(request.data_type));
    let mut found = attempt(most)?;
    while least < most {
        let middle = least + (most - least) / 2;
        match attempt(middle) {
            Ok(candidate) => (found, most) = (candidate, middle),
            Err(_) => least = middle + 1,
        }
    }
    Ok(found)
}

/// Returns the number of bits that does not round anything.
fn all_bits(data_type: DataType) -> u64 {
    match data_type.format() {
        Format::Float(format) => u64::from(format.mantissa_bits).max(1),
        format => format.component_bits().into(),
    }
}
