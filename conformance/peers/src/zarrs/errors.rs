//! The errors of zarrs, as rejections and missing features.

use std::fmt::Display;

use ::zarrs::array::{ArrayCreateError, CodecError};
use ::zarrs::plugin::PluginCreateError;
use exactum_conformance::{Answer, Rejected};

/// Returns a rejection with zarrs' own message.
pub(super) fn reject(reason: &str, error: &dyn Display) -> Answer {
    Answer::Reject(Rejected {
        reason: reason.into(),
        message: error.to_string(),
        at: None,
        accident: false,
    })
}

/// Returns the answer for a codec or a data type that cannot be created. An unknown one counts as missing, not as
/// rejected.
pub(super) fn plugin(error: &PluginCreateError) -> Answer {
    match error {
        PluginCreateError::Unsupported(error) => Answer::Unsupported(error.to_string()),
        error => reject("metadata", error),
    }
}

/// Returns the answer for an array that cannot be opened.
pub(crate) fn create(error: &ArrayCreateError) -> Answer {
    match error {
        ArrayCreateError::CodecsCreateError(error) => plugin(error),
        // zarrs has all data types of the protocol, so an unknown name is not a data type.
        ArrayCreateError::DataTypeCreateError(error) => reject("unsupported_data_type", error),
        ArrayCreateError::InvalidFillValue { .. }
        | ArrayCreateError::InvalidFillValueMetadata { .. } => reject("fill_value", error),
        error => reject("metadata", error),
    }
}

/// Returns the answer for elements or bytes that a codec refuses.
pub(crate) fn codec(error: &CodecError) -> Answer {
    let reason = match error {
        CodecError::UnexpectedChunkDecodedSize(_) => "truncated",
        CodecError::UnsupportedDataType(..) | CodecError::UnsupportedDataTypeCodec(_) => {
            "unsupported_data_type"
        }
        _ => "refused",
    };
    reject(reason, error)
}
