//! The second oracle of `data_type`: the meaning of every bit pattern according to the tables of `spec/data_type.md`,
//! as exact decimals. It does not use the formats of `exactum-model`; a test checks that these agree with the tables.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::{LazyLock, OnceLock};

use exactum_model::DataType;

use super::decimal::Decimal;

/// The specification that contains the tables.
const SPECIFICATION: &str = include_str!("../../../spec/data_type.md");

/// A data type as described by its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Description {
    /// `bool`, which is not in any table.
    Bool,
    /// The width in bits, and whether the integer is in two's complement.
    Integer(u32, bool),
    /// A float.
    Float(Layout),
    /// The layout of a component.
    Complex(Layout),
}

/// A row of the table of floats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The family, which determines the bit patterns that are not numbers.
    pub(crate) kind: Kind,
    sign: u32,
    exponent: u32,
    bias: i32,
    mantissa: u32,
    largest: Decimal,
    smallest_normal: Decimal,
    smallest_subnormal: Option<Decimal>,
    /// The code that `"NaN"` stands for.
    pub(crate) nan: Option<u64>,
    /// The results of [`Layout::middle`] for every number of a type of at most 16 bits.
    middles: OnceLock<Vec<Decimal>>,
}

/// The families of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Infinities and NaNs if all exponent bits are 1.
    Ieee,
    /// Only numbers.
    Fn,
    /// Numbers, and NaN of either sign if all exponent and mantissa bits are 1.
    FnNan,
    /// A single NaN in place of -0.
    Fnuz,
    /// Powers of two, and a single NaN.
    Fnu,
}

/// The meaning of a bit pattern of a float.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Not a number.
    Nan,
    /// An infinity, and whether it is negative.
    Infinity(bool),
    /// A number or a zero: whether it has a minus sign, and its magnitude.
    Number(bool, Decimal),
}

static DESCRIPTIONS: LazyLock<Vec<(DataType, Description)>> = LazyLock::new(|| {
    let floats: Vec<(&str, Layout)> = rows("bias")
        .into_iter()
        .map(|cells| (cells[0], layout(&cells)))
        .collect();
    let float = |name: &str| {
        let found = floats.iter().find(|(other, _)| *other == name);
        found.expect("a row of the table of floats").1.clone()
    };
    let named = |name: &str| name.parse::<DataType>().expect("a registered name");
    let mut all = vec![(DataType::Bool, Description::Bool)];
    for cells in rows("bits") {
        let bits = cells[1].parse().expect("a width");
        all.push((
            named(cells[0]),
            Description::Integer(bits, cells[2].starts_with('-')),
        ));
    }
    for (name, layout) in &floats {
        all.push((named(name), Description::Float(layout.clone())));
    }
    for cells in rows("component") {
        all.push((named(cells[0]), Description::Complex(float(cells[1]))));
    }
    all
});

/// Returns the cells of each row of the table that has this column.
fn rows(column: &str) -> Vec<Vec<&'static str>> {
    let cells = |line: &'static str| -> Option<Vec<&'static str>> {
        let inner = line.strip_prefix('|')?.strip_suffix('|')?;
        Some(inner.split('|').map(str::trim).collect())
    };
    SPECIFICATION
        .lines()
        .map(cells)
        .skip_while(|row| !row.as_ref().is_some_and(|row| row.contains(&column)))
        .skip(2)
        .map_while(|row| row)
        .collect()
}

fn layout(cells: &[&str]) -> Layout {
    let [
        _,
        kind,
        sign,
        exponent,
        bias,
        mantissa,
        largest,
        normal,
        subnormal,
        nan,
    ] = cells
    else {
        panic!("{cells:?}: ten columns");
    };
    let width = |cell: &str| cell.parse().expect("a width");
    Layout {
        kind: match *kind {
            "ieee" => Kind::Ieee,
            "fn" => Kind::Fn,
            "fn-nan" => Kind::FnNan,
            "fnuz" => Kind::Fnuz,
            "fnu" => Kind::Fnu,
            other => panic!("{other}: a kind"),
        },
        sign: width(sign),
        exponent: width(exponent),
        bias: bias.parse().expect("a bias"),
        mantissa: width(mantissa),
        largest: value(largest),
        smallest_normal: value(normal),
        smallest_subnormal: (!subnormal.is_empty()).then(|| value(subnormal)),
        nan: nan
            .strip_prefix("0x")
            .map(|digits| u64::from_str_radix(digits, 16).expect("hex")),
        middles: OnceLock::new(),
    }
}

/// Parses a decimal, or an integer times a power of two.
fn value(cell: &str) -> Decimal {
    match cell.split_once(" * 2^") {
        Some((number, exponent)) => Decimal::binary(
            number.parse().expect("an integer"),
            exponent.parse().expect("an exponent"),
        ),
        None => Decimal::read(cell).expect("a decimal").1,
    }
}

/// Returns the description of a data type in the tables.
pub(crate) fn description(data_type: DataType) -> &'static Description {
    let found = DESCRIPTIONS.iter().find(|(of, _)| *of == data_type);
    &found.expect("the tables hold every data type").1
}

impl Layout {
    /// Returns the width in bits.
    pub(crate) fn bits(&self) -> u32 {
        self.sign + self.exponent + self.mantissa
    }

    /// Returns the number of hex digits of an element, which fills whole bytes.
    pub(crate) fn hex_digits(&self) -> usize {
        2 * self.bits().div_ceil(8) as usize
    }

    /// Returns the sign bit, or 0 if the type has no sign.
    pub(crate) fn sign_bit(&self) -> u64 {
        u64::from(self.sign) << (self.exponent + self.mantissa)
    }

    /// Returns the code of positive infinity.
    pub(crate) fn infinity(&self) -> Option<u64> {
        let ones = ((1 << self.exponent) - 1) << self.mantissa;
        (self.kind == Kind::Ieee).then_some(ones)
    }

    /// Returns the code of the largest number.
    pub(crate) fn largest(&self) -> u64 {
        let ones = (1 << (self.exponent + self.mantissa)) - 1;
        match self.kind {
            Kind::Ieee => self.infinity().unwrap_or(ones) - 1,
            Kind::Fn | Kind::Fnuz => ones,
            Kind::FnNan | Kind::Fnu => ones - 1,
        }
    }

    /// Returns the code of the smallest number whose exponent bits are not all 0.
    pub(crate) fn first_normal(&self) -> u64 {
        1 << self.mantissa
    }

    /// Returns the code of one.
    pub(crate) fn one(&self) -> u64 {
        u64::from(self.bias.unsigned_abs()) << self.mantissa
    }

    /// Returns the number of mantissa bits.
    pub(crate) fn digits(&self) -> u64 {
        self.mantissa.into()
    }

    /// Returns the magnitude of a number with all of its digits and without an exponent.
    pub(crate) fn plain(&self, magnitude: u64) -> String {
        let (number, exponent) = self.parts(magnitude);
        Decimal::binary(number, exponent).plain()
    }

    /// Returns whether the exponent bits of a magnitude are all 1.
    pub(crate) fn has_full_exponent(&self, magnitude: u64) -> bool {
        magnitude >> self.mantissa == (1 << self.exponent) - 1
    }

    /// Returns the meaning of a bit pattern.
    pub(crate) fn meaning(&self, code: u64) -> Meaning {
        let negative = code & self.sign_bit() != 0;
        let magnitude = code & !self.sign_bit();
        let nan = match self.kind {
            Kind::Ieee => self.infinity().is_some_and(|infinity| magnitude > infinity),
            Kind::Fn => false,
            Kind::Fnuz => negative && magnitude == 0,
            Kind::FnNan | Kind::Fnu => magnitude > self.largest(),
        };
        if nan {
            Meaning::Nan
        } else if Some(magnitude) == self.infinity() {
            Meaning::Infinity(negative)
        } else {
            let (number, exponent) = self.parts(magnitude);
            Meaning::Number(negative, Decimal::binary(number, exponent))
        }
    }

    /// Returns the magnitude of a number as an integer and the exponent of a power of two.
    fn parts(&self, magnitude: u64) -> (u64, i32) {
        let hidden = 1u64 << self.mantissa;
        let (field, mantissa) = (magnitude / hidden, magnitude % hidden);
        let field = i32::try_from(field).unwrap_or(i32::MAX);
        let digits = i32::try_from(self.mantissa).unwrap_or(i32::MAX);
        if field == 0 && self.kind != Kind::Fnu {
            (mantissa, 1 - self.bias - digits)
        } else {
            (hidden + mantissa, field - self.bias - digits)
        }
    }

    /// Returns the decimal in the middle between a number and the next larger one. For the largest number it is the
    /// middle between that number and the one that would follow if its exponent existed.
    pub(crate) fn middle(&self, magnitude: u64) -> Cow<'_, Decimal> {
        let make = |magnitude| {
            let (number, exponent) = self.middle_parts(magnitude);
            Decimal::binary(number, exponent)
        };
        let known = (self.bits() <= 16)
            .then(|| {
                self.middles
                    .get_or_init(|| (0..=self.largest()).map(make).collect())
            })
            .zip(usize::try_from(magnitude).ok())
            .and_then(|(middles, index)| middles.get(index));
        match known {
            Some(decimal) => Cow::Borrowed(decimal),
            None => Cow::Owned(make(magnitude)),
        }
    }

    /// Returns the same as an integer and the exponent of a power of two.
    pub(crate) fn middle_parts(&self, magnitude: u64) -> (u64, i32) {
        let (number, exponent) = self.parts(magnitude);
        (2 * number + 1, exponent - 1)
    }

    /// Returns the middle below the smallest number of a type without zero.
    fn first_middle(&self) -> Decimal {
        let (number, exponent) = self.parts(0);
        Decimal::binary(number, exponent - 1)
    }

    /// Returns the code of the number nearest to a decimal, with ties to even. The result is `None` beyond the largest
    /// number, and if the type lacks the sign or the zero that is needed (ruling 7).
    pub(crate) fn nearest(&self, negative: bool, decimal: &Decimal) -> Option<u64> {
        if self.kind == Kind::Fnu && (negative || *decimal < self.first_middle()) {
            return None;
        }
        let (mut low, mut high) = (0, self.largest() + 1);
        while low < high {
            let code = u64::midpoint(low, high);
            let below = match decimal.cmp(&self.middle(code)) {
                Ordering::Less => true,
                Ordering::Greater => false,
                Ordering::Equal => self.takes_tie_above(code),
            };
            if below {
                high = code;
            } else {
                low = code + 1;
            }
        }
        let sign = if negative && !(low == 0 && self.kind == Kind::Fnuz) {
            self.sign_bit()
        } else {
            0
        };
        (low <= self.largest()).then_some(low | sign)
    }

    /// Returns whether a text lies in the middle between two numbers of which neither is even, so that the rule of the
    /// core specification does not decide between them.
    pub(crate) fn is_open_tie(&self, text: &str) -> bool {
        self.mantissa == 0
            && Decimal::read(text).is_some_and(|(_, decimal)| {
                (0..=self.largest()).any(|code| *self.middle(code) == decimal)
            })
    }

    /// Returns whether the middle above a number is rounded down to this number, which is the case if the number is
    /// even. Without mantissa bits no number is even, and ties go to the larger one.
    fn takes_tie_above(&self, magnitude: u64) -> bool {
        magnitude.is_multiple_of(2) && self.mantissa > 0
    }

    /// Returns the shortest decimal that is rounded to a number's magnitude. Of several, it is the one nearest to the
    /// number; of two equally near ones, the one whose last digit is even.
    pub(crate) fn shortest(&self, magnitude: u64) -> Decimal {
        let Meaning::Number(_, value) = self.meaning(magnitude) else {
            return Decimal::binary(0, 0);
        };
        if value.is_zero() {
            return value;
        }
        let above = self.middle(magnitude);
        let below = match magnitude.checked_sub(1) {
            Some(previous) => self.middle(previous),
            None => Cow::Owned(self.first_middle()),
        };
        let takes_below = match magnitude.checked_sub(1) {
            Some(previous) => !self.takes_tie_above(previous),
            None => true,
        };
        let takes_above = self.takes_tie_above(magnitude);
        let inside = |decimal: &Decimal| {
            let from = decimal.cmp(&below);
            let to = decimal.cmp(&above);
            (from == Ordering::Greater || (from == Ordering::Equal && takes_below))
                && (to == Ordering::Less || (to == Ordering::Equal && takes_above))
        };
        for count in 1.. {
            let [low, high, middle] = value.cut(count);
            let low_is_nearer = match value.cmp(&middle) {
                Ordering::Less => true,
                Ordering::Greater => false,
                Ordering::Equal => low.is_even_at(count),
            };
            let candidates = if low_is_nearer {
                [low, high]
            } else {
                [high, low]
            };
            if let Some(found) = candidates.into_iter().find(|it| inside(it)) {
                return found;
            }
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use exactum_model::{Format, Nan};

    use super::*;

    /// Checks that the formats of the model agree with the tables of the specification.
    #[test]
    fn the_model_is_what_the_tables_say() {
        assert_eq!(DESCRIPTIONS.len(), DataType::ALL.len());
        for &data_type in DataType::ALL {
            match (description(data_type), data_type.format()) {
                (Description::Bool, Format::Bool) => {}
                (Description::Integer(bits, signed), Format::Integer(format)) => {
                    assert_eq!(
                        (*bits, *signed),
                        (format.bits, format.signed),
                        "{data_type}"
                    );
                }
                (Description::Float(layout), Format::Float(format))
                | (Description::Complex(layout), Format::Complex(format)) => {
                    assert_eq!(layout.bits(), format.bits(), "{data_type}");
                    assert_eq!(layout.sign == 1, format.signed, "{data_type}");
                    assert_eq!(layout.exponent, format.exponent_bits, "{data_type}");
                    assert_eq!(layout.mantissa, format.mantissa_bits, "{data_type}");
                    assert_eq!(layout.bias, format.bias, "{data_type}");
                    assert_eq!(layout.nan, format.nan_bits(), "{data_type}");
                    let expected = match format.nan {
                        Nan::Ieee => Kind::Ieee,
                        Nan::None => Kind::Fn,
                        Nan::AllOnes => Kind::FnNan,
                        Nan::Only(_) if format.signed => Kind::Fnuz,
                        Nan::Only(_) => Kind::Fnu,
                    };
                    assert_eq!(layout.kind, expected, "{data_type}");
                }
                (described, format) => panic!("{data_type}: {described:?}, {format:?}"),
            }
        }
    }

    /// Checks that the columns with the largest and smallest values follow from the widths and the bias.
    #[test]
    fn the_values_of_the_table_follow_from_its_widths() {
        for (data_type, description) in DESCRIPTIONS.iter() {
            match description {
                Description::Float(layout) => {
                    let number = |code| Meaning::Number(false, code);
                    let normal = if layout.kind == Kind::Fnu {
                        0
                    } else {
                        1 << layout.mantissa
                    };
                    let found = [
                        layout.meaning(layout.largest()),
                        layout.meaning(normal),
                        layout.meaning(1),
                    ];
                    assert_eq!(found[0], number(layout.largest.clone()), "{data_type}");
                    assert_eq!(
                        found[1],
                        number(layout.smallest_normal.clone()),
                        "{data_type}"
                    );
                    match &layout.smallest_subnormal {
                        Some(value) => assert_eq!(found[2], number(value.clone()), "{data_type}"),
                        None => assert_eq!(layout.kind, Kind::Fnu, "{data_type}"),
                    }
                    let nan = layout.nan.map(|code| layout.meaning(code));
                    match layout.kind {
                        Kind::Fn => assert_eq!(nan, None, "{data_type}"),
                        _ => assert_eq!(nan, Some(Meaning::Nan), "{data_type}"),
                    }
                }
                Description::Integer(bits, signed) => {
                    let cells = rows("bits")
                        .into_iter()
                        .find(|cells| cells[0] == data_type.name())
                        .expect("a row");
                    let (smallest, largest) = if *signed {
                        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
                    } else {
                        (0, (1i128 << bits) - 1)
                    };
                    assert_eq!(cells[2], smallest.to_string(), "{data_type}");
                    assert_eq!(cells[3], largest.to_string(), "{data_type}");
                }
                Description::Bool | Description::Complex(_) => {}
            }
        }
    }
}
