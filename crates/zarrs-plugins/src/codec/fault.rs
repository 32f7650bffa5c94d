//! Rejections as errors of zarrs.

use exactum_model::{At, Rejection};
use zarrs::array::CodecError;
use zarrs::plugin::PluginCreateError;

/// Returns the message of a rejection: the codec, the fault and its reason with the clause, the place, and
/// how to fix it.
pub(crate) fn words(codec: &str, rejection: &Rejection) -> String {
    let place = match &rejection.at {
        None => String::new(),
        Some(At::Element(index)) => format!(", at element {index}"),
        Some(At::Pointer(pointer)) if pointer.is_empty() => String::new(),
        Some(At::Pointer(pointer)) => format!(", at {pointer}"),
    };
    let help = match &rejection.help {
        None => String::new(),
        Some(help) => format!("; {help}"),
    };
    format!("{codec}: {rejection}{place}{help}")
}

/// Returns the error for a rejection of elements, of a data type or of a fill value.
pub(crate) fn codec_error(codec: &str, rejection: &Rejection) -> CodecError {
    CodecError::Other(words(codec, rejection))
}

/// Returns the error for a rejection of a configuration.
pub(crate) fn create_error(codec: &str, rejection: &Rejection) -> PluginCreateError {
    PluginCreateError::Other(words(codec, rejection))
}
