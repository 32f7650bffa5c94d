//! The elements on which a pair of types is tested.

use std::collections::BTreeSet;

use exactum_model::{DataType, FloatFormat, Format, IntegerFormat};
use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::oracle::tables::table;

/// Returns the elements of `from` that distinguish casts to `to`, the most telling ones first and without duplicates.
///
/// Points that matter to `to` (limits, ties, the ends of the subnormal range, the powers of two at which other types
/// end) are looked up in `from`. The result contains the elements on both sides, or the point itself and its
/// neighbours. These neighbours reveal double rounding: they lie just off a tie, and are rounded to the tie in any type
/// between the two.
pub(super) fn elements(from: DataType, to: DataType) -> Vec<u64> {
    let mut found = Found {
        from,
        seen: BTreeSet::new(),
        order: Vec::new(),
    };
    found.specials();
    let (telling, wide) = points(to);
    for &point in &telling {
        for point in [point, -point] {
            found.around(point, true);
        }
    }
    for &point in &wide {
        for point in [point, -point] {
            found.around(point, false);
        }
    }
    found.walking_ones();
    found.random(to);
    found.order
}

struct Found {
    from: DataType,
    seen: BTreeSet<u64>,
    order: Vec<u64>,
}

impl Found {
    fn add(&mut self, bits: u64) {
        if self.seen.insert(bits) {
            self.order.push(bits);
        }
    }

    /// Adds the elements at a number and next to it, within the range of the type.
    fn around(&mut self, point: Quad, neighbours: bool) {
        for round in [Round::TowardNegative, Round::TowardPositive] {
            let Some(bits) = beside(self.from, point, round) else {
                continue;
            };
            self.add(bits);
            if neighbours {
                for next in neighbours_of(self.from, bits).into_iter().flatten() {
                    self.add(next);
                }
            }
        }
    }

    /// Adds the special values of a type: both zeros, the ends of its ranges, infinities and NaNs.
    fn specials(&mut self) {
        match self.from.format() {
            Format::Float(format) => {
                let sign = format.sign_mask();
                let infinity = format.max_exponent_field() << format.mantissa_bits;
                let quiet = 1 << (format.mantissa_bits - 1);
                for magnitude in [
                    0,
                    1,
                    format.mantissa_mask(),
                    format.mantissa_mask() + 1,
                    infinity - 1,
                    infinity,
                    infinity | quiet,
                    // A signalling NaN, and a quiet one with a payload.
                    infinity | 1,
                    infinity | quiet | 0x55,
                    infinity | format.mantissa_mask(),
                ] {
                    self.add(magnitude);
                    self.add(magnitude | sign);
                }
            }
            _ => {
                let mask = self.from.format().component_mask();
                let top = 1 << (self.from.format().component_bits() - 1);
                for bits in [0, 1, mask, top, top - 1, top + 1, top - 2, mask - 1] {
                    self.add(bits);
                }
                self.add(mask & 0x5555_5555_5555_5555);
                self.add(mask & 0xaaaa_aaaa_aaaa_aaaa);
            }
        }
    }

    /// Adds each bit of an integer alone, and each digit of a float behind the leading one.
    fn walking_ones(&mut self) {
        match self.from.format() {
            Format::Float(format) => {
                let one = u64::from(format.bias.unsigned_abs()) << format.mantissa_bits;
                for digit in 0..format.mantissa_bits {
                    self.add(one | 1 << digit);
                }
            }
            _ => {
                let mask = self.from.format().component_mask();
                for bit in 0..self.from.format().component_bits() {
                    self.add(1 << bit);
                    self.add((1u64 << bit).wrapping_neg() & mask);
                }
            }
        }
    }

    /// Adds random bits, and numbers of every magnitude up to a little beyond the target's range.
    fn random(&mut self, to: DataType) {
        let seed = format!("{} {to}", self.from);
        let mut random = Random::new(&seed);
        let mask = self.from.format().component_mask();
        for _ in 0..8 {
            let bits = random.next() & mask;
            self.add(bits);
        }
        let reach = i32::try_from(to.format().component_bits()).unwrap_or_default();
        for _ in 0..12 {
            let digits = random.next();
            let exponent = i32::try_from(random.next() % 80).unwrap_or_default();
            let number = Quad::from_u128(digits.into()).value;
            let number = number.scalbn(reach.min(40) - 63 - exponent % (reach + 4));
            let number = if exponent % 2 == 0 { number } else { -number };
            self.around(number, false);
        }
    }
}

/// Returns the points of a target: those whose neighbours count too, and those far away.
fn points(to: DataType) -> (Vec<Quad>, Vec<Quad>) {
    let telling = match to.format() {
        Format::Float(format) => float_points(&format),
        Format::Integer(format) => integer_points(&format),
        Format::Bool | Format::Complex(_) => Vec::new(),
    };
    let mut wide = Vec::new();
    for power in [24, 53, 63, 64] {
        for offset in [-1, 0, 1] {
            wide.push(sum(power_of_two(power), integer(offset)));
        }
    }
    for power in [31, 32, 60, 65, 100] {
        wide.push(power_of_two(power));
    }
    (telling, wide)
}

fn integer_points(format: &IntegerFormat) -> Vec<Quad> {
    let mut points = Vec::new();
    let (smallest, largest) = (integer(format.min()), integer(format.max()));
    let modulus = power_of_two(i32::try_from(format.bits).unwrap_or_default());
    for limit in [smallest.abs(), largest] {
        for quarters in [0, 2, -2, 4, -4, 1, -1] {
            points.push(sum(limit, integer(quarters).scalbn(-2)));
        }
    }
    for quarters in [0, 2, 4, 5, 6, 7, 10, 14] {
        points.push(integer(quarters).scalbn(-2));
    }
    // The points where wrapping starts again.
    for limit in [modulus, sum(modulus, largest)] {
        for halves in [0, -1, 1, 2] {
            points.push(sum(limit, integer(halves).scalbn(-1)));
        }
    }
    points
}

fn float_points(format: &FloatFormat) -> Vec<Quad> {
    let digits = i32::try_from(format.mantissa_bits).unwrap_or_default();
    let smallest = power_of_two(1 - format.bias - digits);
    let normal = power_of_two(1 - format.bias);
    let top_field = format.max_finite_bits() >> format.mantissa_bits;
    let top = i32::try_from(top_field).unwrap_or_default() - format.bias;
    let past = power_of_two(top + 1);
    let last_step = power_of_two(top - digits);
    let largest = sum(past, -last_step);
    let mut points = Vec::new();
    // From the largest value to the point where every rounding leaves the range, in quarters of a step.
    for quarters in [0, 1, 2, 3, 4] {
        points.push(sum(largest, times(last_step.scalbn(-2), quarters)));
    }
    // Ties to the even value below and above, numbers that are not ties, and a carry into the exponent.
    for quarters in [0, 1, 2, 3, 4, 6] {
        points.push(sum(integer(1), times(power_of_two(-digits - 2), quarters)));
    }
    points.push(sum(integer(2), -power_of_two(-digits - 1)));
    for quarters in [1, 2, 3, 4, 6, 10] {
        points.push(times(smallest.scalbn(-2), quarters));
    }
    for halves in [-2, -1, 1] {
        points.push(sum(normal, times(smallest.scalbn(-1), halves)));
    }
    points.push(normal);
    // Just off a tie, by less than a type between the two can distinguish.
    for (between, off) in [(23, 30), (52, 56)] {
        if digits < between {
            let tie = sum(integer(1), power_of_two(-digits - 1));
            points.push(sum(tie, power_of_two(-off)));
            points.push(sum(tie, -power_of_two(-off)));
            for power in [40, 62] {
                points.push(sum(tie.scalbn(power), integer(1)));
            }
        }
    }
    points.push(sum(smallest.scalbn(-1), smallest.scalbn(-36)));
    // The first integers that the type cannot represent.
    for offset in [0, 1, 2, 3, 6] {
        points.push(sum(power_of_two(digits + 1), integer(offset)));
    }
    points
}

fn integer(value: i128) -> Quad {
    Quad::from_i128(value).value
}

fn power_of_two(exponent: i32) -> Quad {
    integer(1).scalbn(exponent)
}

fn sum(a: Quad, b: Quad) -> Quad {
    (a + b).value
}

fn times(a: Quad, factor: i128) -> Quad {
    (a * integer(factor)).value
}

/// Returns the element of a type at a number, or the nearest one on one side of it.
fn beside(from: DataType, point: Quad, round: Round) -> Option<u64> {
    fn float<F: Float>(point: Quad, round: Round) -> Option<u64>
    where
        Quad: FloatConvert<F>,
    {
        let found: F = point.convert_r(round, &mut false).value;
        u64::try_from(found.to_bits())
            .ok()
            .filter(|_| found.is_finite())
    }
    match (from.format(), from) {
        (Format::Integer(format), _) => {
            let integer = point.round_to_integral(round).value;
            if integer.abs() > power_of_two(100) {
                return None;
            }
            let integer = integer.to_i128(128).value;
            let inside = (format.min()..=format.max()).contains(&integer);
            u64::try_from(integer & i128::from(format.mask()))
                .ok()
                .filter(|_| inside)
        }
        (_, DataType::Float16) => float::<Half>(point, round),
        (_, DataType::Float32) => float::<Single>(point, round),
        (_, DataType::Float64) => float::<Double>(point, round),
        (Format::Float(format), _) => of_table(from, &format, point, round),
        _ => None,
    }
}

/// Does the same by magnitude, for a type whose values are in a table.
fn of_table(from: DataType, format: &FloatFormat, point: Quad, round: Round) -> Option<u64> {
    let ascending = &table(from)?.ascending;
    let negative = point.is_negative();
    let magnitude = point.abs();
    // The magnitude increases when a positive point is rounded up or a negative one down.
    let up = negative != (round == Round::TowardPositive);
    let index = if up {
        ascending.partition_point(|(value, _)| *value < magnitude)
    } else {
        ascending
            .partition_point(|(value, _)| *value <= magnitude)
            .checked_sub(1)?
    };
    let &(_, bits) = ascending.get(index)?;
    Some(if negative {
        bits | format.sign_mask()
    } else {
        bits
    })
}

/// Returns the elements before and after an element.
fn neighbours_of(from: DataType, bits: u64) -> [Option<u64>; 2] {
    let mask = from.format().component_mask();
    match from.format() {
        Format::Integer(format) => {
            let (smallest, largest) = if format.signed {
                (1 << (format.bits - 1), mask >> 1)
            } else {
                (0, mask)
            };
            [
                (bits != smallest).then(|| bits.wrapping_sub(1) & mask),
                (bits != largest).then(|| bits.wrapping_add(1) & mask),
            ]
        }
        Format::Float(format) => {
            let magnitude = bits & !format.sign_mask();
            [
                (magnitude > 0).then(|| bits - 1),
                (magnitude < format.max_finite_bits()).then(|| bits + 1),
            ]
        }
        Format::Bool | Format::Complex(_) => [None, None],
    }
}

/// The generator splitmix64, seeded by a text, so its sequence is the same everywhere.
struct Random(u64);

impl Random {
    fn new(seed: &str) -> Self {
        // FNV-1a.
        let hash = seed.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Self(hash)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}
