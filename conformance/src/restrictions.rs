//! The keys by which an introduction may restrict an operation, and corrections for misspelt ones.

use crate::operations::{Form, OPERATIONS, Operation, Verb};

/// The largest number of typing errors in the name of an operation that is still recognised.
const MOST_SLIPS: usize = 2;

/// Returns the keys that restrict an operation. They follow from the members of its requests and of its codec's
/// configuration.
pub(crate) fn keys(operation: &Operation) -> Vec<&'static str> {
    let has = |form: Form| operation.asks.iter().any(|member| member.form == form);
    let mut keys = Vec::new();
    if has(Form::Array) || has(Form::DataType) {
        keys.extend(["from", "to"]);
    }
    if has(Form::Array) || has(Form::Shape) {
        keys.extend(["empty", "rank"]);
    }
    if operation.asks("metadata") || operation.asks("document") {
        keys.extend(["codecs", "data_types", "some_codec"]);
    }
    if operation.asks("then") {
        keys.extend(["features", "factors"]);
    }
    let names = operation.asks.iter().filter(|it| it.form == Form::Name);
    keys.extend(names.map(|member| member.name));
    keys.extend(operation.configuration);
    keys
}

/// Checks the name of an operation that is offered. An unknown name may belong to a later protocol and is ignored,
/// unless it resembles a known one.
///
/// # Errors
/// If the name resembles a known one. The message names that one.
pub(crate) fn check_operation(name: &str) -> Result<Option<&'static Operation>, String> {
    if let Some(operation) = Operation::named(name) {
        return Ok(Some(operation));
    }
    let offered = OPERATIONS.iter().filter(|it| it.verb != Verb::Hello);
    let (slips, nearest) = nearest(name, offered.map(|operation| operation.name));
    if slips > MOST_SLIPS {
        return Ok(None);
    }
    Err(format!(
        "there is no operation {name:?}; the nearest is {nearest:?}"
    ))
}

/// Checks a key that restricts an operation.
///
/// # Errors
/// If the operation does not have the key. The message describes the error.
pub(crate) fn check_key(operation: &Operation, key: &str) -> Result<(), String> {
    let keys = keys(operation);
    if keys.contains(&key) {
        return Ok(());
    }
    let name = operation.name;
    if keys.is_empty() {
        return Err(format!(
            "{name} cannot be restricted, so {key:?} is not allowed"
        ));
    }
    let (_, nearest) = nearest(key, keys.into_iter());
    Err(format!(
        "{name} cannot be restricted by {key:?}; the nearest key is {nearest:?}"
    ))
}

/// Returns the smallest number of typing errors and the first name that has it.
fn nearest(given: &str, names: impl Iterator<Item = &'static str>) -> (usize, &'static str) {
    names
        .map(|name| (slips(given, name), name))
        .min_by_key(|&(slips, _)| slips)
        .unwrap_or((usize::MAX, ""))
}

/// Returns the smallest number of letters that must be deleted, inserted, replaced or swapped with a neighbour to turn
/// one name into the other.
fn slips(given: &str, name: &str) -> usize {
    let given: Vec<char> = given.chars().collect();
    let name: Vec<char> = name.chars().collect();
    // Distances from each prefix of `name` to the prefix of `given` read up to now; `before` is one letter earlier.
    let mut row: Vec<usize> = (0..=name.len()).collect();
    let mut before = Vec::new();
    for (i, &letter) in given.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, &wanted) in name.iter().enumerate() {
            let replaced = row[j] + usize::from(letter != wanted);
            let mut least = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && letter == name[j - 1] && given[i - 1] == wanted {
                let before: &Vec<usize> = &before;
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[name.len()]
}

#[cfg(test)]
mod tests {
    use super::{check_key, check_operation, slips};
    use crate::operations::Operation;

    #[test]
    fn slips_are_counted() {
        for (given, name, count) in [
            ("", "", 0),
            ("", "from", 4),
            ("from", "from", 0),
            ("fron", "from", 1),
            ("form", "from", 1),
            ("fro", "from", 1),
            ("ffrom", "from", 1),
            ("roundings", "rounding", 1),
            ("emtpy", "empty", 1),
            ("to", "from", 3),
        ] {
            assert_eq!(slips(given, name), count, "{given} {name}");
            assert_eq!(slips(name, given), count, "{name} {given}");
        }
    }

    fn check(operation: &str, key: &str, nearest: Option<&str>) {
        let known = Operation::named(operation).expect("an operation");
        match (check_key(known, key), nearest) {
            (Ok(()), None) => {}
            (Err(words), Some(nearest)) => {
                let end = format!("by {key:?}; the nearest key is {nearest:?}");
                assert!(words.ends_with(&end), "{words}");
            }
            (checked, _) => panic!("{operation} {key}: {checked:?}"),
        }
    }

    #[test]
    fn keys_follow_from_what_an_operation_asks() {
        check("cast_value.encode", "from", None);
        check("cast_value.encode", "fron", Some("from"));
        check("cast_value.encode", "Rounding", Some("rounding"));
        check("cast_value.encode", "rounding", None);
        check("scale_offset.encode", "offest", Some("offset"));
        check("packbits.decode", "padding_encoding", None);
        check("bytes.decode", "empty", None);
        check("bytes.decode", "rank", None);
        check("fill_value.parse", "from", None);
        check("fill_value.parse", "empty", Some("to"));
        check("chain.encode", "from", None);
        check("chain.decode", "from", Some("codecs"));
        check("chain.resolve", "codec", Some("codecs"));
        check("metadata.validate", "kind", None);
        check("metadata.validate", "kinds", Some("kind"));
        check("chain.resolve", "kind", Some("codecs"));
        check("downsample.read", "features", None);
        check("downsample.read", "method", None);
        check("downsample.read", "feature", Some("features"));
        check("downsample.read", "factors", None);
        check("downsample.read", "rank", None);
    }

    #[test]
    fn an_operation_is_misspelt_or_of_a_later_protocol() {
        assert!(check_operation("cast_value.encode").is_ok_and(|found| found.is_some()));
        for later in ["later.encode", "x", "", "metadata.plan_ahead_of_time"] {
            assert_eq!(check_operation(later), Ok(None), "{later}");
        }
        for (given, nearest) in [
            ("metadata.validat", "metadata.validate"),
            ("castvalue.decode", "cast_value.decode"),
            ("metadata.valdiate", "metadata.validate"),
        ] {
            let words = check_operation(given).expect_err(given);
            let end = format!("the nearest is {nearest:?}");
            assert!(words.ends_with(&end), "{words}");
        }
    }
}
