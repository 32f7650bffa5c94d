//! Documents of every kind in two sizes, the second ten times as large as the first.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use exactum_conformance::vectors::hex;

use super::watch::{Watched, watch};

/// The size of the larger document relative to the smaller one.
const TIMES: usize = 10;

/// The largest cost of the larger document relative to the smaller one. A quadratic cost would be a hundred times as
/// large; the margin above ten allows for noise.
const MOST: f64 = 20.0;

/// The number of times that a document is read. Memory is sampled, so the largest figure of several runs is the most
/// accurate; of processor times, the smallest has the least noise.
const RUNS: usize = 3;

/// Seconds and MB that count as noise.
const NOISE: f64 = 0.1;
const LITTLE: f64 = 8.0;

/// Bytes of memory for each byte of a document. The worst case is a list of one-digit extents: each extent, with its
/// comma, takes 8 bytes in the tree and 8 in the shape, and the text itself is also held, which makes 10.5.
const MULTIPLE: f64 = 11.0;

/// The time limit for a document, in seconds.
const LIMIT: u64 = 60;

/// A kind of document: the repeated part, the command that reads it, a count, and its text.
struct Kind {
    what: &'static str,
    command: &'static [&'static str],
    count: usize,
    text: fn(usize) -> String,
}

/// Returns the kinds of documents.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.what)
}

/// The resources that a kind of document takes.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The repeated part of the document.
    pub what: &'static str,
    /// The command.
    pub command: String,
    /// Megabytes taken by the smaller document.
    pub megabytes: f64,
    /// The processor time for the smaller and the larger document.
    pub seconds: [f64; 2],
    /// MB of memory for the smaller and the larger document.
    pub memory: [f64; 2],
    /// Whether both documents were read to the end.
    ended: bool,
}

impl Growth {
    /// Returns the violated limits.
    pub(super) fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        if !self.ended {
            findings.push(format!("it did not end within {LIMIT} s"));
        }
        if self.seconds[1] > MOST * self.seconds[0].max(NOISE / MOST) + NOISE {
            findings.push(format!("{:?} s", self.seconds));
        }
        // A document is held as a text and as a tree, whatever was sampled of a command that ends quickly.
        if self.memory[1] > MOST * self.memory[0].max(2.0 * self.megabytes) + LITTLE {
            findings.push(format!("{:?} MB", self.memory));
        }
        let size = self.megabytes * 10.0;
        if self.memory[1] > MULTIPLE * size + LITTLE {
            findings.push(format!(
                "{:.0} MB of memory for {size:.0} MB",
                self.memory[1]
            ));
        }
        findings
            .into_iter()
            .map(|finding| format!("{}: {finding}", self.what))
            .collect()
    }
}

/// Measures all kinds.
///
/// # Errors
/// If the command cannot be started, or a document cannot be written.
pub fn measure(
    exactum: &Path,
    folder: &Path,
    watcher: &dyn Fn(&str),
) -> Result<Vec<Growth>, String> {
    let at = |error: std::io::Error| format!("exactum: {error}");
    let base = runs(
        exactum,
        folder,
        &["validate", "--quiet", "-"],
        &array("", "\"bytes\""),
    )
    .map_err(at)?;
    let mut grown = Vec::new();
    for kind in KINDS {
        watcher(kind.what);
        let words = kind.command.iter().filter(|word| **word != "-");
        let mut growth = Growth {
            what: kind.what,
            command: words.copied().collect::<Vec<_>>().join(" "),
            megabytes: 0.0,
            seconds: [0.0; 2],
            memory: [0.0; 2],
            ended: true,
        };
        for (index, count) in [kind.count, TIMES * kind.count].into_iter().enumerate() {
            let text = (kind.text)(count);
            if index == 0 {
                growth.megabytes = mega(text.len() as u64);
            }
            let watched = runs(exactum, folder, kind.command, &text).map_err(at)?;
            growth.ended &= watched.code.is_some();
            growth.seconds[index] = (watched.worked - base.worked).max(0.0);
            growth.memory[index] = (mega(watched.runner) - mega(base.runner)).max(0.0);
        }
        grown.push(growth);
    }
    Ok(grown)
}

fn mega(bytes: u64) -> f64 {
    u32::try_from(bytes >> 10).map_or(f64::MAX, |kibibytes| f64::from(kibibytes) * 1.024e-3)
}

/// Returns the most memory and the least time of several runs. If one of them does not end, it is returned instead.
fn runs(exactum: &Path, folder: &Path, arguments: &[&str], text: &str) -> std::io::Result<Watched> {
    let mut all = run(exactum, folder, arguments, text)?;
    for _ in 1..RUNS {
        if all.code.is_none() {
            break;
        }
        let next = run(exactum, folder, arguments, text)?;
        all.code = next.code;
        all.worked = all.worked.min(next.worked);
        all.runner = all.runner.max(next.runner);
    }
    Ok(all)
}

fn run(exactum: &Path, folder: &Path, arguments: &[&str], text: &str) -> std::io::Result<Watched> {
    let (input, output) = (folder.join("input"), folder.join("output"));
    fs::write(&input, text)?;
    let mut command = Command::new(exactum);
    command
        .args(arguments)
        .stdin(File::open(&input)?)
        .stdout(File::create(&output)?)
        .stderr(Stdio::null());
    watch(&mut command, folder, Duration::from_secs(LIMIT))
}

/// Returns an array document with additional members and these codecs.
fn array(members: &str, codecs: &str) -> String {
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "float64", "fill_value": 0.0,
        "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
        "chunk_key_encoding": {{"name": "default"}}, {members}
        "codecs": [{codecs}]}}"#
    )
}

/// Returns `count` texts, separated by commas.
fn many(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect::<Vec<_>>().join(",")
}

const VALIDATE: &[&str] = &["validate", "--quiet", "-"];
const MODERNIZE: &[&str] = &["validate", "--modernize", "-"];

const BYTES: &str = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;

const KINDS: &[Kind] = &[
    Kind {
        what: "codecs that are unknown",
        command: VALIDATE,
        count: 20_000,
        text: |count| {
            array(
                "",
                &many(count, |index| format!(r#"{{"name": "codec-{index}"}}"#)),
            )
        },
    },
    Kind {
        what: "codecs with short names",
        command: VALIDATE,
        count: 100_000,
        text: |count| array("", &many(count, |_| r#""a""#.into())),
    },
    Kind {
        what: "storage transformers",
        command: VALIDATE,
        count: 50_000,
        text: |count| {
            let list = many(count, |_| r#"{"name": "a"}"#.into());
            array(&format!(r#""storage_transformers": [{list}],"#), BYTES)
        },
    },
    Kind {
        what: "names of dimensions",
        command: VALIDATE,
        count: 100_000,
        text: |count| {
            let list = many(count, |_| r#""a""#.into());
            array(&format!(r#""dimension_names": [{list}],"#), BYTES)
        },
    },
    Kind {
        what: "dimensions",
        command: VALIDATE,
        count: 200_000,
        text: |count| {
            let list = many(count, |_| "1".into());
            array("", BYTES).replace("[4]", &format!("[{list}]"))
        },
    },
    Kind {
        what: "members that are unknown",
        command: VALIDATE,
        count: 50_000,
        text: |count| {
            let members = many(count, |index| {
                format!(r#""m{index}": {{"must_understand": false}}"#)
            });
            array(&format!("{members},"), BYTES)
        },
    },
    Kind {
        what: "attributes",
        command: VALIDATE,
        count: 100_000,
        text: |count| {
            let members = many(count, |index| format!(r#""a{index}": {index}"#));
            array(&format!(r#""attributes": {{{members}}},"#), BYTES)
        },
    },
    Kind {
        what: "levels of an attribute",
        command: VALIDATE,
        count: 500_000,
        text: |count| {
            let value = "[".repeat(count) + &"]".repeat(count);
            array(&format!(r#""attributes": {{"a": {value}}},"#), BYTES)
        },
    },
    Kind {
        what: "digits of a number",
        command: VALIDATE,
        count: 100_000,
        text: |count| array("", BYTES).replace("0.0", &format!("0.{}", "7".repeat(count))),
    },
    Kind {
        what: "entries of a scalar_map",
        command: VALIDATE,
        count: 20_000,
        text: |count| {
            let entries = many(count, |index| format!("[{index}, {}]", index % 200));
            let map = format!(
                r#"{{"name": "cast_value", "configuration": {{"data_type": "uint8",
                "scalar_map": {{"encode": [{entries}]}}}}}}, "bytes""#
            );
            array("", &map)
        },
    },
    Kind {
        what: "legacy codecs",
        command: MODERNIZE,
        count: 4_000,
        text: |count| {
            let codec = r#"{"name": "numcodecs.fixedscaleoffset", "configuration":
                {"offset": 0, "scale": 1, "dtype": "<f8", "astype": "<f8"}}"#;
            array("", &format!("{}, {BYTES}", many(count, |_| codec.into())))
        },
    },
    Kind {
        what: "nodes of a group",
        command: VALIDATE,
        count: 5_000,
        text: |count| {
            let node = array("", BYTES);
            let nodes = many(count, |index| format!(r#""n{index}": {node}"#));
            format!(
                r#"{{"zarr_format": 3, "node_type": "group", "attributes": {{}}, "consolidated_metadata":
                {{"kind": "inline", "must_understand": false, "metadata": {{{nodes}}}}}}}"#
            )
        },
    },
    Kind {
        what: "values in a member of a request that is unknown",
        command: &["adapter", "reference"],
        count: 500_000,
        text: |count| {
            let values = many(count, |_| r#"{"":0}"#.into());
            format!(r#"{{"id":"0","op":"hello","protocol":1,"x":[{values}]}}"#) + "\n"
        },
    },
    Kind {
        what: "entries of a scalar_map, and as many elements",
        command: &["adapter", "optimized"],
        count: 20_000,
        text: |count| {
            let entries = many(count, |index| format!("[{index}, {}]", index % 100));
            let elements: String = (0..count)
                .map(|index| {
                    let element = u32::try_from(index).unwrap_or_default();
                    hex::encode(element.to_le_bytes())
                })
                .collect();
            let configuration =
                format!(r#"{{\"data_type\":\"int8\",\"scalar_map\":{{\"encode\":[{entries}]}}}}"#);
            format!(
                r#"{{"id":"0","op":"cast_value.encode","configuration":"{configuration}","input":{{"data_type":"uint32","shape":[{count}],"data":"{elements}"}}}}"#
            ) + "\n"
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(megabytes: f64, seconds: [f64; 2], memory: [f64; 2], findings: usize) {
        let growth = Growth {
            what: "anything",
            command: "validate".into(),
            megabytes,
            seconds,
            memory,
            ended: true,
        };
        assert_eq!(growth.findings().len(), findings, "{growth:?}");
    }

    #[test]
    fn growth_is_judged_by_what_was_measured() {
        check(1.0, [0.1, 1.0], [2.0, 20.0], 0);
        // Nothing was sampled for the smaller document, because the command ended at once.
        check(1.0, [0.0, 0.1], [0.0, 20.0], 0);
        check(1.0, [0.1, 10.0], [2.0, 20.0], 1);
        check(0.1, [0.1, 1.0], [1.0, 50.0], 2);
        check(1.0, [0.1, 1.0], [12.0, 119.0], 1);
    }
}
