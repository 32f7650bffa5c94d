//! Requests of the row `sds`: questions about data sets, and an implementation's answers.

use exactum_metadata::sds::{
    DataSets, data_sets_to_json, lowered_to_json, parse_plan, parse_scaling, parse_sds,
    plan_to_json, sds_type,
};
use exactum_model::sds::{
    DataSet, External, Lowered, NAN, Output, Plan, PlanRequest, Profile, Scaling, SdsType, Warnings,
};
use exactum_model::{Reason, Rejection};
use serde_json::{Map, Value, json};

use crate::asked::Asked;
use crate::operations::Verb;
use crate::protocol::{Fault, Outcome, Success};

/// A parsed request of the row `sds`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SdsCall {
    /// `sds.convert`: convert to another type.
    Convert(DataSets, SdsType, Profile),
    /// `sds.read`: read external data of a protocol, with or without a cast.
    Read(DataSets, Option<SdsType>, Option<External>, Profile),
    /// `sds.write`: write to a format, with or without a cast.
    Write(DataSets, Option<SdsType>, Output, Profile),
    /// `sds.set`: the data sets with their attributes set, which needs no computation.
    Set(DataSets),
    /// `sds.lower`: express a scaling in other conventions.
    Lower(Scaling),
    /// `sds.missing`: find the missing elements.
    Missing(DataSets),
    /// `sds.plan`: plan how to pack a range.
    Plan(PlanRequest),
}

/// A data set with its warnings.
pub type Converted = Result<(DataSet, Warnings), Rejection>;

/// An implementation of the row.
pub trait SdsCodec {
    /// Converts to a type.
    fn convert(&self, input: &DataSet, target: SdsType, profile: Profile) -> Converted;

    /// Reads external data.
    fn read(
        &self,
        input: &DataSet,
        cast: Option<SdsType>,
        external: Option<External>,
        profile: Profile,
    ) -> Converted;

    /// Writes to an external format.
    fn write(
        &self,
        input: &DataSet,
        cast: Option<SdsType>,
        output: &Output,
        profile: Profile,
    ) -> Converted;

    /// Expresses a scaling in other conventions.
    ///
    /// # Errors
    /// If a number is not finite.
    fn lower(&self, scaling: Scaling) -> Result<Lowered, Rejection>;

    /// Returns which elements are missing.
    ///
    /// # Errors
    /// If the type has no such test.
    fn missing(&self, input: &DataSet) -> Result<Vec<bool>, Rejection>;

    /// Plans a packing.
    ///
    /// # Errors
    /// If the range has no plan.
    fn plan(&self, request: &PlanRequest) -> Result<Plan, Rejection>;
}

impl SdsCall {
    /// Reads the members of a request.
    pub(crate) fn read(verb: Verb, asked: &Asked<'_>) -> Outcome<Self> {
        if verb == Verb::Lower {
            let text = asked.json("scaling").map(Value::to_string);
            return Ok(SdsCall::Lower(parse_scaling(&text.unwrap_or_default())?));
        }
        if verb == Verb::Plan {
            let asked_for = ["minimum", "maximum", "target", "needs", "policy", "profile"];
            let there = asked_for.map(|key| Some((key.to_owned(), asked.json(key)?.clone())));
            let members: Map<String, Value> = there.into_iter().flatten().collect();
            return Ok(SdsCall::Plan(parse_plan(
                &Value::Object(members).to_string(),
            )?));
        }
        let profile = match asked.json("profile") {
            None => None,
            Some(_) => Some(named("profile", asked.text("profile")?, Profile::by_name)?),
        };
        let text = asked.json("input").map(Value::to_string);
        let document = parse_sds(&text.unwrap_or_default(), profile)?;
        let profile = profile.or(document.profile).unwrap_or_default();
        let sets = document.sets;
        let cast = || -> Outcome<Option<SdsType>> {
            match asked.text("cast")? {
                "ANY" => Ok(None),
                name => Ok(Some(sds_type(name)?)),
            }
        };
        let external = || match asked.json("external") {
            None | Some(Value::Null) => Ok(None),
            Some(_) => named("external", asked.text("external")?, External::by_name).map(Some),
        };
        Ok(match verb {
            Verb::Convert => SdsCall::Convert(sets, sds_type(asked.text("target")?)?, profile),
            Verb::Read => SdsCall::Read(sets, cast()?, external()?, profile),
            Verb::Write => {
                let output = Output {
                    storage: match asked.json("storage") {
                        None => SdsType::I2,
                        Some(_) => sds_type(asked.text("storage")?)?,
                    },
                    scaling: asked.json("scaling") != Some(&Value::Bool(false)),
                    fill: match asked.json("fill") {
                        None | Some(Value::Null) => None,
                        Some(fill) => Some(number("fill", fill)?),
                    },
                    external: external()?,
                };
                SdsCall::Write(sets, cast()?, output, profile)
            }
            Verb::Set => {
                let attribute = |key: &str| match asked.json(key) {
                    None => Ok(None),
                    Some(Value::Null) => Ok(Some(None)),
                    Some(value) => number(key, value).map(|bits| Some(Some(bits))),
                };
                let (scale, offset) = (attribute("scale")?, attribute("offset")?);
                SdsCall::Set(sets.try_map(|_, set| {
                    let mut set = set.clone();
                    if let Some(scale) = scale {
                        set.scaling.set_scale(scale);
                    }
                    if let Some(offset) = offset {
                        set.scaling.set_offset(offset);
                    }
                    Ok::<_, Fault>(set)
                })?)
            }
            _ => SdsCall::Missing(sets),
        })
    }

    /// Returns the verb that is part of the operation's name.
    pub(crate) const fn verb(&self) -> &'static str {
        match self {
            SdsCall::Convert(..) => "convert",
            SdsCall::Read(..) => "read",
            SdsCall::Write(..) => "write",
            SdsCall::Set(_) => "set",
            SdsCall::Lower(_) => "lower",
            SdsCall::Missing(_) => "missing",
            SdsCall::Plan(_) => "plan",
        }
    }

    /// Answers the request with an implementation.
    ///
    /// # Errors
    /// The rejection by the implementation; if several variables are rejected, that of the first by name.
    pub fn answer(&self, of: &dyn SdsCodec) -> Outcome {
        let document = match self {
            SdsCall::Convert(sets, target, profile) => {
                converted(sets, |set| of.convert(set, *target, *profile))?
            }
            SdsCall::Read(sets, cast, external, profile) => {
                converted(sets, |set| of.read(set, *cast, *external, *profile))?
            }
            SdsCall::Write(sets, cast, output, profile) => {
                converted(sets, |set| of.write(set, *cast, output, *profile))?
            }
            SdsCall::Set(sets) => json!({"output": data_sets_to_json(sets)}),
            SdsCall::Lower(scaling) => lowered_to_json(&of.lower(*scaling)?),
            SdsCall::Plan(request) => plan_to_json(request, &of.plan(request)?),
            SdsCall::Missing(sets) => match sets {
                DataSets::One(set) => json!({"mask": of.missing(set)?}),
                DataSets::Variables(sets) => {
                    let mut masks = Map::new();
                    for (name, set) in sets {
                        masks.insert(name.clone(), json!({"mask": of.missing(set)?}));
                    }
                    json!({"variables": masks})
                }
            },
        };
        let Value::Object(members) = document else {
            return Err(Fault::Error("an answer is an object".into()));
        };
        Ok(Success::Document(members))
    }
}

fn converted(sets: &DataSets, convert: impl Fn(&DataSet) -> Converted) -> Outcome<Value> {
    let mut warnings = Warnings::new();
    let output = sets.try_map(|name, set| {
        let (output, more) = convert(set).map_err(|mut rejection| {
            if let Some(name) = name {
                rejection.message = format!("{name}: {}", rejection.message);
            }
            rejection
        })?;
        warnings.extend(more);
        Ok::<_, Rejection>(output)
    })?;
    let warnings: Vec<&str> = warnings.iter().map(|warning| warning.name()).collect();
    Ok(json!({"output": data_sets_to_json(&output), "warnings": warnings}))
}

/// Reads a number of a request, either a JSON number or the name of NaN or an infinity, as binary64 bits.
fn number(key: &str, value: &Value) -> Outcome<u64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => match text.as_str() {
            "NaN" => return Ok(NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    };
    number.map(f64::to_bits).ok_or_else(|| {
        let message = format!("{key} is a number, \"NaN\", \"Infinity\" or \"-Infinity\"");
        Rejection::new(Reason::Metadata, "sds.2.1", message)
            .at_pointer(format!("/{key}"))
            .into()
    })
}

fn named<T>(key: &str, name: &str, by_name: fn(&str) -> Option<T>) -> Outcome<T> {
    by_name(name).ok_or_else(|| {
        Rejection::new(
            Reason::Metadata,
            "sds.document",
            format!("there is no {key} {name:?}"),
        )
        .at_pointer(format!("/{key}"))
        .into()
    })
}
