//! Data sets of the row `sds` as JSON (spec/sds.md): one data set, or several variables with their
//! names.

mod plan;
mod schema;
mod write;

use exactum_exact::{Literal, parse};
use exactum_model::sds::{DataSet, Fill, Infinite, Profile, Scaling, SdsType, Values};
use exactum_model::{At, DataType, Reason, Rejection};

use crate::diagnostic::Read;
use crate::faults::Parts;
use crate::json::{Attributes, Kind, Node, Tree};
use crate::members::{array, choice, closed, object};
use crate::words::quoted;

pub(crate) use schema::schema;

pub use plan::{parse_plan, plan_to_json, planned_codecs, planned_codes};
pub use write::{data_set_to_json, data_sets_to_json, lowered_to_json, number_to_json};

/// The content of a document of data sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataSets {
    /// One data set.
    One(DataSet),
    /// Several variables by name, in the order of the document.
    Variables(Vec<(String, DataSet)>),
}

impl DataSets {
    /// Returns all data sets, without their names.
    #[must_use]
    pub fn sets(&self) -> Vec<&DataSet> {
        match self {
            DataSets::One(set) => vec![set],
            DataSets::Variables(sets) => sets.iter().map(|(_, set)| set).collect(),
        }
    }

    /// Applies a function to every data set and its name, which is that of the variable.
    ///
    /// # Errors
    /// The first error of `change`.
    pub fn try_map<E>(
        &self,
        mut change: impl FnMut(Option<&str>, &DataSet) -> Result<DataSet, E>,
    ) -> Result<Self, E> {
        Ok(match self {
            DataSets::One(set) => DataSets::One(change(None, set)?),
            DataSets::Variables(sets) => {
                let one =
                    |(name, set): &(String, DataSet)| Ok((name.clone(), change(Some(name), set)?));
                DataSets::Variables(sets.iter().map(one).collect::<Result<_, E>>()?)
            }
        })
    }
}

/// A document of kind `sds`: its data sets, and the profile that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SdsDocument {
    /// The profile of the document, if it names one.
    pub profile: Option<Profile>,
    /// The data sets.
    pub sets: DataSets,
}

/// Reads a document of kind `sds`. The requested profile applies unless the document names its own.
///
/// # Errors
/// The clauses of `sds.*` about documents; pointers are those of the document.
pub fn parse_sds(text: &str, profile: Option<Profile>) -> Result<SdsDocument, Rejection> {
    let tree = Tree::scan(text, Attributes::Entered)?;
    Ok(document(tree.root(), profile)?)
}

pub(crate) fn document(root: Node<'_>, asked: Option<Profile>) -> Read<SdsDocument> {
    const OWNER: &str = "a data set";
    object(root, "sds.document", OWNER)?;
    if root.get("variables").is_none() {
        let profile = profile(root.get("profile"))?;
        let set = data_set(root, asked.or(profile), OWNER)?;
        let sets = DataSets::One(set);
        return Ok(SdsDocument { profile, sets });
    }
    let [variables, profile_node] =
        closed(root, &["variables", "profile"], "sds.document.keys", OWNER)?;
    let profile = profile(profile_node)?;
    let mut sets = Vec::new();
    if let Some(variables) = variables {
        object(variables, "sds.document", "variables")?;
        for (name, set) in variables.members() {
            let read = variable(set, asked.or(profile), OWNER);
            if let Some(variable) = set.keep(read)? {
                sets.push((name.key().into_owned(), variable));
            }
        }
    }
    let sets = DataSets::Variables(sets);
    Ok(SdsDocument { profile, sets })
}

fn profile(node: Option<Node<'_>>) -> Read<Option<Profile>> {
    const CHOICES: [(&str, Profile); 2] = [("tn115", Profile::Tn115), ("soi97", Profile::Soi97)];
    node.map(|node| choice(node, "sds.profile", "profile", &CHOICES))
        .transpose()
}

/// Reads one of several data sets.
fn variable(node: Node<'_>, profile: Option<Profile>, owner: &str) -> Read<DataSet> {
    object(node, "sds.document", owner)?;
    if let Some(own) = node.get("profile") {
        return Err(own
            .reject("sds.document.keys", "all variables have the same profile")
            .help("write the profile next to \"variables\""));
    }
    data_set(node, profile, owner)
}

/// Reads one data set.
fn data_set(node: Node<'_>, profile: Option<Profile>, owner: &str) -> Read<DataSet> {
    const KEYS: [&str; 6] = ["type", "values", "scaling", "fill", "infinite", "profile"];
    let [of, values, scaling, fill, infinite, _] = closed(node, &KEYS, "sds.document.keys", owner)?;
    let missing = |key: &str| {
        node.reject("sds.document", format!("{owner} has no {key}"))
            .help(format!("add the key {key:?}"))
    };
    let mut parts = Parts::of(node);
    let of = parts.take(of.ok_or_else(|| missing("type")).and_then(read_type))?;
    let values = values.ok_or_else(|| missing("values"));
    let values = match of {
        // Their type is not known.
        None => parts.take(values)?.and(None),
        Some(of) => parts.take(values.and_then(|node| read_values(node, of)))?,
    };
    let scaling = parts.take(scaling.map_or(Ok(Scaling::UNSET), read_scaling))?;
    let fill = match (fill, of) {
        (Some(node), Some(of)) => parts.take(read_fill(node, of))?,
        _ => Some(Fill::Undefined),
    };
    let infinite = parts.take(infinite.map_or(Ok(None), read_infinite))?;
    parts.end()?;
    let whole = of.zip(values).zip(scaling).zip(fill).zip(infinite);
    // Without a fault, all parts are present.
    let whole =
        whole.ok_or_else(|| node.reject("sds.document", "part of the document cannot be read"))?;
    let ((((of, values), scaling), fill), infinite) = whole;
    let profile = profile.unwrap_or_default();
    let set = DataSet::new(of, values, scaling, fill, infinite, profile);
    set.map_err(|rejection| {
        // A place inside this data set becomes a place in the document.
        let pointer = match &rejection.at {
            Some(At::Element(index)) => format!("/values/{index}"),
            Some(At::Pointer(pointer)) => pointer.clone(),
            None => String::new(),
        };
        let whole = format!("{}{pointer}", node.pointer());
        let mut fault = node.nearest(&pointer).place_rejection(rejection);
        fault.rejection.at = Some(At::Pointer(whole));
        fault
    })
}

/// Returns the numeric type with a name (sds.1.1).
///
/// # Errors
/// If there is no such type.
pub fn sds_type(name: &str) -> Result<SdsType, Rejection> {
    SdsType::by_name(name).ok_or_else(|| {
        let message = format!("there is no numeric type {}", quoted(name));
        Rejection::new(Reason::Metadata, "sds.1.1", message)
    })
}

/// Reads a scaling, the text of a JSON object.
///
/// # Errors
/// The same as [`parse_sds`] for the scaling of a data set.
pub fn parse_scaling(text: &str) -> Result<Scaling, Rejection> {
    let tree = Tree::scan(text, Attributes::Entered)?;
    Ok(read_scaling(tree.root())?)
}

/// Reads the name of a numeric type (sds.1.1).
fn read_type(node: Node<'_>) -> Read<SdsType> {
    let choices = SdsType::ALL.map(|of| (of.name(), of));
    choice(node, "sds.1.1", "numeric type", &choices)
}

fn read_values(node: Node<'_>, of: SdsType) -> Read<Values> {
    array(node, "sds.document", "values")?;
    let nodes = node.elements();
    Ok(match of {
        SdsType::R4 => Values::Singles(node.all(nodes.map(single))?),
        SdsType::R8 => {
            let doubles = nodes.map(|node| real(node, DataType::Float64, "sds.1.3"));
            Values::Doubles(node.all(doubles)?)
        }
        SdsType::C8 => Values::Complex(node.all(nodes.map(complex))?),
        _ => Values::Integers(node.all(nodes.map(|node| integer(node, "sds.1.2")))?),
    })
}

/// Reads an integer in plain notation.
fn integer(node: Node<'_>, clause: &'static str) -> Read<i64> {
    let number = (node.kind() == Kind::Number).then(|| node.raw().parse().ok());
    number.flatten().ok_or_else(|| {
        node.reject(
            clause,
            format!("{} is not an integer in plain notation", node.describe()),
        )
        .help("write a JSON integer without fraction or exponent")
    })
}

fn single(node: Node<'_>) -> Read<u32> {
    let bits = real(node, DataType::Float32, "sds.1.3")?;
    Ok(u32::try_from(bits).unwrap_or(u32::MAX))
}

fn complex(node: Node<'_>) -> Read<[u32; 2]> {
    array(node, "sds.1.1", "a complex value")?;
    let mut parts = node.elements();
    let (Some(re), Some(im), None) = (parts.next(), parts.next(), parts.next()) else {
        return Err(node.reject("sds.1.1", "a complex value is a pair of real numbers"));
    };
    Ok([single(re)?, single(im)?])
}

/// Reads a real number, which is a decimal or the name of NaN or an infinity, and returns its bits.
fn real(node: Node<'_>, data_type: DataType, clause: &'static str) -> Read<u64> {
    let wrong = || {
        node.reject(clause, format!("{} is not a real number", node.describe()))
            .help("write a decimal number, \"NaN\", \"Infinity\" or \"-Infinity\"")
    };
    let literal = match node.kind() {
        Kind::Number => Literal::Number(node.raw().to_owned()),
        Kind::String => match &*node.text()? {
            text @ ("NaN" | "Infinity" | "-Infinity") => Literal::Text(text.to_owned()),
            _ => return Err(wrong()),
        },
        _ => return Err(wrong()),
    };
    let scalar = parse(data_type, &literal).map_err(|_| wrong())?;
    let bits = scalar.component(0);
    let overflows = node.kind() == Kind::Number
        && data_type
            .format()
            .float()
            .is_some_and(|format| format.is_infinite(bits));
    if overflows {
        return Err(node.reject(
            clause,
            format!("{} is out of the range of {data_type}", node.describe()),
        ));
    }
    Ok(bits)
}

/// Reads the SCALE and OFFSET of a document: finite numbers or null, SCALE not zero
/// (sds.document.attributes).
fn read_scaling(node: Node<'_>) -> Read<Scaling> {
    if node.kind() == Kind::Null {
        return Ok(Scaling::UNSET);
    }
    object(node, "sds.document", "scaling")?;
    let [scale, offset] = closed(node, &["scale", "offset"], "sds.document.keys", "scaling")?;
    let attribute = |node: Option<Node<'_>>| -> Read<Option<u64>> {
        match node {
            Some(node) if node.kind() != Kind::Null => {
                real(node, DataType::Float64, "sds.2.1").map(Some)
            }
            _ => Ok(None),
        }
    };
    let (scale_bits, offset_bits) = node.both(attribute(scale), || attribute(offset))?;
    let set = Scaling::of(scale_bits, offset_bits);
    if (set.scale(), set.offset()) == (scale_bits, offset_bits) {
        return Ok(set);
    }
    let at_fault = if Scaling::of(scale_bits, None).scale() == scale_bits {
        offset
    } else {
        scale
    };
    Err(at_fault
        .unwrap_or(node)
        .reject_as(
            Reason::Scaling,
            "sds.document.attributes",
            "SCALE must be a finite number other than zero, and OFFSET a finite number",
        )
        .help("write null if an attribute is unset"))
}

fn read_fill(node: Node<'_>, of: SdsType) -> Read<Fill> {
    if node.kind() == Kind::Null {
        return Ok(Fill::Undefined);
    }
    if of.is_integer() {
        return integer(node, "sds.6.1").map(Fill::Code);
    }
    let bits = real(node, DataType::Float64, "sds.6.1")?;
    let format = DataType::Float64.format().float();
    let is_nan = format.is_some_and(|format| format.is_nan(bits));
    Ok(if is_nan { Fill::Nan } else { Fill::Real(bits) })
}

fn read_infinite(node: Node<'_>) -> Read<Option<Infinite>> {
    if node.kind() == Kind::Null {
        return Ok(None);
    }
    object(node, "sds.7.1", "infinite")?;
    let [positive, negative] = closed(node, &["pos", "neg"], "sds.document.keys", "infinite")?;
    let Some(positive) = positive else {
        return Err(node
            .reject("sds.7.1", "infinite has no code for positive infinity")
            .help("add the key \"pos\""));
    };
    let negative = negative.filter(|node| node.kind() != Kind::Null);
    Ok(Some(Infinite {
        positive: integer(positive, "sds.7.1")?,
        negative: negative.map(|node| integer(node, "sds.7.1")).transpose()?,
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn data_sets_come_back_as_they_were_written() {
        let check = |text: &str| {
            let document = parse_sds(text, None).unwrap_or_else(|it| panic!("{text}: {it}"));
            let written = data_sets_to_json(&document.sets);
            let given: Value = serde_json::from_str(text).unwrap();
            assert_eq!(written, given, "{text}");
        };
        let rest = r#""scaling":{"scale":null,"offset":null},"fill":null,"infinite":null"#;
        check(&format!(r#"{{"type":"i2","values":[1,-32768],{rest}}}"#));
        check(&format!(
            r#"{{"type":"r4","values":[0.1,"NaN",16777216.0],{rest}}}"#
        ));
        check(&format!(
            r#"{{"type":"r8","values":[0.1,"Infinity","-Infinity",-0.0,1e300],{rest}}}"#
        ));
        check(&format!(r#"{{"type":"c8","values":[[0.5,"NaN"]],{rest}}}"#));
        check(
            r#"{"type":"i2","values":[],"scaling":{"scale":-0.75,"offset":32767.0},
                "fill":-32768,"infinite":{"pos":32767,"neg":-32767}}"#,
        );
        check(
            r#"{"type":"r4","values":[],"scaling":{"scale":null,"offset":2.0},
                "fill":-8.388608e16,"infinite":null}"#,
        );
        check(&format!(
            r#"{{"variables":{{"a":{{"type":"u1","values":[3],{rest}}}}}}}"#
        ));
    }

    #[test]
    fn wrong_documents_name_clause_and_place() {
        let check = |text: &str, clause: &str, pointer: &str| {
            let rejection = parse_sds(text, None).unwrap_err();
            assert_eq!(
                (rejection.clause, rejection.at),
                (clause, Some(At::Pointer(pointer.into()))),
                "{text}"
            );
        };
        check(r#"{"type":"i3","values":[]}"#, "sds.1.1", "/type");
        check(r#"{"type":"i2"}"#, "sds.document", "");
        check(r#"{"type":"i2","values":[0,1.5]}"#, "sds.1.2", "/values/1");
        check(r#"{"type":"i2","values":["NaN"]}"#, "sds.1.2", "/values/0");
        check(
            r#"{"type":"i4","values":[1073741824]}"#,
            "sds.1.2",
            "/values/0",
        );
        check(
            r#"{"type":"r4","values":["Infinity"]}"#,
            "sds.1.4",
            "/values/0",
        );
        check(r#"{"type":"r8","values":[1e400]}"#, "sds.1.3", "/values/0");
        check(r#"{"type":"c8","values":[1]}"#, "sds.1.1", "/values/0");
        check(
            r#"{"type":"i2","values":[],"fill":"NaN"}"#,
            "sds.6.1",
            "/fill",
        );
        check(
            r#"{"type":"i2","values":[],"fill":40000}"#,
            "sds.1.2",
            "/fill",
        );
        check(
            r#"{"type":"u1","values":[],"infinite":{"pos":254,"neg":0}}"#,
            "sds.7.5",
            "/infinite",
        );
        check(
            r#"{"type":"i1","values":[],"fill":127,"infinite":{"pos":127}}"#,
            "sds.7.1",
            "/infinite",
        );
        check(
            r#"{"type":"i2","values":[],"scaling":{"scale":0}}"#,
            "sds.document.attributes",
            "/scaling/scale",
        );
        check(
            r#"{"type":"i2","values":[],"scaling":{"offset":"NaN"}}"#,
            "sds.document.attributes",
            "/scaling/offset",
        );
        check(
            r#"{"type":"i2","values":[],"colour":1}"#,
            "sds.document.keys",
            "/colour",
        );
        check(
            r#"{"variables":{"a":{"type":"u1","values":[256]}}}"#,
            "sds.1.2",
            "/variables/a/values/0",
        );
        assert!(
            parse_sds(
                r#"{"profile":"soi97","type":"i4","values":[2147483647]}"#,
                None
            )
            .is_ok()
        );
    }
}
