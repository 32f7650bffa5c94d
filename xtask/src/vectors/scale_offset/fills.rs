//! Fill values of every data type: one that the codec changes, and one that it rejects.

use exactum_model::{DataType, Format, Scalar};

use super::codec_for;
use crate::vectors::builder::{Case, Topic, accept, reject};
use crate::vectors::opinions::{Direction, Elementwise};

/// Adds the groups. A rejection of a float fill value is a ruling.
pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    let (mut kept, mut rejected, mut ruled) = (Vec::new(), Vec::new(), Vec::new());
    let listed = |of: &DataType| of.is_real() && of.is_registered();
    for data_type in DataType::ALL.iter().copied().filter(listed) {
        kept.push(of_type(data_type, true)?);
        let list = match data_type.format() {
            Format::Float(float) if float.zero => &mut ruled,
            _ => &mut rejected,
        };
        list.push(of_type(data_type, false)?);
    }
    for (name, level, cases) in [
        ("types-kept", "must", kept),
        ("types-rejected", "must", rejected),
        ("types-rejected-floats", "ruling", ruled),
    ] {
        let head = format!("{name} {level} scale_offset.fill chain.resolve");
        topic.computed(&head, &cases)?;
    }
    Ok(())
}

/// Returns the first fill value and parameters of a type for which the result exists, differs from the fill value and
/// is decoded to it again (`kept`), or for which the fill value is rejected.
fn of_type(data_type: DataType, kept: bool) -> Result<Case, String> {
    let bits = [1, 2, 3, 4].into_iter().chain(limits(data_type));
    let texts: Vec<(u64, String)> = bits
        .map(|bits| bits & data_type.format().component_mask())
        .map(|bits| {
            (
                bits,
                exactum_exact::canonical(&Scalar::new(data_type, bits.into())),
            )
        })
        .collect();
    for (bits, fill_value) in &texts {
        for (number, parameter) in &texts {
            for key in ["offset", "scale"] {
                if (key, *number) == ("scale", 0) {
                    continue;
                }
                let configuration = format!(r#"{{"{key}":{parameter}}}"#);
                let codec = codec_for(&configuration, data_type)?;
                let what = "fill value";
                let answer = Elementwise::new(codec).answer(what, Direction::Encode, *bits)?;
                let found = match answer {
                    Ok(encoded) => {
                        let back =
                            Elementwise::new(codec).answer(what, Direction::Decode, encoded)?;
                        kept && encoded != *bits && back == Ok(*bits)
                    }
                    Err(_) => !kept,
                };
                if found {
                    let endian = match data_type.element_bytes() {
                        1 => "bytes",
                        _ => "little",
                    };
                    let text =
                        format!(r#"{data_type} {fill_value} scale:{configuration} {endian}"#);
                    let name = data_type.name();
                    return Ok(if kept {
                        accept(name, text)
                    } else {
                        reject(name, text)
                    });
                }
            }
        }
    }
    Err(format!("{data_type}: no fill value"))
}

/// Returns the largest and the smallest finite value.
fn limits(data_type: DataType) -> [u64; 2] {
    match data_type.format() {
        Format::Float(float) => {
            let largest = float.max_finite_bits();
            [largest, largest | float.sign_mask()]
        }
        format => {
            let top = 1 << (format.component_bits() - 1);
            let signed = matches!(format, Format::Integer(integer) if integer.signed);
            if signed {
                [top - 1, top]
            } else {
                [format.component_mask(), 0]
            }
        }
    }
}
