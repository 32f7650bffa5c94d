//! The document of the group that holds the levels.

use exactum_model::Method;
use serde_json::{Value, json};

use crate::input::Image;
use crate::plan::{Options, Plan};

/// What the pyramid is made of and how: in its group, for whoever finds it, and in its journal, so that nobody goes on
/// with another one. `array` is the document of the array.
pub(crate) fn description(plan: &Plan, array: &str) -> Value {
    let options = &plan.options;
    let mut description = json!({
        "factors": options.factors,
        "method": options.method.name(),
        "levels": plan.levels.len() - 1,
        "from_base": options.from_base,
        "copy_base": options.copy_base,
        "array": serde_json::from_str::<Value>(array).unwrap_or_default(),
    });
    left_out(options, &mut description);
    description
}

/// Says what is left out of blocks, where anything is.
fn left_out(options: &Options, of: &mut Value) {
    if let Some(value) = &options.skip_value {
        of["skip_value"] = serde_json::from_str(value).unwrap_or_default();
    }
    if let Some(nan) = options.nan {
        of["nan"] = nan.name().into();
    }
}

/// The document of the group: that of an image of OME-Zarr 0.5 where the array is one of such an image and level 0
/// is there, as the text asks.
pub(crate) fn group(plan: &Plan, description: &Value, image: Option<&Image>) -> String {
    let mut attributes = json!({ "exactum_downsample": description });
    if let Some(image) = image.filter(|_| plan.options.copy_base) {
        attributes["ome"] = ome(plan, image);
    }
    let group = json!({
        "zarr_format": 3,
        "node_type": "group",
        "attributes": attributes,
    });
    format!("{group:#}\n")
}

/// The image with its levels: all that it says of axes and of the display stays, and each level has its scale.
fn ome(plan: &Plan, image: &Image) -> Value {
    let mut multiscale = image.multiscale().clone();
    let levels = plan.written().map(|level| {
        json!({
            "path": level.to_string(),
            "coordinateTransformations": transformations(plan, image, level),
        })
    });
    multiscale["datasets"] = levels.collect();
    multiscale["type"] = plan.options.method.name().into();
    multiscale["metadata"] = json!({
        "method": "exactum downsample",
        "version": env!("CARGO_PKG_VERSION"),
        "kwargs": { "factors": plan.options.factors, "from_base": plan.options.from_base },
    });
    left_out(&plan.options, &mut multiscale["metadata"]["kwargs"]);
    let mut ome = image.0.clone();
    ome["multiscales"] = json!([multiscale]);
    ome
}

/// Where the elements of a level are: as far apart as those of the array times the factors, and, since an element
/// stands for a whole block, in the middle of it; one of a stride is the first of its block.
fn transformations(plan: &Plan, image: &Image, level: usize) -> Value {
    let first = &image.multiscale()["datasets"][0]["coordinateTransformations"];
    let numbers = |kind: &str, otherwise: f64| -> Vec<f64> {
        let all = first.as_array().into_iter().flatten();
        let found = all
            .filter(|it| it["type"] == kind)
            .find_map(|it| it[kind].as_array());
        let numbers = found.map(|list| list.iter().map(|it| it.as_f64().unwrap_or(otherwise)));
        let numbers: Vec<f64> = numbers.into_iter().flatten().collect();
        let rank = plan.options.factors.len();
        match numbers.len() == rank {
            true => numbers,
            false => vec![otherwise; rank],
        }
    };
    let factors: Vec<f64> = plan
        .options
        .factors
        .iter()
        .map(|&factor| number(factor).powi(i32::try_from(level).unwrap_or(i32::MAX)))
        .collect();
    let scale = numbers("scale", 1.0);
    let mut translation = numbers("translation", 0.0);
    if plan.options.method != Method::Stride {
        for ((start, scale), factor) in translation.iter_mut().zip(&scale).zip(&factors) {
            *start += scale * (factor - 1.0) / 2.0;
        }
    }
    let scale: Vec<f64> = std::iter::zip(&scale, &factors)
        .map(|(a, b)| a * b)
        .collect();
    let mut all = vec![json!({ "type": "scale", "scale": scale })];
    if translation.iter().any(|&start| start != 0.0) {
        all.push(json!({ "type": "translation", "translation": translation }));
    }
    all.into()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the scale of an image is a float64"
)]
fn number(factor: u64) -> f64 {
    factor as f64
}
