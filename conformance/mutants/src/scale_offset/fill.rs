//! Mutants of `scale_offset`: the fill value.

use super::*;

const FILL: &[&str] = &["scale_offset.fill"];
/// `scale_offset` with offset 1000, and the bytes behind it.
const OFFSET_1000: &str = r#"[{"name":"scale_offset","configuration":{"offset":1000}},{"name":"bytes","configuration":{"endian":"little"}}]"#;

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    fill(
        "scale-offset-fill-unchanged",
        FILL,
        |_, step, before| match &step.codec {
            ArrayCodec::ScaleOffset(_) => Ok(before),
            _ => walk::fill(&RIGHT, step, before),
        },
        "The fill value is left as it is (zarrita 0.7.5: the published uint16 example cannot be read).",
        Witness::Resolve("int16", "1000", "[4]", OFFSET_1000),
    ),
    fill(
        "scale-offset-fill-decoded",
        FILL,
        |_, step, before| match &step.codec {
            ArrayCodec::ScaleOffset(_) => walk::decoded_fill(&RIGHT, step, before),
            _ => walk::fill(&RIGHT, step, before),
        },
        "The fill value is transformed in the decoding direction.",
        Witness::Resolve("int16", "1000", "[4]", OFFSET_1000),
    ),
    fill(
        "scale-offset-fill-must-be-representable",
        FILL,
        |_, step, before| match &step.codec {
            ArrayCodec::ScaleOffset(_) => {
                let after = walk::encoded_fill(&RIGHT, step, before);
                Ok(after.unwrap_or_else(|_| Scalar::new(step.data_type, 0)))
            }
            _ => walk::fill(&RIGHT, step, before),
        },
        "A fill value that the codec rejects becomes 0 instead of making the metadata invalid.",
        Witness::Resolve("uint16", "999", "[4]", OFFSET_1000),
    ),
];
