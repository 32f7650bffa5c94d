//! Invalid configurations, and types that zfp does not support, as requests to encode and to decode. The vectors of
//! documents contain the same configurations in whole arrays.

use exactum_model::{Array, DataType};
use exactum_vectors::Level::{self, Must, Ruling};
use exactum_vectors::array_to_json;

use super::values::smooth;
use super::{REVERSIBLE, is_float, is_own};
use crate::vectors::builder::request;
use crate::vectors::bytes_codecs::{Topic, encoded};

/// The rejected configurations, group by group.
const ROWS: &str = include_str!("configurations.rows");

pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    let input = smooth(topic.data_type, &[4]);
    for row in ROWS.split("\n\n").skip(1) {
        let (head, texts) = row.split_once('\n').unwrap_or((row, ""));
        let [of, name, level, clause] = head.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(format!("{head}: expected TYPES GROUP LEVEL CLAUSE"));
        };
        let concerns = match of {
            "own" => is_own(topic),
            "floats" => is_float(topic.data_type),
            "integers" => !is_float(topic.data_type),
            _ => true,
        };
        let level = if level == "must" { Must } else { Ruling };
        if concerns {
            no_such(topic, (name, level, clause), &input, texts)?;
        }
    }
    if topic.data_type == DataType::Float32 {
        other_chunks(topic)?;
    }
    Ok(())
}

/// Adds requests that are rejected because of their configuration.
fn no_such(
    topic: &mut Topic,
    (name, level, clause): (&str, Level, &'static str),
    input: &Array,
    texts: &str,
) -> Result<(), String> {
    let (data_type, shape) = (input.data_type(), input.shape());
    let encode = request([("input", array_to_json(input))]);
    let decode = encoded("", data_type, shape, &[1, 0, 0, 0, 0, 0, 0, 0]);
    for (way, members) in [("encode", encode), ("decode", decode)] {
        let name = format!("{name}-{way}");
        let of = (data_type, shape.len());
        topic.no_such((&name, level, clause), (way, members), of, texts)?;
    }
    Ok(())
}

/// Adds chunks of five dimensions, and of types that zfp cannot represent.
fn other_chunks(topic: &mut Topic) -> Result<(), String> {
    let five = smooth(topic.data_type, &[1, 2, 1, 2, 1]);
    let reversible = format!("reversible {REVERSIBLE}");
    let modes = format!("{reversible}\nrate {{\"mode\":\"fixed_rate\",\"rate\":8}}");
    no_such(topic, ("five-dimensions", Must, "zfp.rank"), &five, &modes)?;
    for data_type in [DataType::Bool, DataType::Complex64] {
        let zeros = vec![0; 2 * data_type.format().components()];
        let input = Array::from_components(data_type, vec![2], zeros)
            .map_err(|rejection| rejection.message)?;
        let name = format!("without-{}", data_type.name());
        let group = (name.as_str(), Ruling, "zfp.data_type.others");
        no_such(topic, group, &input, &reversible)?;
    }
    Ok(())
}
