//! `exactum try`: sends single values through the codecs of an array.

use std::path::PathBuf;
use std::process::ExitCode;

use comfy_table::{Table, presets};
use exactum_conformance::output;
use exactum_exact::Exact;
use exactum_metadata::sds::number_to_json;
use exactum_model::{Array, Chain, DataType, Rejection};
use exactum_plan::number::{self, shown};
use exactum_reference::analysis::{self, Stored};
use serde_json::{Value, json};

use crate::validate::with_values;

/// Try values: print what the codecs of an array store for each, what is read back, and how far that is from
/// the value.
///
/// If an array of integers has packing attributes of CF, the values are those that a reader of CF gets.
///
/// The exit code is 1 if a value is rejected.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  exactum try zarr.json 281.37 -54.53 NaN")]
pub(crate) struct Args {
    /// The zarr.json of an array, its folder, or the attributes of a packed CF variable together with its
    /// `data_type`; `-` stands for standard input.
    #[arg(value_name = "ZARR.JSON")]
    path: PathBuf,
    /// Values of the array's data type, or of the data type to which attributes of CF unpack its elements:
    /// numbers, `NaN`, `Infinity`, and bits in hex such as 0x7fc00000. `-Infinity` must follow `--`.
    #[arg(value_name = "VALUE", required = true, allow_negative_numbers = true)]
    values: Vec<String>,
    /// Ignore the packing attributes of CF, so that the values are the stored elements of the array.
    #[arg(long)]
    raw: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Tries the values and prints a table.
///
/// # Errors
/// If the document cannot be read or its numbers are not known, a text is not a value, or the two
/// implementations of Exactum differ.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    with_values(&args.path, args.raw, |values| {
        let trials = trials(&values.chain, &args.values)?;
        output::print(&match args.json {
            true => format!(
                "{:#}\n",
                json!({
                    "packing": values.packing_document(),
                    "values": trials.iter().map(Trial::document).collect::<Value>(),
                })
            ),
            false => values.heading() + &table(&trials),
        })?;
        let is_kept = |trial: &Trial| matches!(&trial.outcome, Ok(Stored { back: Ok(_), .. }));
        Ok(match trials.iter().all(is_kept) {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        })
    })
}

/// A value, and the result of storing it and reading it back.
struct Trial {
    data_type: DataType,
    stored: DataType,
    value: u64,
    outcome: Result<Stored, Rejection>,
}

/// Tries values with the reference and the optimized codecs.
///
/// # Errors
/// As for [`run`].
fn trials(chain: &Chain, values: &[String]) -> Result<Vec<Trial>, String> {
    let data_type = chain.data_type;
    let words = |rejection: Rejection| rejection.message;
    let one = analysis::single(chain).map_err(words)?;
    let stored = analysis::stored_type(chain).map_err(words)?;
    if !data_type.is_real() {
        return Err(format!("the values of {data_type} are not real numbers"));
    }
    let trial = |text: &String| {
        let value = number::read(data_type, text)?;
        let outcome = analysis::put(&one, value);
        agree(&one, value, &outcome).map_err(|what| {
            format!("{text}: reference and optimized differ, which is a fault of Exactum: {what}")
        })?;
        Ok(Trial {
            data_type,
            stored,
            value,
            outcome,
        })
    };
    values.iter().map(trial).collect()
}

/// Returns an error unless the optimized codecs do the same.
fn agree(one: &Chain, value: u64, outcome: &Result<Stored, Rejection>) -> Result<(), String> {
    let array = Array::from_components(one.data_type, Vec::new(), [value]);
    let array = array.map_err(|rejection| rejection.message)?;
    let bytes = exactum_optimized::chain::encode(one, &array);
    let by_reference = exactum_reference::chain::encode(one, &array);
    match (bytes, by_reference, outcome) {
        (Ok(bytes), Ok(other), Ok(stored)) if bytes == other => {
            let back = exactum_optimized::chain::decode(one, &bytes);
            let back = back.map(|array| array.component(0));
            match (&back, &stored.back) {
                (Ok(a), Ok(b)) if a == b => Ok(()),
                (Err(a), Err(b)) if (a.reason, a.clause) == (b.reason, b.clause) => Ok(()),
                _ => Err(format!(
                    "optimized reads back {back:x?}, and reference {:x?}",
                    stored.back
                )),
            }
        }
        (Err(a), Err(b), Err(_)) if (a.reason, a.clause) == (b.reason, b.clause) => Ok(()),
        (a, b, _) => Err(format!("optimized stores {a:x?}, and reference {b:x?}")),
    }
}

impl Trial {
    fn shown(&self, bits: u64) -> String {
        shown(self.data_type, bits)
    }

    /// Returns the distance between the value and the value that is read back, or nothing if one of them is not a
    /// number.
    fn error(&self, back: u64) -> Option<u64> {
        let format = self.data_type.format();
        let [value, back] = [self.value, back].map(|bits| Exact::from_bits(&format, bits));
        let error = back.subtract(&value);
        let is_finite = matches!(error, Exact::Zero { .. } | Exact::Finite(_));
        is_finite.then(|| number::nearest(&error))
    }

    fn document(&self) -> Value {
        let mut document = json!({
            "value": self.shown(self.value),
            "data_type": self.data_type.name(),
            "stored_type": self.stored.name(),
        });
        let rejected = |rejection: &Rejection| {
            json!({
                "reason": rejection.reason.name(),
                "clause": rejection.clause,
                "message": rejection.message,
            })
        };
        match &self.outcome {
            Err(rejection) => document["rejected"] = rejected(rejection),
            Ok(stored) => {
                document["code"] = shown(self.stored, stored.code).into();
                match &stored.back {
                    Err(rejection) => document["not_read"] = rejected(rejection),
                    Ok(back) => {
                        document["read_back"] = self.shown(*back).into();
                        document["error"] = self.error(*back).map(number_to_json).into();
                    }
                }
            }
        }
        document
    }

    fn row(&self) -> [String; 4] {
        let (code, back, error) = match &self.outcome {
            Err(rejection) => ("rejected".into(), rejection.to_string(), String::new()),
            Ok(stored) => {
                let code = shown(self.stored, stored.code);
                match &stored.back {
                    Err(rejection) => (code, format!("rejected: {rejection}"), String::new()),
                    Ok(back) => {
                        let error = self.error(*back);
                        let error = error.map(|bits| shown(DataType::Float64, bits));
                        (code, self.shown(*back), error.unwrap_or_default())
                    }
                }
            }
        };
        [self.shown(self.value), code, back, error]
    }
}

fn table(trials: &[Trial]) -> String {
    let mut table = Table::new();
    let stored = trials
        .first()
        .map_or(String::new(), |trial| trial.stored.to_string());
    table
        .load_style(presets::NOTHING)
        .set_header(["value", &stored, "read back", "error"]);
    for trial in trials {
        table.add_row(trial.row());
    }
    let lines = table.to_string();
    let lines = lines.lines().map(|line| format!("{}\n", line.trim()));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the table and the JSON for values in an array of float32 with a scale of 100.
    fn reported(values: &str, rule: &str) -> String {
        let document = format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "float32",
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
            "chunk_key_encoding": {{"name": "default"}}, "fill_value": "NaN", "codecs": [
            {{"name": "scale_offset", "configuration": {{"offset": 273.15, "scale": 100}}}},
            {{"name": "cast_value", "configuration": {{"data_type": "int16"{rule}, "scalar_map": {{
              "encode": [["NaN", -32768]], "decode": [[-32768, "NaN"]]}}}}}},
            {{"name": "packbits"}}, {{"name": "crc32c"}}]}}"#
        );
        let document = exactum_metadata::parse_array(&document).expect("a document");
        let values: Vec<String> = values.split(' ').map(str::to_owned).collect();
        match trials(&document.chain, &values) {
            Ok(trials) => {
                let documents: Value = trials.iter().map(Trial::document).collect();
                format!("{}\n{documents:#}\n", table(&trials))
            }
            Err(why) => why,
        }
    }

    #[test]
    fn values_are_reported_with_what_becomes_of_them() {
        for (name, values, rule) in [
            ("values", "281.37 NaN 0x7fc00001 -54.53 1e9 -Infinity", ""),
            ("clamped", "1e9 -1e9 -0", r#", "out_of_range": "clamp""#),
            ("no-value", "281.37 warm", ""),
            ("no-bits", "0x7fc0", ""),
        ] {
            insta::assert_snapshot!(name, reported(values, rule));
        }
    }
}
