//! `exactum compare`: compares what the codes of two packed arrays mean.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use exactum_conformance::output;
use exactum_exact::canonical;
use exactum_metadata::sds::number_to_json;
use exactum_model::ArrayCodec;
use exactum_plan::number::{self, shown};
use serde_json::{Value, json};

use crate::codes::{self, Difference, Packed};
use crate::validate::{Closed, Values, open_values};

/// Compare how two arrays are packed, by codecs or by attributes of CF: if every code means the same in both,
/// their chunks may be joined.
///
/// The command compares the data types, the fill values and the value of every code; for codes of more than
/// 16 bits, it compares the parameters of the packing instead. The exit code is 0 if nothing differs, and 1
/// if something does.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  exactum compare 2023.zarr/t2m 2024.zarr/t2m")]
pub(crate) struct Args {
    /// The zarr.json of an array, or its folder, or the attributes of a packed CF variable together with its
    /// `data_type`.
    #[arg(value_name = "A")]
    one: PathBuf,
    /// The second array, in any of the same forms.
    #[arg(value_name = "B")]
    other: PathBuf,
    /// Ignore the packing attributes of CF, so that the values are the stored elements.
    #[arg(long)]
    raw: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Compares and prints.
///
/// # Errors
/// If a document cannot be read or is rejected, or its codecs do not work on single elements.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let mut opened = Vec::new();
    for path in [&args.one, &args.other] {
        match open_values(path, args.raw) {
            Ok(values) => opened.push(values),
            Err(Closed::Other(why)) => return Err(why),
            Err(Closed::Rejected { words, .. }) => {
                output::print(&words)?;
                return Ok(ExitCode::from(2));
            }
        }
    }
    let [one, other] = &opened[..] else {
        return Err("compare takes two arrays".into());
    };
    let comparison = Comparison::of(one, other)?;
    output::print(&match args.json {
        true => format!("{:#}\n", comparison.document()),
        false => comparison.words(one, other),
    })?;
    Ok(match comparison.is_same() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// A line of the comparison: the property that is compared, its value in each array, and whether both are the
/// same.
struct Line {
    name: &'static str,
    values: [String; 2],
    is_same: bool,
}

struct Comparison {
    lines: Vec<Line>,
    /// The comparison of the codes, or `None` if they are not tried one by one.
    codes: Option<Difference>,
}

impl Comparison {
    fn of(one: &Values, other: &Values) -> Result<Self, String> {
        let both = [one, other];
        let [a, b] = [Packed::of(&one.chain)?, Packed::of(&other.chain)?];
        let line = |name, values: [String; 2]| Line {
            name,
            is_same: values[0] == values[1],
            values,
        };
        let stored = [&a, &b].map(|packed| packed.stored.to_string());
        let values = both.map(|it| it.chain.data_type.to_string());
        let missing = [&a, &b].map(missing);
        let fill = both.map(|it| {
            let fill_value = &it.chain.fill_value;
            canonical(fill_value).trim_matches('"').to_owned()
        });
        let mut lines = vec![
            line("stored", stored),
            line("values", values),
            line("NaN is", missing),
            line("never written", fill),
        ];
        let codes = match a.stored == b.stored {
            true => codes::compare(&a, &b),
            false => None,
        };
        if codes.is_none() {
            let steps = |values: &Values| -> Vec<ArrayCodec> {
                let steps = values.chain.pipeline.all_array_to_array();
                let steps = steps.map(|step| step.codec.clone());
                steps.filter(|codec| codec.data_types().is_some()).collect()
            };
            let is_same = steps(one) == steps(other);
            let words = if is_same {
                "same parameters"
            } else {
                "different parameters"
            };
            lines.push(Line {
                name: "packing",
                values: ["parameters".into(), words.into()],
                is_same,
            });
        }
        Ok(Self { lines, codes })
    }

    fn is_same(&self) -> bool {
        let codes = self.codes.as_ref();
        self.lines.iter().all(|line| line.is_same) && codes.is_none_or(|it| it.different == 0)
    }

    fn words(&self, one: &Values, other: &Values) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        for (name, values) in [("A", one), ("B", other)] {
            for note in &values.notes {
                let _ = writeln!(text, "{name}: {note}");
            }
        }
        for Line {
            name,
            values: [a, b],
            is_same,
        } in &self.lines
        {
            let _ = match is_same {
                true => writeln!(text, "{name:<15}{a}"),
                false => writeln!(text, "{name:<15}{a} in A, {b} in B"),
            };
        }
        match &self.codes {
            Some(difference) if difference.different == 0 => {
                let _ = writeln!(
                    text,
                    "codes          all {} mean the same",
                    difference.codes
                );
            }
            Some(difference) => {
                let _ = writeln!(text, "codes          {}", codes::words(difference));
            }
            None => {}
        }
        text.push_str(match self.is_same() {
            true => "The arrays may be joined as they are stored: every code means the same.\n",
            false => "The arrays may not be joined as they are stored; unpack one of them and pack it like the other.\n",
        });
        text
    }

    fn document(&self) -> Value {
        let lines: serde_json::Map<String, Value> = self
            .lines
            .iter()
            .map(|line| {
                let [a, b] = &line.values;
                let value = json!({"a": a, "b": b, "same": line.is_same});
                (line.name.replace(' ', "_").to_lowercase(), value)
            })
            .collect();
        let codes = self.codes.as_ref().map(|difference| {
            json!({
                "compared": difference.codes,
                "different": difference.different,
                "first": difference.first.as_ref().map(|[code, a, b]| json!({"code": code, "a": a, "b": b})),
                "largest": difference.largest.as_ref().map(|it| number_to_json(number::above(it))),
            })
        });
        json!({"same": self.is_same(), "compared": lines, "codes": codes})
    }
}

/// Returns the code that NaN is stored as.
fn missing(packed: &Packed) -> String {
    let format = packed.data_type().format();
    let nan = format.float().and_then(|float| float.nan_bits());
    let Some(nan) = nan else {
        return "not a value".into();
    };
    match packed.put(nan) {
        Some(code) => shown(packed.stored, code),
        None => "rejected".into(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// Returns the text that is printed about two packed variables, and whether they are the same.
    fn compared(one: &str, other: &str) -> (String, bool) {
        let open = |attributes: &str| {
            let mut file = tempfile::NamedTempFile::new().expect("a file");
            write!(file, "{{{attributes}}}").expect("a file");
            open_values(file.path(), false).expect("values")
        };
        let (one, other) = (open(one), open(other));
        let comparison = Comparison::of(&one, &other).expect("codes of single elements");
        let text = format!(
            "{}{:#}\n",
            comparison.words(&one, &other),
            comparison.document()
        );
        (text, comparison.is_same())
    }

    const KELVIN: &str =
        r#""data_type": "int16", "scale_factor": 0.01, "add_offset": 273.15, "_FillValue": -32767"#;

    #[test]
    fn codes_are_compared_one_by_one() {
        let same = format!("{KELVIN}, \"units\": \"K\"");
        let (text, is_same) = compared(KELVIN, &same);
        assert!(is_same, "{text}");
        let scaled = KELVIN.replace("0.01", "0.0125");
        let (text, is_same) = compared(KELVIN, &scaled);
        assert!(!is_same, "{text}");
        insta::assert_snapshot!("scaled", text);
        // One code differs: it is NaN on one side only.
        let (text, is_same) = compared(
            KELVIN,
            &KELVIN
                .replace("-32767", "[]")
                .replace("_FillValue", "missing_value"),
        );
        assert!(
            !is_same
                && text.contains("1 of 65536 are read as different values, first -32767: NaN and"),
            "{text}"
        );
        let wide = KELVIN.replace("int16", "int32");
        assert!(compared(&wide, &wide).1);
        assert!(!compared(&wide, &wide.replace("0.01", "0.02")).1);
        assert!(!compared(&wide, KELVIN).1);
    }
}
