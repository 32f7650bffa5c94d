//! Mutants of `scale_offset`: the operations and their order.

use super::*;

const ENCODE: &[&str] = &["scale_offset.encode"];
const DECODE: &[&str] = &["scale_offset.decode"];

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "encode-adds-offset",
        ENCODE,
        |codec, direction, bits| match direction {
            Direction::Encode => computed(
                codec,
                bits,
                &[(codec.offset, Exact::add), (codec.scale, Exact::multiply)],
            ),
            Direction::Decode => right(codec, direction, bits),
        },
        "Encoding adds the offset: the decoding formula of CF, taken for encoding.",
        Witness::Scale("int16", r#"{"offset":5}"#, "[7]"),
    ),
    mutant(
        "encode-divides-by-scale",
        ENCODE,
        |codec, direction, bits| match direction {
            Direction::Encode => computed(
                codec,
                bits,
                &[
                    (codec.offset, Exact::subtract),
                    (codec.scale, Exact::divide),
                ],
            ),
            Direction::Decode => right(codec, direction, bits),
        },
        "Encoding divides by the scale, as CF and GDAL define scale_factor.",
        Witness::Scale("int16", r#"{"scale":2}"#, "[6]"),
    ),
    mutant(
        "encode-scales-first",
        ENCODE,
        |codec, direction, bits| match direction {
            Direction::Encode => computed(
                codec,
                bits,
                &[
                    (codec.scale, Exact::multiply),
                    (codec.offset, Exact::subtract),
                ],
            ),
            Direction::Decode => right(codec, direction, bits),
        },
        "in * scale - offset: the steps in the other order.",
        Witness::Scale("int16", r#"{"offset":5,"scale":2}"#, "[7]"),
    ),
    mutant(
        "decode-multiplies-by-scale",
        DECODE,
        |codec, direction, bits| match direction {
            Direction::Encode => right(codec, direction, bits),
            Direction::Decode => computed(
                codec,
                bits,
                &[(codec.scale, Exact::multiply), (codec.offset, Exact::add)],
            ),
        },
        "Decoding multiplies, as CF and GDAL define scale_factor and many users expect.",
        Witness::Unscale("int16", r#"{"scale":2}"#, "[6]"),
    ),
    mutant(
        "decode-multiplies-by-the-reciprocal",
        DECODE,
        |codec, direction, bits| {
            let format = codec.data_type.format();
            match (direction, codec.scale, format) {
                (Direction::Decode, Some(scale), Format::Float(_)) => {
                    let scale = Exact::from_bits(&format, scale);
                    let reciprocal = stored(&Exact::integer(1).divide(&scale), &format);
                    let unchanged = !matches!(scale, Exact::Finite(_));
                    match (reciprocal, unchanged) {
                        (Ok(reciprocal), false) => computed(
                            codec,
                            bits,
                            &[
                                (Some(reciprocal), Exact::multiply),
                                (codec.offset, Exact::add),
                            ],
                        ),
                        _ => right(codec, direction, bits),
                    }
                }
                _ => right(codec, direction, bits),
            }
        },
        "Decoding multiplies by 1 / scale, computed once because it is faster: 3 / 10 gives 0.30000000000000004.",
        Witness::Unscale("float64", r#"{"scale":10}"#, "[3]"),
    ),
    mutant(
        "decode-subtracts-offset",
        DECODE,
        |codec, direction, bits| match direction {
            Direction::Encode => right(codec, direction, bits),
            Direction::Decode => computed(
                codec,
                bits,
                &[
                    (codec.scale, Exact::divide),
                    (codec.offset, Exact::subtract),
                ],
            ),
        },
        "Decoding subtracts the offset: the sign is not turned with the direction.",
        Witness::Unscale("int16", r#"{"offset":5}"#, "[7]"),
    ),
    mutant(
        "decode-adds-first",
        DECODE,
        |codec, direction, bits| match direction {
            Direction::Encode => right(codec, direction, bits),
            Direction::Decode => computed(
                codec,
                bits,
                &[(codec.offset, Exact::add), (codec.scale, Exact::divide)],
            ),
        },
        "(in + offset) / scale: the steps in encoding order.",
        Witness::Unscale("int16", r#"{"offset":4,"scale":2}"#, "[6]"),
    ),
];
