//! Random choices from a seed: the same seed gives the same choices on every machine.

use exactum_conformance::model::{Array, CastValue, DataType, Format, Scalar};

/// Random choices. They come from fastrand's generator, whose version is fixed by `Cargo.lock`.
pub struct Random(fastrand::Rng);

impl Random {
    /// Returns the choices of a seed.
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        if end == 0 { 0 } else { self.0.usize(..end) }
    }

    /// Returns a number in `first..=last`.
    pub fn between(&mut self, first: u64, last: u64) -> u64 {
        self.0.u64(first..=last.max(first))
    }

    /// Returns true with the given probability in per cent.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// Returns one of the choices.
    ///
    /// # Panics
    /// If there are no choices.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// Returns any element of a data type; every bit pattern is equally likely.
    pub fn scalar(&mut self, data_type: DataType) -> Scalar {
        Scalar::complex(data_type, self.bits(), self.bits())
    }

    /// Returns a real data type, in half of the cases one that every library has.
    pub fn real_type(&mut self) -> DataType {
        const COMMON: &[DataType] = &[
            DataType::Int8,
            DataType::Int16,
            DataType::Int32,
            DataType::Int64,
            DataType::Uint8,
            DataType::Uint16,
            DataType::Uint32,
            DataType::Uint64,
            DataType::Float16,
            DataType::Float32,
            DataType::Float64,
        ];
        if self.percent(50) {
            return *self.pick(COMMON);
        }
        let reals: Vec<DataType> = DataType::ALL
            .iter()
            .copied()
            .filter(|data_type| data_type.is_real())
            .collect();
        *self.pick(&reals)
    }
}

/// Returns an array of one dimension.
///
/// # Panics
/// If the scalars have several data types, or are too many for any machine.
pub(super) fn array(data_type: DataType, scalars: &[Scalar]) -> Array {
    let mut data = Vec::new();
    for scalar in scalars {
        data.extend(scalar.to_bytes());
    }
    Array::new(data_type, vec![scalars.len() as u64], data)
        .unwrap_or_else(|rejection| panic!("scalars of {data_type}: {rejection}"))
}

/// Returns a border value of a real data type: zeros, ones, the largest and smallest values of every kind, infinities,
/// NaN, or a neighbour of one of these.
pub(super) fn border(random: &mut Random, data_type: DataType) -> Scalar {
    let format = data_type.format();
    let bits = match format {
        Format::Integer(integer) => {
            let sign = 1u64 << (integer.bits - 1);
            *random.pick(&[0, 1, 2, integer.mask(), sign, sign - 1, sign >> 1])
        }
        Format::Float(float) => {
            let one = u64::try_from(float.bias).unwrap_or_default() << float.mantissa_bits;
            let smallest_normal = 1u64 << float.mantissa_bits;
            let magnitude = *random.pick(&[
                0,
                1,
                one,
                smallest_normal,
                smallest_normal - 1,
                float.max_finite_bits(),
                float.infinity_bits().unwrap_or(one),
                float.nan_bits().unwrap_or(one),
            ]);
            magnitude
                ^ if random.percent(50) {
                    float.sign_mask()
                } else {
                    0
                }
        }
        _ => random.bits(),
    };
    let bits = if random.percent(30) {
        step(random, bits)
    } else {
        bits
    };
    Scalar::new(data_type, u128::from(bits))
}

/// Returns a neighbour of a bit pattern.
fn step(random: &mut Random, bits: u64) -> u64 {
    if random.percent(50) {
        bits.wrapping_add(1)
    } else {
        bits.wrapping_sub(1)
    }
}

/// Returns an element of `from` that lies at, next to or halfway between values of `to`, where conversions are most
/// likely to fail.
pub(super) fn near(random: &mut Random, from: DataType, to: DataType) -> Scalar {
    let target = if random.percent(30) {
        border(random, to)
    } else {
        random.scalar(to)
    };
    let Some(landed) = convert(from, target) else {
        return border(random, from);
    };
    let bits = landed.component(0);
    let nudged = match (from.format().float(), to.format().float()) {
        // Half a unit in the last place of the target is this bit of the source.
        (Some(source), Some(target)) if source.mantissa_bits > target.mantissa_bits => {
            let half = 1u64 << (source.mantissa_bits - target.mantissa_bits - 1);
            *random.pick(&[bits, bits ^ half, bits.wrapping_add(half)])
        }
        // A value of an integer type plus a half: the bit after the binary point, if there is one.
        (Some(source), None) => {
            let exponent = bits >> source.mantissa_bits & source.max_exponent_field();
            let after = i64::from(source.mantissa_bits)
                - (i64::try_from(exponent).unwrap_or_default() - i64::from(source.bias))
                - 1;
            match u32::try_from(after) {
                Ok(place) if place < source.mantissa_bits => {
                    *random.pick(&[bits, bits ^ (1u64 << place)])
                }
                _ => bits,
            }
        }
        _ => bits,
    };
    let bits = if random.percent(50) {
        step(random, nudged)
    } else {
        nudged
    };
    Scalar::new(from, u128::from(bits))
}

/// Returns the nearest element of `to`.
fn convert(to: DataType, scalar: Scalar) -> Option<Scalar> {
    let codec = CastValue::new(scalar.data_type(), to).clamp();
    let input = array(scalar.data_type(), &[scalar]);
    let output = exactum_reference::cast_value::encode(&codec, &input).ok()?;
    Some(output.element(0))
}
