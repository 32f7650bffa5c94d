//! Floats: every step rounded once, in the type itself.

use exactum_model::{DataType, FloatFormat, ScaleOffset};
use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert};

use super::Direction::{Decode, Encode};
use super::{Direction, Topic, must, ruling};
use crate::oracle;

const ENCODE: &[&str] = &["scale_offset.encode"];
const DECODE: &[&str] = &["scale_offset.decode"];
const SCALE_ABSENT: &[&str] = &["scale_offset.scale.absent"];
const OFFSET_ABSENT: &[&str] = &["scale_offset.offset.absent"];
const ARITHMETIC: &[&str] = &["scale_offset.arithmetic"];
const ROUNDING: &[&str] = &["scale_offset.arithmetic.rounding"];
const OVERFLOW: &[&str] = &["scale_offset.range.overflow"];
const SIGNED_ZERO: &[&str] = &["scale_offset.signed-zero"];
const NON_FINITE: &[&str] = &["scale_offset.parameters.non-finite"];

/// The bits of a float, as the elements here spell them.
struct Bits {
    format: FloatFormat,
    width: usize,
}

impl Bits {
    /// Hex, without quotes.
    fn hex(&self, bits: u64) -> String {
        format!("0x{bits:0width$x}", width = self.width)
    }

    /// Hex as a JSON string.
    fn text(&self, bits: u64) -> String {
        format!("\"{}\"", self.hex(bits))
    }

    fn texts(&self, bits: &[u64]) -> String {
        let texts: Vec<String> = bits.iter().map(|&bits| self.text(bits)).collect();
        texts.join(" ")
    }

    fn max(&self) -> u64 {
        self.format.max_finite_bits()
    }

    fn sign(&self) -> u64 {
        self.format.sign_mask()
    }

    /// The smallest normal value.
    fn normal(&self) -> u64 {
        self.format.mantissa_mask() + 1
    }

    /// Half the distance between the largest two values: the tie beyond the largest.
    fn half_step_at_max(&self) -> u64 {
        let steps = u64::from(self.format.mantissa_bits) + 1;
        (self.format.max_exponent_field() - 1 - steps) << self.format.mantissa_bits
    }

    /// 2 to the number of digits: from there on, odd integers are missing.
    fn whole(&self) -> u64 {
        1 << (self.format.mantissa_bits + 1)
    }
}

pub(super) fn fill(topic: &mut Topic) -> Result<(), String> {
    let Some(format) = topic.data_type.format().float() else {
        return Err(format!("{} is no float", topic.data_type));
    };
    let bits = Bits {
        format,
        width: 2 * topic.data_type.element_bytes(),
    };
    plain(topic)?;
    rounding(topic, &bits)?;
    last_bit(topic)?;
    overflow(topic, &bits)?;
    zeros(topic)?;
    special(topic, &bits)?;
    configurations(topic, &bits)
}

fn plain(topic: &mut Topic) -> Result<(), String> {
    let exact = r#"{"offset":5,"scale":0.5}"#;
    topic.group(
        "encode",
        must(ENCODE),
        Encode,
        exact,
        &[("plain", "5.5 7 9 -3 0 101.25")],
    )?;
    topic.group(
        "decode",
        must(DECODE),
        Decode,
        exact,
        &[("plain", "1 2.5 -4 -2.5 0 48.125")],
    )?;
    topic.group(
        "encode-scale",
        must(ENCODE),
        Encode,
        r#"{"scale":-4}"#,
        &[("plain", "1 -1 0.25 3 1000")],
    )?;
    // Not what multiplying by the reciprocal gives.
    topic.group(
        "decode-by-division",
        must(DECODE),
        Decode,
        r#"{"scale":10}"#,
        &[(
            "integers",
            "1 2 3 4 5 6 7 8 9 11 12 13 14 17 19 21 23 29 31 37 41 43 47 49",
        )],
    )?;
    topic.group(
        "decode-by-division-of-tenths",
        must(DECODE),
        Decode,
        r#"{"scale":0.1}"#,
        &[(
            "integers",
            "1 2 3 4 5 6 7 8 9 11 12 13 14 17 19 21 23 29 31 37 41 43 47 49",
        )],
    )?;
    for (direction, way) in [(Encode, "encode"), (Decode, "decode")] {
        for (kind, configuration, clauses) in [
            ("empty", "{}", SCALE_ABSENT),
            (
                "scale-1",
                r#"{"scale":1}"#,
                if direction == Encode { ENCODE } else { DECODE },
            ),
            ("offset-0", r#"{"offset":0.0}"#, SCALE_ABSENT),
        ] {
            topic.group(
                &format!("{way}-identity-{kind}"),
                must(clauses),
                direction,
                configuration,
                &[("all", "1 -1 0.1 0.0 3.5 1e-7 -60000")],
            )?;
        }
    }
    topic.group(
        "encode-offset",
        must(SCALE_ABSENT),
        Encode,
        r#"{"offset":5}"#,
        &[("plain", "7 5.5 -3 0")],
    )?;
    topic.group(
        "decode-offset",
        must(SCALE_ABSENT),
        Decode,
        r#"{"offset":5}"#,
        &[("plain", "2 0.5 -8 -5.25")],
    )?;
    // The parameter is the type's nearest value: less itself it is nothing.
    topic.group(
        "encode-parameter-in-the-type",
        must(&["scale_offset.parameters.exact", "scale_offset.arithmetic"]),
        Encode,
        r#"{"offset":0.1}"#,
        &[("itself", "0.1"), ("near", "0.3 0.7 1 -0.1")],
    )?;
    topic.group(
        "encode-parameter-in-hex",
        must(&["scale_offset.parameters.exact"]),
        Encode,
        &format!(
            r#"{{"offset":"{}"}}"#,
            match topic.data_type {
                DataType::Float16 => "0x2e66",
                DataType::Float32 => "0x3dcccccd",
                _ => "0x3fb999999999999a",
            }
        ),
        &[("itself", "0.1"), ("near", "0.3 0.7 1 -0.1")],
    )
}

fn rounding(topic: &mut Topic, bits: &Bits) -> Result<(), String> {
    topic.group(
        "encode-inexact",
        ruling(ROUNDING),
        Encode,
        r#"{"offset":5,"scale":0.1}"#,
        &[
            ("published", "5 15 25 -5"),
            ("inexact", "8 7 -1 0.3 1000 12 11.1"),
        ],
    )?;
    topic.group(
        "decode-inexact",
        ruling(ROUNDING),
        Decode,
        r#"{"offset":-10,"scale":0.1}"#,
        &[
            ("published", "1 2 255"),
            ("inexact", "0.1 0.7 3.3 17 100.5"),
        ],
    )?;
    topic.group(
        "decode-thirds",
        ruling(ROUNDING),
        Decode,
        r#"{"scale":3}"#,
        &[("inexact", "1 2 5 7 -1 10 0.1")],
    )?;
    let whole = bits.whole();
    topic.group(
        "encode-ties",
        ruling(ROUNDING),
        Encode,
        r#"{"offset":-1}"#,
        &[
            (
                "ties",
                &format!("{whole} {} {} -{}", whole + 2, whole + 4, whole + 2),
            ),
            ("exact", &format!("{} {}", whole - 1, whole - 2)),
        ],
    )?;
    topic.group(
        "decode-ties",
        ruling(ROUNDING),
        Decode,
        r#"{"offset":1}"#,
        &[("ties", &format!("{whole} {} {}", whole + 2, whole + 4))],
    )?;
    // Below the normal numbers, and from there to nothing.
    let (normal, sign) = (bits.normal(), bits.sign());
    topic.group(
        "encode-subnormal",
        ruling(ROUNDING),
        Encode,
        r#"{"scale":0.5}"#,
        &[
            (
                "subnormal",
                &bits.texts(&[normal, normal + 1, normal + 3, normal - 1, 2, 3, 5, 6, 7]),
            ),
            ("to-zero", &bits.texts(&[1])),
        ],
    )?;
    topic.group(
        "encode-subnormal-negative",
        ruling(&[
            "scale_offset.arithmetic.rounding",
            "scale_offset.signed-zero",
        ]),
        Encode,
        r#"{"scale":-0.5}"#,
        &[
            ("to-zero", &bits.texts(&[1, 1 | sign])),
            ("subnormal", &bits.texts(&[3, 3 | sign])),
        ],
    )?;
    topic.group(
        "decode-subnormal",
        ruling(ROUNDING),
        Decode,
        r#"{"scale":2}"#,
        &[
            ("subnormal", &bits.texts(&[normal, normal + 1, 2, 3, 5])),
            ("to-zero", &bits.texts(&[1])),
        ],
    )?;
    topic.group(
        "encode-subnormal-difference",
        must(ENCODE),
        Encode,
        &format!(r#"{{"offset":"{}"}}"#, bits.hex(normal)),
        &[(
            "exact",
            &bits.texts(&[normal + 1, normal + 2, normal - 1, 1]),
        )],
    )
}

/// Elements whose last bit differs when the steps are not taken in the type: both in binary128
/// and rounded once, or, for the narrower types, in binary64.
fn last_bit(topic: &mut Topic) -> Result<(), String> {
    let wide: [(&str, Direction, &str, Option<f64>, Option<f64>); 6] = [
        (
            "encode-last-bit",
            Encode,
            r#"{"offset":5,"scale":0.1}"#,
            Some(5.0),
            Some(0.1),
        ),
        (
            "encode-last-bit-thirds",
            Encode,
            r#"{"offset":0.1,"scale":3}"#,
            Some(0.1),
            Some(3.0),
        ),
        (
            "encode-last-bit-273",
            Encode,
            r#"{"offset":273.15,"scale":-7.3}"#,
            Some(273.15),
            Some(-7.3),
        ),
        (
            "decode-last-bit",
            Decode,
            r#"{"offset":-10.1,"scale":0.1}"#,
            Some(-10.1),
            Some(0.1),
        ),
        (
            "decode-last-bit-thirds",
            Decode,
            r#"{"offset":0.1,"scale":3}"#,
            Some(0.1),
            Some(3.0),
        ),
        (
            "decode-last-bit-273",
            Decode,
            r#"{"offset":273.15,"scale":-7.3}"#,
            Some(273.15),
            Some(-7.3),
        ),
    ];
    for (name, direction, configuration, offset, scale) in wide {
        let what = topic.what(name, "once");
        let codec = topic.codec(&what, configuration)?;
        let parameters = [offset, scale];
        let bits: Vec<u64> = candidates(topic.data_type)
            .filter(|&bits| {
                let answer = match direction {
                    Encode => oracle::scale_offset::encode(&codec, bits),
                    Decode => oracle::scale_offset::decode(&codec, bits),
                };
                answer.is_ok_and(|right| {
                    otherwise(&codec, direction, bits, parameters)
                        .into_iter()
                        .all(|wrong| wrong != right)
                })
            })
            .take(16)
            .collect();
        if bits.len() < 16 {
            return Err(format!("{what}: only {} elements differ", bits.len()));
        }
        let width = 2 * topic.data_type.element_bytes();
        let texts: Vec<String> = bits
            .iter()
            .map(|bits| format!("\"0x{bits:0width$x}\""))
            .collect();
        topic.group(
            name,
            must(ARITHMETIC),
            direction,
            configuration,
            &[("once", &texts.join(" "))],
        )?;
    }
    // Found in implementations: binary64 with one rounding at the end.
    match topic.data_type {
        DataType::Float16 => topic.group(
            "decode-promoted",
            must(ARITHMETIC),
            Decode,
            r#"{"offset":-2000,"scale":0.1}"#,
            &[("near", "200 200.5 201 199 150")],
        ),
        DataType::Float32 => {
            topic.group(
                "decode-promoted",
                must(ARITHMETIC),
                Decode,
                r#"{"offset":-10.1,"scale":0.1}"#,
                &[("near", "1 1.01 0.99")],
            )?;
            topic.group(
                "decode-small-scale",
                must(ARITHMETIC),
                Decode,
                r#"{"scale":1e-10}"#,
                &[("integers", "1 2 3 5 7 11 13 17 19 23 29 31")],
            )
        }
        _ => Ok(()),
    }
}

/// The same elements on every machine, most of them between 0.01 and 1000.
fn candidates(data_type: DataType) -> impl Iterator<Item = u64> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    (0..200_000).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let (field, digits) = (state >> 56, state & ((1 << 52) - 1));
        match data_type {
            DataType::Float16 => (9 + field % 14) << 10 | digits >> 42,
            DataType::Float32 => (120 + field % 16) << 23 | digits >> 29,
            _ => (1016 + field % 16) << 52 | digits,
        }
    })
}

/// What programs that take other steps would answer.
fn otherwise(
    codec: &ScaleOffset,
    direction: Direction,
    bits: u64,
    parameters: [Option<f64>; 2],
) -> Vec<u64> {
    let mut answers = Vec::new();
    match codec.data_type {
        DataType::Float16 => {
            answers.extend(once::<Half, Quad>(codec, direction, bits));
            answers.extend(once::<Half, Double>(codec, direction, bits));
            answers.extend(unrounded::<Half>(direction, bits, parameters));
        }
        DataType::Float32 => {
            answers.extend(once::<Single, Quad>(codec, direction, bits));
            answers.extend(once::<Single, Double>(codec, direction, bits));
            answers.extend(unrounded::<Single>(direction, bits, parameters));
        }
        _ => answers.extend(once::<Double, Quad>(codec, direction, bits)),
    }
    answers
}

/// Both steps in a wider type.
fn once<F, W>(codec: &ScaleOffset, direction: Direction, bits: u64) -> Option<u64>
where
    F: Float + FloatConvert<W>,
    W: Float + FloatConvert<F>,
{
    let wide = |bits: u64| -> W { F::from_bits(bits.into()).convert(&mut false).value };
    let (offset, scale) = (codec.offset.map(wide), codec.scale.map(wide));
    narrowed::<F, W>(direction, wide(bits), offset?, scale?)
}

/// Both steps in binary64, with parameters that were never rounded to the type.
fn unrounded<F>(direction: Direction, bits: u64, parameters: [Option<f64>; 2]) -> Option<u64>
where
    F: Float + FloatConvert<Double>,
    Double: FloatConvert<F>,
{
    let [offset, scale] =
        parameters.map(|it| it.map(|float| Double::from_bits(float.to_bits().into())));
    let element = F::from_bits(bits.into()).convert(&mut false).value;
    narrowed::<F, Double>(direction, element, offset?, scale?)
}

fn narrowed<F: Float, W: Float + FloatConvert<F>>(
    direction: Direction,
    element: W,
    offset: W,
    scale: W,
) -> Option<u64> {
    let result = match direction {
        Encode => ((element - offset).value * scale).value,
        Decode => ((element / scale).value + offset).value,
    };
    u64::try_from(result.convert(&mut false).value.to_bits()).ok()
}

fn overflow(topic: &mut Topic, bits: &Bits) -> Result<(), String> {
    let (max, sign) = (bits.max(), bits.sign());
    let half = max - bits.normal();
    for (name, configuration) in [
        ("encode-overflow", r#"{"scale":2}"#),
        ("encode-overflow-negative", r#"{"scale":-2}"#),
    ] {
        topic.group(
            name,
            ruling(OVERFLOW),
            Encode,
            configuration,
            &[
                (
                    "beyond",
                    &bits.texts(&[max, max | sign, half + 1, (half + 1) | sign]),
                ),
                ("largest", &bits.texts(&[half, half | sign])),
            ],
        )?;
    }
    topic.group(
        "decode-overflow",
        ruling(OVERFLOW),
        Decode,
        r#"{"scale":0.5}"#,
        &[
            (
                "beyond",
                &bits.texts(&[max, max | sign, half + 1, (half + 1) | sign]),
            ),
            ("largest", &bits.texts(&[half, half | sign])),
        ],
    )?;
    // The largest value less its own negative, and the step that just does not reach the next.
    let offset = |value: u64| format!(r#"{{"offset":"{}"}}"#, bits.hex(value));
    let tie = bits.half_step_at_max();
    topic.group(
        "encode-overflow-offset",
        ruling(OVERFLOW),
        Encode,
        &offset(max | sign),
        &[
            ("beyond", &bits.texts(&[max, half, tie])),
            ("largest", &bits.texts(&[0, tie - 1, max | sign])),
        ],
    )?;
    topic.group(
        "decode-overflow-offset",
        ruling(OVERFLOW),
        Decode,
        &offset(max),
        &[
            ("beyond", &bits.texts(&[max, half, tie])),
            ("largest", &bits.texts(&[0, tie - 1, max | sign])),
        ],
    )?;
    topic.group(
        "encode-overflow-on-the-way",
        ruling(OVERFLOW),
        Encode,
        &format!(r#"{{"offset":"{}","scale":0.25}}"#, bits.hex(max | sign)),
        &[
            ("back-in-range", &bits.texts(&[max, half])),
            ("in-range", "0"),
        ],
    )?;
    topic.group(
        "decode-overflow-on-the-way",
        ruling(OVERFLOW),
        Decode,
        &format!(r#"{{"offset":"{}","scale":0.5}}"#, bits.hex(max | sign)),
        &[
            ("back-in-range", &bits.texts(&[max, half + 1])),
            ("in-range", &bits.texts(&[half])),
        ],
    )?;
    if topic.data_type == DataType::Float16 {
        topic.group(
            "decode-overflow-on-the-way-60000",
            ruling(OVERFLOW),
            Decode,
            r#"{"offset":-60000,"scale":0.5}"#,
            &[("back-in-range", "60000"), ("in-range", "32000")],
        )?;
    }
    // Divided by the smallest number.
    topic.group(
        "decode-overflow-subnormal",
        ruling(OVERFLOW),
        Decode,
        &format!(r#"{{"scale":"{}"}}"#, bits.hex(1)),
        &[
            ("beyond", "1 -1 0.5"),
            ("in-range", &bits.texts(&[1, 2, bits.normal(), 1 | sign])),
        ],
    )?;
    topic.group(
        "encode-overflow-squares",
        ruling(OVERFLOW),
        Encode,
        &format!(r#"{{"scale":"{}"}}"#, bits.hex(max)),
        &[("beyond", "2 -2 1000"), ("in-range", "1 -1 0.5 0")],
    )
}

fn zeros(topic: &mut Topic) -> Result<(), String> {
    for (name, direction, configuration, elements) in [
        ("encode-zero-difference", Encode, r#"{"offset":5}"#, "5"),
        (
            "encode-zero-difference-negative",
            Encode,
            r#"{"offset":-5}"#,
            "-5",
        ),
        (
            "encode-zero-less-zero",
            Encode,
            r#"{"offset":0}"#,
            "0.0 -0.0",
        ),
        (
            "encode-zero-less-negative-zero",
            Encode,
            r#"{"offset":-0.0}"#,
            "0.0 -0.0",
        ),
        ("encode-zero-product", Encode, r#"{"scale":2}"#, "0.0 -0.0"),
        (
            "encode-zero-product-negative",
            Encode,
            r#"{"scale":-1}"#,
            "0.0 -0.0",
        ),
        (
            "encode-zero-both",
            Encode,
            r#"{"offset":5,"scale":-2}"#,
            "5",
        ),
        ("decode-zero-sum", Decode, r#"{"offset":5}"#, "-5"),
        (
            "decode-zero-plus-zero",
            Decode,
            r#"{"offset":0}"#,
            "0.0 -0.0",
        ),
        (
            "decode-zero-plus-negative-zero",
            Decode,
            r#"{"offset":-0.0}"#,
            "0.0 -0.0",
        ),
        (
            "decode-zero-quotient",
            Decode,
            r#"{"offset":-0.0,"scale":2}"#,
            "0.0 -0.0",
        ),
        (
            "decode-zero-quotient-negative",
            Decode,
            r#"{"offset":-0.0,"scale":-2}"#,
            "0.0 -0.0",
        ),
        (
            "decode-zero-both",
            Decode,
            r#"{"offset":5,"scale":-2}"#,
            "10",
        ),
    ] {
        topic.group(
            name,
            must(SIGNED_ZERO),
            direction,
            configuration,
            &[("zeros", elements)],
        )?;
    }
    // Skipping the offset and adding 0 differ in one element.
    for (name, [skipped, added], elements) in [
        ("decode-absent-offset", ["{}", r#"{"offset":0.0}"#], "-0.0"),
        (
            "decode-absent-offset-scale",
            [r#"{"scale":2}"#, r#"{"offset":0.0,"scale":2}"#],
            "-0.0",
        ),
        (
            "decode-absent-offset-negative-scale",
            [r#"{"scale":-2}"#, r#"{"offset":0.0,"scale":-2}"#],
            "0.0",
        ),
    ] {
        topic.either(
            &format!("{name}-either"),
            must(SIGNED_ZERO),
            Decode,
            [skipped, added],
            elements,
        )?;
        topic.group(
            name,
            ruling(OFFSET_ABSENT),
            Decode,
            skipped,
            &[("zero", elements), ("plain", "1 -6 3")],
        )?;
    }
    topic.group(
        "encode-absent-offset",
        ruling(OFFSET_ABSENT),
        Encode,
        r#"{"scale":2}"#,
        &[("all", "-0.0 0.0 1 -3")],
    )
}

fn special(topic: &mut Topic, bits: &Bits) -> Result<(), String> {
    let nan = bits.format.nan_bits().unwrap_or_default();
    let nans = bits.texts(&[nan, nan | bits.sign(), nan + 1]);
    for (direction, way) in [(Encode, "encode"), (Decode, "decode")] {
        for (kind, configuration) in [
            ("both", r#"{"offset":5,"scale":0.5}"#),
            ("offset", r#"{"offset":5}"#),
            ("scale", r#"{"scale":-2}"#),
            ("neither", "{}"),
        ] {
            topic.group(
                &format!("{way}-nan-{kind}"),
                ruling(&["scale_offset.special.nan"]),
                direction,
                configuration,
                &[("nan", "\"NaN\""), ("other-nans", &nans)],
            )?;
            topic.group(
                &format!("{way}-infinity-{kind}"),
                ruling(&["scale_offset.special.infinity"]),
                direction,
                configuration,
                &[("infinity", "\"Infinity\" \"-Infinity\"")],
            )?;
        }
    }
    // Only infinite parameters can make a NaN of numbers.
    for (name, direction, configuration, elements) in [
        (
            "encode-invalid-difference",
            Encode,
            r#"{"offset":"Infinity"}"#,
            "\"Infinity\"",
        ),
        (
            "encode-invalid-difference-negative",
            Encode,
            r#"{"offset":"-Infinity"}"#,
            "\"-Infinity\"",
        ),
        (
            "encode-invalid-product",
            Encode,
            r#"{"scale":"Infinity"}"#,
            "0.0 -0.0",
        ),
        (
            "encode-invalid-product-negative",
            Encode,
            r#"{"offset":5,"scale":"-Infinity"}"#,
            "5",
        ),
        (
            "decode-invalid-quotient",
            Decode,
            r#"{"scale":"Infinity"}"#,
            "\"Infinity\" \"-Infinity\"",
        ),
        (
            "decode-invalid-sum",
            Decode,
            r#"{"offset":"-Infinity"}"#,
            "\"Infinity\"",
        ),
        (
            "decode-invalid-sum-negative",
            Decode,
            r#"{"offset":"Infinity","scale":2}"#,
            "\"-Infinity\"",
        ),
    ] {
        topic.group(
            name,
            ruling(&["scale_offset.special.invalid"]),
            direction,
            configuration,
            &[("invalid", elements)],
        )?;
    }
    topic.open(
        "encode-non-finite-parameters",
        ruling(NON_FINITE),
        Encode,
        &[
            ("offset-nan", r#"{"offset":"NaN"}"#, "1 0.0"),
            ("offset-infinity", r#"{"offset":"Infinity"}"#, "1 0.0"),
            ("scale-nan", r#"{"scale":"NaN"}"#, "1 0.0"),
            ("scale-infinity", r#"{"scale":"Infinity"}"#, "1 -1"),
            (
                "scale-negative-infinity",
                r#"{"offset":1,"scale":"-Infinity"}"#,
                "2 0",
            ),
        ],
    )?;
    topic.open(
        "decode-non-finite-parameters",
        ruling(NON_FINITE),
        Decode,
        &[
            ("offset-nan", r#"{"offset":"NaN"}"#, "1 0.0"),
            ("offset-infinity", r#"{"offset":"-Infinity"}"#, "1 0.0"),
            ("scale-nan", r#"{"scale":"NaN"}"#, "1 0.0"),
            ("scale-infinity", r#"{"scale":"Infinity"}"#, "1 -1"),
        ],
    )
}

fn configurations(topic: &mut Topic, bits: &Bits) -> Result<(), String> {
    let hex = |value: u64| bits.hex(value);
    let five = match topic.data_type {
        DataType::Float16 => hex(0x4500),
        DataType::Float32 => hex(0x40a0_0000),
        _ => hex(0x4014_0000_0000_0000),
    };
    let digits = &five[2..];
    let wrong = [
        ("number-in-a-string", "\"5\"".to_owned()),
        ("decimal-in-a-string", "\"0.1\"".into()),
        ("plus-infinity", "\"+Infinity\"".into()),
        ("inf", "\"inf\"".into()),
        ("nan-lower-case", "\"nan\"".into()),
        ("empty-string", "\"\"".into()),
        ("hex-short", format!("\"0x{}\"", &digits[2..])),
        ("hex-long", format!("\"0x00{digits}\"")),
        ("hex-upper-case-x", format!("\"0X{digits}\"")),
        ("hex-without-0x", format!("\"{digits}\"")),
        ("hex-odd-digit", format!("\"0x{}g\"", &digits[1..])),
        ("true", "true".into()),
        ("null", "null".into()),
        ("list", "[5]".into()),
        ("object", "{}".into()),
    ];
    let mut rejected = Vec::new();
    for (id, value) in &wrong {
        rejected.push((format!("offset-{id}"), format!(r#"{{"offset":{value}}}"#)));
        rejected.push((format!("scale-{id}"), format!(r#"{{"scale":{value}}}"#)));
    }
    let accepted = [
        ("integer", r#"{"offset":5,"scale":2}"#.to_owned()),
        ("fraction", r#"{"offset":5.0,"scale":2.5e-1}"#.into()),
        ("exponent", r#"{"offset":5E0,"scale":2e+0}"#.into()),
        ("hex", format!(r#"{{"offset":"{five}"}}"#)),
        (
            "hex-upper-case",
            format!(r#"{{"offset":"0x{}"}}"#, digits.to_uppercase()),
        ),
        ("negative-zero-offset", r#"{"offset":-0.0}"#.into()),
        ("any-order", r#"{"scale":1,"offset":5}"#.into()),
    ];
    fn pairs<'a, A: AsRef<str>>(list: &'a [(A, String)]) -> Vec<(&'a str, &'a str)> {
        list.iter()
            .map(|(id, text)| (id.as_ref(), text.as_str()))
            .collect()
    }
    topic.configurations(
        "parameters",
        must(&["scale_offset.parameters"]),
        "7",
        &pairs(&accepted),
        &pairs(&rejected),
    )?;
    super::keys(topic)?;
    let zeros = [
        ("zero", r#"{"scale":0}"#.to_owned()),
        ("zero-fraction", r#"{"scale":0.0}"#.into()),
        ("negative-zero", r#"{"scale":-0.0}"#.into()),
        ("zero-exponent", r#"{"scale":0e5}"#.into()),
        ("becomes-zero", r#"{"scale":1e-400}"#.into()),
        ("hex-zero", format!(r#"{{"scale":"{}"}}"#, hex(0))),
        (
            "hex-negative-zero",
            format!(r#"{{"scale":"{}"}}"#, hex(bits.sign())),
        ),
        ("beside-offset", r#"{"offset":5,"scale":0}"#.into()),
    ];
    let others = [
        ("one", r#"{"scale":1}"#.to_owned()),
        ("smallest", format!(r#"{{"scale":"{}"}}"#, hex(1))),
        ("zero-offset", r#"{"offset":0}"#.into()),
    ];
    topic.configurations(
        "scale-zero",
        ruling(&["scale_offset.scale.zero"]),
        "7",
        &pairs(&others),
        &pairs(&zeros),
    )
}
