//! Compares values before packing and after reading them back.

use std::path::Path;

use exactum_model::{Array, CastValue, DataType, Domain, Format};
use exactum_optimized::cast_value;
use exactum_zarrs_plugins::to_little;

use crate::budget::COMPARED_ELEMENTS;
use crate::error::Error;
use crate::journal::Seen;
use crate::plan::usize_of;

/// The values of a box, before and after packing.
pub(super) struct Comparison<'a> {
    /// The folder of the packed array.
    folder: &'a Path,
    data_type: DataType,
    /// The extents of the given elements.
    extents: &'a [u64],
    /// The fill value in little-endian order.
    fill: Vec<u8>,
    /// The largest error that is promised.
    bound: f64,
}

impl<'a> Comparison<'a> {
    /// Returns a comparison for boxes of these extents.
    ///
    /// # Errors
    /// If the values of the data type are not real numbers.
    pub(super) fn new(
        folder: &'a Path,
        data_type: DataType,
        extents: &'a [u64],
        fill: &[u8],
        bound: f64,
    ) -> Result<Self, Error> {
        if !matches!(data_type.format(), Format::Integer(_) | Format::Float(_)) {
            return Err(Error::Options(format!(
                "the values of {data_type} are not real numbers, so their error is not defined"
            )));
        }
        Ok(Self {
            folder,
            data_type,
            extents,
            fill: fill.to_vec(),
            bound,
        })
    }

    /// Compares chunks in the byte order of zarrs, within `extent`.
    pub(super) fn chunk(
        &self,
        extent: &Domain,
        before: &[u8],
        after: &[u8],
    ) -> Result<Seen, Error> {
        let before = to_little(self.data_type, before.into());
        let after = to_little(self.data_type, after.into());
        self.rows(extent, &before, &after)
    }

    /// Compares all elements, which are in little-endian order.
    pub(super) fn little(
        &self,
        extent: &Domain,
        before: &[u8],
        after: &[u8],
    ) -> Result<Seen, Error> {
        self.rows(extent, before, after)
    }

    /// Compares the rows of an extent, which begins where the elements do.
    fn rows(&self, extent: &Domain, before: &[u8], after: &[u8]) -> Result<Seen, Error> {
        let width = self.data_type.element_bytes();
        let shape = extent.shape();
        let (row, outer) = match shape.split_last() {
            Some((&row, outer)) => (usize_of(row), outer),
            None => (1, &[][..]),
        };
        let outer = Domain::new(vec![0; outer.len()], outer.to_vec())?;
        let mut seen = Seen::default();
        for place in outer.positions() {
            let mut at = 0;
            for (dimension, &extent) in self.extents.iter().enumerate() {
                let within = place
                    .get(dimension)
                    .map_or(0, |it| usize_of(it.cast_unsigned()));
                at = at * usize_of(extent) + within;
            }
            for start in (0..row).step_by(COMPARED_ELEMENTS) {
                let count = COMPARED_ELEMENTS.min(row - start);
                let part = (at + start) * width..(at + start + count) * width;
                let (Some(before), Some(after)) = (before.get(part.clone()), after.get(part))
                else {
                    return Err(Error::of_file(
                        self.folder,
                        &"a chunk is truncated when it is read back",
                    ));
                };
                // Most rows of integers, and of copied arrays, are bitwise equal.
                if before == after {
                    continue;
                }
                let index = |position: usize| -> Vec<i64> {
                    let mut index: Vec<i64> = std::iter::zip(extent.origin(), &place)
                        .map(|(origin, at)| origin + at)
                        .collect();
                    if let Some(origin) = extent.origin().last() {
                        let within = i64::try_from(start + position).unwrap_or(i64::MAX);
                        index.push(origin.saturating_add(within));
                    }
                    index
                };
                seen = seen.and(self.slice(before, after, &index)?);
            }
        }
        Ok(seen)
    }

    fn slice(
        &self,
        before: &[u8],
        after: &[u8],
        index: &dyn Fn(usize) -> Vec<i64>,
    ) -> Result<Seen, Error> {
        let width = self.data_type.element_bytes();
        let format = self.data_type.format();
        let (old, new) = (self.numbers(before)?, self.numbers(after)?);
        let mut seen = Seen::default();
        for (at, (old, new)) in std::iter::zip(&old, &new).enumerate() {
            let of = |bytes: &[u8]| bits(&bytes[at * width..][..width]) & format.component_mask();
            let (old_bits, new_bits, fill) = (
                of(before),
                of(after),
                bits(&self.fill) & format.component_mask(),
            );
            let error = match (old, new) {
                _ if format.same_value(old_bits, new_bits) => 0.0,
                (Number::Float(old), Number::Float(new)) if old.is_finite() && new.is_finite() => {
                    (old - new).abs()
                }
                (Number::Integer(old), Number::Integer(new)) => above(old.abs_diff(*new)),
                _ => f64::INFINITY,
            };
            if error.is_nan() || error > self.bound || error.is_infinite() {
                return Err(self.broken(index(at), old, new, error));
            }
            let meets_fill =
                format.same_value(new_bits, fill) && !format.same_value(old_bits, fill);
            seen = seen.and(Seen {
                largest_error: error,
                reserved: u64::from(meets_fill),
            });
        }
        Ok(seen)
    }

    fn broken(&self, index: Vec<i64>, old: &Number, new: &Number, error: f64) -> Error {
        let index: Vec<String> = index.iter().map(i64::to_string).collect();
        let why = match error.is_finite() {
            true => format!("the error {error} exceeds the promised {}", self.bound),
            false => "the value is lost".into(),
        };
        Error::Promise(format!(
            "{}: the value at [{}] is {old}, but is read back as {new}: {why}",
            self.folder.display(),
            index.join(", ")
        ))
    }

    /// Returns the values of elements, which are float64 numbers or integers that float64 may not contain.
    fn numbers(&self, bytes: &[u8]) -> Result<Vec<Number>, Error> {
        let width = self.data_type.element_bytes();
        let count = bytes.len() / width;
        if let Format::Integer(format) = self.data_type.format() {
            let array = Array::new(self.data_type, vec![count as u64], bytes.to_vec());
            let array = array?;
            let shift = 64 - format.bits;
            return Ok(array
                .components()
                .map(|bits| {
                    let aligned = bits << shift;
                    Number::Integer(match format.signed {
                        true => i128::from(aligned.cast_signed() >> shift),
                        false => i128::from(aligned >> shift),
                    })
                })
                .collect());
        }
        let to_float64 = CastValue::new(self.data_type, DataType::Float64);
        let mut numbers = vec![0; count * 8];
        cast_value::encode_into(&to_float64, bytes, &mut numbers)?;
        let numbers = numbers.as_chunks::<8>().0.iter();
        Ok(numbers
            .map(|&number| Number::Float(f64::from_le_bytes(number)))
            .collect())
    }
}

/// A value.
enum Number {
    Float(f64),
    Integer(i128),
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Number::Float(number) => number.fmt(f),
            Number::Integer(number) => number.fmt(f),
        }
    }
}

/// Returns the bits of an element.
fn bits(bytes: &[u8]) -> u64 {
    let mut bits = [0; 8];
    let length = bytes.len().min(8);
    bits[..length].copy_from_slice(&bytes[..length]);
    u64::from_le_bytes(bits)
}

/// Returns the least float64 number that is not below an integer, or one above it.
#[expect(
    clippy::cast_precision_loss,
    reason = "the next number corrects the rounding"
)]
fn above(number: u128) -> f64 {
    match number < 1 << 53 {
        true => number as f64,
        false => (number as f64).next_up(),
    }
}
