//! Elements as machine numbers.

use exactum_model::DataType;

/// A machine number that is loaded from and stored to little-endian bytes of any alignment. The
/// compiler turns loops over [`split`](Lane::split) into vector loads.
pub(crate) trait Lane: Copy {
    /// Bytes of one element.
    type Bytes: Copy;

    /// Whole elements of a byte slice.
    fn split(bytes: &[u8]) -> &[Self::Bytes];

    /// Whole elements of a byte slice, for writing.
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

/// `target[i] = f(source[i])`.
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

/// A binary16 number by its bits: an element of `float16` data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct F16(pub u16);

mod sealed {
    pub trait Sealed: Copy {}
}

/// A Rust type whose slices hold the elements of a data type.
///
/// Sealed: the slices are read as bytes, so every implementing type is a plain number.
pub trait Element: sealed::Sealed {
    /// The data type.
    const DATA_TYPE: DataType;
}

macro_rules! elements {
    ($($element:ty: $data_type:ident;)*) => {$(
        impl sealed::Sealed for $element {}

        impl Element for $element {
            const DATA_TYPE: DataType = DataType::$data_type;
        }
    )*};
}

elements! {
    i8: Int8; i16: Int16; i32: Int32; i64: Int64;
    u8: Uint8; u16: Uint16; u32: Uint32; u64: Uint64;
    F16: Float16; f32: Float32; f64: Float64;
}
