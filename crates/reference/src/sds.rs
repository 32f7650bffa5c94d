//! `sds`: converts typed data sets with missing and infinite values (spec/sds.md).
//!
//! The stored number is `stored = value * SCALE + OFFSET` (sds.2.6). Every number is an exact ratio until it becomes a
//! code, a real value or an attribute, and is then rounded once (sds.5.16): codes to nearest with ties away from zero,
//! real values and attributes to nearest-even.

mod decisions;
mod element;
mod external;
mod lower;
mod plan;
mod scale;
#[cfg(test)]
mod tests;

use exactum_exact::Exact;
use exactum_model::sds::{
    DataSet, Fill, Infinite, NAN, Profile, Scaling, SdsType, Values, Warning, Warnings,
};
use exactum_model::{Reason, Rejection};

use crate::Reference;
pub use decisions::{Carry, Conversion};
use element::{Element, elements, nearest_away, offset_of, represented, round_real, scale_of};
pub use external::{read, read_with, write, write_with};
pub use lower::lower;
pub use plan::{PlanRange, Planning, plan, plan_with, power_not_above};

/// The largest magnitude of integers that `r4` holds reliably, according to the note (sds.5.13).
const TRUSTED: i64 = 8_388_607;

/// Converts a data set to another type (sds.5.*, sds.6.*, sds.7.*).
///
/// # Errors
/// If one of the two types is `c8` and the other is not (sds.1.5).
pub fn convert(
    input: &DataSet,
    target: SdsType,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    convert_with(&Reference, input, target, profile)
}

/// Converts a data set to another type with the given decisions.
///
/// # Errors
/// The same as for [`convert`].
pub fn convert_with(
    rules: &dyn Conversion,
    input: &DataSet,
    target: SdsType,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let from = input.data_type();
    if from == target {
        return Ok((input.clone(), Warnings::new()));
    }
    if from == SdsType::C8 || target == SdsType::C8 {
        return Err(Rejection::new(
            Reason::UnsupportedDataType,
            "sds.1.5",
            format!("the conversion from {from} to {target} is not defined"),
        ));
    }
    match (from.is_integer(), target.is_integer()) {
        (true, true) => integer_to_integer(rules, input, target, profile),
        (false, true) => real_to_integer(rules, input, target, profile),
        (_, false) => to_real(input, target, profile),
    }
}

/// Returns which elements are missing (sds.6.10). In integers, these are the elements equal to the fill value; in
/// reals, they are NaN.
///
/// # Errors
/// If the type is `c8`, for which the note does not define missing values.
pub fn missing(input: &DataSet) -> Result<Vec<bool>, Rejection> {
    if input.data_type() == SdsType::C8 {
        return Err(Rejection::new(
            Reason::UnsupportedDataType,
            "sds.1.5",
            "the test for missing values is not defined for c8",
        ));
    }
    let is_missing = |element: &Element| matches!(element, Element::Missing);
    Ok(elements(input).iter().map(is_missing).collect())
}

/// The codes that a conversion has to reserve in an integer type.
#[derive(Clone, Copy)]
struct Codes<'a> {
    rules: &'a dyn Conversion,
    of: SdsType,
    profile: Profile,
    /// Whether a fill value is defined. If so, it is the standard one (sds.6.5).
    fill: bool,
    /// Whether codes of infinities are defined. If so, they are the standard ones (sds.7.3, sds.7.4).
    infinite: bool,
}

impl Codes<'_> {
    /// Returns the first and the last code that data may have, excluding codes at the ends of the range (sds.5.7,
    /// sds.7.6).
    fn allowed(&self) -> (i64, i64) {
        let (least, greatest) = self.of.range(self.profile);
        let more = i64::from(self.infinite);
        if self.of.is_signed() {
            (least + 1 + more, greatest - 1)
        } else {
            (least, greatest - 1 - more)
        }
    }

    /// Returns a value's code, unless the code is out of range or has another meaning (sds.5.17).
    fn usable(&self, code: Option<i64>) -> Option<i64> {
        let (least, greatest) = self.of.range(self.profile);
        let code = code?;
        if !(least..=greatest).contains(&code) {
            return self.rules.beyond(code, self.of, self.profile);
        }
        let infinite = self.rules.infinite(self.of, self.profile);
        let taken = (self.fill && code == self.of.standard_fill(self.profile))
            || (self.infinite && (code == infinite.positive || Some(code) == infinite.negative));
        (!taken).then_some(code)
    }

    /// Writes elements as codes. Missing and infinite elements have reserved codes (sds.6.6, sds.7.2), and `code`
    /// returns the codes of all others. An element without a code becomes missing (sds.5.17), so that the fill value
    /// must be defined.
    fn write(
        mut self,
        elements: &[Element],
        scaling: Scaling,
        mut warnings: Warnings,
        code: impl Fn(&Exact) -> Option<i64>,
    ) -> Result<(DataSet, Warnings), Rejection> {
        let infinite = self.rules.infinite(self.of, self.profile);
        let negative_is_missing =
            infinite.negative.is_none() && elements.contains(&Element::Infinite { negative: true });
        if negative_is_missing {
            warnings.insert(Warning::NegInfinityToMissing);
        }
        let encode = |codes: &Codes<'_>| -> Vec<Option<i64>> {
            let one = |element: &Element| match element {
                Element::Missing => None,
                Element::Infinite { negative: false } => Some(infinite.positive),
                Element::Infinite { negative: true } => infinite.negative,
                Element::Stored(stored) => codes.usable(code(stored)),
            };
            elements.iter().map(one).collect()
        };
        let mut coded = encode(&self);
        if !self.fill && coded.contains(&None) {
            self.fill = true;
            coded = encode(&self);
        }
        let lost = |(element, code): (&Element, &Option<i64>)| {
            matches!(element, Element::Stored(_)) && code.is_none()
        };
        if elements.iter().zip(&coded).any(lost) {
            warnings.insert(Warning::DataOutOfRange);
        }
        let fill = self.of.standard_fill(self.profile);
        let values = coded.into_iter().map(|code| code.unwrap_or(fill)).collect();
        let output = DataSet::new(
            self.of,
            Values::Integers(values),
            scaling,
            if self.fill {
                Fill::Code(fill)
            } else {
                Fill::Undefined
            },
            self.infinite.then_some(infinite),
            self.profile,
        )?;
        Ok((output, warnings))
    }
}

/// Converts integers to integers. The codes are unchanged if possible. Otherwise, OFFSET alone is changed if that
/// suffices, and both attributes if it does not (sds.5.1 to sds.5.12).
fn integer_to_integer(
    rules: &dyn Conversion,
    input: &DataSet,
    target: SdsType,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let from = input.data_type();
    let elements = elements(input);
    let without_negative = !target.is_signed();
    let codes = Codes {
        rules,
        of: target,
        profile,
        fill: input.fill() != Fill::Undefined
            || (without_negative && elements.contains(&Element::Infinite { negative: true })),
        infinite: input.infinite().is_some(),
    };
    let scaling = input.scaling;
    let (least, greatest) = target.range(profile);
    let (source_least, source_greatest) = from.range(profile);
    let nests = least <= source_least && source_greatest <= greatest;
    let allowed = if rules.excludes(from, target, codes.fill || codes.infinite) {
        codes.allowed()
    } else {
        (least, greatest)
    };
    let ends = integer_ends(&elements).unwrap_or(allowed);
    match rules.carry(nests, ends, allowed) {
        Carry::Unchanged => codes.write(&elements, scaling, Warnings::new(), nearest_away),
        Carry::Shifted => {
            let shift = rules.shift(ends, allowed, target.is_signed());
            let shift = Exact::integer(shift.into());
            let (scale, offset) = scaling.effective();
            let offset = offset_of(&Exact::from_bits(&element::binary64(), offset).add(&shift));
            let mut warnings = scale::conditioned(offset);
            warnings.insert(Warning::Recentred);
            let scaling = Scaling::of(Some(scale), Some(offset));
            codes.write(&elements, scaling, warnings, |stored| {
                nearest_away(&stored.add(&shift))
            })
        }
        Carry::Scaled => {
            let value = |stored: &Exact| represented(stored, scaling);
            let end = |code: i64| value(&Exact::integer(code.into()));
            let (one, other) = (end(ends.0), end(ends.1));
            let preset = scale_of(scaling);
            let (scaling, warnings) = rules.determine([&one, &other], preset, target, profile);
            codes.write(&elements, scaling, warnings, |stored| {
                rules.code(&value(stored), scaling)
            })
        }
    }
}

/// Converts reals to integers, with the attributes of the data set if they are set (sds.5.15), and otherwise with
/// attributes that are determined from the values (sds.5.18, sds.5.19).
fn real_to_integer(
    rules: &dyn Conversion,
    input: &DataSet,
    target: SdsType,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let elements = elements(input);
    let codes = Codes {
        rules,
        of: target,
        profile,
        fill: true,
        infinite: rules.reserves(input),
    };
    let ends = real_ends(&elements);
    let (scaling, warnings) = rules.attributes(input.scaling, ends, target, profile);
    codes.write(&elements, scaling, warnings, |value| {
        rules.code(value, scaling)
    })
}

/// Converts to reals. Each represented value is rounded once, and the attributes are kept (sds.3.1, sds.3.2,
/// sds.5.2, sds.5.21).
fn to_real(
    input: &DataSet,
    target: SdsType,
    profile: Profile,
) -> Result<(DataSet, Warnings), Rejection> {
    let mut warnings = Warnings::new();
    let elements = elements(input);
    let from = input.data_type();
    if target == SdsType::R4 && matches!(from, SdsType::I4 | SdsType::U4) {
        let beyond = |&(m, big_m): &(i64, i64)| m < -TRUSTED || big_m > TRUSTED;
        if integer_ends(&elements).as_ref().is_some_and(beyond) {
            warnings.insert(Warning::PrecisionMayBeLost);
        }
    }
    let mut bits = Vec::with_capacity(elements.len());
    for element in &elements {
        let value = match element {
            Element::Missing => None,
            Element::Infinite { .. } if target == SdsType::R4 => {
                warnings.insert(Warning::InfinityNotRepresentable);
                None
            }
            Element::Infinite { negative } => Some(Exact::Infinite {
                negative: *negative,
            }),
            Element::Stored(stored) if from.is_integer() => {
                Some(represented(stored, input.scaling))
            }
            Element::Stored(stored) => Some(stored.clone()),
        };
        let rounded = value.map(|value| round_real(&value, target));
        if rounded == Some(None) {
            warnings.insert(Warning::DataOutOfRange);
        }
        bits.push(rounded.flatten());
    }
    let output = DataSet::new(
        target,
        reals(target, &bits),
        input.scaling,
        Fill::Nan,
        None::<Infinite>,
        profile,
    )?;
    Ok((output, warnings))
}

/// Returns real values from their bits. A value without bits is NaN.
fn reals(of: SdsType, bits: &[Option<u64>]) -> Values {
    if of == SdsType::R4 {
        let nan = 0x7fc0_0000;
        let single =
            |bits: &Option<u64>| bits.map_or(nan, |bits| u32::try_from(bits).unwrap_or(nan));
        Values::Singles(bits.iter().map(single).collect())
    } else {
        Values::Doubles(bits.iter().map(|bits| bits.unwrap_or(NAN)).collect())
    }
}

/// Returns the smallest and the largest stored integer, or `None` if there are no stored integers.
fn integer_ends(elements: &[Element]) -> Option<(i64, i64)> {
    let codes = elements.iter().filter_map(|element| match element {
        Element::Stored(stored) => nearest_away(stored),
        _ => None,
    });
    codes.fold(None, |ends, code| {
        let (least, greatest) = ends.unwrap_or((code, code));
        Some((code.min(least), code.max(greatest)))
    })
}

/// Returns the smallest and the largest finite value, or `None` if there are no finite values.
fn real_ends(elements: &[Element]) -> Option<[&Exact; 2]> {
    let values = elements.iter().filter_map(|element| match element {
        Element::Stored(value) => Some(value),
        _ => None,
    });
    values.fold(None, |ends, value| {
        let [least, greatest] = ends.unwrap_or([value, value]);
        let below = value.compare(least).is_some_and(std::cmp::Ordering::is_lt);
        let above = value
            .compare(greatest)
            .is_some_and(std::cmp::Ordering::is_gt);
        Some([
            if below { value } else { least },
            if above { value } else { greatest },
        ])
    })
}
