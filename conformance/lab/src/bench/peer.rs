//! The element types that both `exactum_optimized` and `zarr-cast-value` accept.

use exactum_optimized::Element;
use exactum_peers::zarr_cast_value::Element as PeerElement;
use zarr_cast_value::f16;

/// An element type of both libraries.
pub(super) trait Number: Element + PeerElement {
    /// Returns the element nearest to a float64; benchmarks use numbers that all types hold.
    fn from_f64(value: f64) -> Self;
}

/// Returns the bytes of elements, one after another, little-endian.
pub(super) fn bytes<N: Number>(elements: &[N]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for &element in elements {
        element.push(&mut bytes);
    }
    bytes
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Number for $type {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "numbers that all types hold, or clamped ones"
            )]
            fn from_f64(value: f64) -> Self {
                value as $type
            }
        }
    )*};
}

numbers! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

impl Number for f16 {
    fn from_f64(value: f64) -> Self {
        f16::from_f64(value)
    }
}
