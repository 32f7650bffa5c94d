//! The request and the answer of planning a packing, as JSON (sds.plan).

use exactum_model::sds::{Needs, Plan, PlanRequest, Policy};
use exactum_model::{DataType, Rejection};
use serde_json::{Value, json};

use super::write::{infinite_to_json, number_to_json};
use super::{profile, read_type, real};
use crate::diagnostic::Read;
use crate::json::{Attributes, Kind, Node, Tree};
use crate::members::{array, choice, closed, object};

const NEEDS: [&str; 3] = ["NaN", "Infinity", "-Infinity"];

/// Reads the request for a packing from the text of a JSON object.
///
/// # Errors
/// The clauses of `sds.plan` about its form. Whether there is such a packing is not checked here.
pub fn parse_plan(text: &str) -> Result<PlanRequest, Rejection> {
    let tree = Tree::scan(text, Attributes::Entered)?;
    Ok(request(tree.root())?)
}

fn request(node: Node<'_>) -> Read<PlanRequest> {
    const KEYS: [&str; 6] = ["minimum", "maximum", "target", "needs", "policy", "profile"];
    const OWNER: &str = "a plan";
    object(node, "sds.plan", OWNER)?;
    let [minimum, maximum, target, needs, policy, named] = closed(node, &KEYS, "sds.plan", OWNER)?;
    let absent = |key: &str| {
        node.reject("sds.plan", format!("{OWNER} has no {key}"))
            .help(format!("add the key {key:?}"))
    };
    let end = |node| real(node, DataType::Float64, "sds.plan.range");
    let profile = profile(named.filter(|node| node.kind() != Kind::Null))?;
    Ok(PlanRequest {
        minimum: end(minimum.ok_or_else(|| absent("minimum"))?)?,
        maximum: end(maximum.ok_or_else(|| absent("maximum"))?)?,
        target: read_type(target.ok_or_else(|| absent("target"))?)?,
        needs: read_needs(needs.ok_or_else(|| absent("needs"))?)?,
        policy: read_policy(policy.ok_or_else(|| absent("policy"))?)?,
        profile: profile.unwrap_or_default(),
    })
}

fn read_needs(node: Node<'_>) -> Read<Needs> {
    const CLAUSE: &str = "sds.plan.needs";
    array(node, CLAUSE, "needs")?;
    let mut all = [false; 3];
    let choices = [0, 1, 2].map(|index| (NEEDS[index], index));
    for node in node.elements() {
        all[choice(node, CLAUSE, "need", &choices)?] = true;
    }
    let [nan, positive_infinity, negative_infinity] = all;
    Ok(Needs {
        nan,
        positive_infinity,
        negative_infinity,
    })
}

fn read_policy(node: Node<'_>) -> Read<Policy> {
    const CLAUSE: &str = "sds.plan.policy";
    const NAMES: [(&str, Policy); 4] = [
        ("tn115", Policy::Tn115),
        ("full", Policy::Full),
        ("power_of_two", Policy::PowerOfTwo),
        ("decimal", Policy::Decimal),
    ];
    if node.kind() != Kind::Object {
        return choice(node, CLAUSE, "policy", &NAMES);
    }
    let [quantum] = closed(node, &["quantum"], CLAUSE, "a policy")?;
    let quantum = quantum.ok_or_else(|| {
        node.reject(CLAUSE, "this policy has no quantum")
            .help("write {\"quantum\": 0.5}, or the name of a policy")
    })?;
    real(quantum, DataType::Float64, CLAUSE).map(Policy::Quantum)
}

/// Returns the codes of the values that are needed besides finite numbers, with the names of these values.
#[must_use]
pub fn planned_codes(request: &PlanRequest, plan: &Plan) -> Vec<(&'static str, i64)> {
    let infinite = plan.infinite;
    let needs = request.needs;
    let codes = [
        plan.fill,
        infinite
            .map(|it| it.positive)
            .filter(|_| needs.positive_infinity),
        infinite
            .and_then(|it| it.negative)
            .filter(|_| needs.negative_infinity),
    ];
    let named = NEEDS.into_iter().zip(codes);
    named
        .filter_map(|(name, code)| Some((name, code?)))
        .collect()
}

/// Returns the codecs of a Zarr array of `float64` that pack values by a plan (sds.plan.codecs).
#[must_use]
pub fn planned_codecs(request: &PlanRequest, plan: &Plan) -> Value {
    let target = request.target.data_type();
    let mut cast = json!({"data_type": target.name(), "rounding": "nearest-away"});
    let codes = planned_codes(request, plan);
    if !codes.is_empty() {
        let encode = codes.iter().map(|(name, code)| json!([name, code]));
        let decode = codes.iter().map(|(name, code)| json!([code, name]));
        let encode: Vec<Value> = encode.collect();
        let decode: Vec<Value> = decode.collect();
        cast["scalar_map"] = json!({"encode": encode, "decode": decode});
    }
    let bytes = match target.element_bytes() {
        1 => json!({"name": "bytes"}),
        _ => json!({"name": "bytes", "configuration": {"endian": "little"}}),
    };
    let scale =
        json!({"offset": number_to_json(plan.zarr_offset), "scale": number_to_json(plan.scale)});
    json!([
        {"name": "scale_offset", "configuration": scale},
        {"name": "cast_value", "configuration": cast},
        bytes,
    ])
}

/// Returns a plan as JSON.
#[must_use]
pub fn plan_to_json(request: &PlanRequest, plan: &Plan) -> Value {
    json!({
        "scale": number_to_json(plan.scale),
        "offset": number_to_json(plan.offset),
        "fill": plan.fill,
        "infinite": infinite_to_json(plan.infinite),
        "maximum_error": number_to_json(plan.maximum_error),
        "headroom": plan.headroom.map(number_to_json),
        "codecs": planned_codecs(request, plan),
    })
}
