//! Elements that are not smooth: the limits of integers, and zeros, NaNs, infinities, subnormals and wide ranges of
//! floats.

use exactum_model::{Array, DataType, FloatFormat, Format};
use exactum_vectors::Level;

use super::values::{float, integer, smooth};
use super::{REVERSIBLE, content, is_float, is_own, named};
use crate::vectors::bytes_codecs::{Topic, array, components, nans};

const PRECISE: &str = r#"{"mode":"fixed_precision","precision":64}"#;
const RATE: &str = r#"{"mode":"fixed_rate","rate":16}"#;
const EXPERT: &str = r#"{"mode":"expert","minbits":0,"maxbits":99,"maxprec":64,"minexp":-1074}"#;

pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    every_bit(topic)?;
    match topic.data_type.format() {
        Format::Integer(format) => integers(topic, format.bits, format.signed),
        format => match format.float() {
            Some(format) => {
                reversible_floats(topic, format)?;
                lossy_floats(topic, format)?;
                tiny(topic, format)?;
                not_finite(topic, format)?;
                bounds(topic)
            }
            None => Ok(()),
        },
    }
}

/// Returns components in one dimension that fill whole blocks; the last component is repeated if necessary.
fn row(data_type: DataType, components: &[u64]) -> Array {
    let mut components = components.to_vec();
    while !components.len().is_multiple_of(4) {
        components.push(components[components.len() - 1]);
    }
    array(data_type, &[components.len() as u64], &components)
}

/// Returns integers in one dimension that fill whole blocks.
fn row_of(data_type: DataType, numbers: &[i64]) -> Array {
    let numbers: Vec<u64> = numbers.iter().map(|&it| integer(data_type, it)).collect();
    row(data_type, &numbers)
}

/// Adds every bit alone and every bit missing, which the reversible mode must preserve, in one dimension, as a plane,
/// and behind a smooth neighbour.
fn every_bit(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let mut all = components(data_type.format());
    if let Format::Integer(format) = data_type.format()
        && !format.signed
        && format.bits >= 32
    {
        all.retain(|&bits| bits >> (format.bits - 1) == 0);
    }
    if !is_own(topic) && all.len() > 64 {
        all = all.into_iter().step_by(4).collect();
    }
    let mut clauses = content(topic, true);
    clauses.push("zfp.reversible");
    if is_float(topic.data_type) {
        clauses.extend(["zfp.reversible.exact", "zfp.reversible.bits"]);
    }
    let mut pair = topic.pair("every-bit", Level::Must, &clauses);
    let in_a_row = row(data_type, &all);
    pair.both("row", &[], REVERSIBLE, &in_a_row)?;
    let rows = all.len().div_ceil(5);
    let mut some = all.clone();
    some.resize(5 * rows, all[0]);
    let as_plane = array(data_type, &[rows as u64, 5], &some);
    pair.both("plane", &["zfp.blocks.partial"], REVERSIBLE, &as_plane)?;
    pair.finish();
    Ok(())
}

fn integers(topic: &mut Topic, bits: u32, signed: bool) -> Result<(), String> {
    let data_type = topic.data_type;
    let (least, most) = match (signed, bits) {
        (true, _) => (-1 << (bits - 1), i64::MAX >> (64 - bits)),
        // The range that is not rejected.
        (false, 32 | 64) => (0, i64::MAX >> (64 - bits)),
        (false, _) => (0, (1 << bits) - 1),
    };
    let of = |numbers: &[i64]| row_of(data_type, numbers);
    let clauses = [content(topic, true), vec!["zfp.reversible"]].concat();
    let mut pair = topic.pair("ends-reversible", Level::Must, &clauses);
    pair.both(
        "least-and-most",
        &[],
        REVERSIBLE,
        &of(&[least, most, least, most]),
    )?;
    pair.both("least", &[], REVERSIBLE, &of(&[least; 4]))?;
    pair.both("most", &[], REVERSIBLE, &of(&[most, most, most, least]))?;
    pair.both("zeros", &[], REVERSIBLE, &of(&[0; 8]))?;
    pair.both(
        "even",
        &[],
        REVERSIBLE,
        &of(&[0, 0, least.max(most / 2 + 1), 0]),
    )?;
    pair.finish();
    lossy_integers(topic, bits, signed, [least, most])
}

/// Adds the limits of the range in lossy modes, and values beyond them.
fn lossy_integers(
    topic: &mut Topic,
    bits: u32,
    signed: bool,
    [least, most]: [i64; 2],
) -> Result<(), String> {
    let data_type = topic.data_type;
    let of = |numbers: &[i64]| row_of(data_type, numbers);
    let wide = bits >= 32;
    let (least, most) = match (wide, signed) {
        (false, _) => (least, most),
        (true, true) => (-(i64::MAX >> (65 - bits)), i64::MAX >> (65 - bits)),
        (true, false) => (0, i64::MAX >> (65 - bits)),
    };
    // At the edge of what the ruling on large integers rejects: these fit in any reading of the text.
    let clauses = content(topic, false);
    for (name, configuration) in [("ends-precise", PRECISE), ("ends-rate", RATE)] {
        let mut pair = topic.pair(name, Level::Must, &clauses);
        pair.both(
            "least-and-most",
            &[],
            configuration,
            &of(&[least, most, least, most]),
        )?;
        pair.both(
            "least",
            &[],
            configuration,
            &of(&[least, least, most, most]),
        )?;
        pair.both("middle", &[], configuration, &of(&[most, 0, 1, least]))?;
        pair.both("zeros", &[], configuration, &of(&[0; 8]))?;
        pair.finish();
    }
    if !wide {
        return Ok(());
    }
    let limit = 1_i64 << (bits - 2);
    let mut beyond = [limit, i64::MAX >> (64 - bits)]
        .map(|it| integer(data_type, it))
        .to_vec();
    if signed {
        beyond.extend([-limit, -limit - 1, -1 << (bits - 1)].map(|it| integer(data_type, it)));
    }
    let beyond = array(data_type, &[beyond.len() as u64], &beyond);
    let mut pair = topic.pair("lossy-range", Level::Ruling, &["zfp.lossy.range"]);
    for (id, text) in [("precision", PRECISE), ("rate", RATE), ("expert", EXPERT)] {
        pair.refuse(id, text, &beyond)?;
    }
    pair.finish();
    if !signed {
        let beyond = [
            1 << (bits - 1),
            (1 << (bits - 1)) + 1,
            u64::MAX >> (64 - bits),
        ];
        let mut pair = topic.pair("range", Level::Ruling, &["zfp.unsigned.range"]);
        let beyond = array(data_type, &[3], &beyond);
        pair.refuse("reversible", REVERSIBLE, &beyond)?;
        pair.finish();
        // A stream that was encoded from negative numbers is decoded to zeros.
        let signed = if bits == 32 {
            DataType::Int32
        } else {
            DataType::Int64
        };
        let numbers = [-1, 5, -1 << (bits - 1), 7].map(|it| integer(signed, it));
        let bytes = topic.encode(REVERSIBLE, &array(signed, &[4], &numbers))?;
        let mut pair = topic.pair("negative", Level::Ruling, &["zfp.stream"]);
        pair.decode("reversible", &[], REVERSIBLE, &[4], &bytes)?;
        pair.finish();
    }
    Ok(())
}

/// Returns a float with the highest exponent below that of infinity, reduced by a number of powers of two.
fn below(format: FloatFormat, steps: u64, mantissa: u64) -> u64 {
    (format.max_exponent_field() - 1 - steps) << format.mantissa_bits | mantissa
}

fn reversible_floats(topic: &mut Topic, format: FloatFormat) -> Result<(), String> {
    let data_type = topic.data_type;
    let one = float(data_type, 1, 0);
    let sign = format.sign_mask();
    let infinity = format.infinity_bits().unwrap_or(one);
    let clauses = [
        content(topic, true),
        vec![
            "zfp.reversible",
            "zfp.reversible.exact",
            "zfp.reversible.bits",
        ],
    ]
    .concat();
    let mut pair = topic.pair("special-reversible", Level::Must, &clauses);
    pair.both("nan", &[], REVERSIBLE, &row(data_type, &nans(format)))?;
    for (id, block) in [
        ("zeros", [0; 4]),
        ("negative-zeros", [sign; 4]),
        ("negative-zero", [0, sign, 0, 0]),
        ("negative-zero-among-ones", [one, sign, one, one]),
        ("zero-among-ones", [one, 0, one | sign, one]),
        ("infinities", [infinity, infinity | sign, one, 0]),
        ("one-nan", [infinity | 1, one, one, one]),
        ("nan-among-zeros", [0, 0, 0, infinity | sign | 1]),
        ("subnormals", [1, 2, 3, sign | 1]),
        ("smallest-normal", [1 << format.mantissa_bits; 4]),
        ("largest", [format.max_finite_bits(); 4]),
        (
            "largest-and-smallest",
            [format.max_finite_bits(), 1, sign | 1, 0],
        ),
        ("one-bit-too-low", [one, 1 | below(format, 9, 0), one, one]),
        ("exact", [one, one | 1, sign | one, one + 1]),
        ("powers", [0, 1, 2, 3].map(|it| below(format, it, 0))),
    ] {
        pair.both(id, &[], REVERSIBLE, &array(data_type, &[4], &block))?;
    }
    // Around the exponents whose power of two is not a float.
    let steps = if format.exponent_bits == 5 {
        vec![3, 8]
    } else {
        vec![90, 126, 127, 128, 129, 130]
    };
    for step in steps {
        let field = step.min(format.max_exponent_field() - 2);
        let block = [field, field - 1, field, field + 1].map(|it| it << format.mantissa_bits);
        pair.both(
            &format!("exponent-{step}"),
            &[],
            REVERSIBLE,
            &array(data_type, &[4], &block),
        )?;
    }
    let fields: Vec<u64> = (20..40).collect();
    if format.exponent_bits > 5 {
        let block: Vec<u64> = fields.iter().map(|it| it << format.mantissa_bits).collect();
        pair.both("low-exponents", &[], REVERSIBLE, &row(data_type, &block))?;
    }
    let mut chunk = smooth(data_type, &[2, 4, 5])
        .components()
        .collect::<Vec<_>>();
    chunk[7] = infinity;
    chunk[38] = sign;
    let chunk = array(data_type, &[2, 4, 5], &chunk);
    pair.both("cube", &["zfp.blocks"], REVERSIBLE, &chunk)?;
    pair.finish();
    Ok(())
}

fn lossy_floats(topic: &mut Topic, format: FloatFormat) -> Result<(), String> {
    let data_type = topic.data_type;
    let one = float(data_type, 1, 0);
    let sign = format.sign_mask();
    let most = format.max_finite_bits();
    let clauses = content(topic, false);
    for (name, configuration) in [
        ("special-precise", PRECISE),
        ("special-rate", RATE),
        (
            "special-tolerance",
            r#"{"mode":"fixed_accuracy","tolerance":0.01}"#,
        ),
        (
            "special-coarse",
            r#"{"mode":"fixed_accuracy","tolerance":1e3}"#,
        ),
    ] {
        let mut pair = topic.pair(name, Level::Must, &clauses);
        for (id, block) in [
            ("zeros", [0; 4]),
            ("negative-zeros", [sign, 0, sign, sign]),
            ("one", [one, 0, 0, 0]),
            ("ones", [one; 4]),
            ("negative", [one | sign, one, one | sign, sign]),
            ("largest", [most, most | sign, most, most]),
            ("largest-and-one", [most, one, 0, most]),
            (
                "truncated-towards-zero",
                [
                    one,
                    float(data_type, 3, -31),
                    float(data_type, -3, -31),
                    float(data_type, -1, -12),
                ],
            ),
            ("powers", [0, 1, 2, 3].map(|it| below(format, it, 0))),
            (
                "just-below-a-power",
                [below(format, 4, format.mantissa_mask()); 4],
            ),
            ("around-a-power", [one - 1, one, one + 1, one | sign]),
        ] {
            pair.both(id, &[], configuration, &array(data_type, &[4], &block))?;
        }
        pair.finish();
    }
    Ok(())
}

/// Adds blocks on both sides of the exponent below which zfp's own arithmetic overflows.
fn tiny(topic: &mut Topic, format: FloatFormat) -> Result<(), String> {
    let data_type = topic.data_type;
    let (precision, lowest) = match data_type {
        DataType::Float64 => (64, -962),
        DataType::Float16 => return Ok(()),
        _ => (32, -98),
    };
    let modes = [("precise", PRECISE), ("rate", RATE)];
    let block = |exponent| {
        let of = |integer, exponent| float(data_type, integer, exponent);
        let numbers = [
            of(1, exponent),
            of(-3, exponent - 2),
            of(5, exponent - 3),
            of(0, 0),
        ];
        array(data_type, &[4], &numbers)
    };
    let clauses = content(topic, false);
    let mut pair = topic.pair("small", Level::Must, &clauses);
    for (name, text) in modes {
        for above in [0, 1, 3] {
            let id = format!("{name}-{above}-above");
            pair.both(&id, &[], text, &block(lowest + above))?;
        }
    }
    pair.finish();
    let subnormals = array(data_type, &[4], &[1, 7, format.sign_mask() | 2, 0]);
    let mut streams = Vec::new();
    let mut pair = topic.pair("tiny", Level::Ruling, &["zfp.float.tiny"]);
    for (name, text) in modes {
        let exponents = [lowest - 1, lowest - 2, lowest - 20, lowest - precision / 2];
        for exponent in exponents {
            let id = format!("{name}-of-{}", -exponent);
            let stream = pair.open_encode(&id, "R31", text, &block(exponent))?;
            streams.push((id, text, stream));
        }
        let id = format!("{name}-subnormals");
        let stream = pair.open_encode(&id, "R31", text, &subnormals)?;
        streams.push((id, text, stream));
    }
    pair.finish();
    // zfp reads these streams, even if it has not written them.
    let mut pair = topic.pair("tiny-stored", Level::Must, &["zfp.float.decode"]);
    for (id, text, stream) in &streams {
        pair.decode(id, &[], text, &[4], stream)?;
    }
    pair.finish();
    Ok(())
}

fn not_finite(topic: &mut Topic, format: FloatFormat) -> Result<(), String> {
    let data_type = topic.data_type;
    let infinity = format.infinity_bits().unwrap_or(0);
    let mut elements = nans(format);
    elements.extend([infinity, infinity | format.sign_mask()]);
    let elements = array(data_type, &[elements.len() as u64], &elements);
    let mut pair = topic.pair("not-finite", Level::Ruling, &["zfp.lossy.finite"]);
    for (id, text) in [
        ("precision", PRECISE),
        ("rate", RATE),
        ("tolerance", r#"{"mode":"fixed_accuracy","tolerance":0.5}"#),
        ("expert", EXPERT),
    ] {
        pair.refuse(id, text, &elements)?;
    }
    pair.finish();
    Ok(())
}

/// Adds lossy chunks whose decoded elements must lie within the tolerance.
fn bounds(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    if !is_own(topic) {
        return Ok(());
    }
    let shapes: [&[u64]; 4] = [&[11], &[5, 6], &[3, 5, 4], &[2, 3, 4, 5]];
    let mut made = Vec::new();
    for shape in shapes {
        for tolerance in ["100", "1", "0.3", "0.001"] {
            let text = format!(r#"{{"mode":"fixed_accuracy","tolerance":{tolerance}}}"#);
            let input = smooth(data_type, shape);
            let bytes = topic.encode(&text, &input)?;
            let id = format!("{}-{tolerance}", named(shape));
            made.push((id, text, input, bytes, tolerance));
        }
    }
    let mut pair = topic.pair("bound", Level::Must, &["zfp.accuracy.bound"]);
    for (id, text, input, bytes, tolerance) in &made {
        pair.within(id, text, input, bytes, tolerance)?;
    }
    pair.finish();
    Ok(())
}
