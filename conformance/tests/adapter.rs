//! The answering side of the protocol: lines in, lines out.

mod common;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use common::Faulty;
use exactum_conformance::{Answer, Hello, InProcess, MAX_LINE, Success, serve};
use serde_json::{Map, Value, json};

fn answers(input: &[u8]) -> Vec<Value> {
    let mut output = Vec::new();
    let mut faulty = InProcess::new(Arc::new(Faulty));
    serve(&mut faulty, input, &mut output).expect("nothing breaks down");
    let output = String::from_utf8(output).expect("UTF-8");
    output
        .lines()
        .map(|line| serde_json::from_str(line).expect("an answer is JSON"))
        .collect()
}

fn check(request: &str, answer: Value) {
    assert_eq!(
        answers(format!("{request}\n").as_bytes()),
        [answer],
        "{request}"
    );
}

/// Checks that the answer to a request is an `error` with this message.
fn check_error(request: &str, id: Value, says: &str) {
    let answers = answers(format!("{request}\n").as_bytes());
    let [answer] = answers.as_slice() else {
        panic!("{request}: {answers:?}");
    };
    assert_eq!(answer["id"], id, "{request}");
    let message = answer["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains(says), "{request}: {answer}");
}

#[test]
fn requests_are_answered_in_order() {
    let request = |id: &str, data: &str| {
        json!({
            "id": id,
            "op": "cast_value.encode",
            "configuration": r#"{"data_type":"int8"}"#,
            "input": {"data_type": "uint8", "shape": [1], "data": data},
        })
        .to_string()
    };
    let lines = [request("a", "05"), request("b", "ff"), request("c", "65")].join("\n");
    // The last line may lack its line feed.
    assert_eq!(
        answers(lines.as_bytes()),
        [
            json!({"id": "a", "ok": {"output": {"data_type": "int8", "shape": [1], "data": "05"}}}),
            json!({"id": "b", "reject": {
                "reason": "out_of_range",
                "message": "255 is out of range (cast_value.range.error)",
                "at": 0,
            }}),
            json!({"id": "c", "unsupported": {"message": "no 101 here"}}),
        ]
    );
}

#[test]
fn members_come_in_any_order_and_unknown_ones_are_ignored() {
    check(
        r#"{"input":{"data":"05","extra":1,"shape":[1],"data_type":"uint8"},"later":[],
            "configuration":"{\"data_type\":\"int8\"}","op":"cast_value.encode","id":7}"#
            .replace('\n', "")
            .as_str(),
        json!({"id": 7, "ok": {"output": {"data_type": "int8", "shape": [1], "data": "05"}}}),
    );
}

#[test]
fn hello_tells_what_is_offered() {
    check(
        r#"{"id":"0","op":"hello","protocol":1}"#,
        json!({"id": "0", "ok": {
            "protocol": 1,
            "name": "faulty",
            "version": "1.0",
            "language": "rust",
            "operations": {"cast_value.encode": {"from": ["uint8"], "to": ["int8"]}},
        }}),
    );
}

#[test]
fn bad_content_is_rejected() {
    let rejected = |request: Value, reason: &str| {
        let answers = answers(format!("{request}\n").as_bytes());
        assert_eq!(
            answers[0]["reject"]["reason"], reason,
            "{request}: {answers:?}"
        );
    };
    let input = json!({"data_type": "uint8", "shape": [1], "data": "05"});
    let request = |configuration: &str, input: &Value| json!({"id": "1", "op": "cast_value.encode", "configuration": configuration, "input": input});
    rejected(request("{}", &input), "metadata");
    rejected(request("no JSON", &input), "metadata");
    let unknown = json!({"data_type": "int7", "shape": [1], "data": "05"});
    rejected(
        request(r#"{"data_type":"int8"}"#, &unknown),
        "unsupported_data_type",
    );
}

#[test]
fn what_is_no_request_is_an_error() {
    for (request, says) in [
        ("", "JSON"),
        ("nonsense", "JSON"),
        ("[1]", "JSON object"),
        (r#"{"id":"1""#, "JSON"),
        (r#"{"op":"hello"}"#, "id"),
    ] {
        check_error(request, Value::Null, says);
    }
    let bits = r#""op":"fill_value.format","data_type":"int16","bits":"00""#;
    for (members, says) in [
        (r#""later":1"#, "op"),
        (r#""op":5"#, "op"),
        (r#""op":"cast""#, "unknown operation \"cast\""),
        (r#""op":"chain.resolve""#, "metadata"),
        (r#""op":"metadata.validate","kind":"array""#, "document"),
        (bits, "int16 has 2 bytes"),
    ] {
        let request = format!(r#"{{"id":"1",{members}}}"#);
        check_error(&request, "1".into(), says);
    }
    let too_large = r#"{"data_type":"uint8","shape":[4294967296,4294967296],"data":""}"#;
    for (input, says) in [
        ("5", "array"),
        (r#"{"data_type":"uint8","shape":[2],"data":"05"}"#, "shape"),
        (r#"{"data_type":"uint8","shape":[1],"data":"0"}"#, "data"),
        (r#"{"data_type":"uint8","shape":[-1],"data":""}"#, "shape"),
        (too_large, "too large"),
    ] {
        let request = format!(
            r#"{{"id":"1","op":"cast_value.encode","configuration":"{{}}","input":{input}}}"#
        );
        check_error(&request, "1".into(), says);
    }
}

#[test]
fn broken_utf8_and_long_lines_are_errors_and_the_next_line_is_answered() {
    let hello = br#"{"id":"0","op":"hello"}"#;
    let mut input = b"{\"id\":\"\xff\"}\n".to_vec();
    input.extend(vec![b' '; MAX_LINE + 10]);
    input.push(b'\n');
    input.extend(hello);
    let answers = answers(&input);
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["id"], Value::Null);
    let message = answers[1]["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("at most"), "{message}");
    assert_eq!(answers[2]["ok"]["name"], "faulty");
}

/// A pipe whose reader blocks, like the stdin of a child.
struct Blocking(Receiver<Vec<u8>>);

impl Read for Blocking {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Ok(bytes) = self.0.recv() else {
            return Ok(0);
        };
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

/// Passes on everything that was flushed.
struct Flushed(Vec<u8>, Sender<Vec<u8>>);

impl Write for Flushed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.1
            .send(std::mem::take(&mut self.0))
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

#[test]
fn a_client_in_lock_step_gets_every_answer() {
    let (requests, input) = channel();
    let (output, flushed) = channel();
    let server = std::thread::spawn(move || {
        let mut faulty = InProcess::new(Arc::new(Faulty));
        serve(&mut faulty, Blocking(input), Flushed(Vec::new(), output))
    });
    for id in 0..3 {
        let line = format!("{{\"id\":{id},\"op\":\"hello\"}}\n");
        requests.send(line.into_bytes()).expect("it listens");
        let answer = flushed.recv().expect("it answers");
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        assert_eq!(answer["id"], id);
    }
    drop(requests);
    assert!(server.join().expect("no panic").is_ok());
}

#[test]
fn a_crash_ends_the_service() {
    let request = json!({
        "id": "1",
        "op": "cast_value.encode",
        "configuration": r#"{"data_type":"int8"}"#,
        "input": {"data_type": "uint8", "shape": [1], "data": "64"},
    });
    let mut output = Vec::new();
    let mut faulty = InProcess::new(Arc::new(Faulty));
    let input = format!("{request}\n");
    let error = serve(&mut faulty, input.as_bytes(), &mut output).expect_err("a panic");
    assert_eq!(error.to_string(), "element 0 is 100");
    assert_eq!(output, b"");
}

#[test]
fn answers_come_back_as_they_went() {
    for (op, answer) in [
        (
            "cast_value.encode",
            Answer::Ok(Success::Output(common::int8(&[1, 2]))),
        ),
        ("chain.encode", Answer::Ok(Success::Bytes(vec![1, 2, 255]))),
        ("fill_value.parse", Answer::Ok(Success::Bits(vec![0, 0x7e]))),
        (
            "fill_value.format",
            Answer::Ok(Success::Json("\"NaN\"".into())),
        ),
        ("metadata.validate", Answer::Ok(Success::Valid)),
        ("chain.encode", Answer::Unsupported("no".into())),
        ("chain.encode", Answer::Error("no".into())),
    ] {
        let line = answer.to_line("1".into());
        let members: Map<String, Value> = serde_json::from_str(&line).expect("JSON");
        assert_eq!(Answer::from_json(op, &members), Ok(answer), "{line}");
    }
}

#[test]
fn answers_outside_of_the_protocol_are_refused() {
    for (op, answer) in [
        ("cast_value.encode", json!({"id": "1"})),
        (
            "cast_value.encode",
            json!({"ok": {}, "reject": {"reason": "shape"}}),
        ),
        ("cast_value.encode", json!({"ok": {}})),
        (
            "cast_value.encode",
            json!({"ok": {"output": {"data_type": "int8", "shape": [2], "data": "01"}}}),
        ),
        (
            "cast_value.encode",
            json!({"ok": {"output": {"data_type": "int7", "shape": [1], "data": "01"}}}),
        ),
        ("chain.encode", json!({"ok": {"bytes": "0"}})),
        ("chain.encode", json!({"reject": "no"})),
        ("chain.encode", json!({"reject": {"message": "no"}})),
        (
            "chain.encode",
            json!({"reject": {"reason": "shape", "message": 5}}),
        ),
        (
            "chain.encode",
            json!({"reject": {"reason": "shape", "at": -1}}),
        ),
        (
            "chain.resolve",
            json!({"ok": {"stages": [{}], "encoded_bytes": 1, "survives": true}}),
        ),
        (
            "chain.resolve",
            json!({"ok": {
                "stages": [{"codec": null, "data_type": "int8", "shape": [1], "fill_value": "00"}],
                "encoded_bytes": 1,
                "returned": "0000",
            }}),
        ),
        (
            "hello",
            json!({"ok": {"protocol": 2, "name": "n", "version": "v", "language": "l", "operations": {}}}),
        ),
    ] {
        let Value::Object(members) = answer else {
            panic!("an answer is an object");
        };
        let refused = match Answer::from_json(op, &members) {
            // The contents of an introduction are for `Hello` to judge.
            Ok(Answer::Ok(Success::Document(members))) => Hello::from_members(&members).is_err(),
            answer => answer.is_err(),
        };
        assert!(refused, "{op} {members:?}");
    }
}
