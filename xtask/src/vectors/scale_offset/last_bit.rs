//! Elements that distinguish the arithmetic of the type from any other arithmetic.

use exactum_model::{DataType, ScaleOffset};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert};

use crate::oracle;
use crate::vectors::builder::{Topic, accept};
use crate::vectors::opinions::Direction::{self, Decode, Encode};
use crate::vectors::opinions::Way;

/// The groups, each with its direction, `offset` and `scale`.
const WIDE: [(&str, Direction, f64, f64); 6] = [
    ("last-bit", Encode, 5.0, 0.1),
    ("last-bit-thirds", Encode, 0.1, 3.0),
    ("last-bit-273", Encode, 273.15, -7.3),
    ("last-bit", Decode, -10.1, 0.1),
    ("last-bit-thirds", Decode, 0.1, 3.0),
    ("last-bit-273", Decode, 273.15, -7.3),
];

/// Adds elements whose last bit differs if the steps are not computed in the type: if both are computed in binary128
/// and rounded once, or, for the narrower types, in binary64.
pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.own_type()?;
    for (name, direction, offset, scale) in WIDE {
        let configuration = format!(r#"{{"offset":{offset},"scale":{scale}}}"#);
        let codec = super::codec(topic, &configuration)?;
        let parameters = [Some(offset), Some(scale)];
        let bits: Vec<u64> = candidates(data_type)
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
            return Err(format!("{name}: only {} elements differ", bits.len()));
        }
        let width = 2 * data_type.element_bytes();
        let texts: Vec<String> = bits
            .iter()
            .map(|bits| format!("\"0x{bits:0width$x}\""))
            .collect();
        let way = direction.name();
        let clause = "scale_offset.arithmetic";
        let head = format!("{way}-{name} must {clause} scale_offset.{way} {configuration}");
        topic.computed(&head, &[accept("once", texts.join(" "))])?;
    }
    Ok(())
}

/// Returns the same elements on every machine, most of them between 0.01 and 1000.
fn candidates(data_type: DataType) -> impl Iterator<Item = u64> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    (0..200_000).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let (field, digits) = (state >> 56, state & ((1 << 52) - 1));
        match data_type {
            DataType::Float16 => (9 + field % 14) << 10 | digits >> 42,
            DataType::Bfloat16 => (120 + field % 16) << 7 | digits >> 45,
            DataType::Float32 => (120 + field % 16) << 23 | digits >> 29,
            _ => (1016 + field % 16) << 52 | digits,
        }
    })
}

/// Returns the answers of programs that compute the steps in other ways.
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
        DataType::Bfloat16 => {
            answers.extend(once::<BFloat, Quad>(codec, direction, bits));
            answers.extend(once::<BFloat, Single>(codec, direction, bits));
            answers.extend(unrounded::<BFloat>(direction, bits, parameters));
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

/// Computes both steps in a wider type.
fn once<F, W>(codec: &ScaleOffset, direction: Direction, bits: u64) -> Option<u64>
where
    F: Float + FloatConvert<W>,
    W: Float + FloatConvert<F>,
{
    let wide = |bits: u64| -> W { F::from_bits(bits.into()).convert(&mut false).value };
    let (offset, scale) = (codec.offset.map(wide), codec.scale.map(wide));
    narrowed::<F, W>(direction, wide(bits), offset?, scale?)
}

/// Computes both steps in binary64, with parameters that were not rounded to the type.
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
