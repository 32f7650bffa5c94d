//! The common part of codecs that are defined only for integers and floats.

use std::fmt::Display;

use exactum_model::{DataType, Reason};

use crate::diagnostic::{Diagnostic, Read};
use crate::json::Node;
use crate::state::State;

/// Such a codec, with the texts for its messages.
pub(super) struct RealOnly {
    /// Its name.
    pub(super) codec: &'static str,
    /// The clause that lists its data types.
    pub(super) clause: &'static str,
    /// The advice for another data type.
    pub(super) help: &'static str,
}

impl RealOnly {
    /// Returns the data type of the codec's input. A wrong data type is reported at `node`.
    pub(super) fn of(&self, input: &State, node: Node<'_>) -> Read<DataType> {
        match input.element.number().filter(|number| number.is_real()) {
            Some(data_type) => Ok(data_type),
            None => Err(self.refuse(&input.element, node)),
        }
    }

    /// Refuses a data type for which the codec is not defined. It is reported at `node`.
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
