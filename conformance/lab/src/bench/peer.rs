//! The element types of `zarr-cast-value` beside those of `exactum_optimized`.

use exactum_optimized::{Element, F16};
use exactum_peers::zarr_cast_value::Element as PeerElement;
use zarr_cast_value::f16;

/// An element of both libraries.
pub(super) trait Number: Copy + Element {
    /// The type that `zarr-cast-value` takes.
    type Peer: PeerElement + 'static;

    /// The nearest element to a float64; benchmarks choose numbers that all types hold.
    fn from_f64(value: f64) -> Self;

    fn from_peer(peer: Self::Peer) -> Self;

    fn peer(self) -> Self::Peer;

    /// An element from the bits of its data type.
    fn from_bits(bits: u64) -> Self {
        Self::from_peer(PeerElement::from_bits(bits))
    }
}

/// The bytes of elements, one after another, little-endian.
pub(super) fn bytes<N: Number>(elements: &[N]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for element in elements {
        element.peer().push(&mut bytes);
    }
    bytes
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Number for $type {
            type Peer = $type;

            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "numbers that all types hold, or clamped ones"
            )]
            fn from_f64(value: f64) -> Self {
                value as $type
            }

            fn from_peer(peer: Self) -> Self {
                peer
            }

            fn peer(self) -> Self {
                self
            }
        }
    )*};
}

numbers! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

impl Number for F16 {
    type Peer = f16;

    fn from_f64(value: f64) -> Self {
        Self::from_peer(f16::from_f64(value))
    }

    fn from_peer(peer: f16) -> Self {
        F16(peer.to_bits())
    }

    fn peer(self) -> f16 {
        f16::from_bits(self.0)
    }
}
