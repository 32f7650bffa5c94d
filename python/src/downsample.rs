//! Downsampled arrays.

use exactum_model::{
    ArrayView, DataType, Level, Method, NanPolicy, Omission, Reason, Rejection, Source as _,
};
use exactum_optimized::downsample::View;
use numpy::{PyUntypedArray, PyUntypedArrayMethods as _};
use pyo3::prelude::*;

use crate::arch;
use crate::codec::{Output, data_type_of, plain};
use crate::rejection::raise;

/// Reduces each block of an array to one element.
#[pyfunction]
#[pyo3(signature = (a, data_type, factors, method, skip_value, nan, out))]
pub(crate) fn downsample<'py>(
    a: &Bound<'py, PyUntypedArray>,
    data_type: &str,
    factors: Vec<u64>,
    method: &str,
    skip_value: Option<&str>,
    nan: Option<&str>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let rejected = |rejection: Rejection| raise(py, &rejection);
    let data_type = data_type_of(data_type).map_err(rejected)?;
    let level = level(data_type, factors, method, skip_value, nan).map_err(rejected)?;
    let shape: Vec<u64> = a.shape().iter().map(|&extent| extent as u64).collect();
    let base = exactum_model::Domain::of_shape(&shape);
    let domain = base
        .and_then(|base| level.domain(&base))
        .map_err(rejected)?;
    // No extent exceeds that of the input array.
    let extents: Vec<usize> = domain
        .shape()
        .iter()
        .map(|&extent| extent as usize)
        .collect();
    let components = data_type.format().components();
    let output = Output::plain(py, out, &extents, &a.dtype(), components)?;
    let input = plain(a, components, &output.memory)?;
    py.detach(|| {
        arch::pair(&input.memory, &output.memory, |input, output| {
            let base = ArrayView::new(data_type, &shape, input)?;
            let view = View::new(&base, &level)?;
            view.read_into(&view.domain(), output)
        })
    })
    .map_err(rejected)?;
    Ok(output.array)
}

fn level(
    data_type: DataType,
    factors: Vec<u64>,
    method: &str,
    skip_value: Option<&str>,
    nan: Option<&str>,
) -> Result<Level, Rejection> {
    let method: Method = method.parse().map_err(|_| {
        let message = format!("\"{method}\" is not a downsampling method");
        let names: Vec<&str> = Method::ALL.iter().map(|method| method.name()).collect();
        Rejection::new(Reason::Metadata, "downsample.document.method", message)
            .help(format!("write one of {}", names.join(", ")))
    })?;
    let skip = |json: &str| exactum_metadata::parse_fill_value(data_type, json);
    let omission = Omission {
        skip_value: skip_value.map(skip).transpose()?,
        nan: nan.map(str::parse::<NanPolicy>).transpose()?,
    };
    let level = Level::new(factors, method)?.with_omission(omission);
    level.require(data_type)?;
    Ok(level)
}
