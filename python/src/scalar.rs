//! Scalars in the form in which Zarr writes them.

use exactum_model::Scalar;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::codec::data_type_of;
use crate::rejection::raise;

/// Returns the in-memory bytes of the element that the JSON text of a fill value denotes.
#[pyfunction]
pub(crate) fn scalar_bytes(py: Python<'_>, data_type: &str, json: &str) -> PyResult<Vec<u8>> {
    data_type_of(data_type)
        .and_then(|data_type| exactum_metadata::parse_fill_value(data_type, json))
        .map(|scalar| scalar.to_bytes())
        .map_err(|why| raise(py, &why))
}

/// Returns the JSON text of the fill value whose element has these bytes.
#[pyfunction]
pub(crate) fn scalar_json(py: Python<'_>, data_type: &str, bytes: &[u8]) -> PyResult<String> {
    let data_type = data_type_of(data_type).map_err(|why| raise(py, &why))?;
    let scalar = Scalar::from_bytes(data_type, bytes);
    let scalar =
        scalar.ok_or_else(|| PyValueError::new_err("these are not the bytes of a scalar"))?;
    Ok(exactum_exact::canonical(&scalar))
}
