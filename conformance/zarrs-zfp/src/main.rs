//! Answers the protocol with zarrs and its own zfp, using the workspace's adapter for zarrs.

mod fence;
#[path = "../../peers/src/zarrs/mod.rs"]
#[allow(
    dead_code,
    reason = "the workspace uses the rest of this adapter, for zarrs without zfp"
)]
mod zarrs;

use std::io;

use exactum_conformance::serve;

use crate::zarrs::Zarrs;

#[global_allocator]
static HEAP: fence::Fenced = fence::Fenced;

fn main() -> io::Result<()> {
    let output = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    serve(&mut Zarrs::with_zfp(), io::stdin().lock(), output)
}

#[cfg(test)]
mod tests {
    use exactum_conformance::{Answer, Implementation as _, Request, Success};
    use serde_json::{Value, json};

    use super::Zarrs;

    /// The feature is enabled, so that zarrs' own codec answers: zfp 1.0.1 writes these bytes.
    #[test]
    fn zfp_is_there() {
        let Value::Object(request) = json!({
            "op": "zfp.encode",
            "configuration": r#"{"mode": "fixed_precision", "precision": 64}"#,
            "input": {"data_type": "int32", "shape": [4], "data": "01000000020000001e00000064000000"},
        }) else {
            panic!("the request must be an object");
        };
        let answer = Zarrs::with_zfp().call(&Request::new(request));
        let Ok(Answer::Ok(Success::Bytes(bytes))) = answer else {
            panic!("{answer:?}");
        };
        assert_eq!(bytes, [0, 0, 0, 0xf6, 0x11, 0xa0, 0x1f, 0]);
    }

    #[test]
    fn zarrs_is_the_version_of_the_workspace() {
        let version = |lock: &str| {
            let (_, rest) = lock.split_once("name = \"zarrs\"\nversion = \"")?;
            rest.split_once('"').map(|(version, _)| version.to_owned())
        };
        let own = version(include_str!("../Cargo.lock"));
        assert!(own.is_some());
        assert_eq!(own, version(include_str!("../../../Cargo.lock")));
    }
}
