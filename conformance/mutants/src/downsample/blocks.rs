//! Faulty reductions of a block.

use std::cmp::Ordering;

use exactum_conformance::model::{FloatFormat, Format, Method, Rounding};
use exactum_exact::{Exact, Rounded, clamp, round};

use super::reader::Block;

impl Block {
    fn format(&self) -> Format {
        self.data_type.format()
    }

    /// The block, if it is reduced by this method and its elements are not complex numbers.
    fn by(&self, method: Method) -> Option<Vec<Exact>> {
        let format = self.format();
        let real = format.components() == 1 && self.method == method && !self.bits.is_empty();
        real.then(|| {
            let values = self.bits.iter();
            values
                .map(|&bits| Exact::from_bits(&format, bits))
                .collect()
        })
    }

    fn integers(&self) -> Option<Vec<Exact>> {
        self.by(Method::Mean)
            .filter(|_| matches!(self.format(), Format::Integer(_)))
    }

    /// The float format of a mean, and its elements, none of them NaN or infinite.
    fn floats(&self) -> Option<(FloatFormat, Vec<Exact>)> {
        let values = self.by(Method::Mean)?;
        let finite = |value: &Exact| !matches!(value, Exact::Nan | Exact::Infinite { .. });
        let Format::Float(float) = self.format() else {
            return None;
        };
        values.iter().all(finite).then_some((float, values))
    }

    /// The bits of a value, in the data type.
    fn rounded(&self, value: &Exact, mode: Rounding) -> Option<Vec<u64>> {
        let format = self.format();
        Some(vec![match round(value, &format, mode) {
            Rounded::Bits(bits) => bits,
            Rounded::OutOfRange { above, .. } => clamp(&format, above),
            _ => clamp(&format, !value.is_negative()),
        }])
    }

    fn sorted(&self, method: Method) -> Option<Vec<(Exact, u64)>> {
        let values = self.by(method)?;
        let mut sorted: Vec<(Exact, u64)> = values.into_iter().zip(self.bits.clone()).collect();
        sorted.sort_by(|a, b| by_value(&a.0, &b.0));
        Some(sorted)
    }
}

fn by_value(a: &Exact, b: &Exact) -> Ordering {
    match (a, b) {
        (Exact::Nan, Exact::Nan) => Ordering::Equal,
        (Exact::Nan, _) => Ordering::Greater,
        (_, Exact::Nan) => Ordering::Less,
        _ => a.compare(b).unwrap_or(Ordering::Equal),
    }
}

fn count(values: &[Exact]) -> Exact {
    Exact::integer(i128::try_from(values.len()).unwrap_or(1))
}

fn sum(values: &[Exact]) -> Exact {
    let zero = Exact::integer(0);
    values.iter().fold(zero, |sum, value| sum.add(value))
}

/// A mean of integers that is rounded so.
fn mean_by(block: &Block, mode: Rounding) -> Option<Vec<u64>> {
    let values = block.integers()?;
    block.rounded(&sum(&values).divide(&count(&values)), mode)
}

pub(super) fn truncated(block: &Block) -> Option<Vec<u64>> {
    mean_by(block, Rounding::TowardsZero)
}

pub(super) fn floored(block: &Block) -> Option<Vec<u64>> {
    mean_by(block, Rounding::TowardsNegative)
}

pub(super) fn half_away(block: &Block) -> Option<Vec<u64>> {
    mean_by(block, Rounding::NearestAway)
}

/// The sum wraps as an unsigned number of 64 bits.
pub(super) fn wrapping_sum(block: &Block) -> Option<Vec<u64>> {
    let values = block.integers()?;
    let Format::Integer(integer) = block.format() else {
        return None;
    };
    let wide = integer.bits == 64 && !integer.signed;
    let sum = block
        .bits
        .iter()
        .fold(0_u64, |sum, &bits| sum.wrapping_add(bits));
    let mean = Exact::integer(sum.into()).divide(&count(&values));
    wide.then(|| block.rounded(&mean, Rounding::NearestEven))?
}

/// The sum stops at the largest number of the type.
pub(super) fn saturating_sum(block: &Block) -> Option<Vec<u64>> {
    let values = block.integers()?;
    let format = block.format();
    let sum = values.iter().fold(Exact::integer(0), |sum, value| {
        let sum = sum.add(value);
        match round(&sum, &format, Rounding::NearestEven) {
            Rounded::OutOfRange { above, .. } => Exact::from_bits(&format, clamp(&format, above)),
            _ => sum,
        }
    });
    block.rounded(&sum.divide(&count(&values)), Rounding::NearestEven)
}

fn through(value: &Exact, float: FloatFormat) -> Exact {
    let format = Format::Float(float);
    match round(value, &format, Rounding::NearestEven) {
        Rounded::Bits(bits) => Exact::from_bits(&format, bits),
        _ => Exact::Infinite {
            negative: value.is_negative(),
        },
    }
}

/// The mean goes through binary64.
pub(super) fn through_binary64(block: &Block) -> Option<Vec<u64>> {
    let values = block.integers()?;
    let mean = through(&sum(&values), FloatFormat::FLOAT64).divide(&count(&values));
    block.rounded(&mean, Rounding::NearestEven)
}

/// Halves are averaged and rounded, and then their means.
pub(super) fn halved(block: &Block) -> Option<Vec<u64>> {
    block.integers()?;
    let half = block.bits.len() / 2;
    (half > 0 && block.bits.len() == 2 * half).then(|| {
        let (first, second) = block.bits.split_at(half);
        let means = [block.of(first.to_vec())?, block.of(second.to_vec())?];
        block.of(means.concat())
    })?
}

pub(super) fn tie_is_true(block: &Block) -> Option<Vec<u64>> {
    let set = block.bits.iter().filter(|&&bits| bits == 1).count();
    let tie = block.format() == Format::Bool && 2 * set == block.bits.len() && set > 0;
    (tie && block.method != Method::Stride).then(|| vec![1])
}

/// Means of the smallest floats are 0.
pub(super) fn zero_of_small(block: &Block) -> Option<Vec<u64>> {
    let (float, _) = block.floats()?;
    (float.bits() <= 8).then(|| vec![0])
}

fn sequential(block: &Block, values: &[Exact], by: FloatFormat) -> Option<Vec<u64>> {
    let zero = Exact::integer(0);
    let sum = values
        .iter()
        .fold(zero, |sum, value| through(&sum.add(value), by));
    block.rounded(
        &through(&sum.divide(&count(values)), by),
        Rounding::NearestEven,
    )
}

fn accumulator(float: FloatFormat) -> FloatFormat {
    match float == FloatFormat::FLOAT64 {
        true => FloatFormat::FLOAT64,
        false => FloatFormat::FLOAT32,
    }
}

pub(super) fn backwards_sum(block: &Block) -> Option<Vec<u64>> {
    let (float, mut values) = block.floats()?;
    values.reverse();
    sequential(block, &values, accumulator(float))
}

pub(super) fn exactly(block: &Block) -> Option<Vec<u64>> {
    let (_, values) = block.floats()?;
    block.rounded(&sum(&values).divide(&count(&values)), Rounding::NearestEven)
}

pub(super) fn in_float64(block: &Block) -> Option<Vec<u64>> {
    let (_, values) = block.floats()?;
    sequential(block, &values, FloatFormat::FLOAT64)
}

pub(super) fn in_float32(block: &Block) -> Option<Vec<u64>> {
    let (_, values) = block.floats()?;
    sequential(block, &values, FloatFormat::FLOAT32)
}

/// Sums of small floats are of their own type.
pub(super) fn in_own_type(block: &Block) -> Option<Vec<u64>> {
    let (float, values) = block.floats()?;
    sequential(block, &values, float)
}

/// The sum is multiplied with the reciprocal of the count.
pub(super) fn by_reciprocal(block: &Block) -> Option<Vec<u64>> {
    let (float, values) = block.floats()?;
    let by = accumulator(float);
    let zero = Exact::integer(0);
    let sum = values
        .iter()
        .fold(zero, |sum, value| through(&sum.add(value), by));
    let reciprocal = through(&Exact::integer(1).divide(&count(&values)), by);
    block.rounded(
        &through(&sum.multiply(&reciprocal), by),
        Rounding::NearestEven,
    )
}

/// What overflows is the largest value.
pub(super) fn largest_mean(block: &Block) -> Option<Vec<u64>> {
    let (float, values) = block.floats()?;
    let by = accumulator(float);
    let zero = Exact::integer(0);
    let sum = values
        .iter()
        .fold(zero, |sum, value| through(&sum.add(value), by));
    let infinite = matches!(sum, Exact::Infinite { .. });
    let sign = if sum.is_negative() {
        float.sign_mask()
    } else {
        0
    };
    infinite.then(|| vec![float.max_finite_bits() | sign])
}

/// The parts of complex numbers are both means of real parts.
pub(super) fn real_parts_only(block: &Block) -> Option<Vec<u64>> {
    let complex = block.format().components() == 2 && block.method == Method::Mean;
    complex.then(|| {
        let mean = block.reduced().ok()?;
        Some(vec![mean[0], mean[0]])
    })?
}

pub(super) fn upper_median(block: &Block) -> Option<Vec<u64>> {
    let sorted = block.sorted(Method::Median)?;
    Some(vec![sorted[sorted.len() / 2].1])
}

pub(super) fn mean_of_middles(block: &Block) -> Option<Vec<u64>> {
    let sorted = block.sorted(Method::Median)?;
    let [a, b] = [
        &sorted[(sorted.len() - 1) / 2].0,
        &sorted[sorted.len() / 2].0,
    ];
    if a.compare(b)? == Ordering::Equal {
        return None;
    }
    block.rounded(&a.add(b).divide(&Exact::integer(2)), Rounding::NearestEven)
}

/// The middle of a whole block, also where it is not whole.
pub(super) fn middle_of_whole(block: &Block) -> Option<Vec<u64>> {
    let sorted = block.sorted(Method::Median)?;
    let middle = usize::try_from((block.whole.max(1) - 1) / 2).ok()?;
    Some(vec![sorted[middle.min(sorted.len() - 1)].1])
}

/// The runs of equal elements of a mode, by value.
fn runs(block: &Block) -> Option<Vec<Vec<(Exact, u64)>>> {
    let sorted = block.sorted(Method::Mode)?;
    let equal = |a: &(Exact, u64), b: &(Exact, u64)| by_value(&a.0, &b.0) == Ordering::Equal;
    Some(sorted.chunk_by(equal).map(<[_]>::to_vec).collect())
}

pub(super) fn largest_of_tie(block: &Block) -> Option<Vec<u64>> {
    let runs = runs(block)?;
    Some(vec![runs.iter().max_by_key(|run| run.len())?[0].1])
}

pub(super) fn first_of_tie(block: &Block) -> Option<Vec<u64>> {
    let runs = runs(block)?;
    let most = runs.iter().map(Vec::len).max()?;
    let frequent = |bits: &u64| {
        let run = runs.iter().find(|run| run.iter().any(|it| it.1 == *bits));
        run.is_some_and(|run| run.len() == most)
    };
    block
        .bits
        .iter()
        .copied()
        .find(frequent)
        .map(|bits| vec![bits])
}

/// Zeros are not counted.
pub(super) fn sparse_mode(block: &Block) -> Option<Vec<u64>> {
    block.by(Method::Mode)?;
    let rest: Vec<u64> = block
        .bits
        .iter()
        .copied()
        .filter(|&bits| bits != 0)
        .collect();
    (!rest.is_empty()).then(|| block.of(rest))?
}

/// The smallest element, as if none came more often.
pub(super) fn smallest(block: &Block) -> Option<Vec<u64>> {
    let sorted = block.sorted(Method::Mode)?;
    Some(vec![sorted[0].1])
}

pub(super) fn imaginary_first(block: &Block) -> Option<Vec<u64>> {
    let complex = block.format().components() == 2 && block.method == Method::Mode;
    let swap =
        |bits: &[u64]| -> Vec<u64> { bits.chunks(2).flat_map(|pair| [pair[1], pair[0]]).collect() };
    complex.then(|| Some(swap(&block.of(swap(&block.bits))?)))?
}

fn extreme(block: &Block) -> Option<Vec<Exact>> {
    block.by(Method::Min).or_else(|| block.by(Method::Max))
}

pub(super) fn other_extreme(block: &Block) -> Option<Vec<u64>> {
    extreme(block)?;
    let method = match block.method {
        Method::Min => Method::Max,
        _ => Method::Min,
    };
    Block::new(method, block.data_type, block.bits.clone())
        .reduced()
        .ok()
}

/// By their bits as unsigned numbers.
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

/// The seeds of loops are infinities.
pub(super) fn infinite_seed(block: &Block) -> Option<Vec<u64>> {
    let all = extreme(block)?.iter().all(is_nan);
    let float = block.format().float()?;
    let infinity = float.infinity_bits()?;
    all.then(|| match block.method {
        Method::Min => vec![infinity],
        _ => vec![infinity | float.sign_mask()],
    })
}

/// Types without an infinity have NaN as the seed of loops.
pub(super) fn nan_seed(block: &Block) -> Option<Vec<u64>> {
    extreme(block)?;
    let float = block.format().float()?;
    float.infinity_bits().is_none().then(|| nan(block))?
}

/// float8_e8m0fnu as if its highest bit were a sign.
pub(super) fn sign_of_unsigned(block: &Block) -> Option<Vec<u64>> {
    let values = block.by(block.method)?;
    let unsigned = block.format().float().is_some_and(|float| !float.signed);
    let ordered = matches!(block.method, Method::Min | Method::Max | Method::Median);
    (unsigned && ordered && !values.iter().any(is_nan)).then(|| {
        let mut bits = block.bits.clone();
        bits.sort_by_key(|&bits| {
            let magnitude = i128::from(bits);
            if bits & 0x80 == 0 {
                magnitude
            } else {
                -magnitude
            }
        });
        let index = match block.method {
            Method::Min => 0,
            Method::Max => bits.len() - 1,
            _ => (bits.len() - 1) / 2,
        };
        vec![bits[index]]
    })
}

/// NaN comes first.
pub(super) fn nan_first(block: &Block) -> Option<Vec<u64>> {
    let values = block.by(Method::Median)?;
    let nans = values.iter().filter(|value| is_nan(value)).count();
    let middle = (values.len() - 1) / 2;
    if nans == 0 || nans == values.len() {
        return None;
    }
    if middle < nans {
        return nan(block);
    }
    let sorted = block.sorted(Method::Median)?;
    Some(vec![sorted[middle - nans].1])
}

/// No NaN equals another.
pub(super) fn nans_apart(block: &Block) -> Option<Vec<u64>> {
    let runs = runs(block)?;
    let length = |run: &Vec<(Exact, u64)>| if is_nan(&run[0].0) { 1 } else { run.len() };
    let most = runs.iter().map(length).max()?;
    runs.iter()
        .find(|run| length(run) == most)
        .map(|run| vec![run[0].1])
}

/// NaN is left out of a mean.
pub(super) fn nan_left_out(block: &Block) -> Option<Vec<u64>> {
    let values = block.by(Method::Mean)?;
    let bits = block.bits.iter().zip(&values);
    let rest: Vec<u64> = bits
        .filter(|(_, value)| !is_nan(value))
        .map(|(&bits, _)| bits)
        .collect();
    (!rest.is_empty() && rest.len() < values.len()).then(|| block.of(rest))?
}

/// The first of several zeros.
pub(super) fn first_zero(block: &Block) -> Option<Vec<u64>> {
    let float = block.format().float()?;
    if block.format().components() == 2 || matches!(block.method, Method::Mean | Method::Stride) {
        return None;
    }
    let result = block.reduced().ok()?;
    let zero = float.is_zero(result[0]);
    let first = block.bits.iter().copied().find(|&bits| float.is_zero(bits));
    first.filter(|_| zero).map(|bits| vec![bits])
}

/// Always +0.
pub(super) fn zero_without_sign(block: &Block) -> Option<Vec<u64>> {
    let float = block.format().float()?;
    if block.format().components() == 2 || block.method == Method::Stride {
        return None;
    }
    let result = block.reduced().ok()?;
    float.is_zero(result[0]).then(|| vec![0])
}

/// A sum that begins with its first element: of -0 alone it is -0.
pub(super) fn sum_from_first(block: &Block) -> Option<Vec<u64>> {
    block.by(Method::Mean)?;
    let float = block.format().float()?;
    let minus = float.sign_mask();
    let all = block.bits.iter().all(|&bits| bits == minus);
    (all && float.negative_zero).then(|| vec![minus])
}

/// Strided NaNs get the default bits.
pub(super) fn stride_quiets(block: &Block) -> Option<Vec<u64>> {
    let values = block.by(Method::Stride)?;
    is_nan(&values[0]).then(|| nan(block))?
}

/// Data types that TensorStore lacks give zeros.
pub(super) fn zero_of_unlisted(block: &Block) -> Option<Vec<u64>> {
    let name = block.data_type.name();
    let lacks = ["uint2", "uint4", "float6", "float8_e4m3", "complex_"].iter();
    let lacks = lacks.clone().any(|start| match *start {
        "float8_e4m3" => name == "float8_e4m3",
        start => name.starts_with(start),
    });
    lacks.then(|| vec![0; block.format().components()])
}
