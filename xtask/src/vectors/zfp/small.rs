//! Floats of 8 bits or fewer: every code in a round trip, a lossy chunk, and float32 streams whose numbers lie between
//! those of the type or beyond them.

use exactum_model::{Array, DataType};
use exactum_vectors::Level;
use rustc_apfloat::ieee::{Quad, Single};
use rustc_apfloat::{Float, FloatConvert};

use super::{REVERSIBLE, content};
use crate::oracle::tables::table;
use crate::vectors::bytes_codecs::{Topic, array};

/// Infinities, NaNs with and without the upper payload bits, the largest float32, and zeros, each with both signs.
const SPECIAL: [u64; 8] = [
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0001,
    0xff80_0001,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x0000_0000,
    0x8000_0000,
];

pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let count = data_type.format().component_mask() + 1;
    let codes: Vec<u64> = (0..count).collect();
    let clauses = [&content(topic, true), &["zfp.reversible"][..]].concat();
    let mut pair = topic.pair("codes", Level::May, &clauses);
    let every = array(data_type, &[count], &codes);
    pair.both("every", &[], REVERSIBLE, &every)?;
    pair.finish();

    const RATE: &str = r#"{"mode":"fixed_rate","rate":6.25}"#;
    let clauses = [&content(topic, false), &["zfp.rate.bits"][..]].concat();
    let mut pair = topic.pair("rate", Level::May, &clauses);
    pair.both("seven", &[], RATE, &around_one(data_type)?)?;
    pair.finish();

    let numbers = array(DataType::Float32, &[SPECIAL.len() as u64], &SPECIAL);
    let mut pair = topic.pair("demoted", Level::May, &["zfp.reversible"]);
    for (id, numbers) in [("between", between(data_type)?), ("special", numbers)] {
        let wide = exactum_model::Zfp::reversible(DataType::Float32, 1);
        let stream = exactum_reference::zfp::encode(&wide, &numbers)
            .map_err(|rejection| rejection.to_string())?;
        pair.decode(id, &[], REVERSIBLE, numbers.shape(), &stream)?;
    }
    pair.finish();
    Ok(())
}

/// Returns seven numbers around one, none of which is a code of a special value.
fn around_one(data_type: DataType) -> Result<Array, String> {
    let float = data_type.format().float().ok_or("no float")?;
    let one = u64::from(float.bias.unsigned_abs()) << float.mantissa_bits;
    let sign = float.sign_mask();
    let codes = [0, 1, 2, 1, 0, 2, 1].map(|step| one + step);
    let signed = [0, sign, 0, 0, sign, sign, 0];
    let elements: Vec<u64> = codes
        .iter()
        .zip(signed)
        .map(|(code, sign)| code | sign)
        .collect();
    Ok(array(data_type, &[7], &elements))
}

/// Returns the midpoints between neighbours of a type, with alternating signs, and numbers just above the last one.
fn between(data_type: DataType) -> Result<Array, String> {
    let table = table(data_type).ok_or("no table")?;
    let values: Vec<Quad> = table.ascending.iter().map(|(value, _)| *value).collect();
    let followers = values.iter().skip(1).chain([&table.past]);
    let mut numbers: Vec<u64> = Vec::new();
    for (index, (low, high)) in values.iter().zip(followers).enumerate() {
        let middle: Single = (*low + *high).value.scalbn(-1).convert(&mut false).value;
        let bits = u64::try_from(middle.to_bits()).map_err(|_| "32 bits")?;
        numbers.push(bits | u64::from(index % 2 == 1) << 31);
    }
    let last = numbers.last().copied().unwrap_or_default() & (u64::MAX >> 33);
    // Numbers above and below the midpoint beyond the largest number.
    numbers.extend([last + 1, last - 1]);
    Ok(array(DataType::Float32, &[numbers.len() as u64], &numbers))
}
