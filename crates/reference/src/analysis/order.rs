//! The finite numbers of a data type, numbered in ascending order.

use exactum_model::{DataType, Format};

/// The numbering of the finite numbers of a real data type by consecutive keys. A larger number has a larger key, and
/// the key of -0 is directly below that of 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order(Format);

impl Order {
    /// Returns the order of a data type.
    pub(super) fn of(data_type: DataType) -> Self {
        Self(data_type.format())
    }

    /// Returns the order of a format.
    pub(super) fn of_format(format: Format) -> Self {
        Self(format)
    }

    /// Returns the key of the smallest number.
    pub(super) fn first(self) -> i128 {
        match self.0 {
            Format::Integer(format) => format.min(),
            Format::Float(format) | Format::Complex(format) if format.signed => {
                let greatest = i128::from(format.max_finite_bits());
                -greatest - i128::from(format.negative_zero)
            }
            _ => 0,
        }
    }

    /// Returns the key of the largest number.
    pub(super) fn last(self) -> i128 {
        match self.0 {
            Format::Bool => 1,
            Format::Integer(format) => format.max(),
            Format::Float(format) | Format::Complex(format) => i128::from(format.max_finite_bits()),
        }
    }

    /// Returns the key of a number, or `None` for NaN and infinities.
    pub(super) fn key(self, bits: u64) -> Option<i128> {
        match self.0 {
            Format::Bool => Some(i128::from(bits & 1)),
            Format::Integer(format) => {
                let value = i128::from(bits & format.mask());
                let wraps = value > format.max();
                Some(value - if wraps { 1 << format.bits } else { 0 })
            }
            Format::Float(format) | Format::Complex(format) => {
                let bits = bits & format.mask();
                if format.is_nan(bits) || format.is_infinite(bits) {
                    return None;
                }
                let magnitude = i128::from(bits & !format.sign_mask());
                Some(match bits & format.sign_mask() == 0 {
                    true => magnitude,
                    false => -magnitude - i128::from(format.negative_zero),
                })
            }
        }
    }

    /// Returns the bits of the number with this key, which must be between [`first`](Self::first) and
    /// [`last`](Self::last).
    pub(super) fn bits(self, key: i128) -> u64 {
        match self.0 {
            Format::Float(format) | Format::Complex(format) if key < 0 => {
                low(-key - i128::from(format.negative_zero)) | format.sign_mask()
            }
            format => low(key & i128::from(format.component_mask())),
        }
    }
}

fn low(value: i128) -> u64 {
    u64::try_from(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use exactum_exact::Exact;

    use super::*;

    /// Every number of every small type has a key, and the keys have the order of the numbers.
    #[test]
    fn keys_are_in_the_order_of_the_numbers() {
        let small = |data_type: &&DataType| {
            data_type.is_real() && data_type.format().component_bits() <= 16
        };
        for &data_type in DataType::ALL.iter().filter(small) {
            let (order, format) = (Order::of(data_type), data_type.format());
            let mut count = 0;
            for bits in 0..=format.component_mask() {
                let Some(key) = order.key(bits) else { continue };
                assert_eq!(order.bits(key), bits, "{data_type}");
                assert!((order.first()..=order.last()).contains(&key), "{data_type}");
                count += 1;
            }
            assert_eq!(count, order.last() - order.first() + 1, "{data_type}");
            let values = (order.first()..=order.last())
                .map(|key| Exact::from_bits(&format, order.bits(key)));
            let values: Vec<Exact> = values.collect();
            for pair in values.windows(2) {
                let is_up = pair[0]
                    .compare(&pair[1])
                    .is_some_and(std::cmp::Ordering::is_le);
                assert!(is_up, "{data_type}: {pair:?}");
            }
        }
    }
}
