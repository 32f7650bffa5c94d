//! Data types by their names.

use exactum_model::{DataType, Reason, TextType};

use crate::diagnostic::Read;
use crate::json::{Kind, Node};

/// A data type by its name, and the place where it is stated.
#[derive(Clone, Copy)]
pub(in crate::downsample) struct Named<'d> {
    pub(in crate::downsample) name: &'static str,
    pub(super) node: Node<'d>,
}

/// Reads the name of a data type of TensorStore.
pub(super) fn named<'d>(node: Node<'d>, clause: &'static str) -> Read<Named<'d>> {
    let text = match node.kind() {
        Kind::String => node.text()?,
        _ => "".into(),
    };
    let own = text.parse::<DataType>().map(DataType::name).ok();
    let other = text.parse::<TextType>().map(TextType::name).ok();
    match own.or(other) {
        Some(name) => Ok(Named { name, node }),
        None => Err(node
            .reject_as(
                Reason::UnsupportedDataType,
                clause,
                format!("{} is not a data type", node.describe()),
            )
            .help("write a name such as \"uint8\" or \"float32\"")),
    }
}
