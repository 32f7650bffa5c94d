//! Mutants of `cast_value`: the scalar map.

use exactum_conformance::model::MapEntry;

use super::*;

const FIRST: &[&str] = &["cast_value.scalar_map.first"];
const FIRST_DUPLICATE: &[&str] = &["cast_value.scalar_map.first-duplicate"];
const ONE_STEP: &[&str] = &["cast_value.scalar_map.one-step"];
const NAN_KEY: &[&str] = &["cast_value.scalar_map.nan-key"];
const ZERO_KEY: &[&str] = &["cast_value.scalar_map.zero-key"];
const EXACT: &[&str] = &["cast_value.scalar_map.exact"];
const OUTPUT_BITS: &[&str] = &["cast_value.scalar_map.output-bits"];
const DIRECTIONS: &[&str] = &["cast_value.scalar_map.directions"];

/// Right but for the map: entries are found by another rule.
fn looked_up(
    codec: &CastValue,
    direction: Direction,
    bits: u64,
    find: impl FnOnce(&Cast<'_>) -> Option<u64>,
) -> Result<u64, Rejection> {
    let cast = side(codec, direction);
    match find(&cast) {
        Some(output) => Ok(output),
        None => unmapped(&cast, bits),
    }
}

/// The cast without its map.
fn unmapped(cast: &Cast<'_>, bits: u64) -> Result<u64, Rejection> {
    cast_element(&Cast { map: &[], ..*cast }, bits)
}

/// The map's entry with keys compared by `same`.
fn entry(cast: &Cast<'_>, bits: u64, same: impl Fn(&Format, u64, u64) -> bool) -> Option<u64> {
    let format = cast.from.format();
    cast.map
        .iter()
        .find(|entry| same(&format, entry.input, bits))
        .map(|entry| entry.output)
}

/// Right but for outputs of the map.
fn output(
    codec: &CastValue,
    direction: Direction,
    bits: u64,
    change: impl FnOnce(&Format, u64) -> u64,
) -> Result<u64, Rejection> {
    looked_up(codec, direction, bits, |cast| {
        mapped(cast, bits).map(|output| change(&cast.to.format(), output))
    })
}

/// Whether both bits are NaN.
fn both_nan(format: &Format, a: u64, b: u64) -> bool {
    format
        .float()
        .is_some_and(|format| format.is_nan(a) && format.is_nan(b))
}

/// Whether both bits are zeros.
fn both_zero(format: &Format, a: u64, b: u64) -> bool {
    format
        .float()
        .is_some_and(|format| format.is_zero(a) && format.is_zero(b))
}

/// An entry of another direction's map, read backwards.
fn backwards(map: &[MapEntry], format: &Format, bits: u64) -> Option<u64> {
    map.iter()
        .find(|entry| format.same_value(entry.output, bits))
        .map(|entry| entry.input)
}

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "map-after-exactness",
        FIRST,
        |codec, direction, bits| {
            let cast = side(codec, direction);
            let number = value(&cast, bits);
            let exact = match unmapped(&cast, bits) {
                Ok(result) => {
                    Exact::from_bits(&cast.to.format(), result).compare(&number)
                        == Some(std::cmp::Ordering::Equal)
                }
                Err(_) => false,
            };
            if exact {
                unmapped(&cast, bits)
            } else {
                cast_element(&cast, bits)
            }
        },
        "The map is asked only for what the other type does not hold: it is taken for a list of special cases.",
        Witness::Cast(
            "int16",
            r#"{"data_type":"int8","scalar_map":{"encode":[[5,7]]}}"#,
            "[5]",
        ),
    ),
    mutant(
        "map-after-range",
        FIRST,
        |codec, direction, bits| {
            let cast = side(codec, direction);
            unmapped(&cast, bits)?;
            cast_element(&cast, bits)
        },
        "The whole array is checked before the map is applied, so mapped values are rejected.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",0]]}}"#,
            r#"["NaN"]"#,
        ),
    ),
    mutant(
        "map-key-is-the-rounded-value",
        FIRST,
        |codec, direction, bits| {
            looked_up(codec, direction, bits, |cast| {
                mapped(cast, bits).or_else(|| {
                    let result = unmapped(cast, bits).ok()?;
                    let rounded = Exact::from_bits(&cast.to.format(), result);
                    let from = cast.from.format();
                    let equal = |input: u64| {
                        Exact::from_bits(&from, input).compare(&rounded)
                            == Some(std::cmp::Ordering::Equal)
                    };
                    cast.map
                        .iter()
                        .find(|entry| equal(entry.input))
                        .map(|entry| entry.output)
                })
            })
        },
        "The rounded value is looked up too: the map runs over the cast array.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"int8","scalar_map":{"encode":[[5.0,7]]}}"#,
            "[5.25]",
        ),
    ),
    mutant(
        "last-duplicate-wins",
        FIRST_DUPLICATE,
        |codec, direction, bits| {
            looked_up(codec, direction, bits, |cast| {
                let format = cast.from.format();
                cast.map
                    .iter()
                    .rfind(|entry| format.same_value(entry.input, bits))
                    .map(|entry| entry.output)
            })
        },
        "The list becomes a dictionary, in which the last entry stays (zarr-python 3.3.0, cast-value 0.2.1).",
        Witness::Cast(
            "int16",
            r#"{"data_type":"int8","scalar_map":{"encode":[[1,10],[1,20]]}}"#,
            "[1]",
        ),
    ),
    mutant(
        "map-applied-twice",
        ONE_STEP,
        |codec, direction, bits| {
            looked_up(codec, direction, bits, |cast| {
                let (from, to) = (cast.from.format(), cast.to.format());
                let mut current = mapped(cast, bits)?;
                let first = cast
                    .map
                    .iter()
                    .position(|entry| from.same_value(entry.input, bits))?;
                for entry in &cast.map[first + 1..] {
                    let key = Exact::from_bits(&from, entry.input);
                    let value = Exact::from_bits(&to, current);
                    if key.compare(&value) == Some(std::cmp::Ordering::Equal) {
                        current = entry.output;
                    }
                }
                Some(current)
            })
        },
        "Entry after entry replaces values in place, so an output meets the keys behind it (cast-value 0.2.1).",
        Witness::Cast(
            "int16",
            r#"{"data_type":"int8","scalar_map":{"encode":[[1,2],[2,3]]}}"#,
            "[1]",
        ),
    ),
    mutant(
        "nan-key-bitwise",
        NAN_KEY,
        |codec, direction, bits| {
            looked_up(codec, direction, bits, |cast| {
                entry(cast, bits, |format, key, bits| {
                    key == bits || (format.same_value(key, bits) && !both_nan(format, key, bits))
                })
            })
        },
        "A NaN key matches its own bits only (zarrs).",
        Witness::Cast(
            "float64",
            r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",0]]}}"#,
            r#"["0x7ff8000000000001"]"#,
        ),
    ),
    mutant(
        "nan-key-never-matches",
        NAN_KEY,
        |codec, direction, bits| {
            looked_up(codec, direction, bits, |cast| {
                entry(cast, bits, |format, key, bits| {
                    format.same_value(key, bits) && !both_nan(format, key, bits)
                })
            })
        },
        "Keys are compared with `==`, which no NaN passes.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",0]]}}"#,
            r#"["NaN"]"#,
        ),
    ),
    mutant(
        "zero-key-bitwise",
        ZERO_KEY,
        |codec, direction, bits| {
            looked_up(codec, direction, bits, |cast| {
                entry(cast, bits, |format, key, bits| {
                    key == bits || (format.same_value(key, bits) && !both_zero(format, key, bits))
                })
            })
        },
        "A key 0.0 does not match -0.0 (zarrs).",
        Witness::Cast(
            "float64",
            r#"{"data_type":"uint8","scalar_map":{"encode":[[0.0,9]]}}"#,
            "[-0.0]",
        ),
    ),
    mutant(
        "keys-through-binary64",
        EXACT,
        |codec, direction, bits| {
            looked_up(codec, direction, bits, |cast| {
                entry(cast, bits, |format, key, bits| match format {
                    Format::Integer(_) => {
                        let seen = |bits| through(&Exact::from_bits(format, bits), &BINARY64);
                        seen(key).compare(&seen(bits)) == Some(std::cmp::Ordering::Equal)
                    }
                    _ => format.same_value(key, bits),
                })
            })
        },
        "Keys are JSON numbers in binary64: 2^53 + 1 matches 2^53 (zarrita 0.7.5).",
        Witness::Cast(
            "int64",
            r#"{"data_type":"int64","scalar_map":{"encode":[[9007199254740993,1]]}}"#,
            "[9007199254740992]",
        ),
    ),
    mutant(
        "outputs-through-binary64",
        EXACT,
        |codec, direction, bits| {
            output(codec, direction, bits, |to, output| match to {
                Format::Integer(_) => bits_through_binary64(to, output),
                _ => output,
            })
        },
        "Outputs are JSON numbers in binary64 (zarrita 0.7.5, cast-value 0.2.1).",
        Witness::Cast(
            "int8",
            r#"{"data_type":"int64","scalar_map":{"encode":[[1,9007199254740993]]}}"#,
            "[1]",
        ),
    ),
    mutant(
        "output-nan-made-default",
        OUTPUT_BITS,
        |codec, direction, bits| {
            output(codec, direction, bits, |to, output| match to.float() {
                Some(float) if float.is_nan(output) => float.nan_bits().unwrap_or(output),
                _ => output,
            })
        },
        "A NaN output becomes the default NaN: it is kept as a number of the host language.",
        Witness::Cast(
            "int8",
            r#"{"data_type":"float32","scalar_map":{"encode":[[1,"0x7fc00001"]]}}"#,
            "[1]",
        ),
    ),
    mutant(
        "output-nan-quieted",
        OUTPUT_BITS,
        |codec, direction, bits| {
            output(codec, direction, bits, |to, output| match to.float() {
                Some(float) if float.is_nan(output) && float.mantissa_bits > 0 => {
                    output | 1 << (float.mantissa_bits - 1)
                }
                _ => output,
            })
        },
        "A signalling NaN output is made quiet by a load into a float register and a conversion.",
        Witness::Cast(
            "int8",
            r#"{"data_type":"float32","scalar_map":{"encode":[[1,"0x7f800001"]]}}"#,
            "[1]",
        ),
    ),
    mutant(
        "output-zero-loses-sign",
        OUTPUT_BITS,
        |codec, direction, bits| {
            output(codec, direction, bits, |to, output| match to.float() {
                Some(float) if float.is_zero(output) => 0,
                _ => output,
            })
        },
        "An output -0.0 arrives as 0: outputs are parsed as integers where they can be.",
        Witness::Cast(
            "int8",
            r#"{"data_type":"float32","scalar_map":{"encode":[[1,-0.0]]}}"#,
            "[1]",
        ),
    ),
    mutant(
        "encode-map-read-backwards",
        DIRECTIONS,
        |codec, direction, bits| {
            looked_up(codec, direction, bits, |cast| {
                mapped(cast, bits).or_else(|| match direction {
                    Direction::Encode => None,
                    Direction::Decode => backwards(&codec.encode_map, &cast.from.format(), bits),
                })
            })
        },
        "Decoding falls back on `encode` read backwards: one map is believed to say both.",
        Witness::Uncast(
            "float64",
            r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",0]]}}"#,
            "[0]",
        ),
    ),
    mutant(
        "decode-map-read-backwards",
        DIRECTIONS,
        |codec, direction, bits| {
            looked_up(codec, direction, bits, |cast| {
                mapped(cast, bits).or_else(|| match direction {
                    Direction::Decode => None,
                    Direction::Encode => backwards(&codec.decode_map, &cast.from.format(), bits),
                })
            })
        },
        "Encoding falls back on `decode` read backwards.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"uint8","scalar_map":{"decode":[[0,"NaN"]]}}"#,
            r#"["NaN"]"#,
        ),
    ),
    mutant(
        "decode-map-ignored",
        DIRECTIONS,
        |codec, direction, bits| {
            let cast = side(codec, direction);
            match direction {
                Direction::Encode => cast_element(&cast, bits),
                Direction::Decode => unmapped(&cast, bits),
            }
        },
        "Only `encode` is looked into: the decoder never sees a map.",
        Witness::Uncast(
            "float64",
            r#"{"data_type":"uint8","scalar_map":{"decode":[[0,"NaN"]]}}"#,
            "[0]",
        ),
    ),
];
