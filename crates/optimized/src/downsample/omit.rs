//! Reduction of blocks in which some elements are omitted: a skipped value, or NaN.
//!
//! Mean, min and max count the remaining elements in vector lanes; median and mode drop keys.

use core::hint::select_unpredictable as select;

use exactum_model::{Format, NanPolicy, Omission};

use super::blocks::Blocks;
use super::fold::{Fold, Least, fold};
use super::keys::{Extreme, Keys, Sorted, Unsigned, Whole};
use crate::arch::SimdLevel;

/// The elements to skip.
pub(super) trait Omit: Copy {
    type Element;

    /// Returns whether an element is the value that is skipped.
    fn is_value(&self, element: Self::Element) -> bool;

    /// Returns whether an element is a NaN that is omitted.
    fn is_nan(&self, element: Self::Element) -> bool;

    /// Returns the result of a block in which every element is skipped, given whether the value occurs.
    fn nothing(&self, value: bool) -> Self::Element;
}

/// A fold over the remaining elements.
#[derive(Clone, Copy)]
pub(super) struct Rest<F, O> {
    pub(super) fold: F,
    pub(super) omit: O,
}

/// The state of the counted elements, their number, and whether the skipped value is among the elements that
/// are not counted.
#[derive(Clone, Copy)]
pub(super) struct Counted<S> {
    sum: S,
    count: u64,
    value: bool,
}

impl<F: Fold, O: Omit<Element = F::Element>> Fold for Rest<F, O>
where
    F::Element: Copy,
{
    type Element = F::Element;
    type Sum = Counted<F::Sum>;

    #[inline(always)]
    fn start(&self) -> Self::Sum {
        Counted {
            sum: self.fold.start(),
            count: 0,
            value: false,
        }
    }

    #[inline(always)]
    fn step(&self, counted: Self::Sum, element: F::Element) -> Self::Sum {
        let value = self.omit.is_value(element);
        let out = value | self.omit.is_nan(element);
        let more = self.fold.step(counted.sum, element);
        Counted {
            sum: select(out, counted.sum, more),
            count: counted.count + u64::from(!out),
            value: counted.value | value,
        }
    }

    #[inline(always)]
    fn finish(&self, counted: Self::Sum, _: u64) -> F::Element {
        if counted.count == 0 {
            return self.omit.nothing(counted.value);
        }
        self.fold.finish(counted.sum, counted.count)
    }
}

/// An integer or a bool, compared by the bits of its type.
#[derive(Clone, Copy)]
pub(super) struct Same<U> {
    pub(super) mask: U,
    pub(super) value: U,
}

impl<U: Unsigned> Omit for Same<U> {
    type Element = U;

    #[inline(always)]
    fn is_value(&self, element: U) -> bool {
        element.and(self.mask) == self.value
    }

    #[inline(always)]
    fn is_nan(&self, _: U) -> bool {
        false
    }

    #[inline(always)]
    fn nothing(&self, _: bool) -> U {
        self.value
    }
}

/// A float, compared by value, and NaN.
#[derive(Clone, Copy)]
pub(super) struct Floating<T> {
    /// NaN if no other value is skipped.
    pub(super) value: T,
    pub(super) nan: bool,
}

macro_rules! floating {
    ($($lane:ty, $default:literal;)*) => {$(
        impl Omit for Floating<$lane> {
            type Element = $lane;

            #[inline(always)]
            #[expect(clippy::float_cmp, reason = "an exact comparison is intended; the zeros are equal")]
            fn is_value(&self, element: $lane) -> bool {
                element == self.value
            }

            #[inline(always)]
            fn is_nan(&self, element: $lane) -> bool {
                self.nan & element.is_nan()
            }

            #[inline(always)]
            fn nothing(&self, value: bool) -> $lane {
                if value { self.value } else { <$lane>::from_bits($default) }
            }
        }
    )*};
}

floating! {
    f32, 0x7fc0_0000;
    f64, 0x7ff8_0000_0000_0000;
}

/// Returns the skipped value of 32-bit or 64-bit floats as a number.
pub(super) fn floating<T>(omission: &Omission, nan: T, of: impl Fn(u64) -> T) -> Floating<T>
where
    T: Copy + PartialOrd,
{
    let value = omission
        .skip_value
        .map_or(nan, |value| of(value.component(0)));
    // NaN as the skipped value is omitted, unless it has to be propagated.
    let is_nan = omission.skip_value.is_some() && value.partial_cmp(&value).is_none();
    let nan = match omission.nan {
        Some(policy) => policy == NanPolicy::Skip,
        None => is_nan,
    };
    Floating { value, nan }
}

/// A fold whose result is NaN if any element is NaN.
#[derive(Clone, Copy)]
struct Poisoned<K>(K);

impl<K: Keys> Fold for Poisoned<K> {
    type Element = K::Key;
    /// The smallest key and the largest, which is that of NaN.
    type Sum = (K::Key, K::Key);

    #[inline(always)]
    fn start(&self) -> Self::Sum {
        (K::Key::MAX, K::Key::default())
    }

    #[inline(always)]
    fn step(&self, (least, most): Self::Sum, element: K::Key) -> Self::Sum {
        let key = self.0.key(element);
        (least.min(key), most.max(key))
    }

    #[inline(always)]
    fn finish(&self, (least, most): Self::Sum, _: u64) -> K::Key {
        self.0.element(select(most == K::Key::MAX, most, least))
    }
}

/// An element, compared by its key in an order in which both zeros have the same key and NaN comes last.
#[derive(Clone, Copy)]
struct ByKey<K: Keys> {
    keys: K,
    /// The key of the skipped value.
    key: K::Key,
    /// The bits of the skipped value.
    value: K::Key,
    /// Whether NaN is omitted, for a type that has it.
    nan: bool,
}

impl<K: Keys> Omit for ByKey<K> {
    type Element = K::Key;

    #[inline(always)]
    fn is_value(&self, element: K::Key) -> bool {
        self.keys.key(element) == self.key
    }

    #[inline(always)]
    fn is_nan(&self, element: K::Key) -> bool {
        self.nan & (self.keys.key(element) == K::Key::MAX)
    }

    #[inline(always)]
    fn nothing(&self, value: bool) -> K::Key {
        // If all elements are omitted and the value does not occur, all of them were NaN.
        if value {
            self.value
        } else {
            self.keys.element(K::Key::MAX)
        }
    }
}

impl<K: Keys> ByKey<K> {
    fn new(keys: K, bits: u64, nan: bool) -> Self {
        let value = K::Key::of(bits);
        let key = keys.key(value);
        Self {
            keys,
            key,
            // Every NaN becomes the same one.
            value: match nan && key == K::Key::MAX {
                true => keys.element(key),
                false => value,
            },
            nan,
        }
    }
}

/// Computes the smallest or the largest element of each block, ignoring skipped elements. If the options
/// propagate NaN, a block that contains NaN results in NaN.
pub(super) fn extreme(
    level: SimdLevel,
    omission: &Omission,
    blocks: &Blocks,
    largest: bool,
    data: &[u8],
    output: &mut [u8],
) {
    match blocks.data_type.format().component_bytes() {
        1 => extreme_of::<u8>(level, omission, blocks, largest, data, output),
        2 => extreme_of::<u16>(level, omission, blocks, largest, data, output),
        4 => extreme_of::<u32>(level, omission, blocks, largest, data, output),
        _ => extreme_of::<u64>(level, omission, blocks, largest, data, output),
    }
}

fn extreme_of<U: Unsigned>(
    level: SimdLevel,
    omission: &Omission,
    blocks: &Blocks,
    largest: bool,
    data: &[u8],
    output: &mut [u8],
) {
    let value = omission.skip_value.map(|value| value.component(0));
    let format = blocks.data_type.format();
    let Format::Float(float) = format else {
        let keys = Whole::<U>::new(&format, largest);
        let omit = ByKey::new(Whole::<U>::new(&format, false), value.unwrap_or(0), false);
        let fold_of = Least(keys);
        return match value {
            Some(_) => fold(
                level,
                Rest {
                    fold: fold_of,
                    omit,
                },
                blocks,
                data,
                output,
            ),
            None => fold(level, fold_of, blocks, data, output),
        };
    };
    let keys = Extreme::<U>::new(&float, largest);
    let propagates = omission.nan == Some(NanPolicy::Propagate);
    let is_nan = value.is_some_and(|bits| float.is_nan(bits));
    let Some(value) = value.filter(|_| !(propagates && is_nan)) else {
        return fold(level, Poisoned(keys), blocks, data, output);
    };
    // NaN as the skipped value is omitted, and a block that contains nothing else is NaN.
    let skips = omission.nan == Some(NanPolicy::Skip) || is_nan;
    let omit = ByKey::new(Sorted::<U>::new(&float), value, skips);
    match propagates {
        true => {
            let rest = Rest {
                fold: Poisoned(keys),
                omit,
            };
            fold(level, rest, blocks, data, output);
        }
        false => {
            let rest = Rest {
                fold: Least(keys),
                omit,
            };
            fold(level, rest, blocks, data, output);
        }
    }
}
