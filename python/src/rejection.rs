//! Rejections as Python exceptions.

use exactum_model::{At, Rejection};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Returns the exception `exactum.Rejection` for a rejection.
pub(crate) fn raise(py: Python<'_>, rejection: &Rejection) -> PyErr {
    let made = || {
        let class = CLASS.import(py, "exactum._rejection", "Rejection")?;
        let place = match &rejection.at {
            Some(At::Element(index)) => index.into_pyobject(py)?.into_any(),
            Some(At::Pointer(pointer)) => pointer.into_pyobject(py)?.into_any(),
            None => py.None().into_bound(py),
        };
        class.call1((
            &rejection.message,
            rejection.reason.name(),
            rejection.clause,
            place,
            rejection.help.as_deref(),
        ))
    };
    made().map_or_else(|error: PyErr| error, PyErr::from_value)
}
