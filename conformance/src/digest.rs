//! Digests of answers, which show when a wrong answer becomes a *different* wrong answer.

use exactum_model::Array;
use exactum_vectors::{array_from_json, hex};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::implementation::Failure;
use crate::operations::{Nans, Operation};
use crate::protocol::{Answer, Success};
use crate::verdict::Verdict;

/// The largest answer, in bytes, that is written in full in its digest.
const READABLE_BYTES: usize = 32;

/// The largest number of characters up to which the digests of a case's elements are written in full.
const READABLE_ELEMENTS: usize = 160;

/// The number of characters of a message that are kept.
const READABLE_WORDS: usize = 60;

/// Returns the digest of an answer: `ok:`, followed by the data type and shape of an array and the bytes of the result
/// in hex, or, if the result is long, by `sha256:` and the first 16 digits of the hash of all that; `reject:` and the
/// reason; `unsupported`; or `error:` and its message. NaNs of arithmetic count as the default NaN, since they differ
/// between machines.
#[must_use]
pub(crate) fn digest(op: &str, answer: &Answer) -> String {
    match answer {
        Answer::Ok(Success::Output(array)) => {
            let alike = nans_of(op) == Nans::Alike;
            let data = if alike {
                &canonical(array)
            } else {
                array.data()
            };
            output(array, data)
        }
        Answer::Ok(Success::Bits(data) | Success::Bytes(data)) => bytes("", data),
        Answer::Ok(Success::Valid) => "ok".into(),
        Answer::Ok(Success::Document(members)) if nans_of(op) == Nans::Alike => {
            let mut members = members.clone();
            if let Some(output) = members.get_mut("output")
                && let Ok(array) = array_from_json(output)
            {
                output["data"] = hex::encode(canonical(&array)).into();
            }
            hashed(Value::Object(members).to_string().as_bytes())
        }
        Answer::Ok(success) => hashed(success.to_json().to_string().as_bytes()),
        Answer::Reject(rejected) => format!("reject:{}", rejected.reason),
        Answer::Unsupported(_) => "unsupported".into(),
        Answer::Error(message) => worded("error", message),
    }
}

/// Returns the digest of a failure: the name of its verdict and, if the implementation chose the words, the message.
#[must_use]
pub(crate) fn of_failure(failure: &Failure) -> String {
    let name = failure.verdict().name();
    match failure {
        Failure::Crash(words) | Failure::Protocol(words) => worded(name, words),
        Failure::Timeout(_) | Failure::NotRun(_) => name.into(),
    }
}

/// Returns the digest of elements that were judged one by one: the places and digests of those that failed.
#[must_use]
pub(crate) fn of_elements(elements: &[(usize, String)]) -> String {
    let each = elements.iter();
    let each: Vec<String> = each
        .map(|(place, digest)| format!("{place}:{digest}"))
        .collect();
    let all = each.join(",");
    if all.len() <= READABLE_ELEMENTS {
        return all;
    }
    // The failure that ended the program remains visible.
    let last = each.last().filter(|digest| ends_program(digest));
    let last = last.map_or_else(String::new, |last| format!(",{last}"));
    format!("{} elements {}{last}", each.len(), hashed(all.as_bytes()))
}

/// Returns whether a digest stands for an answer that ended the program: a crash, a timeout or a line that is not an
/// answer.
#[must_use]
pub(crate) fn ends_program(digest: &str) -> bool {
    let last = digest.rsplit(',').next().unwrap_or(digest);
    let mut parts = last
        .split(':')
        .skip_while(|part| part.parse::<usize>().is_ok());
    let verdict = parts.next();
    [Verdict::Crash, Verdict::Timeout, Verdict::Protocol]
        .iter()
        .any(|fault| verdict == Some(fault.name()))
}

/// Returns a name with the part of a message that is the same in every run: without anything that may belong to a path,
/// an address, a process id or a version, and without the program's other output.
fn worded(name: &str, words: &str) -> String {
    let beside = [
        "; stderr ends:",
        " (again",
        " (sent alone",
        " (core dumped)",
    ];
    let cuts = beside.iter().filter_map(|mark| words.find(mark)).min();
    let words = &words[..cuts.unwrap_or(words.len())];
    let stays = |word: &&str| {
        let number = word.trim_end_matches(|c: char| c.is_ascii_punctuation());
        let short = number.len() <= 3 && number.parse::<u16>().is_ok();
        short || !word.contains(|c: char| c.is_ascii_digit() || matches!(c, '/' | '\\'))
    };
    let kept: Vec<&str> = words.split_whitespace().filter(stays).collect();
    let kept = kept.join(" ").replace(',', "");
    let end = kept.floor_char_boundary(READABLE_WORDS);
    match kept[..end].trim_end() {
        "" => name.into(),
        kept => format!("{name}:{kept}"),
    }
}

/// Returns how NaNs in an operation's outputs are compared.
fn nans_of(op: &str) -> Nans {
    Operation::named(op).map_or(Nans::Bits, |operation| operation.nans)
}

fn output(array: &Array, data: &[u8]) -> String {
    let shape: Vec<String> = array.shape().iter().map(u64::to_string).collect();
    bytes(
        &format!("{}[{}]:", array.data_type(), shape.join("x")),
        data,
    )
}

fn bytes(kind: &str, data: &[u8]) -> String {
    if data.len() <= READABLE_BYTES {
        format!("ok:{kind}{}", hex::encode(data))
    } else {
        hashed(&[kind.as_bytes(), data].concat())
    }
}

fn hashed(data: &[u8]) -> String {
    format!("sha256:{}", &hex::encode(Sha256::digest(data))[..16])
}

fn canonical(array: &Array) -> Vec<u8> {
    let data_type = array.data_type();
    let format = data_type.format();
    let Some(float) = format.float() else {
        return array.data().to_vec();
    };
    let width = format.component_bytes();
    let mut data = array.data().to_vec();
    for (index, bits) in array.components().enumerate() {
        if let (true, Some(nan)) = (float.is_nan(bits), float.nan_bits()) {
            data[index * width..(index + 1) * width].copy_from_slice(&nan.to_le_bytes()[..width]);
        }
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_what_every_run_says() {
        let of = |words: &str| of_failure(&Failure::Crash(words.into()));
        assert_eq!(
            of("it was killed by signal: 6 (SIGABRT) (core dumped); stderr ends: 0x7ffe"),
            "crash:it was killed by signal: 6 (SIGABRT)"
        );
        assert_eq!(
            of("it ended with exit code 3 (again when sent alone)"),
            "crash:it ended with exit code 3"
        );
        assert_eq!(
            of("panicked at /a/b.rs:7:1: pid 41234, at 0x7f00 of 1.2.3, too long"),
            "crash:panicked at pid at of too long"
        );
        assert_eq!(of("1234"), "crash");
    }

    #[test]
    fn arrays_of_another_type_or_shape_are_other_answers() {
        let of = |name: &str, shape: Vec<u64>, data: Vec<u8>| {
            let data_type = name.parse().expect("a type");
            let array = Array::new(data_type, shape, data).expect("an array");
            digest("bytes.decode", &Answer::Ok(Success::Output(array)))
        };
        assert_eq!(of("int8", vec![2, 1], vec![1, 2]), "ok:int8[2x1]:0102");
        assert_eq!(of("uint8", vec![2], vec![1, 2]), "ok:uint8[2]:0102");
        assert_ne!(
            of("int8", vec![64], vec![0; 64]),
            of("int8", vec![8, 8], vec![0; 64])
        );
    }

    #[test]
    fn what_ends_the_program_is_seen_behind_other_elements() {
        let element = |place| (place, "ok:int8[1]:00".to_owned());
        let few: Vec<_> = (0..2).map(element).collect();
        assert_eq!(of_elements(&few), "0:ok:int8[1]:00,1:ok:int8[1]:00");
        assert!(!ends_program(&of_elements(&few)));
        let mut many: Vec<_> = (0..20).map(element).collect();
        assert!(!ends_program(&of_elements(&many)));
        many.push((20, "crash:it was killed".into()));
        assert!(of_elements(&many).ends_with(",20:crash:it was killed"));
        assert!(ends_program(&of_elements(&many)) && ends_program("timeout"));
    }
}
