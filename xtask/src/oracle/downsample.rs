//! The second oracle of `downsample`: every element is assigned to its cell, and each cell is sorted or summed. The
//! reference determines for each cell which positions it covers, while this oracle determines for each position to
//! which cell it belongs.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use exactum_model::{
    Array, Cast, DataType, Downsample, Format, Level, Method, OutOfRange, Placed, Reason, Rounding,
    Selected, Source, Transform,
};
use rustc_apfloat::ieee::{Double, Single};
use rustc_apfloat::{Float, FloatConvert};

use super::cast_value::to_small;
use super::tables::Number;

/// The largest number of one-byte elements that fit into an answer.
const MOST_ELEMENTS: usize = 64 << 20;

/// An element, as the bits of its components.
type Element = Vec<u64>;

/// Elements at the positions of a box, in C order.
struct Sheet {
    data_type: DataType,
    origin: Vec<i128>,
    shape: Vec<usize>,
    elements: Vec<Element>,
}

/// Computes the elements of a view.
///
/// # Errors
/// If there is no result, with the reason.
pub(crate) fn read(view: &Downsample, source: &Placed) -> Result<Placed, Reason> {
    let array = source.array();
    let parts = array.data_type().format().components();
    let bits: Vec<u64> = array.components().collect();
    let mut sheet = Sheet {
        data_type: array.data_type(),
        origin: source
            .domain()
            .origin()
            .iter()
            .map(|&at| at.into())
            .collect(),
        shape: array.shape().iter().map(|&extent| small(extent)).collect(),
        elements: bits.chunks(parts).map(<[u64]>::to_vec).collect(),
    };
    for level in &view.levels {
        sheet = sheet.downsampled(level)?;
    }
    if let Some(transform) = &view.transform {
        sheet = sheet.transformed(transform)?;
    }
    let shape = sheet.shape.iter().map(|&extent| extent as u64).collect();
    let bits = sheet.elements.into_iter().flatten();
    let array = Array::from_components(sheet.data_type, shape, bits).map_err(|why| why.reason)?;
    let origin = sheet
        .origin
        .iter()
        .map(|&at| i64::try_from(at).unwrap_or(i64::MAX));
    Placed::new(array, origin.collect()).map_err(|why| why.reason)
}

fn small(extent: u64) -> usize {
    usize::try_from(extent).unwrap_or(usize::MAX)
}

impl Sheet {
    /// Returns every position, in C order.
    fn positions(&self) -> Vec<Vec<i128>> {
        if self.shape.contains(&0) {
            return Vec::new();
        }
        let mut all = vec![Vec::new()];
        for (&origin, &extent) in self.origin.iter().zip(&self.shape) {
            let steps = 0..i128::try_from(extent).unwrap_or(0);
            let longer = |position: &Vec<i128>| {
                let position = position.clone();
                let one = move |step| [&position[..], &[origin + step]].concat();
                steps.clone().map(one)
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    fn downsampled(&self, level: &Level) -> Result<Self, Reason> {
        let complex = self.data_type.format().components() == 2;
        let method = level.method();
        if complex && ["min", "max", "median"].contains(&method.name()) {
            return Err(Reason::UnsupportedDataType);
        }
        let factors: Vec<i128> = level.factors().iter().map(|&f| f.into()).collect();
        if factors.len() != self.shape.len() {
            return Err(Reason::Shape);
        }
        let stride = method == Method::Stride;
        let mut cells: BTreeMap<Vec<i128>, Vec<Element>> = BTreeMap::new();
        for (position, element) in self.positions().into_iter().zip(&self.elements) {
            let cell = position.iter().zip(&factors);
            if !stride || cell.clone().all(|(at, factor)| at % factor == 0) {
                let cell = cell.map(|(at, factor)| at.div_euclid(*factor)).collect();
                cells.entry(cell).or_default().push(element.clone());
            }
        }
        let (mut origin, mut shape) = (Vec::new(), Vec::new());
        for (dimension, factor) in factors.iter().enumerate() {
            let low = self.origin[dimension];
            let high = low + i128::try_from(self.shape[dimension]).unwrap_or(0);
            let mut first = (low - low.rem_euclid(*factor)) / factor;
            if stride && first * factor < low {
                first += 1;
            }
            // The end is one past the cell of the last position, unless there are no positions.
            let past = (high - 1 - (high - 1).rem_euclid(*factor)) / factor + 1;
            let extent = if low == high {
                0
            } else {
                (past - first).max(0)
            };
            origin.push(first);
            shape.push(usize::try_from(extent).unwrap_or(0));
        }
        let untouched = factors.iter().all(|&factor| factor == 1);
        let reduced = cells.into_values().map(|cell| {
            if untouched || stride {
                cell[0].clone()
            } else {
                self.reduced(method, &cell)
            }
        });
        Ok(Self {
            data_type: self.data_type,
            origin,
            shape,
            elements: reduced.collect(),
        })
    }

    fn reduced(&self, method: Method, cell: &[Element]) -> Element {
        if method == Method::Mean {
            let parts = 0..cell[0].len();
            return parts
                .map(|part| self.mean(cell.iter().map(|element| element[part])))
                .collect();
        }
        let mut sorted: Vec<(Vec<Number>, &Element)> = cell
            .iter()
            .map(|element| {
                (
                    element.iter().map(|&bits| self.number(bits)).collect(),
                    element,
                )
            })
            .collect();
        sorted.sort_by(|a, b| order(&a.0, &b.0));
        let alike = |a: &Vec<Number>, b: &Vec<Number>| order(a, b) == Ordering::Equal;
        let numbers = sorted.partition_point(|(value, _)| value[0] != Number::Nan);
        let chosen = match method {
            Method::Median => (sorted.len() - 1) / 2,
            Method::Min => 0,
            Method::Max => numbers.max(1) - 1,
            _ => {
                let times = |at: usize| {
                    sorted
                        .iter()
                        .filter(|(value, _)| alike(value, &sorted[at].0))
                        .count()
                };
                let most = (0..sorted.len()).map(times).max().unwrap_or_default();
                (0..sorted.len())
                    .find(|&at| times(at) == most)
                    .unwrap_or_default()
            }
        };
        let value = &sorted[chosen].0;
        let same = || sorted.iter().filter(|(other, _)| alike(other, value));
        let part = |part: usize| match value[part] {
            Number::Nan => self.nan(),
            Number::Real(real) if real.is_zero() => {
                let plus = same().find(|(other, _)| !other[part].quad().is_negative());
                plus.unwrap_or(&sorted[chosen]).1[part]
            }
            _ => sorted[chosen].1[part],
        };
        (0..value.len()).map(part).collect()
    }

    fn number(&self, bits: u64) -> Number {
        match self.data_type.format() {
            Format::Bool => Number::Integer(bits.into()),
            _ => Number::of(self.data_type.component(), bits),
        }
    }

    /// Returns the default NaN.
    fn nan(&self) -> u64 {
        self.converted(Single::NAN)
    }

    fn mean(&self, bits: impl ExactSizeIterator<Item = u64>) -> u64 {
        let count = bits.len();
        let values: Vec<Number> = bits.map(|bits| self.number(bits)).collect();
        let Some(Number::Integer(_)) = values.first() else {
            return if self.data_type.component() == DataType::Float64 {
                let mean: Double = in_order(&values, count);
                plain(mean)
            } else {
                self.converted(in_order::<Single>(&values, count))
            };
        };
        let sum: i128 = values
            .iter()
            .map(|value| match value {
                Number::Integer(value) => *value,
                _ => 0,
            })
            .sum();
        // Of the two neighbouring integers, the nearer one is taken, or the even one in a tie.
        let count = i128::try_from(count).unwrap_or(1);
        let below = sum.div_euclid(count);
        let (from_below, from_above) = (sum - below * count, (below + 1) * count - sum);
        let mean = match from_below.cmp(&from_above) {
            Ordering::Less => below,
            Ordering::Greater => below + 1,
            Ordering::Equal => below + below.rem_euclid(2),
        };
        let width = self.data_type.format().component_bits();
        u64::try_from(mean.rem_euclid(1 << width)).unwrap_or_default()
    }

    /// Converts a float32 to the data type.
    fn converted(&self, value: Single) -> u64 {
        let to = self.data_type.component();
        match to {
            DataType::Float32 => return plain(value),
            DataType::Float64 => {
                return plain(<Single as FloatConvert<Double>>::convert(value, &mut false).value);
            }
            _ => {}
        }
        let cast = Cast::new(DataType::Float32, to, Rounding::NearestEven, None);
        let bits = u64::try_from(value.to_bits()).unwrap_or_default();
        let number = Number::of(DataType::Float32, bits);
        to_small(&cast, number).unwrap_or_else(|_| {
            // The result is an infinity, a NaN or the largest number: the first of these that the type has.
            let infinite = Number::Infinite {
                negative: value.is_negative(),
            };
            let clamped = Cast {
                out_of_range: Some(OutOfRange::Clamp),
                ..cast
            };
            to_small(&cast, infinite)
                .or_else(|_| to_small(&cast, Number::Nan))
                .or_else(|_| to_small(&clamped, Number::Real(number.quad())))
                .unwrap_or_default()
        })
    }

    fn transformed(&self, transform: &Transform) -> Result<Self, Reason> {
        let own = transform.domain();
        let mut sheet = Self {
            data_type: self.data_type,
            origin: own.origin().iter().map(|&at| at.into()).collect(),
            shape: own.shape().iter().map(|&extent| small(extent)).collect(),
            elements: Vec::new(),
        };
        if transform.output().len() != self.shape.len() {
            return Err(Reason::Shape);
        }
        // An answer cannot contain this many elements.
        let size = sheet.shape.iter().try_fold(1_usize, |size, &extent| {
            size.checked_mul(extent)
                .filter(|&size| size <= MOST_ELEMENTS)
        });
        if size.is_none() && !sheet.shape.contains(&0) {
            return Err(Reason::Shape);
        }
        let elements: BTreeMap<Vec<i128>, &Element> =
            self.positions().into_iter().zip(&self.elements).collect();
        for position in sheet.positions() {
            let from = transform.output().iter().map(|map| {
                let selected = match &map.selected {
                    Selected::Nothing => 0,
                    Selected::Dimension(dimension) => position[*dimension],
                    Selected::Indices(indices) => {
                        let mut at = 0;
                        for (dimension, &extent) in indices.shape.iter().enumerate() {
                            let step = position[dimension] - sheet.origin[dimension];
                            let step = step % i128::from(extent);
                            at = at * extent + u64::try_from(step).unwrap_or_default();
                        }
                        indices.values[small(at)].into()
                    }
                };
                i128::from(map.offset) + i128::from(map.stride) * selected
            });
            let from: Vec<i128> = from.collect();
            let element = elements.get(&from).ok_or(Reason::OutOfRange)?;
            sheet.elements.push((*element).clone());
        }
        Ok(sheet)
    }
}

/// Returns the sum of the values in order, divided by the count.
fn in_order<F: Float>(values: &[Number], count: usize) -> F
where
    rustc_apfloat::ieee::Quad: FloatConvert<F>,
{
    let mut sum = F::ZERO;
    for value in values {
        sum = (sum + value.quad().convert(&mut false).value).value;
    }
    let count = F::from_u128(u128::try_from(count).unwrap_or(1)).value;
    (sum / count).value
}

/// Returns the bits of a float, with all NaNs replaced by a single one.
fn plain<F: Float>(value: F) -> u64 {
    let value = if value.is_nan() { F::qnan(None) } else { value };
    u64::try_from(value.to_bits()).unwrap_or_default()
}

/// Compares component by component. NaN sorts last, and both zeros are equal.
fn order(a: &[Number], b: &[Number]) -> Ordering {
    let one = |(a, b): (&Number, &Number)| match (a, b) {
        (Number::Nan, Number::Nan) => Ordering::Equal,
        (Number::Nan, _) => Ordering::Greater,
        (_, Number::Nan) => Ordering::Less,
        (Number::Integer(a), Number::Integer(b)) => a.cmp(b),
        _ => a.quad().partial_cmp(&b.quad()).unwrap_or(Ordering::Equal),
    };
    let unequal = |order: &Ordering| *order != Ordering::Equal;
    a.iter()
        .zip(b)
        .map(one)
        .find(unequal)
        .unwrap_or(Ordering::Equal)
}
