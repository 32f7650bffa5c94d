//! Badges, which show how many checks of a row an implementation passes.

use crate::known::Standing;

/// Returns the badge as an SVG image.
pub(crate) fn image(row: &str, standing: &Standing) -> String {
    let message = match standing.asked {
        0 => "not tested".to_owned(),
        asked => format!("{}/{asked}", standing.passed),
    };
    let color = match (
        standing.asked,
        standing.asked - standing.passed.min(standing.asked),
    ) {
        (0, _) => "#6b7280",
        (_, 0) => "#157a4a",
        (asked, failed) if failed * 10 <= asked => "#8a5a00",
        _ => "#b3261e",
    };
    let label = format!("exactum {row}");
    // A character of this font is about seven units wide.
    let width = |text: &str| 7 * text.chars().count() + 12;
    let (left, right) = (width(&label), width(&message));
    let all = left + right;
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{all}" height="20" role="img" aria-label="{label}: {message}"><title>{label}: {message}</title><rect width="{all}" height="20" rx="3" fill="#333a44"/><path d="M{left} 0h{inner}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{inner}z" fill="{color}"/><g fill="#fff" text-anchor="middle" font-family="Verdana,sans-serif" font-size="11"><text x="{left_middle}" y="14">{label}</text><text x="{right_middle}" y="14">{message}</text></g></svg>
"##,
        inner = right - 3,
        left_middle = left / 2,
        right_middle = left + right / 2,
    )
}
