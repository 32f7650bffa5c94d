//! A badge that shows how many of the binding cases an implementation passes.

use exactum_vectors::Level;
use maud::{PreEscaped, html};
use serde_json::json;

use super::{Outline, Reviewed};
use crate::verdict::Verdict;

/// The label on the left.
const LABEL: &str = "exactum";

/// Returns the badge of an implementation: an SVG image if `svg` is set, and otherwise the JSON that badge services
/// read from a URL (`schemaVersion` 1).
///
/// It counts the cases at level `must` that were asked and passed, and is green if all of them passed. A known
/// difference from a text that the implementation does not claim, or from a ruling, does not count; other expectations
/// have no influence.
#[must_use]
pub fn badge(outline: &Outline, reviewed: &Reviewed, svg: bool) -> String {
    let must = reviewed
        .report
        .cases
        .iter()
        .filter(|judged| outline.level(&judged.case) == Some(Level::Must))
        .filter(|judged| !reviewed.is_excused(&judged.case));
    let asked: Vec<Verdict> = must
        .map(|judged| judged.verdict)
        .filter(|it| it.is_judged())
        .collect();
    let passed = asked
        .iter()
        .filter(|verdict| **verdict == Verdict::Pass)
        .count();
    let message = format!("{passed} of {}", asked.len());
    let color = match passed {
        0 => "lightgrey",
        passed if passed == asked.len() => "green",
        _ => "orange",
    };
    if svg {
        return image(&message, color);
    }
    let badge = json!({"schemaVersion": 1, "label": LABEL, "message": message, "color": color});
    format!("{badge:#}\n")
}

fn image(message: &str, color: &str) -> String {
    // A character of this font is about seven units wide.
    let width = |text: &str| 7 * text.chars().count() + 10;
    let (left, right) = (width(LABEL), width(message));
    let title = format!("{LABEL}: {message} cases at level must pass");
    let texts = [(LABEL, left / 2), (message, left + right / 2)];
    let body = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(left + right) height="20" role="img" aria-label=(title) {
            title { (title) }
            rect width=(left) height="20" fill="#555" {}
            rect x=(left) width=(right) height="20" fill=(color) {}
            g fill="#fff" text-anchor="middle" font-family="Verdana,sans-serif" font-size="11" {
                @for (text, x) in texts {
                    text x=(x) y="14" { (text) }
                }
            }
        }
    };
    format!("{}\n", PreEscaped(body.into_string()).0)
}
