//! Floats: every step rounded once, in the type itself.

mod configurations;
mod last_bit;
mod special;

use exactum_model::{DataType, FloatFormat};

use super::Direction::{Decode, Encode};
use super::{Topic, must, ruling};

const ENCODE: &[&str] = &["scale_offset.encode"];
const DECODE: &[&str] = &["scale_offset.decode"];
const SCALE_ABSENT: &[&str] = &["scale_offset.scale.absent"];
const ROUNDING: &[&str] = &["scale_offset.arithmetic.rounding"];
const OVERFLOW: &[&str] = &["scale_offset.range.overflow"];

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
    last_bit::add(topic)?;
    overflow(topic, &bits)?;
    special::zeros(topic)?;
    special::add(topic, &bits)?;
    configurations::add(topic, &bits)
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
        "decode-parameter-in-the-type",
        must(&["scale_offset.parameters.exact", "scale_offset.arithmetic"]),
        Decode,
        r#"{"offset":0.1}"#,
        &[("itself", "0"), ("near", "0.2 0.6 0.9 -0.2")],
    )?;
    let in_hex = format!(
        r#"{{"offset":"{}"}}"#,
        match topic.data_type {
            DataType::Float16 => "0x2e66",
            DataType::Bfloat16 => "0x3dcd",
            DataType::Float32 => "0x3dcccccd",
            _ => "0x3fb999999999999a",
        }
    );
    topic.group(
        "encode-parameter-in-hex",
        must(&["scale_offset.parameters.exact"]),
        Encode,
        &in_hex,
        &[("itself", "0.1"), ("near", "0.3 0.7 1 -0.1")],
    )?;
    topic.group(
        "decode-parameter-in-hex",
        must(&["scale_offset.parameters.exact"]),
        Decode,
        &in_hex,
        &[("itself", "0"), ("near", "0.2 0.6 0.9 -0.2")],
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
