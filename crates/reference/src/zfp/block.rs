//! Converts one block of 4, 16, 64 or 256 elements of zfp's own types to bits and back (zfp.block).

use exactum_model::{Zfp, ZfpScalar};

use super::number::{Float, bias, bits_of, float_format, signed};
use super::transform::Width;
use super::{Coding, planes};
use crate::bits::{BitReader, BitWriter};

/// The properties that all blocks of a chunk share.
pub(super) struct Block<'a> {
    /// The decisions.
    pub(super) by: &'a dyn Coding,
    /// The limits.
    pub(super) codec: &'a Zfp,
    /// The type of the elements.
    pub(super) scalar: ZfpScalar,
}

impl Block<'_> {
    /// Writes a block of elements, which are given by their bits.
    pub(super) fn encode(&self, block: &[u64], out: &mut BitWriter) {
        let start = out.len();
        match (float_format(self.scalar), self.codec.is_reversible()) {
            (None, _) => {
                self.encode_integers(self.integers(block), self.codec.max_precision, out);
            }
            (Some(_), false) => self.encode_floats(block, out),
            (Some(_), true) => self.encode_floats_reversibly(block, out),
        }
        out.truncate(start.saturating_add(self.by.max_bits(self.codec)));
        out.pad(start + self.by.filled(self.codec, out.len() - start));
    }

    /// Reads a block and returns the bits of its elements.
    pub(super) fn decode(&self, bits: &mut BitReader<'_>) -> Vec<u64> {
        let start = bits.position();
        let end = start.saturating_add(self.by.max_bits(self.codec));
        let block = match (float_format(self.scalar), self.codec.is_reversible()) {
            (None, _) => {
                let integers = self.decode_integers(self.codec.max_precision, end, bits);
                let bits = |value| bits_of(value, self.scalar.bits());
                integers.into_iter().map(bits).collect()
            }
            (Some(_), false) => self.decode_floats(end, bits),
            (Some(_), true) => self.decode_floats_reversibly(end, bits),
        };
        bits.skip_to(start + self.by.filled(self.codec, bits.position() - start));
        block
    }

    fn width(&self) -> Width {
        Width(self.scalar.bits())
    }

    fn integers(&self, block: &[u64]) -> Vec<i128> {
        let signed = |&bits: &u64| signed(bits, self.scalar.bits());
        block.iter().map(signed).collect()
    }

    /// Encodes a block of integers: transforms them, reorders the coefficients, and writes their digits to base -2
    /// plane by plane (zfp.integer, zfp.reversible.integer).
    fn encode_integers(&self, mut block: Vec<i128>, mut precision: u32, out: &mut BitWriter) {
        let Self { by, codec, .. } = self;
        let (width, dimensions) = (self.width(), codec.dimensions());
        by.transform(codec)
            .forward(*by, width, &mut block, dimensions);
        let digits = |place: usize| by.digits(width, block[place]);
        let coefficients: Vec<u64> = by.order(dimensions).into_iter().map(digits).collect();
        if by.is_counted(codec, self.scalar) {
            let any = coefficients
                .iter()
                .fold(0, |any, coefficient| any | coefficient);
            precision = by.used_planes(width, any).clamp(1, codec.max_precision);
            let field = precision - by.least_planes();
            out.push_bits(field.into(), self.scalar.precision_bits());
        }
        planes::encode(*by, (width.0, precision), &coefficients, out);
    }

    fn decode_integers(&self, mut precision: u32, end: u64, bits: &mut BitReader<'_>) -> Vec<i128> {
        let Self { by, codec, .. } = self;
        let (width, order) = (self.width(), by.order(codec.dimensions()));
        if by.is_counted(codec, self.scalar) {
            let field = bits.bits(self.scalar.precision_bits());
            precision = u32::try_from(field).unwrap_or_default() + by.least_planes();
        }
        let coefficients = planes::decode(*by, (width.0, precision), order.len(), end, bits);
        let mut block = vec![0; order.len()];
        for (place, digits) in order.into_iter().zip(coefficients) {
            let digits = by.restored(width, precision, digits);
            block[place] = by.coefficient(width, digits);
        }
        by.transform(codec)
            .inverse(width, &mut block, codec.dimensions());
        block
    }

    /// Returns the floats of a block, with `None` for NaN and the infinities, and their common exponent, which
    /// is `None` if all finite floats are zero.
    fn common(&self, block: &[u64]) -> (Vec<Option<Float>>, Option<i64>) {
        let Some(format) = float_format(self.scalar) else {
            unreachable!("only blocks of floats have a common exponent");
        };
        let floats: Vec<_> = block.iter().map(|&bits| Float::of(&format, bits)).collect();
        let largest = floats.iter().flatten().filter_map(Float::magnitude).max();
        let exponent = largest.map(|magnitude| self.by.exponent(self.scalar, magnitude));
        (floats, exponent)
    }

    /// Returns the difference between the common exponent of a block and the exponent of its integers, which
    /// have two bits more than their magnitudes need (zfp.float.truncation).
    fn fraction_bits(&self) -> i64 {
        i64::from(self.scalar.bits()) - 2
    }

    /// Returns the number of planes to keep in a block of floats with this common exponent (zfp.float.precision).
    fn float_precision(&self, exponent: i64) -> u32 {
        let guard = self.by.guard_planes(self.codec.dimensions());
        let guard = i64::try_from(guard).unwrap_or_default();
        let planes = exponent - i64::from(self.codec.min_exponent) + guard;
        u32::try_from(planes.max(0)).map_or(self.codec.max_precision, |planes| {
            planes.min(self.codec.max_precision)
        })
    }

    /// Encodes a lossy block of floats (zfp.float).
    fn encode_floats(&self, block: &[u64], out: &mut BitWriter) {
        let (floats, exponent) = self.common(block);
        let precision = exponent.map_or(0, |exponent| self.float_precision(exponent));
        if self.by.is_zero(exponent, precision) {
            return out.push(false);
        }
        let exponent = exponent.unwrap_or(-bias(self.scalar));
        out.push(true);
        self.push_exponent(exponent, out);
        let scale = self.fraction_bits() - exponent;
        let integer = |float| self.by.truncated(self.scalar, float, scale);
        self.encode_integers(floats.into_iter().map(integer).collect(), precision, out);
    }

    fn decode_floats(&self, end: u64, bits: &mut BitReader<'_>) -> Vec<u64> {
        if !bits.bit() {
            return self.zeros();
        }
        let exponent = self.read_exponent(bits);
        let integers = self.decode_integers(self.float_precision(exponent), end, bits);
        self.floats(exponent, &integers)
    }

    /// Encodes a block of floats reversibly (zfp.reversible.float).
    fn encode_floats_reversibly(&self, block: &[u64], out: &mut BitWriter) {
        let (floats, exponent) = self.common(block);
        let integers = match exponent {
            None => block.iter().all(|&bits| bits == 0).then(Vec::new),
            Some(exponent) => self.exactly(exponent, &floats),
        };
        let integers = integers.filter(|_| self.by.is_by_value());
        match (integers, exponent) {
            (Some(_), None) => out.push(false),
            (Some(integers), Some(exponent)) => {
                out.push_bits(0b01, 2);
                self.push_exponent(exponent, out);
                self.encode_integers(integers, 0, out);
            }
            (None, _) => {
                out.push_bits(0b11, 2);
                self.encode_integers(self.ordered(self.integers(block)), 0, out);
            }
        }
    }

    fn decode_floats_reversibly(&self, end: u64, bits: &mut BitReader<'_>) -> Vec<u64> {
        if !bits.bit() {
            return self.zeros();
        }
        if bits.bit() {
            let integers = self.ordered(self.decode_integers(0, end, bits));
            let bits = |value| bits_of(value, self.scalar.bits());
            return integers.into_iter().map(bits).collect();
        }
        let exponent = self.read_exponent(bits);
        let integers = self.decode_integers(0, end, bits);
        if exponent == -bias(self.scalar) {
            // Encoders never write this exponent. zfp reads it as zeros without a sign (zfp.reversible.float).
            return self.zeros();
        }
        self.floats(exponent, &integers)
    }

    fn zeros(&self) -> Vec<u64> {
        vec![0; 1 << (2 * self.codec.dimensions())]
    }

    fn push_exponent(&self, exponent: i64, out: &mut BitWriter) {
        let field = u64::try_from(exponent + bias(self.scalar)).unwrap_or_default();
        out.push_bits(field, self.scalar.exponent_bits());
    }

    fn read_exponent(&self, bits: &mut BitReader<'_>) -> i64 {
        let field = bits.bits(self.scalar.exponent_bits());
        i64::try_from(field).unwrap_or_default() - bias(self.scalar)
    }

    fn floats(&self, exponent: i64, integers: &[i128]) -> Vec<u64> {
        let Some(format) = float_format(self.scalar) else {
            return Vec::new();
        };
        let exponent = exponent - self.fraction_bits();
        let float = |&integer: &i128| self.by.scaled(integer, exponent, &format);
        integers.iter().map(float).collect()
    }

    /// Returns the integers of a block if the floats can be read back from them exactly. This is not possible
    /// if there is a NaN or an infinity, or if the power of two by which the floats are multiplied is not
    /// itself a float (zfp.reversible.exact).
    fn exactly(&self, exponent: i64, floats: &[Option<Float>]) -> Option<Vec<i128>> {
        let scale = self.fraction_bits() - exponent;
        if scale > bias(self.scalar) {
            return None;
        }
        let integer = |float: &Option<Float>| {
            let float = (*float)?;
            let (integer, exact) = float.truncated(scale);
            self.by.comes_back(float, integer, exact).then_some(integer)
        };
        floats.iter().map(integer).collect()
    }

    /// Converts the bits of floats to integers that have the same order as the floats, or converts such integers
    /// back (zfp.reversible.bits).
    fn ordered(&self, values: Vec<i128>) -> Vec<i128> {
        let ordered = |value| self.by.ordered(self.width(), value);
        values.into_iter().map(ordered).collect()
    }
}
