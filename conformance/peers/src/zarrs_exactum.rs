//! The plugins of Exactum, which open the arrays of zarrs.

use std::sync::Arc;

use ::zarrs::array::Array;
use ::zarrs::storage::store::MemoryStore;
use exactum_conformance::{Answer, Rejected};
use exactum_zarrs_plugins::{OpenError, Registration, register};

use crate::zarrs::{Answered, Opener, Zarrs, errors};

impl Zarrs {
    /// Returns zarrs with Exactum's codecs and data types.
    #[must_use]
    pub fn with_plugins() -> Self {
        Self::opened_by(register())
    }
}

impl Opener for Registration {
    fn open(&self, store: Arc<MemoryStore>) -> Answered<Array<MemoryStore>> {
        Registration::open(self, store, "/").map_err(|error| answer(&error))
    }
}

/// Returns the answer for an array that is not opened.
fn answer(error: &OpenError) -> Answer {
    match error {
        OpenError::Document(rejection) => Answer::Reject(Rejected::from((**rejection).clone())),
        OpenError::Create(error) => errors::create(error),
        OpenError::Codec(error) => errors::codec(error),
        error => Answer::Error(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use exactum_conformance::Implementation as _;
    use serde_json::json;

    use crate::versions::locked;
    use crate::zarrs::Zarrs;
    use crate::zarrs::tests::ask;

    #[test]
    fn the_version_is_the_one_that_is_linked() {
        let hello = Zarrs::plain().hello().expect("it is there");
        assert_eq!(hello.version, locked("zarrs"));
    }

    #[test]
    fn a_codec_that_is_not_there_is_not_refused() {
        let document = |codec: &str| {
            json!({"op": "metadata.validate", "kind": "array", "document": format!(
                r#"{{"zarr_format": 3, "node_type": "array", "shape": [2], "data_type": "uint8",
                    "fill_value": 0, "codecs": [{codec}, "bytes"], "chunk_key_encoding": {{"name": "default"}},
                    "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [2]}}}}}}"#)})
        };
        let scale = r#"{"name": "scale_offset"}"#;
        assert_eq!(
            ask(&mut Zarrs::plain(), document(scale)),
            json!({"unsupported": {"message": "codec scale_offset is not supported"}})
        );
        assert_eq!(
            ask(&mut Zarrs::with_plugins(), document(scale)),
            json!({"ok": {}})
        );
    }
}
