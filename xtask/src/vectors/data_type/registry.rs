//! Documents with every data type that implementations are not required to support: those of the registry, and optional
//! ones.

use exactum_model::{DataType, Format};

use super::{is_core, is_optional};
use crate::vectors::builder::{Case, Topic, accept};

/// Returns a fill value that the data type can represent.
fn fill_value(data_type: DataType) -> &'static str {
    match data_type.format() {
        Format::Bool => "false",
        Format::Complex(_) => "[1,1]",
        Format::Integer(_) | Format::Float(_) => "1",
    }
}

/// Adds a group of documents with these data types, each written in its own form.
fn group(
    topic: &mut Topic,
    head: &str,
    data_types: impl Iterator<Item = DataType>,
    form: impl Fn(DataType) -> String,
) -> Result<(), String> {
    let cases: Vec<Case> = data_types
        .map(|data_type| {
            let (text, fill_value) = (form(data_type), fill_value(data_type));
            let id = data_type.name().replace('_', "-");
            accept(
                id,
                format!("{data_type} {fill_value} little data_type={text}"),
            )
        })
        .collect();
    topic.computed(&format!("{head} metadata.validate"), &cases)
}

/// Adds documents with bare names, with objects, and with other names.
pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    let may = || {
        let all = DataType::ALL.iter().copied();
        all.filter(|of| of.is_registered() && (!is_core(*of) || is_optional(*of)))
    };
    let foreign = || may().filter(|of| !is_core(*of));
    let alias = [DataType::ComplexFloat32, DataType::ComplexFloat64];
    let name = |of| format!("\"{of}\"");
    group(topic, "names-registry may data_type.name", may(), name)?;
    group(
        topic,
        "objects-registry may data_type.form",
        foreign(),
        |of| format!(r#"{{"name":"{of}"}}"#),
    )?;
    group(
        topic,
        "empty-registry may data_type.configuration",
        foreign(),
        |of| format!(r#"{{"name":"{of}","configuration":{{}}}}"#),
    )?;
    group(
        topic,
        "aliases may data_type.alias",
        alias.into_iter(),
        name,
    )
}
