//! Random chunks for zfp, and random streams.

use exactum_conformance::model::{Array, DataType, FloatFormat, Format, Zfp, ZfpScalar};
use exactum_conformance::vectors::array_to_json;
use serde_json::Value;

use super::bytes::bytes;
use super::choice::Random;
use super::draft::{Draft, members};

/// Generates a random chunk to encode or random bytes to decode.
pub(super) fn draft(random: &mut Random) -> Draft {
    // zfp's own types are three times as likely as all others together.
    let (own, others) = Zfp::DATA_TYPES.split_at(4);
    let types = if random.percent(75) { own } else { others };
    let data_type = *random.pick(types);
    let format = data_type.format();
    let shape = shape(random);
    let (configuration, reversible, mode) = configuration(random, format, shape.len());
    let mut clauses = vec![mode, "zfp.planes", "zfp.blocks"];
    match format {
        _ if ZfpScalar::is_own(data_type) => {}
        Format::Integer(format) if format.bits >= 32 => clauses.push("zfp.unsigned"),
        _ => clauses.push("zfp.data_type.promoted"),
    }
    // A signed integer of less than a byte may be held with or without its sign in the upper bits.
    let two_forms = matches!(format, Format::Integer(it) if it.signed && it.bits < 8);
    let members = if random.percent(60) || two_forms {
        let elements = elements(random, data_type, reversible, &shape);
        let input = Array::from_components(data_type, shape, elements)
            .unwrap_or_else(|rejection| panic!("{data_type}: {rejection}"));
        members([
            ("op", "zfp.encode".into()),
            ("configuration", configuration.into()),
            ("input", array_to_json(&input)),
        ])
    } else {
        let count: u64 = shape.iter().product();
        let most = usize::try_from(count).unwrap_or(0) * data_type.element_bytes() + 40;
        // Whole words, because the missing end of a stream is subject to a ruling.
        let length = 8 * random.below(most.div_ceil(4));
        clauses.push("zfp.stream.end");
        members([
            ("op", "zfp.decode".into()),
            ("configuration", configuration.into()),
            ("data_type", data_type.name().into()),
            ("shape", Value::from(shape)),
            ("bytes", bytes(random, length).into()),
        ])
    };
    Draft {
        row: "zfp",
        topic: data_type.to_string(),
        members,
        clauses,
        elementwise: false,
    }
}

/// Generates a shape of any rank, usually with a few blocks.
fn shape(random: &mut Random) -> Vec<u64> {
    let rank = random.below(5);
    let most = [1, 40, 12, 7, 5][rank];
    (0..rank).map(|_| random.between(1, most)).collect()
}

/// Generates a configuration, and returns whether its blocks are reversible and the clause of its mode.
fn configuration(random: &mut Random, format: Format, rank: usize) -> (String, bool, &'static str) {
    let float = format.float().is_some();
    match random.below(if float { 5 } else { 4 }) {
        0 => (r#"{"mode": "reversible"}"#.into(), true, "zfp.reversible"),
        1 => {
            let precision = random.between(1, 64);
            let text = format!(r#"{{"mode": "fixed_precision", "precision": {precision}}}"#);
            (text, false, "zfp.precision.planes")
        }
        2 => {
            let values = [4, 4, 16, 64, 256][rank];
            let eighths = random.between(8, 8 * values * 40);
            let [whole, rest] = [eighths / (8 * values), eighths % (8 * values)];
            // Written with enough digits for a multiple of 1/2,048.
            let digits = rest * 100_000_000_000 / (8 * values);
            let text = format!(r#"{{"mode": "fixed_rate", "rate": {whole}.{digits:011}}}"#);
            (text, false, "zfp.rate.bits")
        }
        3 => {
            let reversible = random.percent(40);
            let exponent = match (reversible, random.below(3)) {
                (true, _) => "-1075".to_owned(),
                (false, 0) => "-1074".to_owned(),
                (false, _) => format!("{}", random.below(60).cast_signed() - 40),
            };
            let room = random.between(0, 1500);
            let most = 19 + random.between(0, room);
            let least = match (float && reversible, random.percent(30)) {
                (true, _) => 1,
                (false, true) => most,
                (false, false) => random.between(0, most),
            };
            let planes = random.between(1, 64);
            let text = format!(
                r#"{{"mode": "expert", "minbits": {least}, "maxbits": {most}, "maxprec": {planes}, "minexp": {exponent}}}"#
            );
            (text, reversible, "zfp.expert.limits")
        }
        _ => {
            let (digits, exponent) = (random.between(1, 999), random.between(0, 9));
            let text =
                format!(r#"{{"mode": "fixed_accuracy", "tolerance": {digits}e-{exponent}}}"#);
            (text, false, "zfp.accuracy.exponent")
        }
    }
}

/// Generates elements: a smooth walk, random bits, a few values, or zeros with one exception. In a lossy mode all but a
/// few are elements that the mode accepts.
fn elements(random: &mut Random, data_type: DataType, reversible: bool, shape: &[u64]) -> Vec<u64> {
    let count: u64 = shape.iter().product();
    let format = data_type.format();
    let any = reversible || random.percent(2);
    let kind = random.below(4);
    let mut walk = random.bits();
    let step = format.component_mask() >> random.between(2, 12);
    let few = [walk, random.bits(), 0];
    let one = random.between(0, count.max(1) - 1);
    (0..count)
        .map(|index| {
            let bits = match kind {
                0 => {
                    walk = walk.wrapping_add(random.bits() & step);
                    walk
                }
                1 => random.bits(),
                2 => *random.pick(&few),
                _ if index == one => walk,
                _ => 0,
            };
            held(format, any, bits & format.component_mask())
        })
        .collect()
}

/// Returns the bits of an element that the codec accepts, or any bits if `any` is set.
fn held(format: Format, any: bool, bits: u64) -> u64 {
    match format {
        _ if any => bits,
        Format::Integer(format) if format.bits >= 32 => {
            let sign = if format.signed {
                bits >> (format.bits - 1)
            } else {
                0
            };
            let magnitude = bits & ((1 << (format.bits - 2)) - 1);
            // The magnitude with its sign, which keeps it below 2^(N - 2).
            (magnitude ^ sign.wrapping_neg()).wrapping_add(sign) & format.mask()
        }
        Format::Float(format) => moderate(format, bits),
        _ => bits,
    }
}

/// Returns a float with the same digits and a moderate exponent, so that it is neither an infinity nor so small that
/// zfp destroys it.
fn moderate(format: FloatFormat, bits: u64) -> u64 {
    let bias = u64::try_from(format.bias).unwrap_or_default();
    let field = bits >> format.mantissa_bits & format.max_exponent_field();
    if bits == 0 {
        return 0;
    }
    let field = bias - bias / 2 + field % bias;
    bits & (format.sign_mask() | format.mantissa_mask()) | field << format.mantissa_bits
}
