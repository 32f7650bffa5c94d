//! Child processes that answer correctly except for one kind of fault.
//!
//! The culprit is the request whose first element is 77, unless stated otherwise.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "that is what a child process does"
)]

use std::io::{self, BufRead, Write};
use std::process::{Command, exit};
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs, process, thread};

use exactum_conformance::model::{Array, Reason, Rejection};
use exactum_conformance::{
    Call, Codec, Codecs, Hello, Implementation, InProcess, Outcome, Request,
};
use rustix::process::{Pid, Signal, getpgid, getpid, getppid, kill_process, setpgid, setsid};
use rustix::stdio::{dup2_stdin, dup2_stdout};
use serde_json::{Map, Value, json};

/// The argument that makes this program a liar.
pub(crate) const LIAR: &str = "--liar";

/// The environment variable that names a file for the liar's own use.
pub(crate) const STATE: &str = "EXACTUM_LIAR_STATE";

/// The first element of the culprit.
pub(crate) const CULPRIT: u8 = 77;

/// Quick lies; the second element of the culprit selects one.
pub(crate) const TURNS: [&str; 6] = [
    "aborts",
    "exits",
    "makes noise",
    "dies later",
    "answers twice",
    "leaves a child",
];

/// Casts uint8 to int8 as these vectors expect.
struct Right;

impl Codecs for Right {
    fn hello(&self) -> Hello {
        Hello::new("liar", "1.0", "rust").offering(&["cast_value.encode"])
    }

    fn call(&self, call: &Call) -> Outcome {
        let Call::Encode(Codec::CastValue(codec), input) = call else {
            return call.not_offered();
        };
        if let Some(index) = input.data().iter().position(|&byte| byte > 127) {
            return Err(
                Rejection::new(Reason::OutOfRange, "cast_value.range.error", "too large")
                    .at_element(index as u64)
                    .into(),
            );
        }
        let data = input.data().to_vec();
        Ok(Array::new(codec.encoded, input.shape().to_vec(), data)?.into())
    }
}

/// Answers until the input ends, lying in the way that this name selects.
pub(crate) fn run(name: &str) {
    match name {
        "slow start" => thread::sleep(Duration::from_secs(1)),
        "never starts" => sleep(),
        "dies at the start" => {
            eprintln!("no module named liar");
            exit(1);
        }
        "talks at the start" => say("Welcome!"),
        "waits a while" => return thread::sleep(Duration::from_secs(8)),
        "leaves its group" => {
            let _ = setsid();
            return thread::sleep(Duration::from_secs(8));
        }
        "takes memory" => {
            let hog = vec![1_u8; 120 << 20];
            std::hint::black_box(&hog);
            sleep();
        }
        "killed from outside" => write_state(&process::id().to_string()),
        _ => {}
    }
    let mut right = InProcess::new(Arc::new(Right));
    let mut input = io::stdin().lock();
    loop {
        let begin = input.fill_buf().expect("a pipe");
        if name == "stops within a request" && !begin.contains(&b'\n') && begin.len() > 1000 {
            sleep();
        }
        let mut line = String::new();
        if input.read_line(&mut line).expect("UTF-8") == 0 {
            return;
        }
        let Ok(mut members) = serde_json::from_str::<Map<String, Value>>(&line) else {
            if name == "dies of junk" {
                eprintln!("Traceback (most recent call last):");
                eprintln!("  File \"adapter.py\", line 7, in <module>");
                eprintln!("ValueError: Expecting value: line 1 column 1 (char 0)");
                exit(1);
            }
            say(r#"{"id":null,"error":{"message":"no JSON"}}"#);
            continue;
        };
        let id = members.shift_remove("id").expect("an id");
        let request = Request::new(members);
        let data = request.members().get("input").map(|input| &input["data"]);
        let first = data
            .and_then(|data| u8::from_str_radix(data.as_str()?.get(..2)?, 16).ok())
            .unwrap_or_default();
        if name == "takes its time" {
            thread::sleep(Duration::from_millis(400));
        }
        let answer = right.call(&request).expect("an answer").to_line(id.clone());
        if name == "calls all else an error" && request.op() == "exactum.unknown" {
            say(&json!({"id": id, "ok": {}}).to_string());
        } else if name == "misspells a restriction" && request.op() == "hello" {
            say(&answer.replace(
                r#""cast_value.encode":{}"#,
                r#""cast_value.encode":{"fron":["int8"]}"#,
            ));
        } else if name == "always ok" && data.is_some() {
            say(&ok(&id, request.members()["input"]["shape"].clone(), data));
        } else if first == CULPRIT && name == "by turns" {
            let turn = data.and_then(|data| u8::from_str_radix(data.as_str()?.get(2..4)?, 16).ok());
            let turn = usize::from(turn.unwrap_or_default());
            lie(TURNS[turn % TURNS.len()], &id, &answer);
        } else if first == CULPRIT {
            lie(name, &id, &answer);
        } else {
            say(&answer);
        }
    }
}

fn lie(name: &str, id: &Value, answer: &str) {
    match line(name, id, answer) {
        Some(line) => say(&line),
        None => misbehave(name, id, answer),
    }
}

/// Returns the line of a liar whose only fault is a wrong line.
fn line(name: &str, id: &Value, answer: &str) -> Option<String> {
    Some(match name {
        "makes noise" => "converting 1 element ...".into(),
        "says a number" => "77".into(),
        "shows a dict" => answer.replace('"', "'"),
        "is narrower than it says" => {
            json!({"id": id, "unsupported": {"message": "no 77"}}).to_string()
        }
        "wrong id" => r#"{"id":"99","ok":{}}"#.into(),
        "id is a number" => {
            let number: u64 = id
                .as_str()
                .and_then(|id| id.parse().ok())
                .expect("a number");
            answer.replacen(&id.to_string(), &number.to_string(), 1)
        }
        "no id" => r#"{"ok":{"output":{"data_type":"int8","shape":[1],"data":"4d"}}}"#.into(),
        "neither ok nor reject" => json!({"id": id, "output": "4d"}).to_string(),
        "ok and reject" => json!({"id": id, "ok": {}, "reject": {"reason": "shape"}}).to_string(),
        "output too short" => output(id, json!({"data_type": "int8", "shape": [2], "data": "4d"})),
        "another data type" => output(
            id,
            json!({"data_type": "uint8", "shape": [1], "data": "4d"}),
        ),
        "output is a text" => output(id, json!("4d")),
        "message is a number" => {
            json!({"id": id, "reject": {"reason": "shape", "message": 5}}).to_string()
        }
        "answers twice on a line" => format!("{answer}{answer}"),
        "answers twice" => format!("{answer}\n{answer}"),
        "repeats a member" => answer.replacen('{', r#"{"id":"0","#, 1),
        "repeats a member of its output" => {
            answer.replacen(r#""output":{"#, r#""output":{"shape":[9],"#, 1)
        }
        "says much and colours it" => {
            let message = "\u{1b}[2J\u{202e}\u{fffe}\nreference  1  100 %".repeat(20_000);
            json!({"id": id, "error": {"message": message}}).to_string()
        }
        _ => return None,
    })
}

/// Ends, hangs, or does more than answer.
fn misbehave(name: &str, id: &Value, answer: &str) {
    match name {
        "aborts" => process::abort(),
        "panics" => panic!("a culprit was seen"),
        "kills itself" => {
            kill_process(getpid(), Signal::KILL).expect("a signal");
            sleep();
        }
        "exits" => exit(0),
        "exits with 3" => {
            eprintln!("giving up");
            exit(3);
        }
        "exits within its answer" => {
            print!("{}", &answer[..20]);
            flush();
            exit(0);
        }
        "hangs" => sleep(),
        "has no such exception" => {
            eprintln!("Traceback (most recent call last):");
            eprintln!("  File \"adapter.py\", line 31, in answer");
            eprintln!("ValueError: cannot cast 77 without loss");
            say(&json!({"id": id, "error": {"message": "ValueError"}}).to_string());
        }
        "writes one line without end" => loop {
            print!("{}", "x".repeat(1 << 16));
        },
        "writes lines without end" => loop {
            println!("x");
        },
        "says more later" => {
            say(answer);
            thread::sleep(Duration::from_millis(40));
            say("done.");
        }
        "dies later" => {
            say(answer);
            thread::sleep(Duration::from_millis(40));
            process::abort();
        }
        "stops reading" => {
            say(answer);
            sleep();
        }
        "leaves a child" => {
            start("waits a while");
            exit(4);
        }
        "leaves a child out of its group" => {
            start("leaves its group");
            // The descendant leaves the group before this process ends and the group is killed.
            thread::sleep(Duration::from_millis(300));
            exit(4);
        }
        "fails once" => {
            if read_state().is_empty() {
                write_state("failed");
                process::abort();
            }
            say(answer);
        }
        "waits to be killed" | "killed from outside" => {
            write_state(&process::id().to_string());
            thread::sleep(Duration::from_millis(700));
            say(answer);
        }
        _ => misuse(name, answer),
    }
}

/// Misuses pipes, memory and process groups.
fn misuse(name: &str, answer: &str) {
    match name {
        "closes stdout" => {
            let null = fs::File::options().write(true).open("/dev/null");
            dup2_stdout(null.expect("a file")).expect("a file for another");
            sleep();
        }
        "closes stdin" => {
            dup2_stdin(fs::File::open("/dev/null").expect("a file")).expect("a file for another");
            say(answer);
            sleep();
        }
        "takes all memory" => {
            let mut hog = vec![0_u8; 1 << 30];
            hog.iter_mut().step_by(4096).for_each(|byte| *byte = 1);
            say(answer);
        }
        "changes its group and hangs" => {
            // Joining the runner's group leaves the child's own group empty.
            let runner = getpgid(getppid()).expect("a parent");
            setpgid(None, Some(runner)).expect("a group of the same session");
            sleep();
        }
        #[cfg(target_os = "linux")]
        "writes files in memory" => {
            // 160 MiB each: a file that is never mapped, and a file whose name was removed.
            let files = [memory_file(), shared_file()].map(|file| fill(file, 160));
            std::hint::black_box(&files);
            sleep();
        }
        "takes memory in children" => {
            for _ in 0..3 {
                start("takes memory");
            }
            sleep();
        }
        "starts what hides and hangs" => {
            let program = env::current_exe().expect("a program");
            let mut command = Command::new(program);
            command.args([LIAR, "leaves its group"]).env_clear();
            write_state(&command.spawn().expect("it starts").id().to_string());
            sleep();
        }
        // The remaining liars lie elsewhere.
        _ => say(answer),
    }
}

fn ok(id: &Value, shape: Value, data: Option<&Value>) -> String {
    output(
        id,
        json!({"data_type": "int8", "shape": shape, "data": data}),
    )
}

fn output(id: &Value, output: Value) -> String {
    json!({"id": id, "ok": {"output": output}}).to_string()
}

fn say(line: &str) {
    println!("{line}");
    flush();
}

fn flush() {
    io::stdout().flush().expect("a pipe");
}

fn sleep() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

/// Starts another instance of this program with the same pipes.
fn start(name: &str) {
    let program = env::current_exe().expect("a program");
    let child = Command::new(program).args([LIAR, name]).spawn();
    write_state(&child.expect("it starts").id().to_string());
}

/// Returns an unnamed file that the system keeps in memory.
#[cfg(target_os = "linux")]
fn memory_file() -> fs::File {
    let file = rustix::fs::memfd_create("liar", rustix::fs::MemfdFlags::CLOEXEC);
    file.expect("a file in memory").into()
}

/// Returns a file of `/dev/shm` whose name was removed.
#[cfg(target_os = "linux")]
fn shared_file() -> fs::File {
    let path = format!("/dev/shm/exactum-liar-{}", process::id());
    let file = fs::File::create_new(&path).expect("a file in memory");
    fs::remove_file(&path).expect("the file is there");
    file
}

/// Writes the given number of MiB.
#[cfg(target_os = "linux")]
fn fill(mut file: fs::File, mebibytes: usize) -> fs::File {
    for _ in 0..mebibytes {
        file.write_all(&vec![1; 1 << 20]).expect("memory");
    }
    file
}

fn state() -> Option<String> {
    env::var(STATE).ok()
}

fn read_state() -> String {
    state()
        .and_then(|path| fs::read_to_string(path).ok())
        .unwrap_or_default()
}

fn write_state(text: &str) {
    if let Some(path) = state() {
        fs::write(path, text).expect("a file");
    }
}

/// Returns whether a process is alive.
pub(crate) fn lives(id: i32) -> bool {
    let pid = Pid::from_raw(id).expect("a number of a process");
    // A process that has ended but has not been reaped counts as dead, too.
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let dead = stat
        .rsplit(')')
        .next()
        .is_some_and(|rest| rest.trim_start().starts_with('Z'));
    rustix::process::test_kill_process(pid).is_ok() && !dead
}
