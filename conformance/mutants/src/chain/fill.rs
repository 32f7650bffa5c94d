//! Mutants of `chain`: shards and fill values.

use super::*;

const SHARD: &[&str] = &["chain.shard"];
const FILL: &[&str] = &["chain.fill"];
const SURVIVES: &[&str] = &["chain.survives"];
const SHARDED: &str = r#"[{"name":"sharding_indexed","configuration":{"chunk_shape":[2],"codecs":[{"name":"scale_offset","configuration":{"offset":1}},"bytes"],"index_codecs":[{"name":"bytes","configuration":{"endian":"little"}}]}}]"#;
/// float32, whose fill value 1e-8 is lost in a difference with 1.
const ABSORBED: &str = r#"[{"name":"scale_offset","configuration":{"offset":1}},{"name":"bytes","configuration":{"endian":"little"}}]"#;

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "inner-codecs-see-the-shard",
        SHARD,
        resolution(|chain, mut resolution| {
            let outer = outer_stages(chain);
            let (_, shape) = last(chain);
            for stage in &mut resolution.stages[outer..] {
                stage.shape = shape.to_vec();
            }
            resolution
        }),
        "The inner codecs are set up with the shape of the shard.",
        Witness::Resolve("uint8", "1", "[4]", SHARDED),
    ),
    mutant(
        "shards-not-entered",
        SHARD,
        resolution(|chain, mut resolution| {
            resolution.stages.truncate(outer_stages(chain));
            resolution
        }),
        "A shard is an opaque codec: what its inner codecs do to data type and fill value is not seen.",
        Witness::Resolve("uint8", "1", "[4]", SHARDED),
    ),
    mutant(
        "shard-resets-the-fill-value",
        SHARD,
        fill(|chain, step, before| {
            let inner = !chain.pipeline.steps.contains(step);
            let own = chain.fill_value;
            if inner && own.data_type() == before.data_type() {
                walk::fill(&RIGHT, step, own)
            } else {
                walk::fill(&RIGHT, step, before)
            }
        }),
        "The inner codecs are given the array's fill value, not the one that the shard is given.",
        Witness::Resolve(
            "uint8",
            "5",
            "[4]",
            r#"[{"name":"scale_offset","configuration":{"offset":1}},{"name":"sharding_indexed","configuration":{"chunk_shape":[2],"codecs":[{"name":"scale_offset","configuration":{"offset":1}},"bytes"],"index_codecs":[{"name":"bytes","configuration":{"endian":"little"}}]}}]"#,
        ),
    ),
    mutant(
        "every-codec-gets-the-array-fill-value",
        FILL,
        fill(|chain, step, before| {
            let own = chain.fill_value;
            if own.data_type() == before.data_type() {
                walk::fill(&RIGHT, step, own)
            } else {
                walk::fill(&RIGHT, step, before)
            }
        }),
        "Each codec transforms the fill value of the document instead of the one before it.",
        Witness::Resolve("int16", "5", "[4]", TWO_SCALES),
    ),
    mutant(
        "fill-value-not-carried",
        FILL,
        fill(|chain, step, before| {
            walk::fill(&RIGHT, step, before)?;
            let own = chain.fill_value;
            if step.data_type == own.data_type() {
                return Ok(own);
            }
            let value = Exact::from_bits(&own.data_type().format(), own.component(0));
            let bits = saturated(&value, &step.data_type.format());
            Ok(Scalar::new(step.data_type, bits.into()))
        }),
        "The fill value stays what the document says and only changes its type: codecs are thought to be about chunks.",
        Witness::Resolve("int16", "5", "[4]", TWO_SCALES),
    ),
    mutant(
        "survives-always",
        SURVIVES,
        resolution(|_, resolution| Resolution {
            survives: true,
            ..resolution
        }),
        "Nobody looks: what the casts accept is believed to survive.",
        Witness::Resolve("float32", "1e-8", "[4]", ABSORBED),
    ),
    mutant(
        "survives-by-bits",
        SURVIVES,
        resolution(|chain, resolution| Resolution {
            survives: returned(chain, |_| true) == Some(chain.fill_value),
            ..resolution
        }),
        "The bytes are compared: -0 through an integer is said to be lost.",
        Witness::Resolve(
            "float32",
            "-0.0",
            "[4]",
            r#"[{"name":"cast_value","configuration":{"data_type":"uint8"}},"bytes"]"#,
        ),
    ),
    mutant(
        "survives-unless-nan",
        SURVIVES,
        resolution(|chain, resolution| {
            let nan = chain
                .data_type
                .format()
                .float()
                .is_some_and(|format| format.is_nan(chain.fill_value.component(0)));
            Resolution {
                survives: resolution.survives && !nan,
                ..resolution
            }
        }),
        "The comparison is `==`, which no NaN passes.",
        Witness::Resolve(
            "float32",
            "\"NaN\"",
            "[4]",
            r#"[{"name":"bytes","configuration":{"endian":"little"}}]"#,
        ),
    ),
    mutant(
        "survives-decodes-casts-only",
        SURVIVES,
        resolution(|chain, resolution| {
            let cast = |step: &Step| matches!(step.codec, ArrayCodec::CastValue(_));
            let back = returned(chain, cast);
            let survives = match back {
                Some(back) if back.data_type() == chain.fill_value.data_type() => {
                    back.same_value(&chain.fill_value)
                }
                _ => resolution.survives,
            };
            Resolution {
                survives,
                ..resolution
            }
        }),
        "Only casts are undone: scale_offset is forgotten on the way back.",
        Witness::Resolve("int16", "5", "[4]", TWO_SCALES),
    ),
];
