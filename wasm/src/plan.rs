//! Plans packings of a range of values and proves each of them.

use exactum_exact::Exact;
use exactum_metadata::diagnose_array;
use exactum_model::{Chain, DataType, Format, Rounding};
use exactum_reference::analysis::{self, Effort, analyse};
use serde_json::{Value, json};

use crate::number;
use crate::try_values::chain_of;

/// The data types in which values are stored, the smallest first.
const TARGETS: [&str; 8] = [
    "int8", "uint8", "int16", "uint16", "float16", "bfloat16", "int32", "float32",
];

/// Factors by which a step is made smaller until its error is proved to be within what is allowed.
const FINER: [f64; 7] = [1.0, 0.9999, 0.999, 0.99, 0.95, 0.75, 0.5];

/// The number of values whose error is drawn.
const DRAWN: u32 = 480;

/// The effort of a proof: for at most this number of codes the largest error is computed, and for more it is bounded.
const EFFORT: Effort = Effort {
    codes: 1 << 12,
    values: 0,
};

/// The range of values to pack, and the error that is allowed.
struct Asked {
    data_type: DataType,
    range: [u64; 2],
    ends: [f64; 2],
    max_error: Exact,
    needs_nan: bool,
}

impl Asked {
    fn of(request: &Value) -> Result<Self, String> {
        let text = |key: &str| request[key].as_str().unwrap_or_default().trim();
        let data_type = exactum_metadata::parse_data_type(text("data_type"))
            .map_err(|rejection| rejection.message)?;
        if !matches!(data_type.format(), Format::Float(_)) {
            return Err(format!("a plan packs floats, and {data_type} is not one"));
        }
        let ends = [text("least"), text("greatest")].map(|text| {
            Exact::decimal(text).ok_or_else(|| format!("{text:?} is not a finite number"))
        });
        let [least, greatest] = ends;
        let (least, greatest) = (least?, greatest?);
        if least
            .compare(&greatest)
            .is_none_or(std::cmp::Ordering::is_gt)
        {
            return Err("the least value is above the greatest".into());
        }
        let max_error = Exact::decimal(text("max_error"))
            .filter(|error| matches!(error, Exact::Finite(finite) if !finite.negative))
            .ok_or("the largest error is a positive number")?;
        Ok(Self {
            data_type,
            range: [
                number::rounded(&least, data_type, Rounding::TowardsNegative),
                number::rounded(&greatest, data_type, Rounding::TowardsPositive),
            ],
            ends: [&least, &greatest].map(number::nearest),
            max_error,
            needs_nan: request["nan"].as_bool().unwrap_or_default(),
        })
    }
}

/// Plans how the values from `least` to `greatest` of an array of `data_type` are stored with an error of at most
/// `max_error`, and whether NaN has to survive (`nan`). Every packing of the answer is proved.
///
/// # Errors
/// If a member of the request is missing or malformed, or no packing keeps the error.
pub(crate) fn plan(request: &Value) -> Result<Value, String> {
    let asked = Asked::of(request)?;
    let all: Vec<Value> = TARGETS
        .iter()
        .filter_map(|target| candidate(&asked, target))
        .collect();
    match all.is_empty() {
        true => Err("no packing keeps this error; allow a larger one".into()),
        false => Ok(json!({ "packings": all })),
    }
}

fn candidate(asked: &Asked, target: &str) -> Option<Value> {
    let stored = exactum_metadata::parse_data_type(target).ok()?;
    let is_float = matches!(stored.format(), Format::Float(_));
    if is_float && stored.format().component_bytes() >= asked.data_type.format().component_bytes() {
        return None;
    }
    let finer: &[f64] = if is_float { &[1.0] } else { &FINER };
    finer.iter().find_map(|factor| {
        let document = document(asked, stored, *factor)?;
        let chain = diagnose_array(document.as_bytes()).ok()?.chain;
        let proof = analyse(&chain, asked.range, EFFORT).ok()?;
        let error = proof.error.as_ref()?;
        let is_kept = error
            .bound
            .compare(&asked.max_error)
            .is_some_and(std::cmp::Ordering::is_le);
        let resolution = exactum_reference::chain::resolve(&chain).ok()?;
        (proof.is_proof() && is_kept && resolution.round_trips).then(|| {
            json!({
                "target": stored.name(),
                "bytes": stored.format().component_bytes(),
                "largest_error": number::nearest(&error.bound),
                "document": document,
            })
        })
    })
}

/// Returns the document of an array that is packed in this way, or `None` if the codes do not suffice.
fn document(asked: &Asked, stored: DataType, factor: f64) -> Option<String> {
    let mut codecs = Vec::new();
    let mut cast = json!({ "data_type": stored.name() });
    let mut fill_value = json!(0.0);
    if let Format::Integer(format) = stored.format() {
        let [least, greatest] = asked.ends;
        let step = 2.0 * number::nearest(&asked.max_error) * factor;
        let codes = 2.0_f64.powi(i32::try_from(format.bits).ok()?);
        let lowest = if format.signed { -codes / 2.0 } else { 0.0 };
        // The lowest code is kept for NaN, and one on either side for what rounding does at the ends.
        if (greatest - least) / step + 3.0 > codes {
            return None;
        }
        let offset = match format.signed {
            true => least + (greatest - least) / 2.0,
            false => least - 2.0 * step,
        };
        codecs.push(json!({
            "name": "scale_offset", "configuration": { "offset": offset, "scale": 1.0 / step },
        }));
        fill_value = json!(offset);
        if asked.needs_nan {
            fill_value = json!("NaN");
            cast["scalar_map"] = json!({
                "encode": [["NaN", lowest]], "decode": [[lowest, "NaN"]],
            });
            for entry in ["encode", "decode"] {
                // An integer is written without a point.
                let place = usize::from(entry == "encode");
                cast["scalar_map"][entry][0][place] = (lowest as i64).into();
            }
        }
    } else if asked.needs_nan {
        fill_value = json!("NaN");
    }
    codecs.push(json!({ "name": "cast_value", "configuration": cast }));
    codecs.push(match stored.format().component_bytes() {
        1 => json!({ "name": "bytes" }),
        _ => json!({ "name": "bytes", "configuration": { "endian": "little" } }),
    });
    let document = json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": [1000],
        "data_type": asked.data_type.name(),
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [1000] } },
        "chunk_key_encoding": { "name": "default" },
        "fill_value": fill_value,
        "codecs": codecs,
    });
    Some(format!("{document:#}"))
}

/// Proves what the codecs of a `document` make of the values from `least` to `greatest`, and draws the error over
/// them.
///
/// # Errors
/// If the document is rejected, or the least value is above the greatest.
pub(crate) fn prove(request: &Value) -> Result<Value, String> {
    let (chain, one) = chain_of(request)?;
    let end = |key: &str| number::read(chain.data_type, request[key].as_str().unwrap_or_default());
    let range = [end("least")?, end("greatest")?];
    let proof = analyse(&chain, range, EFFORT).map_err(|rejection| rejection.to_string())?;
    let faults: Vec<Value> = proof
        .faults
        .iter()
        .map(|fault| {
            json!({
                "kind": format!("{:?}", fault.kind).split([' ', '{']).next(),
                "first": number::shown(chain.data_type, fault.first),
                "last": number::shown(chain.data_type, fault.last),
            })
        })
        .collect();
    let codes = proof
        .codes
        .map(|codes| codes.map(|bits| number::shown(proof.stored, bits)));
    Ok(json!({
        "verdict": if proof.is_proof() { "proved" } else { "refuted" },
        "stored": proof.stored.name(),
        "codes": codes,
        "largest_error": proof.error.as_ref().map(|error| number::nearest(&error.bound)),
        "faults": faults,
        "drawn": drawn(&chain, &one, range),
    }))
}

/// Returns values at equal distances of the range, each with its error; a value that is not read back as a number is left
/// out.
fn drawn(chain: &Chain, one: &Chain, range: [u64; 2]) -> Vec<[f64; 2]> {
    let format = chain.data_type.format();
    let [least, greatest] = range.map(|bits| number::nearest(&Exact::from_bits(&format, bits)));
    let point = |index: u32| {
        let part = f64::from(index) / f64::from(DRAWN);
        let value = least + (greatest - least) * part;
        let bits = number::read(chain.data_type, &format!("{value:?}")).ok()?;
        let value = Exact::from_bits(&format, bits);
        let back = analysis::put(one, bits).ok()?.back.ok()?;
        let error = Exact::from_bits(&format, back).subtract(&value);
        let error = number::nearest(&error);
        error.is_finite().then(|| [number::nearest(&value), error])
    };
    (0..=DRAWN).filter_map(point).collect()
}
