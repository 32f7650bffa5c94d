//! Faulty reductions of a block.

use std::cmp::Ordering;

use exactum_conformance::model::{Format, Level, Method, Rounding};
use exactum_exact::{Exact, Rounded, clamp, round, wrap};
use exactum_reference::Reference;
use exactum_reference::downsample::{Downsampling, Element};

use super::reader::Block;
use crate::arithmetic::{BINARY64, integer, largest, same, saturated, through};

/// Defines the reference with one decision replaced.
macro_rules! decided {
    ($($(#[$doc:meta])* $Name:ident { $($decision:tt)+ })+) => {$(
        $(#[$doc])*
        pub(super) struct $Name;
        impl Downsampling for $Name { $($decision)+ }
    )+};
}

/// Rounds means of integers with this mode.
pub(super) struct Integers(pub(super) Rounding);

impl Downsampling for Integers {
    fn rounding(&self, format: &Format) -> Rounding {
        match format {
            Format::Integer(_) => self.0,
            _ => Reference.rounding(format),
        }
    }
}

/// Stores sums of floats of a format with this function.
pub(super) struct Sums(pub(super) fn(&Exact, &Format) -> Exact);

impl Downsampling for Sums {
    fn accumulated(&self, format: &Format, sum: &Exact) -> Exact {
        match format {
            Format::Float(_) => (self.0)(sum, format),
            _ => Reference.accumulated(format, sum),
        }
    }
}

/// Computes sums of floats in their own type.
pub(super) const OF_OWN_TYPE: Sums = Sums(through);

/// Computes sums of floats exactly.
pub(super) const EXACT: Sums = Sums(|sum, _| sum.clone());

decided! {
    /// Wraps sums of uint64.
    WrappingSum {
        fn sum(&self, format: &Format, values: &[&Exact]) -> Exact {
            match integer(format) {
                Some(own) if own.bits == 64 && !own.signed => {
                    Exact::from_bits(format, wrap(&own, &Reference.sum(format, values)))
                }
                _ => Reference.sum(format, values),
            }
        }
    }
    /// Saturates sums of integers at the largest number of the type.
    SaturatingSum {
        fn sum(&self, format: &Format, values: &[&Exact]) -> Exact {
            let add = |sum: Exact, value: &&Exact| {
                Exact::from_bits(format, saturated(&sum.add(value), format))
            };
            match format {
                Format::Integer(_) => values.iter().fold(Exact::integer(0), add),
                _ => Reference.sum(format, values),
            }
        }
    }
    /// Computes sums of integers in binary64.
    SumInBinary64 {
        fn sum(&self, format: &Format, values: &[&Exact]) -> Exact {
            match format {
                Format::Integer(_) => through(&Reference.sum(format, values), &BINARY64),
                _ => Reference.sum(format, values),
            }
        }
    }
    BackwardsSum {
        fn sum(&self, format: &Format, values: &[&Exact]) -> Exact {
            let values: Vec<&Exact> = values.iter().rev().copied().collect();
            Reference.sum(format, &values)
        }
    }
    /// Begins a sum with its first element; the sum of -0 alone is then -0.
    SumFromFirst {
        fn sum(&self, format: &Format, values: &[&Exact]) -> Exact {
            let add = |sum: Exact, value: &&Exact| Reference.accumulated(format, &sum.add(value));
            values[1..].iter().fold(values[0].clone(), add)
        }
    }
    /// Multiplies the sum of floats by the reciprocal of the count.
    ByReciprocal {
        fn quotient(&self, format: &Format, sum: &Exact, count: &Exact) -> Exact {
            let one = Exact::integer(1);
            match format {
                Format::Float(_) => {
                    let reciprocal = Reference.quotient(format, &one, count);
                    Reference.accumulated(format, &sum.multiply(&reciprocal))
                }
                _ => Reference.quotient(format, sum, count),
            }
        }
    }
    UpperMedian {
        fn middle(&self, _: &Level, elements: usize) -> usize {
            elements / 2
        }
    }
    /// Takes the middle of a complete block even if the block is incomplete.
    MiddleOfWhole {
        fn middle(&self, level: &Level, elements: usize) -> usize {
            let whole: u64 = level.factors().iter().product();
            usize::try_from((whole - 1) / 2).map_or(0, |middle| middle.min(elements - 1))
        }
    }
    LargestOfTie {
        fn is_mode(&self, elements: &[&Element], smaller: &[&Element]) -> bool {
            elements.len() >= smaller.len()
        }
    }
    /// Treats every NaN as different from all others.
    NansApart {
        fn is_mode(&self, elements: &[&Element], smaller: &[&Element]) -> bool {
            let count = |of: &[&Element]| if is_nan(&of[0].values[0]) { 1 } else { of.len() };
            count(elements) > count(smaller)
        }
    }
    ImaginaryFirst {
        fn order(&self, format: &Format, a: &Element, b: &Element) -> Ordering {
            let [a, b] = [a, b].map(|it| Element {
                values: it.values.iter().rev().cloned().collect(),
                bits: it.bits.iter().rev().copied().collect(),
            });
            Reference.order(format, &a, &b)
        }
    }
    NanFirst {
        fn order(&self, format: &Format, a: &Element, b: &Element) -> Ordering {
            let [first, second] = [a, b].map(|it| is_nan(&it.values[0]));
            second.cmp(&first).then_with(|| Reference.order(format, a, b))
        }
    }
    /// Treats the highest bit of float8_e8m0fnu as a sign.
    SignOfUnsigned {
        fn order(&self, format: &Format, a: &Element, b: &Element) -> Ordering {
            let signed = |it: &Element| match i128::from(it.bits[0]) {
                bits if bits & 0x80 == 0 => bits,
                bits => -bits,
            };
            let unsigned = format.float().is_some_and(|float| !float.signed);
            match unsigned && ![a, b].iter().any(|it| is_nan(&it.values[0])) {
                true => signed(a).cmp(&signed(b)),
                false => Reference.order(format, a, b),
            }
        }
    }
}

impl Block {
    fn format(&self) -> Format {
        self.data_type.format()
    }

    /// Returns the elements, if they are reduced by this method and are not complex numbers.
    fn values(&self, method: Method) -> Option<Vec<Exact>> {
        let format = self.format();
        let values = self.bits.iter();
        let values = values.map(|&bits| Exact::from_bits(&format, bits));
        (format.components() == 1 && self.method == method).then(|| values.collect())
    }

    /// Returns the elements of a mean of floats, if none of them is NaN or infinite.
    fn floats(&self) -> Option<Vec<Exact>> {
        let values = self.values(Method::Mean)?;
        let finite = |value: &Exact| !matches!(value, Exact::Nan | Exact::Infinite { .. });
        (self.format().float().is_some() && values.iter().all(finite)).then_some(values)
    }
}

/// Averages and rounds each half, and then the two means.
pub(super) fn halved(block: &Block) -> Option<Vec<u64>> {
    let half = block.bits.len() / 2;
    let is_halved = half > 0 && block.bits.len() == 2 * half;
    (is_halved && block.method == Method::Mean && integer(&block.format()).is_some()).then(
        || {
            let (first, second) = block.bits.split_at(half);
            block.of(&[block.of(first)?, block.of(second)?].concat())
        },
    )?
}

pub(super) fn tie_is_true(block: &Block) -> Option<Vec<u64>> {
    let set = block.bits.iter().filter(|&&bits| bits == 1).count();
    let tie = block.format() == Format::Bool && 2 * set == block.bits.len() && set > 0;
    (tie && block.method != Method::Stride).then(|| vec![1])
}

/// Returns 0 as the mean of the smallest floats.
pub(super) fn zero_of_small(block: &Block) -> Option<Vec<u64>> {
    block.floats()?;
    (block.format().component_bits() <= 8).then(|| vec![0])
}

/// Returns the largest value if the sum overflows.
pub(super) fn largest_mean(block: &Block) -> Option<Vec<u64>> {
    let (format, values) = (block.format(), block.floats()?);
    match Reference.sum(&format, &values.iter().collect::<Vec<_>>()) {
        Exact::Infinite { negative } => Some(vec![largest(&format, !negative)]),
        _ => None,
    }
}

/// Returns the mean of the real parts as both parts of a complex number.
pub(super) fn real_parts_only(block: &Block) -> Option<Vec<u64>> {
    let complex = block.format().components() == 2 && block.method == Method::Mean;
    complex.then(|| Some([block.reduced()?[0]; 2].to_vec()))?
}

pub(super) fn mean_of_middles(block: &Block) -> Option<Vec<u64>> {
    block.values(Method::Median)?;
    let format = block.format();
    let upper = block.by(&UpperMedian, Method::Median, &block.bits)?[0];
    let [a, b] = [block.reduced()?[0], upper].map(|bits| Exact::from_bits(&format, bits));
    if a.compare(&b)? == Ordering::Equal {
        return None;
    }
    let mean = a.add(&b).divide(&Exact::integer(2));
    Some(vec![match round(&mean, &format, Rounding::NearestEven) {
        Rounded::Bits(bits) => bits,
        _ => clamp(&format, !mean.is_negative()),
    }])
}

pub(super) fn first_of_tie(block: &Block) -> Option<Vec<u64>> {
    let values = block.values(Method::Mode)?;
    let equal = |a: &Exact, b: &Exact| a == b || same(a, b);
    let count = |of: &Exact| values.iter().filter(|value| equal(value, of)).count();
    let most = values.iter().map(count).max()?;
    let first = values.iter().position(|value| count(value) == most)?;
    Some(vec![block.bits[first]])
}

/// Does not count zeros.
pub(super) fn sparse_mode(block: &Block) -> Option<Vec<u64>> {
    block.values(Method::Mode)?;
    let rest = block.bits.iter().copied().filter(|&bits| bits != 0);
    let rest: Vec<u64> = rest.collect();
    (!rest.is_empty()).then(|| block.of(&rest))?
}

/// Returns the smallest element, as if all elements were equally frequent.
pub(super) fn smallest(block: &Block) -> Option<Vec<u64>> {
    block.values(Method::Mode)?;
    block.by(&Reference, Method::Min, &block.bits)
}

/// Returns the elements whose minimum or maximum is taken.
fn extreme(block: &Block) -> Option<Vec<Exact>> {
    let least = block.values(Method::Min);
    least.or_else(|| block.values(Method::Max))
}

pub(super) fn other_extreme(block: &Block) -> Option<Vec<u64>> {
    extreme(block)?;
    let method = match block.method {
        Method::Min => Method::Max,
        _ => Method::Min,
    };
    block.by(&Reference, method, &block.bits)
}

/// Compares the bits as unsigned numbers.
pub(super) fn unsigned_order(block: &Block) -> Option<Vec<u64>> {
    extreme(block)?;
    let bits = block.bits.iter().copied();
    let chosen = match block.method {
        Method::Min => bits.min(),
        _ => bits.max(),
    };
    chosen.map(|bits| vec![bits])
}

fn is_nan(value: &Exact) -> bool {
    *value == Exact::Nan
}

fn nan(block: &Block) -> Option<Vec<u64>> {
    Some(vec![block.format().float()?.nan_bits()?])
}

pub(super) fn nan_is_extreme(block: &Block) -> Option<Vec<u64>> {
    extreme(block)?.iter().any(is_nan).then(|| nan(block))?
}

/// Starts loops with infinities.
pub(super) fn infinite_seed(block: &Block) -> Option<Vec<u64>> {
    let all = extreme(block)?.iter().all(is_nan);
    let float = block.format().float()?;
    let infinity = float.infinity_bits()?;
    all.then(|| match block.method {
        Method::Min => vec![infinity],
        _ => vec![infinity | float.sign_mask()],
    })
}

/// Starts loops with NaN for types without an infinity.
pub(super) fn nan_seed(block: &Block) -> Option<Vec<u64>> {
    extreme(block)?;
    let float = block.format().float()?;
    float.infinity_bits().is_none().then(|| nan(block))?
}

/// Leaves NaN out of a mean.
pub(super) fn nan_left_out(block: &Block) -> Option<Vec<u64>> {
    let values = block.values(Method::Mean)?;
    let numbers = block.bits.iter().zip(&values).filter(|it| !is_nan(it.1));
    let rest: Vec<u64> = numbers.map(|(&bits, _)| bits).collect();
    (!rest.is_empty() && rest.len() < values.len()).then(|| block.of(&rest))?
}

/// Returns the first of several zeros.
pub(super) fn first_zero(block: &Block) -> Option<Vec<u64>> {
    let float = block.format().float()?;
    if block.format().components() == 2 || matches!(block.method, Method::Mean | Method::Stride) {
        return None;
    }
    let result = block.reduced()?;
    let zero = float.is_zero(result[0]);
    let first = block.bits.iter().copied().find(|&bits| float.is_zero(bits));
    first.filter(|_| zero).map(|bits| vec![bits])
}

/// Always returns +0 for zero.
pub(super) fn zero_without_sign(block: &Block) -> Option<Vec<u64>> {
    let float = block.format().float()?;
    if block.format().components() == 2 || block.method == Method::Stride {
        return None;
    }
    let result = block.reduced()?;
    float.is_zero(result[0]).then(|| vec![0])
}

/// Gives strided NaNs the default bits.
pub(super) fn stride_quiets(block: &Block) -> Option<Vec<u64>> {
    let values = block.values(Method::Stride)?;
    is_nan(&values[0]).then(|| nan(block))?
}

/// Returns zeros for data types that TensorStore lacks.
pub(super) fn zero_of_unlisted(block: &Block) -> Option<Vec<u64>> {
    let name = block.data_type.name();
    let lacks = ["uint2", "uint4", "float6", "float8_e4m3", "complex_"].iter();
    let lacks = lacks.clone().any(|start| match *start {
        "float8_e4m3" => name == "float8_e4m3",
        start => name.starts_with(start),
    });
    lacks.then(|| vec![0; block.format().components()])
}
