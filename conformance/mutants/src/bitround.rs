//! Mutants of `bitround`: other ways of dropping bits, and other elements to drop them from.

use std::sync::Arc;

use exactum_conformance::model::{
    ArrayCodec, BitRound, DataType, Direction, FloatFormat, Format, Rounding,
};
use exactum_exact::{Exact, Rounded, round};
use exactum_reference::bitround::encode_element;

use super::cells::{CellMutant, Trial, has_nan, of_bitround, tried};
use super::{Mutant, Overrides, Wrong, fill, give, mutant, overrides, reject};

/// A component that is encoded or decoded.
struct Element<'a> {
    codec: &'a BitRound,
    direction: Direction,
    format: Format,
    bits: u64,
}

impl Element<'_> {
    fn right(&self) -> u64 {
        encode_element(self.codec, self.bits).unwrap_or(self.bits)
    }

    fn encoding(&self) -> Option<&Self> {
        (self.direction == Direction::Encode).then_some(self)
    }

    /// Returns the format and the number of dropped bits, if this is a float that loses bits when it is encoded.
    fn float(&self) -> Option<(FloatFormat, u32)> {
        let format = self.encoding()?.format.float()?;
        let dropped = format.mantissa_bits - self.codec.narrow()?.mantissa_bits;
        Some((format, dropped))
    }

    /// The same as `float`, but only for finite numbers.
    fn number(&self) -> Option<(FloatFormat, u32)> {
        let (format, dropped) = self.float()?;
        let is_number = !format.is_nan(self.bits) && !format.is_infinite(self.bits);
        is_number.then_some((format, dropped))
    }

    /// Returns the number of dropped bits, if this is an integer that loses bits when it is encoded.
    fn integer(&self) -> Option<u32> {
        let Format::Integer(_) = self.encoding()?.format else {
            return None;
        };
        let length = u64::from(u64::BITS - self.bits.leading_zeros());
        let dropped = length.checked_sub(self.codec.keep_bits)?;
        u32::try_from(dropped).ok().filter(|&dropped| dropped > 0)
    }

    /// Returns the number of dropped bits for either kind of number.
    fn dropped(&self) -> Option<u32> {
        self.integer()
            .or_else(|| self.number().map(|(_, dropped)| dropped))
    }

    fn is_negative_integer(&self) -> bool {
        matches!(self.format, Format::Integer(format) if format.value(self.bits) < 0)
    }

    /// Returns the bits with half a quantum added and the excess bits dropped, truncated to the width of the type.
    fn added(&self, half: fn(u64, bool) -> u64) -> Option<u64> {
        let dropped = self.dropped()?;
        let is_odd = self.bits >> dropped & 1 == 1;
        let sum = self.bits.wrapping_add(half(1 << (dropped - 1), is_odd));
        Some((sum >> dropped << dropped) & self.format.component_mask())
    }

    /// Returns the right answer for another number of bits.
    fn keeping(&self, keep_bits: u64) -> Wrong {
        let codec = BitRound {
            keep_bits,
            ..*self.codec
        };
        self.encoding().map(|_| encode_element(&codec, self.bits))
    }
}

fn elements(wrong: impl Fn(&Element<'_>) -> Wrong + Send + Sync + 'static) -> Overrides {
    overrides::elements("bitround", move |codec: &BitRound, direction, bits| {
        wrong(&Element {
            codec,
            direction,
            format: codec.data_type.format(),
            bits,
        })
    })
}

fn of_elements(
    name: &'static str,
    clauses: &'static str,
    fault: &'static str,
    wrong: fn(&Element<'_>) -> Wrong,
) -> Mutant {
    mutant(name, clauses, fault, elements(wrong))
}

/// Rounds ties away from zero.
fn ties_away(it: &Element<'_>) -> Wrong {
    it.added(|half, _| half).and_then(give)
}

/// Truncates numbers that should be rounded up.
fn truncated(it: &Element<'_>) -> Wrong {
    let dropped = it.dropped()?;
    give(it.bits >> dropped << dropped)
}

/// Truncates if rounding up would carry into the exponent.
fn without_carry(it: &Element<'_>) -> Wrong {
    let (format, _) = it.number()?;
    let exponent = |bits: u64| bits >> format.mantissa_bits;
    let right = it.right();
    (exponent(right) != exponent(it.bits)).then(|| truncated(it))?
}

/// Truncates if rounding up would give an infinity.
fn stays_finite(it: &Element<'_>) -> Wrong {
    let (format, _) = it.number()?;
    format.is_infinite(it.right()).then(|| truncated(it))?
}

/// Counts the kept bits of a subnormal number from its leading bit.
fn normalized(it: &Element<'_>) -> Wrong {
    let (format, _) = it.number()?;
    let magnitude = it.bits & !format.sign_mask();
    if magnitude == 0 || magnitude >> format.mantissa_bits != 0 {
        return None;
    }
    let Exact::Finite(finite) = Exact::from_bits(&it.format, it.bits) else {
        return None;
    };
    let keep = i64::try_from(it.codec.keep_bits).ok()?;
    let unit = finite.floor_log2() - keep;
    let (quotient, remainder, divisor) = finite.in_quanta(unit);
    let is_up = &remainder + &remainder > divisor;
    let rounded = Exact::Finite(exactum_exact::Finite {
        numerator: quotient + u32::from(is_up),
        denominator: 1u32.into(),
        exponent: unit,
        ..finite
    });
    match round(&rounded, &it.format, Rounding::NearestEven) {
        Rounded::Bits(bits) => give(bits),
        _ => None,
    }
}

/// Rounds NaN as if it were a number, truncated to the width of the type.
fn rounded_nan(it: &Element<'_>) -> Wrong {
    let (format, dropped) = it.float()?;
    if !format.is_nan(it.bits) {
        return None;
    }
    let is_odd = it.bits >> dropped & 1;
    let sum = it.bits.wrapping_add((1 << (dropped - 1)) - 1 + is_odd);
    give((sum >> dropped << dropped) & it.format.component_mask())
}

/// Lets the sum overflow the type's bits or change the sign.
fn overflows(it: &Element<'_>) -> Wrong {
    it.integer()?;
    it.added(|half, is_odd| half - 1 + u64::from(is_odd))
        .and_then(give)
}

/// Rounds a negative integer by its magnitude.
fn by_magnitude(it: &Element<'_>) -> Wrong {
    if !it.is_negative_integer() {
        return None;
    }
    it.integer()?;
    let mask = it.format.component_mask();
    let magnitude = it.bits.wrapping_neg() & mask;
    let unsigned = match it.codec.data_type {
        DataType::Int8 => DataType::Uint8,
        DataType::Int16 => DataType::Uint16,
        DataType::Int32 => DataType::Uint32,
        DataType::Int64 => DataType::Uint64,
        DataType::Int4 => DataType::Uint4,
        _ => DataType::Uint2,
    };
    let codec = BitRound {
        data_type: unsigned,
        ..*it.codec
    };
    give(encode_element(&codec, magnitude).ok()?.wrapping_neg() & mask)
}

/// Rounds on decoding as on encoding.
fn rounds_again(it: &Element<'_>) -> Wrong {
    (it.direction == Direction::Decode).then_some(())?;
    give(it.right())
}

/// Returns whether the text lists a data type; a complex type counts as the type of its parts.
fn is_listed(data_type: DataType) -> bool {
    let component = data_type.component();
    component.format().component_bits() >= 8 && !component.name().starts_with("float8")
}

pub(super) fn mutants() -> Vec<Mutant> {
    [floats(), integers(), types()].concat()
}

#[rustfmt::skip] // A table.
fn floats() -> Vec<Mutant> {
    vec![
        of_elements("bitround-counts-the-leading-one", "bitround.float",
            "The implicit leading 1 of a mantissa counts as one of the kept bits.",
            |it| it.float().and_then(|_| it.keeping(it.codec.keep_bits - 1)).filter(|_| it.codec.keep_bits > 1)),
        of_elements("bitround-keeps-one-more", "bitround.float bitround.integer",
            "One more bit is kept.",
            |it| it.keeping(it.codec.keep_bits + 1)),
        of_elements("bitround-keeps-low-bits", "bitround.float",
            "The kept bits are the lowest ones of the mantissa.",
            |it| {
                let (format, _) = it.number()?;
                let low = (1 << it.codec.keep_bits) - 1;
                give(it.bits & (low | !format.mantissa_mask()))
            }),
        of_elements("bitround-float-truncates", "bitround.float.nearest",
            "The mantissa is cut off, as bit shaving does.",
            |it| it.float().and_then(|_| truncated(it))),
        of_elements("bitround-float-ties-away", "bitround.float.nearest",
            "Ties go away from zero, as half a quantum is added.",
            |it| it.float().and_then(|_| ties_away(it))),
        of_elements("bitround-exponent-stays", "bitround.float.carry",
            "The exponent is never changed: a mantissa that would carry is truncated instead.",
            without_carry),
        of_elements("bitround-stays-finite", "bitround.float.largest",
            "A value that rounds beyond the largest value with the kept bits becomes that value.",
            stays_finite),
        of_elements("bitround-subnormal-normalized", "bitround.float.subnormal",
            "The mantissa of a subnormal number begins with its first bit.",
            normalized),
        of_elements("bitround-subnormal-flushed", "bitround.float.subnormal",
            "Subnormal numbers become zeros.",
            |it| {
                let (format, _) = it.number()?;
                let is_small = it.bits & !format.sign_mask() <= format.mantissa_mask();
                is_small.then(|| give(it.bits & format.sign_mask()))?
            }),
        of_elements("bitround-drops-the-last-bit", "bitround.float.few",
            "A mantissa with exactly as many bits as are kept loses its last bit.",
            |it| {
                let format = it.format.float()?;
                let is_whole = u64::from(format.mantissa_bits) == it.codec.keep_bits;
                it.keeping(it.codec.keep_bits - 1).filter(|_| is_whole)
            }),
        of_elements("bitround-refuses-more-bits", "bitround.float.fewer",
            "A keepbits beyond the mantissa is refused (numcodecs 0.16).",
            |it| {
                let format = it.encoding()?.format.float()?;
                (it.codec.keep_bits > format.mantissa_bits.into()).then(reject)?
            }),
        of_elements("bitround-infinity-is-largest", "bitround.special.infinity",
            "Infinities become the largest value.",
            |it| {
                let (format, _) = it.float()?;
                let sign = it.bits & format.sign_mask();
                format.is_infinite(it.bits).then(|| give(format.max_finite_bits() | sign))?
            }),
        of_elements("bitround-nan-is-rounded", "bitround.special.nan",
            "NaN is rounded as numbers are: some become -0, some infinity (numcodecs 0.16).",
            rounded_nan),
        of_elements("bitround-complex-unchanged", "bitround.complex",
            "Complex numbers are not rounded.",
            |it| matches!(it.encoding()?.format, Format::Complex(_)).then(|| give(it.bits))?),
    ]
}

#[rustfmt::skip] // A table.
fn integers() -> Vec<Mutant> {
    vec![
        of_elements("bitround-integer-from-the-top", "bitround.integer",
            "The kept bits of an integer are the highest ones of its type.",
            |it| {
                it.integer()?;
                let dropped = u64::from(it.format.component_bits()).checked_sub(it.codec.keep_bits)?;
                give(it.bits.checked_shr(u32::try_from(dropped).ok()?)? << dropped)
            }),
        of_elements("bitround-integer-loses-its-last-bit", "bitround.integer.few",
            "An integer with exactly as many bits as are kept loses its last bit.",
            |it| {
                let length = u64::from(u64::BITS - it.bits.leading_zeros());
                let is_integer = matches!(it.encoding()?.format, Format::Integer(_));
                (is_integer && length == it.codec.keep_bits).then(|| give(it.bits & !1))?
            }),
        of_elements("bitround-integer-truncates", "bitround.integer.nearest",
            "The bits after the kept ones are truncated.",
            |it| it.integer().filter(|_| !it.is_negative_integer()).and_then(|_| truncated(it))),
        of_elements("bitround-integer-ties-away", "bitround.integer.nearest",
            "Ties go up.",
            |it| it.integer().filter(|_| !it.is_negative_integer()).and_then(|_| ties_away(it))),
        of_elements("bitround-integer-overflows", "bitround.integer.fits",
            "127 becomes -128 as an int8 (zarrs 0.23), and 255 becomes 0 as a uint8.",
            overflows),
        of_elements("bitround-negative-by-magnitude", "bitround.integer.negative",
            "A negative integer is rounded by its magnitude.",
            by_magnitude),
    ]
}

#[rustfmt::skip] // A table.
fn types() -> Vec<Mutant> {
    vec![
        of_elements("bitround-decodes", "bitround.decode",
            "Decoding rounds again.",
            rounds_again),
        of_elements("bitround-listed-types-only", "bitround.data_types.other",
            "Data types that the text does not list are refused (zarrs 0.23).",
            |it| (!is_listed(it.codec.data_type)).then(reject)?),
        fill("bitround-fill-unrounded", "bitround.fill",
            "The fill value is not rounded (zarrs 0.23).",
            |it| matches!(it.step.codec, ArrayCodec::BitRound(_)).then(|| give(it.before))?),
    ]
}

/// A kind of fault that may be confined to one data type.
struct Kind {
    name: &'static str,
    direction: Direction,
    wrong: fn(&Element<'_>) -> Wrong,
    /// The formats for which it can be a fault.
    of: fn(&Format) -> bool,
    fits: &'static [&'static str],
}

const FLOAT: &[&str] = &["bitround.float"];
const INTEGER: &[&str] = &["bitround.integer"];
const BOTH: &[&str] = &["bitround.float", "bitround.integer"];

#[rustfmt::skip] // A table.
const KINDS: &[Kind] = &[
    Kind { name: "truncates", direction: Direction::Encode, wrong: truncated, of: |_| true, fits: BOTH },
    Kind { name: "ties-away", direction: Direction::Encode, wrong: ties_away, of: |_| true, fits: BOTH },
    Kind { name: "exponent-stays", direction: Direction::Encode, wrong: without_carry, fits: FLOAT,
        of: |format| format.float().is_some() },
    Kind { name: "stays-finite", direction: Direction::Encode, wrong: stays_finite, fits: FLOAT,
        of: |format| format.float().is_some_and(|float| float.infinity) },
    Kind { name: "nan-is-rounded", direction: Direction::Encode, wrong: rounded_nan, fits: &["bitround.special.nan", "bitround.float"],
        of: has_nan },
    Kind { name: "overflows", direction: Direction::Encode, wrong: overflows, fits: INTEGER,
        of: |format| format.float().is_none() },
    Kind { name: "negative-by-magnitude", direction: Direction::Encode, wrong: by_magnitude, fits: INTEGER,
        of: |format| matches!(format, Format::Integer(integer) if integer.signed) },
    Kind { name: "decodes", direction: Direction::Decode, wrong: rounds_again, of: |_| true, fits: &["bitround.decode"] },
];

/// Returns all lies, each for one direction and one listed type.
pub(super) fn lies() -> Vec<CellMutant> {
    let listed = DataType::ALL
        .iter()
        .copied()
        .filter(|&of| of.is_real() && is_listed(of));
    let each = listed.flat_map(|data_type| KINDS.iter().map(move |kind| (data_type, kind)));
    each.map(|(data_type, kind)| {
        let &Kind {
            name,
            direction,
            wrong,
            of,
            fits,
        } = kind;
        CellMutant {
            cell: of_bitround(&BitRound::new(data_type, 1), direction),
            kind: name,
            overrides: elements(move |it| {
                let is_here = it.codec.data_type == data_type && it.direction == direction;
                is_here.then(|| wrong(it)).flatten()
            }),
            fits,
            trial: Arc::new(move |overrides| {
                if !of(&data_type.format()) {
                    return Trial::Truth;
                }
                let codecs = [1, 2, 3]
                    .map(|keep_bits| ArrayCodec::BitRound(BitRound::new(data_type, keep_bits)));
                tried(overrides, &codecs, direction, [data_type, data_type], true)
            }),
        }
    })
    .collect()
}
