//! The options of the command line that set the allowed errors.

use exactum_exact::Exact;
use exactum_model::DataType;
use exactum_plan::{Tolerance, number};

/// The allowed errors.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Errors {
    /// The largest allowed error, which is the distance between a value and what is read back. If it is 0,
    /// every value has to be read back exactly.
    #[arg(long, value_name = "ERROR", value_parser = number::not_negative)]
    pub(crate) max_error: Option<Exact>,
    /// The largest allowed relative error, such as 0.001. It applies to zero and to values whose magnitude is
    /// at least that of --smallest.
    #[arg(long, value_name = "PART", value_parser = number::positive)]
    pub(crate) max_relative_error: Option<Exact>,
    /// The smallest magnitude to which the relative error applies. By default, it is the magnitude of the
    /// scanned value nearest to zero, or the least normal number of the data type.
    #[arg(long, value_name = "MAGNITUDE", value_parser = number::positive, requires = "max_relative_error")]
    pub(crate) smallest: Option<Exact>,
}

impl Errors {
    /// Returns the errors that are allowed for an array, given the magnitude of its value nearest to zero.
    pub(crate) fn tolerance(&self, data_type: DataType, smallest: Option<Exact>) -> Tolerance {
        Tolerance {
            absolute: self.max_error.clone(),
            relative: self.max_relative_error.clone(),
            smallest: self
                .smallest
                .clone()
                .or(smallest)
                .unwrap_or_else(|| number::least_normal(data_type)),
        }
    }
}
