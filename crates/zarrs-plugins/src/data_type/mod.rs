//! Data types that this crate adds to zarrs, after the examples of zarrs' guide.
//!
//! | module | data type | shows |
//! |---|---|---|
//! | [`uint4`] | `uint4` of the registry | an element of less than a byte |
//! | [`uint12`] | `uint12` | one of more than a byte, and not of whole bytes |
//! | [`float8_e3m4`] | `float8_e3m4` of the registry | a float |
//! | [`sample`] | `exactum.sample` | a fixed size, parts of different widths |
//! | [`decimal`] | `exactum.decimal` | a variable size |
//!
//! Each module is whole: the data type with its fill values both ways, the element with
//! `zarrs::array::Element` and `ElementOwned`, and what `bytes` and `packbits` ask of it. Values that a
//! data type lacks are refused where the element is made ([`NotAValue`]); elements of other Rust types
//! are refused by zarrs, since these data types declare none to be theirs. Bytes that go past the
//! elements (`zarrs::array::ArrayBytes`) are taken as memory: bits above a type's own are ignored.

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

/// The data type of the registry that a data type of zarrs is, by its name and its size; `None`
/// where it is none.
pub(crate) fn model(data_type: &zarrs::array::DataType) -> Option<DataType> {
    let name = data_type.name_v3()?;
    let found: DataType = name.parse().ok()?;
    let same = data_type.fixed_size() == Some(found.element_bytes())
        && data_type.configuration_v3().is_empty();
    same.then_some(found)
}

/// The data type of zarrs with the name of one of the registry: a registered one of this crate, or its
/// own.
///
/// # Errors
/// If zarrs has none of this name, or one of another size.
pub(crate) fn of_zarrs(data_type: DataType) -> Result<zarrs::array::DataType, PluginCreateError> {
    let found = zarrs::array::DataType::from_metadata(&MetadataV3::new(data_type.name()))?;
    if model(&found) == Some(data_type) {
        return Ok(found);
    }
    Err(PluginCreateError::Other(format!(
        "the data type that is registered as {data_type} is not that of the registry"
    )))
}
