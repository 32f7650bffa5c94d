//! The cells of views: a method and a data type.

use std::collections::BTreeSet;

use exactum_conformance::DownsampleCall;
use exactum_conformance::model::{DataType, Method};

use super::Cell;

/// The cell of a level.
pub(crate) fn of_view(method: Method, data_type: DataType) -> Cell {
    let what = match method {
        Method::Stride => "downsample.read stride",
        Method::Mean => "downsample.read mean",
        Method::Min => "downsample.read min",
        Method::Max => "downsample.read max",
        Method::Median => "downsample.read median",
        Method::Mode => "downsample.read mode",
    };
    Cell {
        what,
        from: data_type.name(),
        to: data_type.name(),
        setting: "",
    }
}

/// The cells that a call touches.
pub(super) fn of_downsample(call: &DownsampleCall) -> Vec<Cell> {
    let DownsampleCall::Read(view, source) = call else {
        return Vec::new();
    };
    let data_type = source.array().data_type();
    let levels = view.levels.iter();
    let cells: BTreeSet<Cell> = levels
        .map(|level| of_view(level.method(), data_type))
        .collect();
    cells.into_iter().collect()
}
