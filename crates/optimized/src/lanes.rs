//! Elements as machine numbers.

use exactum_model::DataType;

/// A machine number that is loaded from and stored to little-endian bytes of any alignment. The
/// compiler turns loops over [`split`](Lane::split) into vector loads.
pub(crate) trait Lane: Copy {
    /// The bytes of one element.
    type Bytes: Copy;

    /// Returns the whole elements of a byte slice.
    fn split(bytes: &[u8]) -> &[Self::Bytes];

    /// Returns the whole elements of a byte slice, for writing.
    fn split_mut(bytes: &mut [u8]) -> &mut [Self::Bytes];

    fn load(bytes: Self::Bytes) -> Self;

    fn store(self) -> Self::Bytes;
}

macro_rules! lanes {
    ($($lane:ty)*) => {$(
        impl Lane for $lane {
            type Bytes = [u8; size_of::<$lane>()];

            #[inline(always)]
            fn split(bytes: &[u8]) -> &[Self::Bytes] {
                bytes.as_chunks().0
            }

            #[inline(always)]
            fn split_mut(bytes: &mut [u8]) -> &mut [Self::Bytes] {
                bytes.as_chunks_mut().0
            }

            #[inline(always)]
            fn load(bytes: Self::Bytes) -> Self {
                <$lane>::from_le_bytes(bytes)
            }

            #[inline(always)]
            fn store(self) -> Self::Bytes {
                self.to_le_bytes()
            }
        }
    )*};
}

lanes!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64);

/// Computes `target[i] = f(source[i])` for all elements.
#[inline(always)]
pub(crate) fn map_lanes<S: Lane, T: Lane>(
    source: &[u8],
    target: &mut [u8],
    mut f: impl FnMut(S) -> T,
) {
    for (to, from) in T::split_mut(target).iter_mut().zip(S::split(source)) {
        *to = f(S::load(*from)).store();
    }
}

/// A binary16 number, given by its bits: an element of `float16` data.
///
/// ```
/// use exactum_optimized::{Cast, F16};
///
/// let cast = Cast::<f32, F16>::builder().build()?;
/// assert_eq!(cast.convert(&[1.0])?, [F16(0x3c00)]);
/// # Ok::<(), exactum_optimized::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct F16(pub u16);

mod sealed {
    pub trait Sealed: Copy + core::fmt::Debug + Send + Sync + 'static {
        /// All bits zero, which is a value of every number.
        const ZERO: Self;

        /// Returns the bits, in the low end of a number.
        fn bits(self) -> u64;
    }
}

/// A Rust type whose slices hold the elements of a data type.
///
/// Sealed: the slices are read as bytes, so every implementing type is a plain number.
///
/// ```
/// use exactum_optimized::{Cast, Element, Error};
///
/// fn bytes_of_zeros<E: Element>(count: usize) -> Result<Vec<E>, Error> {
///     Cast::<u8, E>::builder().build()?.convert(&vec![0; count])
/// }
/// assert_eq!(bytes_of_zeros::<f64>(2)?, [0.0, 0.0]);
/// # Ok::<(), exactum_optimized::Error>(())
/// ```
pub trait Element: sealed::Sealed {
    /// The data type.
    const DATA_TYPE: DataType;
}

macro_rules! elements {
    ($($element:ty: $data_type:ident $zero:expr, $bits:expr;)*) => {$(
        impl sealed::Sealed for $element {
            const ZERO: Self = $zero;

            fn bits(self) -> u64 {
                let bits: fn(Self) -> _ = $bits;
                u64::from(bits(self))
            }
        }

        impl Element for $element {
            const DATA_TYPE: DataType = DataType::$data_type;
        }
    )*};
}

elements! {
    i8: Int8 0, i8::cast_unsigned;
    i16: Int16 0, i16::cast_unsigned;
    i32: Int32 0, i32::cast_unsigned;
    i64: Int64 0, i64::cast_unsigned;
    u8: Uint8 0, |bits| bits;
    u16: Uint16 0, |bits| bits;
    u32: Uint32 0, |bits| bits;
    u64: Uint64 0, |bits| bits;
    F16: Float16 F16(0), |half| half.0;
    f32: Float32 0.0, f32::to_bits;
    f64: Float64 0.0, f64::to_bits;
}

#[cfg(feature = "half")]
elements! {
    half::f16: Float16 half::f16::from_bits(0), half::f16::to_bits;
    half::bf16: Bfloat16 half::bf16::from_bits(0), half::bf16::to_bits;
}
