//! Data sets taken apart and put together again, for faults.

use exactum_conformance::Converted;
use exactum_conformance::model::sds::{
    DataSet, Fill, Infinite, NAN, Profile, Scaling, SdsType, Values, Warning, Warnings,
};

/// The parts of a data set, which may be changed.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) of: SdsType,
    pub(super) values: Values,
    pub(super) scaling: Scaling,
    pub(super) fill: Fill,
    pub(super) infinite: Option<Infinite>,
}

impl Parts {
    pub(super) fn of(set: &DataSet) -> Self {
        Self {
            of: set.data_type(),
            values: set.values().clone(),
            scaling: set.scaling,
            fill: set.fill(),
            infinite: set.infinite(),
        }
    }

    /// Returns the data set, in the wider of the two profiles.
    pub(super) fn set(self) -> Option<DataSet> {
        let Parts {
            of,
            values,
            scaling,
            fill,
            infinite,
        } = self;
        DataSet::new(of, values, scaling, fill, infinite, Profile::Soi97).ok()
    }
}

/// Returns the right answer with other parts, or unchanged if they do not form a data set.
pub(super) fn changed(right: Converted, change: impl FnOnce(&mut Parts)) -> Converted {
    let (set, warnings) = right?;
    let mut parts = Parts::of(&set);
    change(&mut parts);
    Ok((parts.set().unwrap_or(set), warnings))
}

/// Returns the input with other parts, or unchanged if they do not form a data set.
pub(super) fn other(input: &DataSet, change: impl FnOnce(&mut Parts)) -> DataSet {
    let mut parts = Parts::of(input);
    change(&mut parts);
    parts.set().unwrap_or_else(|| input.clone())
}

/// Returns the right answer without a warning.
pub(super) fn without_warning(right: Converted, warning: Warning) -> Converted {
    right.map(|(set, mut warnings)| {
        warnings.remove(&warning);
        (set, warnings)
    })
}

/// Returns an answer without warnings.
pub(super) fn silent(set: DataSet) -> Converted {
    Ok((set, Warnings::new()))
}

/// Returns the codes of integers.
pub(super) fn codes(set: &DataSet) -> Option<&[i64]> {
    match set.values() {
        Values::Integers(codes) => Some(codes),
        _ => None,
    }
}

/// Returns reals as doubles, and codes as they are.
pub(super) fn numbers(set: &DataSet) -> Vec<f64> {
    match set.values() {
        Values::Integers(codes) => codes.iter().map(|&code| float(code)).collect(),
        Values::Singles(bits) => bits.iter().map(|&it| f32::from_bits(it).into()).collect(),
        Values::Doubles(bits) => bits.iter().map(|&it| f64::from_bits(it)).collect(),
        Values::Complex(_) => Vec::new(),
    }
}

/// Returns values of a real type; a number that the type does not have becomes NaN.
pub(super) fn reals(of: SdsType, numbers: &[f64]) -> Values {
    if of == SdsType::R4 {
        let single = |number: &f64| {
            let single: f32 = format!("{number:e}").parse().unwrap_or(f32::NAN);
            if single.is_finite() {
                single.to_bits()
            } else {
                0x7fc0_0000
            }
        };
        return Values::Singles(numbers.iter().map(single).collect());
    }
    let double = |number: &f64| {
        if number.is_nan() {
            NAN
        } else {
            number.to_bits()
        }
    };
    Values::Doubles(numbers.iter().map(double).collect())
}

/// Returns a code as a double.
pub(super) fn float(code: i64) -> f64 {
    i32::try_from(code).map_or(f64::NAN, f64::from)
}

/// Returns a whole double as a code.
pub(super) fn integer(number: f64) -> Option<i64> {
    format!("{number:.0}").parse().ok()
}

/// Returns SCALE and OFFSET as doubles.
pub(super) fn attributes(scaling: Scaling) -> (f64, f64) {
    let (scale, offset) = scaling.effective();
    (f64::from_bits(scale), f64::from_bits(offset))
}

/// Returns a scaling with both attributes, from doubles.
pub(super) fn scaling(scale: f64, offset: f64) -> Scaling {
    Scaling::of(Some(scale.to_bits()), Some(offset.to_bits()))
}
