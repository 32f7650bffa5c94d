//! The answering side of the protocol: reads requests and writes answers.

use std::io::{self, BufRead, BufReader, Read, Write};

use serde_json::Value;

use crate::implementation::{Failure, Implementation};
use crate::line::object;
use crate::protocol::Answer;
use crate::request::Request;

/// The longest line of the protocol, in bytes, without its line feed.
pub const MAX_LINE: usize = 64 << 20;

/// Answers one request per line until the input ends.
///
/// Requests may be sent ahead. The output is flushed whenever no further request is available, so that a client that
/// waits for each answer receives it.
///
/// # Errors
/// If reading or writing fails, or if the implementation breaks down. In the latter case there is no answer to give,
/// and the serving process should end as if it had crashed.
pub fn serve<R: Read, W: Write>(
    implementation: &mut dyn Implementation,
    input: R,
    mut output: W,
) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut line = Vec::new();
    while read_line(&mut input, &mut line)? {
        let (id, answer) = match parse(&line) {
            Ok((id, request)) => match implementation.call(&request) {
                Ok(answer) => (id, answer),
                Err(Failure::Protocol(message)) => (id, Answer::Error(message)),
                Err(failure) => {
                    output.flush()?;
                    return Err(io::Error::other(failure.words().to_owned()));
                }
            },
            Err(message) => (Value::Null, Answer::Error(message)),
        };
        output.write_all(answer.to_line(id).as_bytes())?;
        output.write_all(b"\n")?;
        if input.buffer().is_empty() {
            output.flush()?;
        }
    }
    output.flush()
}

/// Reads a line into `line`, without its line feed. Returns `false` at the end of the input. Of a line that is too
/// long, only enough is kept to show that it is.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let limit = u64::try_from(MAX_LINE)
        .unwrap_or(u64::MAX)
        .saturating_add(2);
    if input.by_ref().take(limit).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() > MAX_LINE {
        skip_line(input)?;
    }
    Ok(true)
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let read = end.map_or(buffer.len(), |end| end + 1);
        input.consume(read);
        if end.is_some() {
            return Ok(());
        }
    }
}

fn parse(line: &[u8]) -> Result<(Value, Request), String> {
    if line.len() > MAX_LINE {
        return Err(format!("a line may have at most {MAX_LINE} bytes"));
    }
    let mut members =
        object(line).map_err(|error| format!("a request is a JSON object: {error}"))?;
    let id = members.shift_remove("id").ok_or("a request needs an id")?;
    Ok((id, Request::new(members)))
}
