//! Texts for messages.

/// Returns a string of the document for use in a message: quoted, without control characters, and shortened, because
/// documents may contain long strings.
pub(crate) fn quoted(text: &str) -> String {
    format!("{:?}", shortened(text))
}

/// Returns the first characters of a text.
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

/// Returns a list of names for a help text: `"a", "b" and "c"`.
pub(crate) fn listed(names: &[&str]) -> String {
    joined(names, "and")
}

/// Returns a choice of names for a help text: `"a", "b" or "c"`.
pub(crate) fn either(names: &[&str]) -> String {
    joined(names, "or")
}

fn joined(names: &[&str], word: &str) -> String {
    match names {
        [] => String::new(),
        [one] => format!("\"{one}\""),
        [head @ .., last] => {
            let head: Vec<String> = head.iter().map(|name| format!("\"{name}\"")).collect();
            format!("{} {word} \"{last}\"", head.join(", "))
        }
    }
}

/// Writes a count with its noun: `1 dimension`, `2 dimensions`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// Finds the name from which another name differs by one slip: the case of its letters, a dash for an
/// underscore, or one letter that is wrong, missing, superfluous or swapped with the next. Returns nothing if
/// several names are equally near.
pub fn did_you_mean<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // For names of two letters, everything is one slip away.
    const SHORTEST: usize = 3;
    let plain = |name: &str| name.trim().to_ascii_lowercase().replace('-', "_");
    let name = plain(&shortened(name));
    let mut near = None;
    let mut several = false;
    for known in known {
        let other = plain(known);
        if other == name {
            return Some(known);
        }
        if other.len() >= SHORTEST && is_one_slip(name.as_bytes(), other.as_bytes()) {
            several |= near.replace(known).is_some();
        }
    }
    near.filter(|_| !several)
}

/// Returns whether one text can be turned into the other by one letter that is changed, added, removed or
/// swapped with the next.
fn is_one_slip(a: &[u8], b: &[u8]) -> bool {
    let start = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..], &b[start..]);
    let same = a.iter().rev().zip(b.iter().rev());
    let end = same.take_while(|(x, y)| x == y).count();
    match (&a[..a.len() - end], &b[..b.len() - end]) {
        ([x, y], [u, v]) => (x, y) == (v, u),
        (a, b) => a.len().max(b.len()) == 1,
    }
}
