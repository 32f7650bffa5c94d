//! The cells of views: a method and a data type.

use std::collections::BTreeSet;

use exactum_conformance::DownsampleCall;
use exactum_conformance::model::Method;

use super::Cell;

/// Returns the cell of a level.
pub(crate) fn of_view(method: Method, data_type: &'static str) -> Cell {
    let what = match method {
        Method::Stride => "downsample.read stride",
        Method::Mean => "downsample.read mean",
        Method::Min => "downsample.read min",
        Method::Max => "downsample.read max",
        Method::Median => "downsample.read median",
        Method::Mode => "downsample.read mode",
    };
    Cell::of_type(what, data_type)
}

/// Returns the cells that a call touches.
pub(super) fn of_downsample(call: &DownsampleCall) -> Vec<Cell> {
    let (view, data_type) = match call {
        DownsampleCall::Read(view, source) => (view, source.array().data_type().name()),
        DownsampleCall::ReadTexts(view, source) => (view, source.data_type().name()),
        _ => return Vec::new(),
    };
    let levels = view.levels.iter();
    let cells: BTreeSet<Cell> = levels
        .map(|level| of_view(level.method(), data_type))
        .collect();
    cells.into_iter().collect()
}
