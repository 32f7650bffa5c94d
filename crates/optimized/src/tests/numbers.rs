//! Elements that are worth testing.

use exactum_model::{DataType, FloatFormat, Format};

use super::inputs;

/// Data types with kernels.
pub(super) const MAIN: [DataType; 11] = [
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

/// Returns all real data types.
pub(super) fn real() -> impl Iterator<Item = DataType> + Clone {
    DataType::ALL
        .iter()
        .copied()
        .filter(|data_type| data_type.is_real())
}

/// A generator of 64-bit numbers (SplitMix64), the same on every machine.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let index = self.next() % from.len() as u64;
        from[usize::try_from(index).expect("an index")]
    }
}

/// Returns every element of a type of at most 16 bits or, under Miri, about a dozen elements.
pub(super) fn all(data_type: DataType) -> Vec<u64> {
    let bits = data_type.format().component_bits();
    assert!(bits <= 16, "{data_type}");
    (0..1 << bits)
        .step_by(inputs(1, ((1 << bits) / 11) | 1))
        .collect()
}

/// Returns the elements where something changes in one type or another: powers of two with their neighbours
/// and halves, every exponent with mantissas on and next to the ties of every narrower format, both signs,
/// subnormals, infinities and NaNs.
pub(super) fn edges(data_type: DataType) -> Vec<u64> {
    let mut edges = match data_type.format() {
        Format::Float(format) => float_edges(&format),
        format => {
            let mut edges = vec![0];
            for bit in 0..format.component_bits() {
                for low in [
                    0,
                    1 << bit >> 1,
                    1 << bit >> 8,
                    1 << bit >> 11,
                    1 << bit >> 24,
                ] {
                    for near in [-3i64, -2, -1, 0, 1, 2, 3] {
                        let value = ((1u64 << bit) + low).wrapping_add_signed(near);
                        edges.extend([value, value.wrapping_neg()]);
                    }
                }
            }
            edges
        }
    };
    let mask = data_type.format().component_mask();
    edges.iter_mut().for_each(|bits| *bits &= mask);
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn float_edges(format: &FloatFormat) -> Vec<u64> {
    let mut mantissas = vec![0, format.mantissa_mask()];
    for bit in (0..format.mantissa_bits).step_by(inputs(1, 9)) {
        for pattern in [1u64 << bit, 3 << bit, u64::MAX << bit, (1 << bit) - 1] {
            for near in [-1i64, 0, 1] {
                mantissas.push(pattern.wrapping_add_signed(near) & format.mantissa_mask());
            }
        }
    }
    mantissas.sort_unstable();
    mantissas.dedup();
    let mut edges = Vec::new();
    for field in 0..=format.max_exponent_field() {
        // Far from the limits of all other types, a few exponents represent the rest.
        let exponent = i64::try_from(field).expect("a field") - i64::from(format.bias);
        let near = |limit: i64| (exponent - limit).unsigned_abs() <= inputs(3, 0) as u64;
        let ordinary = exponent.unsigned_abs().is_multiple_of(inputs(1, 8) as u64);
        let interesting = (-30..=70).contains(&exponent) && ordinary
            || [-1022, -150, -127, -50, 128, 1023].into_iter().any(near);
        if interesting || field % 101 == 0 {
            for &mantissa in &mantissas {
                let magnitude = field << format.mantissa_bits | mantissa;
                edges.extend([magnitude, magnitude | format.sign_mask()]);
            }
        }
    }
    edges
}
