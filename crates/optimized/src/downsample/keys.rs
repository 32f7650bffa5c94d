//! Order-preserving maps of elements to unsigned numbers.

#![allow(
    clippy::cast_possible_truncation,
    reason = "fields of a format are truncated to the width of its elements"
)]

use core::hint::select_unpredictable as select;

use exactum_model::{FloatFormat, Format, Nan};

use crate::lanes::Lane;

/// An unsigned machine number.
pub(super) trait Unsigned: Lane + Ord + Default {
    const MAX: Self;
    fn of(bits: u64) -> Self;
    fn wide(self) -> u64;
    fn and(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn less(self, other: Self) -> Self;
    fn plus(self, other: Self) -> Self;
}

macro_rules! unsigned {
    ($($lane:ty)*) => {$(
        impl Unsigned for $lane {
            const MAX: Self = <$lane>::MAX;
            #[inline(always)]
            fn of(bits: u64) -> Self {
                bits as $lane
            }
            #[inline(always)]
            fn wide(self) -> u64 {
                self.into()
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn less(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
        }
    )*};
}

unsigned!(u8 u16 u32 u64);

/// A map from elements to keys that keeps their order, and its inverse.
pub(super) trait Keys: Copy {
    /// The elements, and their keys.
    type Key: Unsigned;

    /// Returns the key of an element.
    fn key(&self, element: Self::Key) -> Self::Key;

    /// Returns the element of a key.
    fn element(&self, key: Self::Key) -> Self::Key;

    /// Returns whether the element is a zero with a sign, whose key is the same as that of the other zero. If
    /// the result is zero, it then depends on whether the other zero occurs.
    #[inline(always)]
    fn is_signed_zero(&self, _: Self::Key) -> bool {
        false
    }

    /// Returns whether the element is the other zero, if there are two.
    #[inline(always)]
    fn is_plain_zero(&self, _: Self::Key) -> bool {
        false
    }

    /// Returns whether there are two zeros.
    #[inline(always)]
    fn has_signed_zero(&self) -> bool {
        false
    }

    /// Returns the canonical zero with a sign, without bits above the type.
    #[inline(always)]
    fn signed_zero(&self) -> Self::Key {
        Self::Key::default()
    }
}

/// Integers and bool: the bits of the type, with the sign bit inverted.
#[derive(Clone, Copy)]
pub(super) struct Whole<U> {
    mask: U,
    flip: U,
}

impl<U: Unsigned> Whole<U> {
    /// Returns the keys of a format, in reverse order if `down` is set.
    pub(super) fn new(format: &Format, down: bool) -> Self {
        let mask = format.component_mask();
        let sign = match format {
            Format::Integer(integer) if integer.signed => 1 << (integer.bits - 1),
            _ => 0,
        };
        let flip = if down { sign ^ mask } else { sign };
        Self {
            mask: U::of(mask),
            flip: U::of(flip),
        }
    }
}

impl<U: Unsigned> Whole<U> {
    /// Returns the masks for two elements at a time, as numbers of twice the width.
    pub(super) fn doubled<W: Unsigned>(&self) -> (W, W) {
        let bits = 8 * size_of::<U>();
        let twice = |half: U| W::of(half.wide() | half.wide() << bits);
        (twice(self.mask), twice(self.flip))
    }
}

impl<U: Unsigned> Keys for Whole<U> {
    type Key = U;

    #[inline(always)]
    fn key(&self, element: U) -> U {
        element.and(self.mask).xor(self.flip)
    }

    #[inline(always)]
    fn element(&self, key: U) -> U {
        key.xor(self.flip)
    }
}

/// The constants of a format that every order of floats needs.
#[derive(Clone, Copy)]
struct Codes<U> {
    mask: U,
    /// 0 in a format without sign.
    sign: U,
    magnitude: U,
    /// Magnitudes above this one are NaN.
    last: U,
    /// The code of the only NaN of some formats.
    only: U,
    /// The key of NaN.
    nan: U,
    /// Whether the format has a negative zero.
    signed_zero: bool,
}

impl<U: Unsigned> Codes<U> {
    fn new(format: &FloatFormat) -> Self {
        let (last, only) = match format.nan {
            // For a format without NaN, this is a code that no element has.
            Nan::None => (u64::MAX, u64::MAX),
            Nan::Only(code) => (u64::MAX, code),
            Nan::AllOnes => (format.max_finite_bits(), u64::MAX),
            Nan::Ieee => (
                format.max_exponent_field() << format.mantissa_bits,
                format.nan_bits().unwrap_or(u64::MAX),
            ),
        };
        Self {
            mask: U::of(format.mask()),
            sign: U::of(format.sign_mask()),
            magnitude: U::of(format.mask() & !format.sign_mask()),
            last: U::of(last),
            only: U::of(only),
            nan: U::of(format.nan_bits().unwrap_or_default()),
            signed_zero: format.negative_zero,
        }
    }

    #[inline(always)]
    fn is_nan(&self, bits: U) -> bool {
        (bits.and(self.magnitude) > self.last) | (bits == self.only)
    }

    /// Returns the position of a number in the order from the most negative one. Positions from zero on are
    /// moved down by `shift`: if it is 1, both zeros have the same position, or the gap is closed if -0 does
    /// not exist.
    #[inline(always)]
    fn ascending(&self, bits: U, shift: U) -> U {
        let positive = bits.and(self.sign) == U::default();
        select(
            positive,
            bits.or(self.sign).less(shift),
            bits.xor(self.mask),
        )
    }

    #[inline(always)]
    fn bits(&self, ascending: U, shift: U) -> U {
        // In a format without a sign, all numbers are at least zero.
        let above = ascending.plus(shift);
        select(
            above >= self.sign,
            above.xor(self.sign),
            ascending.xor(self.mask),
        )
    }
}

/// Floats in sorted order: both zeros have the same key, and NaN comes last.
#[derive(Clone, Copy)]
pub(super) struct Sorted<U> {
    codes: Codes<U>,
    /// See [`Codes::ascending`].
    shift: U,
}

impl<U: Unsigned> Sorted<U> {
    pub(super) fn new(format: &FloatFormat) -> Self {
        Self {
            codes: Codes::new(format),
            shift: U::of(u64::from(format.signed)),
        }
    }
}

impl<U: Unsigned> Keys for Sorted<U> {
    type Key = U;

    #[inline(always)]
    fn key(&self, element: U) -> U {
        let codes = &self.codes;
        let bits = element.and(codes.mask);
        select(
            codes.is_nan(bits),
            U::MAX,
            codes.ascending(bits, self.shift),
        )
    }

    #[inline(always)]
    fn element(&self, key: U) -> U {
        let codes = &self.codes;
        select(key == U::MAX, codes.nan, codes.bits(key, self.shift))
    }

    #[inline(always)]
    fn is_signed_zero(&self, element: U) -> bool {
        self.codes.signed_zero & (element.and(self.codes.mask) == self.codes.sign)
    }

    #[inline(always)]
    fn is_plain_zero(&self, element: U) -> bool {
        self.codes.signed_zero & (element.and(self.codes.mask) == U::default())
    }

    #[inline(always)]
    fn has_signed_zero(&self) -> bool {
        self.codes.signed_zero
    }

    #[inline(always)]
    fn signed_zero(&self) -> U {
        self.codes.sign
    }
}

/// Floats in an order in which the smallest key is the result of `min`, or of `max`: NaN comes last, and +0
/// comes before -0.
#[derive(Clone, Copy)]
pub(super) struct Extreme<U> {
    codes: Codes<U>,
    /// See [`Codes::ascending`].
    shift: U,
    /// All ones for `max`.
    turn: U,
    /// 1 if inverting would give a number the key of NaN.
    drop: U,
    /// The key with which zeros are exchanged.
    swap: U,
}

impl<U: Unsigned> Extreme<U> {
    pub(super) fn new(format: &FloatFormat, down: bool) -> Self {
        let codes = Codes::<U>::new(format);
        let none = U::default();
        Self {
            codes,
            shift: U::of(u64::from(format.signed && !format.negative_zero)),
            turn: if down { codes.mask } else { none },
            drop: U::of(u64::from(down && matches!(format.nan, Nan::Only(_)))),
            swap: if !down && codes.signed_zero {
                codes.mask
            } else {
                none
            },
        }
    }
}

impl<U: Unsigned> Keys for Extreme<U> {
    type Key = U;

    #[inline(always)]
    fn key(&self, element: U) -> U {
        let codes = &self.codes;
        let bits = element.and(codes.mask);
        let key = codes.ascending(bits, self.shift);
        let key = key.xor(self.turn).less(self.drop);
        let zero = bits.and(codes.magnitude) == U::default();
        let key = key.xor(select(zero, self.swap, U::default()));
        select(codes.is_nan(bits), U::MAX, key)
    }

    #[inline(always)]
    fn element(&self, key: U) -> U {
        let codes = &self.codes;
        let bits = codes.bits(key.plus(self.drop).xor(self.turn), self.shift);
        let zero = bits.and(codes.magnitude) == U::default();
        let swapped = zero & (self.swap != U::default());
        let turned = bits.xor(select(swapped, codes.sign, U::default()));
        select(key == U::MAX, codes.nan, turned)
    }
}

#[cfg(test)]
mod tests {
    use exactum_model::DataType;

    use super::*;

    /// Every element of 8 bits is restored from its key, except that NaN becomes the default NaN.
    #[test]
    fn keys_are_elements_again() {
        fn check<K: Keys<Key = u8>>(data_type: DataType, keys: &K, zeros: bool) {
            let format = data_type.format();
            for bits in 0..=u8::MAX {
                let own = u64::from(bits) & format.component_mask();
                let float = format.float();
                let expected = match float {
                    Some(float) if float.is_nan(own) => float.nan_bits().unwrap_or(own),
                    Some(float) if float.is_zero(own) && !zeros => 0,
                    _ => own,
                };
                let back = keys.element(keys.key(bits));
                assert_eq!(u64::from(back), expected, "{data_type}: {bits:02x}");
            }
        }
        for &data_type in DataType::ALL {
            let format = data_type.format();
            if data_type.element_bytes() != 1 {
                continue;
            }
            for down in [false, true] {
                match format {
                    Format::Float(float) => {
                        check(data_type, &Extreme::<u8>::new(&float, down), true);
                        check(data_type, &Sorted::<u8>::new(&float), false);
                    }
                    _ => check(data_type, &Whole::<u8>::new(&format, down), true),
                }
            }
        }
    }
}
