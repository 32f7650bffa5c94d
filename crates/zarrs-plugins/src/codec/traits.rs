//! The trait implementations for zarrs that all codecs of this crate share.

/// Implements `CodecTraits` for a codec, given the place of its configuration, and whether parts of a chunk
/// can be read and written without the rest.
macro_rules! codec_traits {
    (
        impl[$($generics:tt)*] $codec:ty,
        configuration: |$it:ident| $configuration:expr,
        reads_parts: $reads:expr,
        writes_parts: $writes:expr $(,)?
    ) => {
        impl<$($generics)*> ::zarrs::array::CodecTraits for $codec {
            fn as_any(&self) -> &dyn std::any::Any {
                self
            }

            fn configuration(
                &self,
                _version: ::zarrs::plugin::ZarrVersion,
                _options: &::zarrs::array::CodecMetadataOptions,
            ) -> Option<::zarrs::metadata::Configuration> {
                let $it = self;
                Some($configuration.clone())
            }

            fn partial_decoder_capability(
                &self,
            ) -> ::zarrs::array::codec::api::PartialDecoderCapability {
                ::zarrs::array::codec::api::PartialDecoderCapability {
                    partial_read: $reads,
                    partial_decode: $reads,
                }
            }

            fn partial_encoder_capability(
                &self,
            ) -> ::zarrs::array::codec::api::PartialEncoderCapability {
                ::zarrs::array::codec::api::PartialEncoderCapability {
                    partial_encode: $writes,
                }
            }
        }
    };
}

pub(super) use codec_traits;
