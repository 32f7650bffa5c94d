//! `sds`: typed data sets, their conversions, missing and infinite values (spec/sds.md).
//!
//! There are two passes. The first finds the range of the data; the second converts it with machine
//! arithmetic that detects when it is in doubt. Data that is not in memory as a whole is processed chunk by
//! chunk ([`Extremes`], [`Encoder`], [`Decoder`]).

mod coding;
mod dyadic;
mod external;
mod line;
mod lower;
mod plan;
mod scale;
mod stored;

use alloc::vec::Vec;

use exactum_model::sds::{
    DataSet, Fill, Infinite, NAN, Profile, Scaling, SdsType, Values, Warning, Warnings,
};
use exactum_model::{Reason, Rejection};

pub use coding::{Code, Decoder, Encoder, Extremes, Real};
use dyadic::Dyadic;
pub use external::{read, write};
use line::Line;
pub use lower::lower;
pub use plan::plan;
use stored::{Reals, Special, Stored};

/// The bits of the quiet NaN of `r4`.
const NAN_SINGLE: u32 = 0x7fc0_0000;

/// Converts a data set to another type (sds.5.*, sds.6.*, sds.7.*).
///
/// # Errors
/// Conversions to and from `c8` (sds.1.5).
///
/// ```
/// use exactum_optimized::model::sds::{DataSet, Fill, Profile, Scaling, SdsType, Values};
/// use exactum_optimized::sds;
///
/// let values = Values::Doubles(vec![1.5_f64.to_bits(), f64::NAN.to_bits()]);
/// let doubles = DataSet::new(
///     SdsType::R8,
///     values,
///     Scaling::UNSET,
///     Fill::Nan,
///     None,
///     Profile::default(),
/// )?;
/// assert_eq!(sds::missing(&doubles)?, [false, true]);
/// let (singles, _) = sds::convert(&doubles, SdsType::R4, Profile::default())?;
/// assert_eq!(singles.data_type(), SdsType::R4);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn convert(
    input: &DataSet,
    target: SdsType,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let from = input.data_type();
    if from == target {
        return Ok((input.clone(), Warnings::new()));
    }
    match input.values() {
        Values::Complex(_) => Err(undefined(from, target)),
        _ if target == SdsType::C8 => Err(undefined(from, target)),
        Values::Integers(codes) if target.is_integer() => {
            integer_to_integer(input, codes, target, profile)
        }
        Values::Integers(codes) => integer_to_real(input, codes, target, profile),
        Values::Singles(bits) if target.is_integer() => {
            real_to_integer(input, &widened(bits), target, profile)
        }
        Values::Doubles(bits) if target.is_integer() => {
            real_to_integer(input, &doubles(bits), target, profile)
        }
        Values::Singles(bits) => {
            let fill = missing_of(input.fill());
            let one = |&bits: &u32| match widen(bits) {
                value if value == fill => NAN,
                value => double_bits(value),
            };
            let values = Values::Doubles(bits.iter().map(one).collect());
            real(input, target, values, profile).map(|output| (output, Warnings::new()))
        }
        Values::Doubles(bits) => narrowed(input, bits, profile),
    }
}

fn undefined(from: SdsType, target: SdsType) -> Rejection {
    Rejection::new(
        Reason::UnsupportedDataType,
        "sds.1.5",
        format!("the conversion from {from} to {target} is not defined"),
    )
}

/// Returns which elements are missing (sds.6.10).
///
/// # Errors
/// For `c8`, about which the note says nothing.
pub fn missing(input: &DataSet) -> Result<Vec<bool>, Rejection> {
    Ok(match input.values() {
        Values::Integers(codes) => {
            let fill = input.fill();
            codes.iter().map(|&code| fill == Fill::Code(code)).collect()
        }
        Values::Singles(bits) => is_missing(&widened(bits), input.fill()),
        Values::Doubles(bits) => is_missing(&doubles(bits), input.fill()),
        Values::Complex(_) => {
            return Err(Rejection::new(
                Reason::UnsupportedDataType,
                "sds.1.5",
                "the test for missing values is not defined for c8",
            ));
        }
    })
}

fn is_missing(values: &[f64], fill: Fill) -> Vec<bool> {
    let fill = match fill {
        Fill::Real(bits) => f64::from_bits(bits),
        _ => f64::NAN,
    };
    let one = |value: &f64| value.is_nan() || *value == fill;
    values.iter().map(one).collect()
}

/// The reserved codes of an integer type.
#[derive(Clone, Debug)]
struct Codes {
    of: SdsType,
    profile: Profile,
    least: i64,
    greatest: i64,
    fill: i64,
    infinite: Infinite,
    has_fill: bool,
    has_infinite: bool,
}

/// The result of one element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Coded {
    Code(i64),
    /// The element was missing before.
    Missing,
    /// A finite value without a code.
    Lost,
    /// A negative infinity in an unsigned type.
    Below,
}

impl Codes {
    fn new(of: SdsType, profile: Profile, has_fill: bool, has_infinite: bool) -> Self {
        let (least, greatest) = of.range(profile);
        Self {
            of,
            profile,
            least,
            greatest,
            fill: of.standard_fill(profile),
            infinite: of.standard_infinite(profile),
            has_fill,
            has_infinite,
        }
    }

    /// Returns the limits of the codes for data (sds.5.7, sds.7.6).
    fn allowed(&self) -> (i64, i64) {
        let more = i64::from(self.has_infinite);
        if self.of.is_signed() {
            (self.least + 1 + more, self.greatest - 1)
        } else {
            (self.least, self.greatest - 1 - more)
        }
    }

    /// Returns a value's code, unless it is out of range or reserved (sds.5.17).
    #[inline]
    fn of_value(&self, code: Option<i64>) -> Coded {
        match code {
            Some(code)
                if (self.least..=self.greatest).contains(&code)
                    && !(self.has_fill && code == self.fill)
                    && !(self.has_infinite
                        && (code == self.infinite.positive
                            || Some(code) == self.infinite.negative)) =>
            {
                Coded::Code(code)
            }
            _ => Coded::Lost,
        }
    }

    /// Converts a real number; `missing` represents a missing value (sds.5.16, sds.5.17, sds.7.1).
    #[inline]
    fn of_real(&self, line: Line, missing: f64, value: f64) -> Coded {
        if value.is_nan() || value == missing {
            Coded::Missing
        } else if value.is_infinite() {
            self.of_infinity(value < 0.0)
        } else {
            self.of_value(line.code(value))
        }
    }

    #[inline]
    fn of_infinity(&self, negative: bool) -> Coded {
        match (negative, self.infinite.negative) {
            (false, _) => Coded::Code(self.infinite.positive),
            (true, Some(code)) => Coded::Code(code),
            (true, None) => Coded::Below,
        }
    }

    /// Writes all elements. If one turns out to be missing and no fill value was defined, the standard one
    /// becomes defined, and the elements are examined again.
    fn write<T: Copy>(
        mut self,
        elements: &[T],
        scaling: Scaling,
        mut warnings: Warnings,
        element: impl Fn(&Codes, T) -> Coded,
    ) -> Result<(DataSet, Warnings), Rejection> {
        let (codes, fill) = loop {
            let (mut lost, mut below, mut missing) = (false, false, false);
            let one = |&value: &T| match element(&self, value) {
                Coded::Code(code) => code,
                other => {
                    lost |= other == Coded::Lost;
                    below |= other == Coded::Below;
                    missing = true;
                    self.fill
                }
            };
            let codes: Vec<i64> = elements.iter().map(one).collect();
            if missing && !self.has_fill {
                self.has_fill = true;
                continue;
            }
            if lost {
                warnings.insert(Warning::DataOutOfRange);
            }
            if below {
                warnings.insert(Warning::NegInfinityToMissing);
            }
            let fill = match self.has_fill {
                true => Fill::Code(self.fill),
                false => Fill::Undefined,
            };
            break (codes, fill);
        };
        let output = DataSet::new(
            self.of,
            Values::Integers(codes),
            scaling,
            fill,
            self.has_infinite.then_some(self.infinite),
            self.profile,
        )?;
        Ok((output, warnings))
    }
}

fn integer_to_integer(
    input: &DataSet,
    codes: &[i64],
    target: SdsType,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let special = Special::of(input);
    let (least, greatest) = target.range(profile);
    let (source_least, source_greatest) = input.data_type().range(profile);
    let nests = least <= source_least && source_greatest <= greatest;
    // In an unsigned type, a negative infinity gets the missing code, which is then in use.
    let negative = special.infinite.and_then(|infinite| infinite.negative);
    let needs_fill = !target.is_signed() && negative.is_some_and(|code| codes.contains(&code));
    let written = Codes::new(
        target,
        profile,
        input.fill() != Fill::Undefined || needs_fill,
        special.infinite.is_some(),
    );
    let same_sign = input.data_type().is_signed() == target.is_signed();
    let (low, high) = if same_sign || written.has_fill || written.has_infinite {
        written.allowed()
    } else {
        (least, greatest)
    };
    let line = Line::new(input.scaling);
    let write = |scaling, warnings, recode: &dyn Fn(i64) -> Option<i64>| {
        written.write(codes, scaling, warnings, |codes, code| {
            match special.stored(code) {
                Stored::Missing => Coded::Missing,
                Stored::Infinite(negative) => codes.of_infinity(negative),
                Stored::Value => codes.of_value(recode(code)),
            }
        })
    };
    let outside = |&(m, big_m): &(i64, i64)| !nests && (m < low || big_m > high);
    let Some((m, big_m)) = special.ends(codes).filter(outside) else {
        return write(input.scaling, Warnings::new(), &Some);
    };
    if big_m - m <= high - low {
        let twice = (low + high) - (m + big_m);
        // Ties move away from the missing code: up in signed types, down in unsigned ones.
        let shift = (twice + i64::from(target.is_signed())) >> 1;
        let (scaling, warnings) = scale::shifted(line, shift);
        return write(scaling, warnings, &|code| Some(code + shift));
    }
    let (scaling, warnings) = scale::determine(
        line,
        &Dyadic::integer(m),
        &Dyadic::integer(big_m),
        target,
        profile,
    );
    let to = Line::new(scaling);
    write(scaling, warnings, &|code| line.recode(code, to))
}

fn real_to_integer(
    input: &DataSet,
    values: &[f64],
    target: SdsType,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let missing = missing_of(input.fill());
    let extremes = Extremes::of_values(values, missing);
    let (scaling, warnings) = extremes.scaling(input.scaling, target, profile);
    let line = Line::new(scaling);
    let codes = Codes::new(target, profile, true, extremes.has_infinite());
    codes.write(values, scaling, warnings, |codes, value| {
        codes.of_real(line, missing, value)
    })
}

fn integer_to_real(
    input: &DataSet,
    codes: &[i64],
    target: SdsType,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let reals = Reals::of(input, target);
    let mut warnings = Warnings::new();
    let one = |&code: &i64| reals.of_code(code, &mut warnings);
    let values: Vec<f64> = codes.iter().map(one).collect();
    let values = if reals.single {
        Values::Singles(values.into_iter().map(single_bits).collect())
    } else {
        Values::Doubles(values.into_iter().map(double_bits).collect())
    };
    real(input, target, values, profile).map(|output| (output, warnings))
}

/// Converts `r8` to `r4` with rounding; values that overflow, and the infinities, become missing (sds.5.21,
/// sds.7.2).
fn narrowed(
    input: &DataSet,
    bits: &[u64],
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let (mut lost, mut infinite) = (false, false);
    let fill = missing_of(input.fill());
    let one = |&bits: &u64| {
        let value = f64::from_bits(bits);
        if value == fill {
            return NAN_SINGLE;
        }
        #[expect(clippy::cast_possible_truncation, reason = "the rounding is intended")]
        let rounded = value as f32;
        infinite |= value.is_infinite();
        lost |= value.is_finite() && rounded.is_infinite();
        if rounded.is_finite() {
            rounded.to_bits()
        } else {
            NAN_SINGLE
        }
    };
    let values = bits.iter().map(one).collect();
    let mut warnings = Warnings::new();
    if lost {
        warnings.insert(Warning::DataOutOfRange);
    }
    if infinite {
        warnings.insert(Warning::InfinityNotRepresentable);
    }
    real(input, SdsType::R4, Values::Singles(values), profile).map(|output| (output, warnings))
}

/// Returns the number that represents missing reals. If NaN represents them, it is NaN, which equals nothing.
fn missing_of(fill: Fill) -> f64 {
    match fill {
        Fill::Real(bits) => f64::from_bits(bits),
        _ => f64::NAN,
    }
}

/// Returns reals with the attributes of a data set.
fn real(
    input: &DataSet,
    target: SdsType,
    values: Values,
    profile: Profile,
) -> Result<DataSet, Rejection> {
    DataSet::new(target, values, input.scaling, Fill::Nan, None, profile)
}

/// Returns the bits of a value of binary32; every NaN becomes the quiet one.
fn single_bits(value: f64) -> u32 {
    if value.is_nan() {
        return NAN_SINGLE;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a value of binary32")]
    let single = value as f32;
    single.to_bits()
}

fn double_bits(value: f64) -> u64 {
    if value.is_nan() { NAN } else { value.to_bits() }
}

fn widen(bits: u32) -> f64 {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        f64::from_bits(NAN)
    } else {
        value.into()
    }
}

fn widened(bits: &[u32]) -> Vec<f64> {
    bits.iter().map(|&bits| widen(bits)).collect()
}

fn doubles(bits: &[u64]) -> Vec<f64> {
    bits.iter().map(|&bits| f64::from_bits(bits)).collect()
}
