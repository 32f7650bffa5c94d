//! The data type and the chunk grid of an array document, and the effect of its codecs on the chunks.

use exactum_model::CodecPipeline;

use super::Accepted;
use crate::codec;
use crate::data_type;
use crate::diagnostic::{Diagnostic, Read, Report};
use crate::element::Element;
use crate::faults::kept;
use crate::grid::{Grid, chunk_grid, not_regular};
use crate::json::Node;
use crate::pipeline::{Reader, check_size};
use crate::state::{Shape, State};

/// The greatest total length of the codec texts that are read for all chunk shapes of a rectilinear grid.
const MAX_TEXT: u64 = 1 << 20;

/// Refuses a part that is unknown to Exactum, or accepts it with a warning that it is not judged (chain.foreign).
fn pass(
    mut fault: Box<Diagnostic>,
    accepted: Accepted,
    pointer: &str,
    warnings: &mut Report,
) -> Read<()> {
    if accepted < Accepted::All {
        return Err(fault);
    }
    fault.rejection.clause = "chain.foreign";
    warnings.add_foreign(|| fault.at(pointer));
    Ok(())
}

/// Returns the elements of an array, or none if the data type is unknown or has a fault.
pub(super) fn elements(
    node: Option<Node<'_>>,
    accepted: Accepted,
    warnings: &mut Report,
) -> Read<Option<Element>> {
    let element = kept(node, |node| {
        let element = match data_type::of_array(node)? {
            Ok(element) => element,
            Err(fault) => {
                return pass(fault, accepted, "/data_type", warnings).map(|()| None);
            }
        };
        let Some(fault) = data_type::no_number(&element, node) else {
            return Ok(Some(element));
        };
        if accepted < Accepted::Known {
            return Err(fault);
        }
        let warning = || fault.at("/data_type");
        match element.has_unknown() {
            true => warnings.add_foreign(warning),
            false => warnings.add_note(warning),
        }
        Ok(Some(element))
    })?;
    Ok(element.flatten())
}

/// Returns the chunk grid of an array, or none if it is unknown or has a fault.
pub(super) fn grid<'d>(
    node: Option<Node<'d>>,
    shape: Option<&[u64]>,
    accepted: Accepted,
    warnings: &mut Report,
) -> Read<Option<Grid<'d>>> {
    let grid = kept(node, |node| {
        Ok(match chunk_grid(node, shape)? {
            Ok(Grid::Rectilinear(..)) if accepted < Accepted::Known => {
                return Err(not_regular(node));
            }
            Ok(grid) => Some(grid),
            Err(fault) => pass(fault, accepted, "/chunk_grid", warnings).map(|()| None)?,
        })
    })?;
    Ok(grid.flatten())
}

/// Returns the input of the first codec. If the grid is unknown, only the number of dimensions is known.
pub(super) fn first_state(
    element: Option<Element>,
    grid: Option<&Grid<'_>>,
    array: Option<&[u64]>,
) -> Read<State> {
    let element = element.unwrap_or_else(|| Element::unknown(String::new()));
    let rank = array.map_or(Shape::Unknown, |array| Shape::Rank(array.len()));
    let Some(grid) = grid else {
        return Ok(State {
            element,
            shape: rank,
        });
    };
    let state = State {
        element,
        shape: Shape::Known(grid.first()),
    };
    let node = grid.node();
    Ok(match node.keep(check_size(node, &state))? {
        Some(()) => state,
        None => state.in_shape(rank),
    })
}

/// Reads the codecs for chunks of all shapes. The returned pipeline is that of the first chunk.
pub(super) fn pipeline(
    codecs: Option<Node<'_>>,
    grid: Option<&Grid<'_>>,
    state: &State,
    reader: &mut Reader,
) -> Read<Option<CodecPipeline>> {
    let Some(codecs) = codecs else {
        return Ok(None);
    };
    let before = codecs.count_faults();
    let read = reader.pipeline(codecs, Some(state));
    let pipeline = codecs.keep(read)?;
    if let Some(grid @ Grid::Rectilinear(..)) = grid
        && codecs.count_faults() == before
    {
        other_shapes(codecs, grid, state, reader)?;
    }
    Ok(pipeline)
}

/// Reads the codecs for the shapes of all chunks other than the first, and stops at the first shape for which they are
/// wrong. Most codecs do not depend on the shape except through the size of a chunk, so that checking the greatest
/// shape is enough.
fn other_shapes(codecs: Node<'_>, grid: &Grid<'_>, state: &State, reader: &mut Reader) -> Read<()> {
    let before = codecs.count_faults();
    let check = |shape: Vec<u64>| -> Read<bool> {
        let state = state.in_shape(Shape::Known(shape));
        let node = grid.node();
        node.keep(check_size(node, &state))?;
        let read = Reader::new(codec::find, codec::meant).pipeline(codecs, Some(&state));
        codecs.keep(read)?;
        Ok(codecs.count_faults() == before)
    };
    if !check(grid.greatest())? || !reader.depends_on_extents {
        return Ok(());
    }
    let most = (MAX_TEXT / (codecs.raw().len() as u64 + 1)).max(1);
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    for shape in grid.shapes().take(most) {
        if !check(shape)? {
            return Ok(());
        }
    }
    let left = grid.count().saturating_sub(most as u64);
    if left > 0 {
        reader.warnings.add_foreign(|| {
            let message = format!("the chunks have {} shapes", grid.count());
            let warning = grid.node().reject("chain.grid.rectilinear", message);
            let help = format!("the codecs are checked for {most} of them");
            warning.at("/chunk_grid").help(help)
        });
    }
    Ok(())
}
