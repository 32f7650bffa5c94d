//! Mutants of `cast_value`: the fill value.

use exactum_conformance::model::{ArrayCodec, Scalar, Step};

use super::*;
use crate::{FillPart, walk};

const CAST: &[&str] = &["cast_value.fill.cast"];
const SURVIVES: &[&str] = &["cast_value.fill.survives"];
const BY_VALUE: &[&str] = &["cast_value.fill.by-value"];

/// A mutant of the fill value.
const fn fill(
    name: &'static str,
    breaks: &'static [&'static str],
    part: FillPart,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks,
        fault,
        parts: Parts {
            fill: Some(part),
            ..RIGHT
        },
        witness,
    }
}

/// Right, but where the codec is a cast the fault decides.
fn of_cast(
    step: &Step,
    before: Scalar,
    fault: impl FnOnce(&CastValue) -> Result<Scalar, Rejection>,
) -> Result<Scalar, Rejection> {
    match &step.codec {
        ArrayCodec::CastValue(codec) => fault(codec),
        _ => walk::fill(&RIGHT, step, before),
    }
}

/// The step with a cast that is changed.
fn changed(step: &Step, codec: &CastValue, change: impl FnOnce(&mut CastValue)) -> Step {
    let mut codec = codec.clone();
    change(&mut codec);
    Step {
        codec: ArrayCodec::CastValue(codec),
        ..step.clone()
    }
}

/// `cast_value` and the bytes behind it.
macro_rules! cast_to_uint8 {
    ($members:literal) => {
        concat!(
            r#"[{"name":"cast_value","configuration":{"data_type":"uint8""#,
            $members,
            r#"}},"bytes"]"#
        )
    };
}

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    fill(
        "fill-bits-kept",
        CAST,
        |_, step, before| {
            of_cast(step, before, |_| {
                Ok(Scalar::new(step.data_type, before.component(0).into()))
            })
        },
        "The stored data type changes and the fill value's bytes do not: a buffer read as another type.",
        Witness::Resolve("float32", "1.0", "[4]", cast_to_uint8!("")),
    ),
    fill(
        "fill-becomes-zero",
        CAST,
        |_, step, before| of_cast(step, before, |_| Ok(Scalar::new(step.data_type, 0))),
        "After the cast the fill value is the new type's default, 0.",
        Witness::Resolve("float32", "1.0", "[4]", cast_to_uint8!("")),
    ),
    fill(
        "fill-cast-without-map",
        CAST,
        |_, step, before| {
            of_cast(step, before, |codec| {
                let step = changed(step, codec, |codec| codec.encode_map.clear());
                walk::fill(&RIGHT, &step, before)
            })
        },
        "The fill value is cast by a helper that knows no map.",
        Witness::Resolve(
            "float32",
            "\"NaN\"",
            "[4]",
            cast_to_uint8!(r#","scalar_map":{"encode":[["NaN",0]],"decode":[[0,"NaN"]]}"#),
        ),
    ),
    fill(
        "fill-cast-saturates",
        CAST,
        |_, step, before| {
            of_cast(step, before, |codec| {
                let fallback = || {
                    let value = Exact::from_bits(&codec.decoded.format(), before.component(0));
                    let bits = saturated(&value, &codec.encoded.format());
                    Scalar::new(codec.encoded, bits.into())
                };
                walk::fill(&RIGHT, step, before).or_else(|rejection| {
                    let after = walk::encoded_fill(&RIGHT, step, before);
                    if after.is_ok() {
                        Err(rejection)
                    } else {
                        Ok(fallback())
                    }
                })
            })
        },
        "A fill value that cannot be cast saturates instead of making the metadata invalid.",
        Witness::Resolve("float32", "300", "[4]", cast_to_uint8!("")),
    ),
    fill(
        "fill-round-trip-unchecked",
        SURVIVES,
        |_, step, before| of_cast(step, before, |_| walk::encoded_fill(&RIGHT, step, before)),
        "The fill value is cast and never cast back (zarr-python 3.3.0, zarrita 0.7.5).",
        Witness::Resolve("float32", "1.5", "[4]", cast_to_uint8!("")),
    ),
    fill(
        "fill-round-trip-without-map",
        SURVIVES,
        |_, step, before| {
            of_cast(step, before, |codec| {
                let after = walk::encoded_fill(&RIGHT, step, before)?;
                let plain = changed(step, codec, |codec| codec.decode_map.clear());
                let back = walk::decoded_fill(&RIGHT, &plain, after)?;
                if back.same_value(&before) {
                    Ok(after)
                } else {
                    Err(walk::not_survived())
                }
            })
        },
        "The way back leaves out the map, so a mapped NaN never survives.",
        Witness::Resolve(
            "float32",
            "\"NaN\"",
            "[4]",
            cast_to_uint8!(r#","scalar_map":{"encode":[["NaN",0]],"decode":[[0,"NaN"]]}"#),
        ),
    ),
    fill(
        "fill-round-trip-compares-stored",
        SURVIVES,
        |_, step, before| {
            of_cast(step, before, |_| {
                let after = walk::encoded_fill(&RIGHT, step, before)?;
                let back = walk::decoded_fill(&RIGHT, step, after)?;
                let again = walk::encoded_fill(&RIGHT, step, back)?;
                if again.same_value(&after) {
                    Ok(after)
                } else {
                    Err(walk::not_survived())
                }
            })
        },
        "The stored fill value is compared with itself cast back and forth: whatever rounds once passes.",
        Witness::Resolve("float32", "1.5", "[4]", cast_to_uint8!("")),
    ),
    fill(
        "fill-compared-bitwise",
        BY_VALUE,
        |_, step, before| {
            of_cast(step, before, |_| {
                let after = walk::encoded_fill(&RIGHT, step, before)?;
                let back = walk::decoded_fill(&RIGHT, step, after)?;
                if back == before {
                    Ok(after)
                } else {
                    Err(walk::not_survived())
                }
            })
        },
        "The bytes must come back: -0.0 through an integer, and any but the default NaN, are refused (zarrs).",
        Witness::Resolve("float32", "-0.0", "[4]", cast_to_uint8!("")),
    ),
    fill(
        "fill-nan-never-survives",
        BY_VALUE,
        |_, step, before| {
            let after = walk::fill(&RIGHT, step, before)?;
            let nan = before
                .data_type()
                .format()
                .float()
                .is_some_and(|format| format.is_nan(before.component(0)));
            match &step.codec {
                ArrayCodec::CastValue(_) if nan => Err(walk::not_survived()),
                _ => Ok(after),
            }
        },
        "The comparison is `==`, which no NaN passes.",
        Witness::Resolve(
            "float32",
            "\"NaN\"",
            "[4]",
            r#"[{"name":"cast_value","configuration":{"data_type":"float64"}},{"name":"bytes","configuration":{"endian":"little"}}]"#,
        ),
    ),
];
