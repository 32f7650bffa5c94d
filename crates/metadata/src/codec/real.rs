//! The common part of codecs that are defined for integers and floats only.

use std::fmt::Display;

use exactum_model::{DataType, Reason};

use crate::diagnostic::{Diagnostic, Read};
use crate::json::Node;
use crate::state::State;

/// Such a codec, by the names in its messages.
pub(super) struct RealOnly {
    /// Its name.
    pub(super) codec: &'static str,
    /// The clause that lists its data types.
    pub(super) clause: &'static str,
    /// What to do about another data type.
    pub(super) help: &'static str,
}

impl RealOnly {
    /// The data type that goes into the codec; `node` is to blame for another one.
    pub(super) fn of(&self, input: &State, node: Node<'_>) -> Read<DataType> {
        match input.element.number().filter(|number| number.is_real()) {
            Some(data_type) => Ok(data_type),
            None => Err(self.refuse(&input.element, node)),
        }
    }

    /// Refuses a data type that the codec is not defined for; `node` is to blame.
    pub(super) fn require(&self, data_type: DataType, node: Node<'_>) -> Read<()> {
        match data_type.is_real() {
            true => Ok(()),
            false => Err(self.refuse(&data_type, node)),
        }
    }

    fn refuse(&self, data_type: &dyn Display, node: Node<'_>) -> Box<Diagnostic> {
        let codec = self.codec;
        node.reject_as(
            Reason::UnsupportedDataType,
            self.clause,
            format!("{codec} is defined for integers and floats, not for {data_type}"),
        )
        .help(self.help)
    }
}
