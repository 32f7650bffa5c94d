//! The numbers of the second oracle: the meaning of an element's bits, and sorted tables of all values of formats with
//! 16 bits or fewer.
//!
//! A binary128 represents every number here without rounding: its 113 digits can hold any 64-bit integer, any binary64,
//! and the midpoint of any two neighbours of a small format.

use std::sync::LazyLock;

use exactum_model::{DataType, FloatFormat, Format, Nan};
use rustc_apfloat::ieee::{Double, Quad, Single};
use rustc_apfloat::{Float, FloatConvert};

/// The meaning of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// Not a number.
    Nan,
    /// An infinity.
    Infinite {
        /// Whether it is negative.
        negative: bool,
    },
    /// An element of an integer type.
    Integer(i128),
    /// A finite element of a float type; a zero keeps its sign.
    Real(Quad),
}

/// All values of a float format of at most 16 bits.
pub(crate) struct Table {
    /// The meaning of each bit pattern.
    numbers: Vec<Number>,
    /// The non-negative finite values in ascending order, with their bits.
    pub(crate) ascending: Vec<(Quad, u64)>,
    /// The value that would follow the largest one if its exponent existed.
    pub(crate) past: Quad,
}

static TABLES: LazyLock<Vec<(DataType, Table)>> = LazyLock::new(|| {
    DataType::ALL
        .iter()
        .filter_map(|&data_type| match data_type.format() {
            Format::Float(format) if format.bits() <= 16 => Some((data_type, Table::new(&format))),
            _ => None,
        })
        .collect()
});

/// Returns the table of a float type of at most 16 bits.
pub(crate) fn table(data_type: DataType) -> Option<&'static Table> {
    TABLES
        .iter()
        .find(|(of, _)| *of == data_type)
        .map(|(_, table)| table)
}

impl Number {
    /// Returns the meaning of these bits in a real data type.
    pub(crate) fn of(data_type: DataType, bits: u64) -> Self {
        match data_type.format() {
            Format::Integer(format) => {
                let unsigned = i128::from(bits);
                let negative = format.signed && bits >> (format.bits - 1) & 1 == 1;
                Number::Integer(unsigned - i128::from(negative) * (1 << format.bits))
            }
            _ => match data_type {
                DataType::Float32 => Number::of_ieee(Single::from_bits(bits.into())),
                DataType::Float64 => Number::of_ieee(Double::from_bits(bits.into())),
                _ => table(data_type)
                    .and_then(|table| table.numbers.get(usize::try_from(bits).ok()?))
                    .copied()
                    .unwrap_or(Number::Nan),
            },
        }
    }

    fn of_ieee<F: Float + FloatConvert<Quad>>(float: F) -> Self {
        if float.is_nan() {
            Number::Nan
        } else if float.is_infinite() {
            Number::Infinite {
                negative: float.is_negative(),
            }
        } else {
            Number::Real(float.convert(&mut false).value)
        }
    }

    /// Converts the number to binary128 without rounding. NaN and infinities are kept.
    pub(crate) fn quad(self) -> Quad {
        match self {
            Number::Nan => Quad::NAN,
            Number::Infinite { negative: false } => Quad::INFINITY,
            Number::Infinite { negative: true } => -Quad::INFINITY,
            Number::Integer(integer) => Quad::from_i128(integer).value,
            Number::Real(real) => real,
        }
    }

    /// Returns whether both have the same value: any two NaNs are equal, and so are both zeros.
    pub(crate) fn same_value(self, other: Self) -> bool {
        match (self, other) {
            (Number::Nan, Number::Nan) => true,
            (Number::Integer(a), Number::Integer(b)) => a == b,
            _ => self.quad() == other.quad(),
        }
    }
}

impl Table {
    fn new(format: &FloatFormat) -> Self {
        let codes = 1u64 << format.bits();
        let magnitudes = 1u64 << (format.exponent_bits + format.mantissa_bits);
        let special = |magnitude: u64, bits: u64| {
            let nan = match format.nan {
                Nan::None => false,
                Nan::Only(code) => bits == code,
                Nan::AllOnes => magnitude + 1 == magnitudes,
                Nan::Ieee => {
                    exponent_field(format, magnitude) + 1 == 1 << format.exponent_bits
                        && mantissa_field(format, magnitude) != 0
                }
            };
            let infinite = format.infinity
                && exponent_field(format, magnitude) + 1 == 1 << format.exponent_bits
                && mantissa_field(format, magnitude) == 0;
            (nan, infinite)
        };
        let mut numbers = Vec::new();
        let mut ascending = Vec::new();
        for bits in 0..codes {
            let (negative, magnitude) = (bits >= magnitudes, bits % magnitudes);
            numbers.push(match special(magnitude, bits) {
                (true, _) => Number::Nan,
                (_, true) => Number::Infinite { negative },
                _ => {
                    let real = real(format, magnitude);
                    if !negative {
                        ascending.push((real, bits));
                    }
                    Number::Real(if negative { -real } else { real })
                }
            });
        }
        ascending.sort_by(|(a, _), (b, _)| a.partial_cmp(b).expect("finite values compare"));
        let (_, largest) = *ascending.last().expect("every format has values");
        Self {
            numbers,
            ascending,
            past: real(format, largest + 1),
        }
    }
}

fn exponent_field(format: &FloatFormat, magnitude: u64) -> u64 {
    magnitude >> format.mantissa_bits
}

fn mantissa_field(format: &FloatFormat, magnitude: u64) -> u64 {
    magnitude % (1 << format.mantissa_bits)
}

/// Returns the value of a magnitude's bits by the rule of the format, even for special codes.
fn real(format: &FloatFormat, magnitude: u64) -> Quad {
    let field = exponent_field(format, magnitude);
    let mantissa = mantissa_field(format, magnitude);
    let subnormal = field == 0 && format.zero;
    let implicit = if subnormal {
        0
    } else {
        1 << format.mantissa_bits
    };
    let field = i32::try_from(field.max(u64::from(subnormal))).expect("at most 8 bits");
    let digits = i32::try_from(format.mantissa_bits).expect("at most 15 bits");
    Quad::from_u128(u128::from(implicit + mantissa))
        .value
        .scalbn(field - format.bias - digits)
}
