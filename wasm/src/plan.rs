//! Plans packings for a range of values, proves which values codecs preserve, and prints programs that write packed
//! arrays.

use std::cell::RefCell;
use std::rc::Rc;

use exactum_exact::Exact;
use exactum_model::{Chain, Format};
use exactum_plan::{
    Candidate, Effort, Library, Proof, Request, Tolerance, candidates, fault_name, needs,
    with_both_zeros,
};
use exactum_reference::analysis;
use serde_json::{Value, json};

use crate::number;
use crate::try_values::chain_of;

/// The number of values whose error is drawn.
const DRAWN: u32 = 480;

/// The effort of a proof. For up to this number of codes the largest error is computed exactly; for more codes it is
/// only bounded.
const EFFORT: Effort = Effort {
    codes: 1 << 15,
    values: 0,
};

/// A request for a plan, together with the proved packings.
struct Planned {
    asked: Value,
    request: Request,
    packings: Vec<Candidate>,
}

thread_local! {
    /// The last plan, from which programs for its packings are printed.
    static LAST: RefCell<Option<Rc<Planned>>> = const { RefCell::new(None) };
}

/// Plans how to store the values from `least` to `greatest` of an array of `data_type` with an error of at most
/// `max_error`. `nan` states whether NaN must survive. Every packing in the answer is proved.
///
/// # Errors
/// If a member of the request is missing or malformed, or if no packing keeps within the error.
pub(crate) fn plan(request: &Value) -> Result<Value, String> {
    let planned = planned(request)?;
    let packing = |packing: &Candidate| {
        json!({
            "target": packing.target.name(),
            "bytes": packing.target.bytes(),
            "largest_error": number::nearest(&packing.error),
            "document": document(&planned.request, packing),
        })
    };
    let packings: Vec<Value> = planned.packings.iter().map(packing).collect();
    Ok(json!({ "packings": packings }))
}

/// Returns the program (`program`) that writes an array with `library`, using the packing `target` of a plan, or the
/// reason why the library cannot store the array (`lacks`).
///
/// # Errors
/// As for [`plan`]; also if there is no such packing or library.
pub(crate) fn recipe(request: &Value) -> Result<Value, String> {
    let text = |key: &str| request[key].as_str().unwrap_or_default();
    let mut libraries = Library::ALL.into_iter();
    let library = libraries
        .find(|library| library.name() == text("library"))
        .ok_or_else(|| format!("no program can be printed for {:?}", text("library")))?;
    let planned = planned(request)?;
    let mut packings = planned.packings.iter();
    let packing = packings
        .find(|packing| packing.target.name() == text("target"))
        .ok_or_else(|| format!("no packing is stored as {:?}", text("target")))?;
    Ok(match library.lacks(&planned.request, packing) {
        Some(lacks) => json!({ "lacks": lacks }),
        None => json!({ "program": library.recipe(&planned.request, packing) }),
    })
}

fn planned(request: &Value) -> Result<Rc<Planned>, String> {
    let keys = ["data_type", "least", "greatest", "max_error", "nan"];
    let asked: Value = keys.iter().map(|key| request[key].clone()).collect();
    if let Some(last) = LAST.with_borrow(Clone::clone)
        && last.asked == asked
    {
        return Ok(last);
    }
    let request = read(request)?;
    let packings = candidates(&request);
    if packings.is_empty() {
        return Err("no packing keeps within this error; allow a larger error".into());
    }
    let planned = Rc::new(Planned {
        asked,
        request,
        packings,
    });
    LAST.set(Some(Rc::clone(&planned)));
    Ok(planned)
}

fn read(request: &Value) -> Result<Request, String> {
    let text = |key: &str| request[key].as_str().unwrap_or_default().trim();
    let data_type = exactum_metadata::parse_data_type(text("data_type"))
        .map_err(|rejection| rejection.message)?;
    if !matches!(data_type.format(), Format::Float(_)) {
        return Err(format!("a plan packs floats, but {data_type} is not one"));
    }
    let end = |key: &str| match Exact::decimal(text(key)) {
        Some(_) => number::read(data_type, text(key)),
        None => Err(format!("{:?} is not a finite number", text(key))),
    };
    let range = [end("least")?, end("greatest")?];
    let [least, greatest] = range.map(|bits| Exact::from_bits(&data_type.format(), bits));
    if least
        .compare(&greatest)
        .is_none_or(std::cmp::Ordering::is_gt)
    {
        return Err("the least value exceeds the greatest value".into());
    }
    let max_error = exactum_plan::number::positive(text("max_error"))
        .map_err(|words| format!("the largest error: {words}"))?;
    let has_nan = request["nan"].as_bool().unwrap_or_default();
    Ok(Request {
        data_type,
        range: with_both_zeros(data_type, range),
        needs: needs(|name| has_nan && name == "NaN"),
        fill_value: None,
        tolerance: Tolerance {
            absolute: Some(max_error),
            ..Tolerance::any(data_type)
        },
        step: None,
        effort: EFFORT,
    })
}

/// Returns the document of an array that uses this packing.
fn document(request: &Request, packing: &Candidate) -> String {
    let document = json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": [1000],
        "data_type": request.data_type.name(),
        "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": [1000] } },
        "chunk_key_encoding": { "name": "default" },
        "fill_value": packing.fill_value,
        "codecs": packing.codecs,
    });
    format!("{document:#}")
}

/// Proves how the codecs of a `document` treat the values from `least` to `greatest`, and samples the error over this
/// range.
///
/// # Errors
/// If the document is rejected, or the least value exceeds the greatest value.
pub(crate) fn prove(request: &Value) -> Result<Value, String> {
    let (chain, one) = chain_of(request)?;
    let end = |key: &str| number::read(chain.data_type, request[key].as_str().unwrap_or_default());
    let range = with_both_zeros(chain.data_type, [end("least")?, end("greatest")?]);
    let tolerance = Tolerance::any(chain.data_type);
    let proof = Proof::with(&chain, range, &[], &tolerance, EFFORT)?;
    let analysis = &proof.analysis;
    let faults: Vec<Value> = analysis
        .faults
        .iter()
        .map(|fault| {
            json!({
                "kind": fault_name(&fault.kind),
                "first": number::shown(chain.data_type, fault.first),
                "last": number::shown(chain.data_type, fault.last),
            })
        })
        .collect();
    let codes = analysis
        .codes
        .map(|codes| codes.map(|bits| number::shown(analysis.stored, bits)));
    Ok(json!({
        "verdict": proof.verdict().name(),
        "stored": analysis.stored.name(),
        "codes": codes,
        "largest_error": analysis.error.as_ref().map(|error| number::nearest(&error.bound)),
        "faults": faults,
        "drawn": drawn(&chain, &one, range),
    }))
}

/// Returns equally spaced values of the range, each with its error. Values that are not read back as numbers are left
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
