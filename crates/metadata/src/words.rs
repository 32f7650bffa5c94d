//! Words of messages.

/// A string of the document in a message: quoted, without control characters, and not as long as
/// documents may be.
pub(crate) fn quoted(text: &str) -> String {
    format!("{:?}", shortened(text))
}

/// The first characters of a text.
pub(crate) fn shortened(text: &str) -> String {
    const KEPT: usize = 40;
    match text.char_indices().nth(KEPT) {
        None => text.to_owned(),
        Some(_) => {
            let head: String = text.chars().take(KEPT - 3).collect();
            format!("{head}...")
        }
    }
}

/// A list of names for a help text: `a, b and c`.
pub(crate) fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => format!("\"{one}\""),
        [head @ .., last] => {
            let head: Vec<String> = head.iter().map(|name| format!("\"{name}\"")).collect();
            format!("{} and \"{last}\"", head.join(", "))
        }
    }
}

/// The text with a capital letter at its beginning.
pub(crate) fn capital(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
