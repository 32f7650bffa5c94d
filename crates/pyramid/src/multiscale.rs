//! The document of the group that contains the levels.

use exactum_model::Method;
use serde_json::{Value, json};

use crate::error::Error;
use crate::input::Image;
use crate::plan::{Options, Plan};

/// Describes how a pyramid is made from an array. The description is stored in the group for its readers, and in the
/// journal to prevent another pyramid from being completed as this one.
pub(crate) fn description(plan: &Plan) -> Value {
    let options = &plan.options;
    let mut description = json!({
        "factors": factors(options),
        "method": options.method.name(),
        "levels": plan.levels.len() - 1,
        "from_base": options.from_base,
        "copy_base": options.copy_base,
    });
    left_out(options, &mut description);
    description
}

/// Returns a list of factors for all levels, or a list of such lists.
fn factors(options: &Options) -> Value {
    match &options.factors[..] {
        [all] => json!(all),
        each => json!(each),
    }
}

/// Describes the values that are left out of blocks, if there are any.
fn left_out(options: &Options, of: &mut Value) {
    if let Some(value) = &options.skip_value {
        of["skip_value"] = serde_json::from_str(value).unwrap_or_default();
    }
    if let Some(nan) = options.nan {
        of["nan"] = nan.name().into();
    }
}

/// Returns the document of the group. If the array belongs to an OME-Zarr 0.5 image and level 0 exists, it is the
/// document of such an image, as that specification requires. `record` states the input of the pyramid, and its files.
///
/// # Errors
/// If the image has a scale or a translation that is not a list of one number for each dimension, or if that
/// of a level is too large for a number.
pub(crate) fn group(plan: &Plan, image: Option<&Image>, record: &Value) -> Result<Value, Error> {
    let mut attributes = json!({ "exactum_downsample": description(plan), "exactum": record });
    if let Some(image) = image.filter(|_| plan.options.copy_base) {
        attributes["ome"] = ome(plan, image)?;
    }
    Ok(json!({
        "zarr_format": 3,
        "node_type": "group",
        "attributes": attributes,
    }))
}

/// Returns the image with its levels: everything about axes and the display is kept, and each level has its
/// scale.
fn ome(plan: &Plan, image: &Image) -> Result<Value, Error> {
    let mut multiscale = image.multiscale().clone();
    let levels = plan.written().map(|level| {
        Ok(json!({
            "path": level.to_string(),
            "coordinateTransformations": transformations(plan, image, level)?,
        }))
    });
    multiscale["datasets"] = levels.collect::<Result<_, Error>>()?;
    multiscale["type"] = plan.options.method.name().into();
    multiscale["metadata"] = json!({
        "method": "exactum downsample",
        "version": env!("CARGO_PKG_VERSION"),
        "kwargs": { "factors": factors(&plan.options), "from_base": plan.options.from_base },
    });
    left_out(&plan.options, &mut multiscale["metadata"]["kwargs"]);
    let mut ome = image.0.clone();
    ome["multiscales"] = json!([multiscale]);
    Ok(ome)
}

/// The place of the transformations in the document of an image.
const PLACE: &str = "attributes.ome.multiscales[0].datasets[0].coordinateTransformations";

/// Returns the numbers of the first transformation of a kind, one for each dimension, if there is such a
/// transformation.
fn numbers(image: &Image, kind: &str, rank: usize) -> Result<Option<Vec<f64>>, Error> {
    let wrong = |what: String| Err(Error::Input(format!("{PLACE}: {what}")));
    let all = &image.multiscale()["datasets"][0]["coordinateTransformations"];
    let all = match all {
        Value::Null => return Ok(None),
        Value::Array(all) => all,
        other => return wrong(format!("{other} is not a list")),
    };
    let Some(found) = all.iter().find(|it| it["type"] == kind) else {
        return Ok(None);
    };
    let Some(list) = found[kind].as_array() else {
        return wrong(format!(
            "the {kind} {} is not a list of numbers",
            found[kind]
        ));
    };
    if list.len() != rank {
        return wrong(format!(
            "the {kind} {} has {} numbers, but the array has {rank} dimensions",
            found[kind],
            list.len()
        ));
    }
    let list: Option<Vec<f64>> = list.iter().map(Value::as_f64).collect();
    match list {
        Some(list) => Ok(Some(list)),
        None => wrong(format!(
            "the {kind} {} is not a list of numbers",
            found[kind]
        )),
    }
}

/// Returns the positions of the elements of a level. Their distance is that of the array times the factors.
/// Since an element represents a whole block, its position is the middle of the block; for stride, it is the
/// first element of the block.
fn transformations(plan: &Plan, image: &Image, level: usize) -> Result<Value, Error> {
    let rank = plan.levels[0].shape.len();
    let mut factors = vec![1.0; rank];
    for below in 1..=level {
        for (all, &factor) in factors.iter_mut().zip(plan.options.factors_of(below)) {
            *all *= number(factor);
        }
    }
    let scale = numbers(image, "scale", rank)?.unwrap_or_else(|| vec![1.0; rank]);
    let translation = numbers(image, "translation", rank)?;
    let mut translation = translation.unwrap_or_else(|| vec![0.0; rank]);
    if plan.options.method != Method::Stride {
        for ((start, scale), factor) in translation.iter_mut().zip(&scale).zip(&factors) {
            *start += scale * (factor - 1.0) / 2.0;
        }
    }
    let scale: Vec<f64> = std::iter::zip(&scale, &factors)
        .map(|(a, b)| a * b)
        .collect();
    if !scale.iter().chain(&translation).all(|it| it.is_finite()) {
        return Err(Error::Input(format!(
            "{PLACE}: the scale or the translation of level {level} is too large for a number"
        )));
    }
    let mut all = vec![json!({ "type": "scale", "scale": scale })];
    if translation.iter().any(|&start| start != 0.0) {
        all.push(json!({ "type": "translation", "translation": translation }));
    }
    Ok(all.into())
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the scale of an image is a float64"
)]
fn number(factor: u64) -> f64 {
    factor as f64
}
