//! Data types that this crate adds to zarrs, modelled on the examples in the guide of zarrs.
//!
//! | module | data type | shows |
//! |---|---|---|
//! | [`uint4`] | `uint4` of the registry | an element of less than a byte |
//! | [`uint12`] | `uint12` | an element of more than a byte whose bits do not fill whole bytes |
//! | [`float8_e3m4`] | `float8_e3m4` of the registry | a float |
//! | [`sample`] | `exactum.sample` | a fixed size, parts of different widths |
//! | [`decimal`] | `exactum.decimal` | a variable size |
//!
//! Each module is complete: it has the data type with the conversions of its fill values, the element with
//! `zarrs::array::Element` and `ElementOwned`, and the functions that `bytes` and `packbits` need. A value that a data
//! type lacks is refused where an element is made from it ([`NotAValue`]). zarrs refuses elements of other Rust types,
//! because these data types do not declare any of them as their own. Bytes that bypass the elements
//! (`zarrs::array::ArrayBytes`) are treated as memory: bits above those of a type are ignored.

pub mod decimal;
mod element;
pub mod float8_e3m4;
pub(crate) mod native;
mod not_a_value;
pub mod sample;
pub mod uint12;
pub mod uint4;

pub use not_a_value::NotAValue;

use exactum_model::DataType;
use zarrs::metadata::v3::MetadataV3;
use zarrs::plugin::{ExtensionName, PluginCreateError};

/// Returns the data type of the registry that corresponds to a data type of zarrs by name and size, or `None`
/// if there is none.
pub(crate) fn model(data_type: &zarrs::array::DataType) -> Option<DataType> {
    let name = data_type.name_v3()?;
    let found: DataType = name.parse().ok()?;
    let same = data_type.fixed_size() == Some(found.element_bytes())
        && data_type.configuration_v3().is_empty();
    same.then_some(found)
}

/// Returns the data type of zarrs with the name of a data type of the registry. It is the one of this crate if that is
/// registered, and otherwise the one of zarrs.
///
/// # Errors
/// If zarrs has no data type of this name, or if that data type has another size.
pub(crate) fn of_zarrs(data_type: DataType) -> Result<zarrs::array::DataType, PluginCreateError> {
    let found = zarrs::array::DataType::from_metadata(&MetadataV3::new(data_type.name()))?;
    if model(&found) == Some(data_type) {
        return Ok(found);
    }
    Err(PluginCreateError::Other(format!(
        "the data type that is registered as {data_type} differs from that of the registry"
    )))
}
