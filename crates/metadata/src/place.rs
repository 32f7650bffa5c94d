//! Places in a text, found by their JSON pointers.

use std::ops::Range;

use exactum_model::{At, Rejection};

use crate::diagnostic::Diagnostic;
use crate::json::{Attributes, Tree};

/// Returns the bytes of the text that the value at a JSON pointer takes, or `None` if the text is not JSON or
/// has no such value. Values inside `attributes` have no place.
#[must_use]
pub fn place(text: &str, pointer: &str) -> Option<Range<usize>> {
    let tree = Tree::scan(text, Attributes::Skipped).ok()?;
    let node = tree.root().find(pointer)?;
    Some(node.place())
}

/// Finds the place of a rejection whose JSON pointer was made by other code. If the pointer leads nowhere,
/// the place is that of the last existing value on its path.
#[must_use]
pub fn locate(text: &str, rejection: Rejection) -> Diagnostic {
    let pointer = match &rejection.at {
        Some(At::Pointer(pointer)) => pointer.as_str(),
        _ => "",
    };
    let place = match Tree::scan(text, Attributes::Skipped) {
        Ok(tree) => tree.root().nearest(pointer).narrow_place(),
        Err(_) => 0..text.len(),
    };
    Diagnostic {
        rejection,
        place,
        related: Vec::new(),
    }
}
