//! Elements of a data set, which are missing, infinite or exact numbers.

use exactum_exact::{Exact, Rounded, round};
use exactum_model::sds::{DataSet, Fill, Infinite, Scaling, SdsType, Values};
use exactum_model::{DataType, Format, Rounding};

/// Returns the format of SCALE and OFFSET.
pub(super) fn binary64() -> Format {
    DataType::Float64.format()
}

/// An element of a data set.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Element {
    /// The value is missing (sds.6.1).
    Missing,
    /// The value is larger or smaller than any number (sds.1.3).
    Infinite {
        /// Whether the value is smaller than any number.
        negative: bool,
    },
    /// The stored number, which is a code in integer data and the value itself in real data.
    Stored(Exact),
}

/// Returns the elements of a data set of integers or reals.
pub(super) fn elements(input: &DataSet) -> Vec<Element> {
    match input.values() {
        Values::Integers(values) => {
            let one = |&code: &i64| integer(code, input.fill(), input.infinite());
            values.iter().map(one).collect()
        }
        Values::Singles(values) => {
            let one = |&bits: &u32| real(SdsType::R4, bits.into(), input.fill());
            values.iter().map(one).collect()
        }
        Values::Doubles(values) => {
            let one = |&bits: &u64| real(SdsType::R8, bits, input.fill());
            values.iter().map(one).collect()
        }
        Values::Complex(_) => Vec::new(),
    }
}

fn integer(code: i64, fill: Fill, infinite: Option<Infinite>) -> Element {
    if fill == Fill::Code(code) {
        return Element::Missing;
    }
    match infinite {
        Some(Infinite { positive, .. }) if positive == code => {
            Element::Infinite { negative: false }
        }
        Some(Infinite { negative, .. }) if negative == Some(code) => {
            Element::Infinite { negative: true }
        }
        _ => Element::Stored(Exact::integer(code.into())),
    }
}

fn real(of: SdsType, bits: u64, fill: Fill) -> Element {
    let value = Exact::from_bits(&of.data_type().format(), bits);
    if let Fill::Real(fill) = fill {
        let fill = Exact::from_bits(&binary64(), fill);
        if value.compare(&fill).is_some_and(std::cmp::Ordering::is_eq) {
            return Element::Missing;
        }
    }
    match value {
        Exact::Nan => Element::Missing,
        Exact::Infinite { negative } => Element::Infinite { negative },
        value => Element::Stored(value),
    }
}

/// Returns the represented value `(stored - OFFSET) / SCALE` (sds.2.6). If SCALE or OFFSET is unset, it is 1 or 0,
/// which changes nothing.
pub(super) fn represented(stored: &Exact, scaling: Scaling) -> Exact {
    let (scale, offset) = scaling.effective();
    let read = |bits| Exact::from_bits(&binary64(), bits);
    stored.subtract(&read(offset)).divide(&read(scale))
}

/// Returns the preset SCALE, if it is set.
pub(super) fn scale_of(scaling: Scaling) -> Option<Exact> {
    scaling
        .scale()
        .map(|bits| Exact::from_bits(&binary64(), bits))
}

/// Returns the integer nearest to a number, with ties away from zero (sds.5.16), or `None` if it does not fit into 64
/// bits.
pub(super) fn nearest_away(value: &Exact) -> Option<i64> {
    let finite = match value {
        Exact::Zero { .. } => return Some(0),
        Exact::Finite(finite) => finite,
        Exact::Nan | Exact::Infinite { .. } => return None,
    };
    if finite.floor_log2() > 62 {
        return None;
    }
    let (quotient, remainder, divisor) = finite.in_quanta(0);
    let up = (remainder << 1u32) >= divisor;
    let magnitude = if up { quotient + 1u32 } else { quotient };
    let magnitude = i64::try_from(&magnitude).ok()?;
    Some(if finite.negative {
        -magnitude
    } else {
        magnitude
    })
}

/// Rounds a value once to a real type, with nearest-even, and returns its bits (sds.5.16). Returns `None` if the
/// value overflows.
pub(super) fn round_real(value: &Exact, of: SdsType) -> Option<u64> {
    match round(value, &of.data_type().format(), Rounding::NearestEven) {
        Rounded::Bits(bits) => Some(bits),
        Rounded::OutOfRange { .. } | Rounded::NotANumber | Rounded::NotFinite => None,
    }
}

/// Rounds an attribute once to binary64 and returns its bits. An attribute out of range becomes the largest finite
/// double of its sign.
pub(super) fn offset_of(value: &Exact) -> u64 {
    match round(value, &binary64(), Rounding::NearestEven) {
        Rounded::Bits(bits) => bits,
        Rounded::OutOfRange { above, .. } => {
            let greatest = 0x7fef_ffff_ffff_ffff;
            if above { greatest } else { greatest | 1 << 63 }
        }
        Rounded::NotANumber | Rounded::NotFinite => 0,
    }
}
