//! The codecs that an array is packed with, and the largest error that is proved for them.

use std::path::Path;

use exactum_metadata::parse_array;
use exactum_metadata::sds::{number_to_json, planned_codecs};
use exactum_model::sds::{Needs, PlanRequest, Policy, Profile, SdsType};
use exactum_model::{Chain, DataType};
use exactum_pyramid::Packing;
use exactum_reference::analysis::{Effort, analyse};
use exactum_reference::sds;
use serde_json::Value;

use crate::number;
use crate::plan::scan::{Found, scan};
use crate::proof::with_both_zeros;

/// Up to this number of codes, the error is computed for each of them; for more, it is bounded.
const EFFORT: Effort = Effort {
    codes: 1 << 12,
    values: 0,
};

/// Parts of the largest step that are tried one after another: an error may be a little more than half a step.
const STEPS: [f64; 6] = [2.0, 1.999, 1.98, 1.9, 1.5, 1.0];

/// Integers that values are packed into, the smallest first.
const TARGETS: [SdsType; 5] = [
    SdsType::U1,
    SdsType::I1,
    SdsType::U2,
    SdsType::I2,
    SdsType::I4,
];

/// The values of an array.
pub(super) struct Values {
    data_type: DataType,
    /// The least and the greatest finite value, by their bits, if there is one.
    range: Option<[u64; 2]>,
    /// What has to come back beside the range.
    needs: Needs,
}

impl Values {
    /// Reads the array of a folder.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn of(folder: &Path, data_type: DataType) -> Result<Self, String> {
        let found: Found = scan(folder, true)?;
        Ok(Self {
            data_type,
            range: found.range.map(|range| with_both_zeros(data_type, range)),
            needs: Needs {
                nan: found.nan,
                positive_infinity: found.positive_infinity,
                negative_infinity: found.negative_infinity,
            },
        })
    }

    /// The names of what has to come back beside the range.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            (self.needs.nan, "NaN"),
            (self.needs.positive_infinity, "Infinity"),
            (self.needs.negative_infinity, "-Infinity"),
        ];
        all.into_iter()
            .filter(|(is_needed, _)| *is_needed)
            .map(|(_, name)| name)
    }

    /// The largest error that is proved for a document.
    ///
    /// # Errors
    /// When nothing is proved, with the reason.
    pub(super) fn proved(&self, document: &Value) -> Result<f64, String> {
        let parsed =
            parse_array(&document.to_string()).map_err(|rejection| rejection.to_string())?;
        let chain: &Chain = &parsed.chain;
        let zero = number::read(self.data_type, "0").unwrap_or_default();
        let range = self.range.unwrap_or([zero; 2]);
        let analysis = analyse(chain, range, EFFORT).map_err(|rejection| rejection.to_string())?;
        let shown = |bits| number::shown(self.data_type, bits);
        if !analysis.is_proof() {
            return Err(format!(
                "not every value from {} to {} survives the codecs; `exactum prove` shows which",
                shown(range[0]),
                shown(range[1])
            ));
        }
        for name in self.names() {
            let bits = number::read(self.data_type, name)?;
            let same = |other| self.data_type.format().same_value(other, bits);
            let special = analysis.specials.iter().find(|it| same(it.value));
            let stored = special.and_then(|it| it.outcome.as_ref().ok());
            if !stored.is_some_and(|it| it.back.as_ref().is_ok_and(|&back| same(back))) {
                return Err(format!(
                    "the array holds {name}, which does not survive the codecs"
                ));
            }
        }
        let error = analysis.error.ok_or("no bound of the error is known")?;
        Ok(f64::from_bits(number::above(&error.bound)))
    }
}

/// A packing with its bound.
///
/// # Errors
/// When nothing is proved for it, or the error is above the one that is allowed.
pub(super) fn promised(
    values: &Values,
    document: &Value,
    packing: Packing,
    most: Option<f64>,
) -> Result<Packing, String> {
    let made = packing
        .document(document)
        .map_err(|fault| fault.to_string())?;
    let bound = values.proved(&made)?;
    match most {
        Some(most) if bound > most => Err(format!(
            "the codecs have an error of up to {bound}, which is above {most}"
        )),
        _ => Ok(Packing { bound, ..packing }),
    }
}

/// The packing into the smallest integers whose error is proved to be `most` at most. Whatever else plans packings is
/// called here, and here only.
///
/// # Errors
/// When there is none, with the reason of the widest integers.
pub(super) fn planned(
    values: &Values,
    document: &Value,
    packing: &Packing,
    most: f64,
) -> Result<Packing, String> {
    let zero = number::read(values.data_type, "0").unwrap_or_default();
    let ends = values.range.unwrap_or([zero; 2]).map(|bits| {
        let text = number::shown(values.data_type, bits);
        text.parse::<f64>().map_err(|fault| fault.to_string())
    });
    let [minimum, maximum] = ends;
    let (minimum, maximum) = (minimum?.to_bits(), maximum?.to_bits());
    let mut reason = "no integers are wide enough".to_owned();
    for target in TARGETS {
        for step in STEPS {
            let request = PlanRequest {
                minimum,
                maximum,
                target,
                needs: values.needs,
                policy: Policy::Quantum((most * step).to_bits()),
                profile: Profile::Soi97,
            };
            let plan = match sds::plan(&request) {
                Ok(plan) => plan,
                Err(rejection) => {
                    reason = rejection.message;
                    break;
                }
            };
            let tried = Packing {
                codecs: planned_codecs(&request, &plan),
                // It has to survive the codecs, too: the offset is the code 0.
                fill_value: Some(match plan.fill {
                    Some(_) => "NaN".into(),
                    None => number_to_json(plan.zarr_offset),
                }),
                ..packing.clone()
            };
            match promised(values, document, tried, Some(most)) {
                Ok(packing) => return Ok(packing),
                Err(words) => reason = words,
            }
        }
    }
    Err(format!(
        "there is no packing with an error of at most {most}: {reason}"
    ))
}
