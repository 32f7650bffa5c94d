//! Times the library for `cargo xtask bench`, on elements or a stream that it received before.
//! `conformance/lab/src/bench/outside.rs` describes the dialogue.

use std::io::{self, BufRead as _, Write as _};
use std::time::Instant;

use serde_json::{Value, json};

use crate::zfp::{Open, size};
use crate::{Fault, array, bytes, error, mode, text};

/// The only contestant.
const NAME: &str = "zfp-c";

/// A prepared case: an open field and stream, and the direction.
struct Prepared {
    open: Open,
    encodes: bool,
}

/// Answers requests until the input ends.
pub(crate) fn run() -> io::Result<()> {
    let mut output = io::stdout().lock();
    let mut prepared = None;
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?).unwrap_or_default();
        let answer = answer(&request, &mut prepared).unwrap_or_else(|fault| {
            let (Fault::Reject(words) | Fault::Unsupported(words) | Fault::Error(words)) = fault;
            json!({"error": words})
        });
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn answer(request: &Value, prepared: &mut Option<Prepared>) -> Result<Value, Fault> {
    if let Some(case) = request.get("prepare") {
        // Frees the previous case before more memory is allocated.
        *prepared = None;
        let mut made = prepare(case)?;
        let result = made.run()?;
        let first = result.get(..length(case, "first")?).unwrap_or(result);
        let about = json!({"allocates": false, "first": hex::encode(first)});
        *prepared = Some(made);
        return Ok(json!({"contestants": {NAME: about}}));
    }
    let prepared = prepared
        .as_mut()
        .ok_or_else(|| error("no case has been prepared"))?;
    let repeats = length(request, "repeats")?;
    let start = Instant::now();
    for _ in 0..repeats {
        prepared.run()?;
    }
    #[expect(clippy::cast_precision_loss, reason = "a small number")]
    let seconds = start.elapsed().as_secs_f64() / repeats as f64;
    Ok(json!({"seconds": seconds}))
}

fn prepare(case: &Value) -> Result<Prepared, Fault> {
    let encodes = text(case, "operation")? == "zfp.encode";
    let (kind, shape) = array(case)?;
    let mode = mode(&case["configuration"])?;
    let input = bytes(case, "period")?;
    let open = if encodes {
        Open::new(mode, kind, &shape, input, &[])?
    } else {
        Open::new(mode, kind, &shape, vec![0; size(kind, &shape)?], &input)?
    };
    Ok(Prepared { open, encodes })
}

impl Prepared {
    /// Runs the case once and returns the result.
    fn run(&mut self) -> Result<&[u8], Fault> {
        Ok(if self.encodes {
            self.open.compress()?
        } else {
            self.open.decompress()?
        })
    }
}

fn length(object: &Value, key: &str) -> Result<usize, Fault> {
    let length = object[key].as_u64().and_then(|it| usize::try_from(it).ok());
    length.ok_or_else(|| error(format!("{key} is not a size")))
}
