//! Places in a text, found by their JSON pointers.

use std::ops::Range;

use exactum_model::{At, Rejection};

use crate::diagnostic::Diagnostic;
use crate::json::{Attributes, Tree};

/// The bytes of the text that the value of a JSON pointer takes; `None` where the text is not
/// JSON or has no such value. What stands inside `attributes` has no place.
#[must_use]
pub fn place(text: &str, pointer: &str) -> Option<Range<usize>> {
    let tree = Tree::scan(text, Attributes::Skipped).ok()?;
    let node = tree.root().find(pointer)?;
    Some(node.place())
}

/// Finds the place of a rejection whose JSON pointer was made elsewhere. A pointer that leads
/// nowhere is placed at the last of its values that is there.
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
