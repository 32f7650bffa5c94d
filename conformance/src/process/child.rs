//! One running child: lines out, lines in, and its end.

use std::io;
use std::process::{Child as Handle, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use super::pipes::{self, Event, Input, Tail, Writing};
use super::{Launch, Limits, answer, group};
use crate::implementation::Failure;

/// How often a child that does not answer is looked at.
const WATCH: Duration = Duration::from_millis(100);

/// How long what a dead child has written may take to come through.
const SETTLE: Duration = Duration::from_millis(300);

/// A running child.
pub(crate) struct Child {
    handle: Handle,
    /// None once the child was told that no request follows.
    input: Option<Input>,
    output: Receiver<Event>,
    errors: Tail,
    limits: Limits,
    /// Whether it was reaped.
    reaped: bool,
}

impl Child {
    /// Starts a program.
    ///
    /// # Errors
    /// When the system cannot start or limit it.
    pub(crate) fn start(launch: &Launch, limits: &Limits) -> Result<Self, Failure> {
        let program = launch.program.display();
        let cannot = |error| Failure::Crash(format!("{program} cannot be started: {error}"));
        let mut command = Command::new(&launch.program);
        command
            .args(&launch.arguments)
            .envs(launch.environment.iter().map(|(key, value)| (key, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        group::separate(&mut command);
        let mut handle = command.spawn().map_err(cannot)?;
        let (Some(stdin), Some(stdout), Some(stderr)) = (
            handle.stdin.take(),
            handle.stdout.take(),
            handle.stderr.take(),
        ) else {
            unreachable!("all three were asked for");
        };
        let child = Self {
            handle,
            input: Some(Input::new(stdin)),
            output: pipes::output(stdout, limits.answer),
            errors: Tail::new(stderr),
            limits: limits.clone(),
            reaped: false,
        };
        group::limit(&child.handle, limits.memory).map_err(cannot)?;
        Ok(child)
    }

    /// The number of the process.
    pub(super) fn id(&self) -> u32 {
        self.handle.id()
    }

    /// Sends a line, whatever stands in front of it.
    pub(crate) fn send(&self, line: Arc<[u8]>) {
        if let Some(input) = &self.input {
            input.send(line);
        }
    }

    /// Checks that the child lives and has written nothing unasked.
    ///
    /// # Errors
    /// What is wrong; the child is killed then.
    pub(super) fn quiet(&mut self) -> Result<(), Failure> {
        match self.output.try_recv() {
            Err(TryRecvError::Empty) => Ok(()),
            Ok(Event::Line(line)) => Err(self.fails(Failure::Protocol(format!(
                "a line that nobody asked for: {}",
                answer::shown(&line)
            )))),
            Ok(Event::TooLong) => Err(self.too_long()),
            Ok(Event::End(rest)) => Err(self.ended(&rest)),
            Err(TryRecvError::Disconnected) => Err(self.ended(&[])),
        }
    }

    /// Waits for the next line.
    ///
    /// # Errors
    /// When none comes within `patience`; the child is killed then.
    pub(crate) fn receive(&mut self, patience: Duration) -> Result<Vec<u8>, Failure> {
        let begin = Instant::now();
        let mut watch = WATCH;
        loop {
            let left = patience.saturating_sub(begin.elapsed());
            match self.output.recv_timeout(left.min(watch)) {
                Ok(Event::Line(line)) => return Ok(line),
                Ok(Event::TooLong) => return Err(self.too_long()),
                Ok(Event::End(rest)) => return Err(self.ended(&rest)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(&[])),
                Err(RecvTimeoutError::Timeout) if watch == SETTLE => return Err(self.ended(&[])),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(self.late(patience));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if group::has_ended(&mut self.handle) {
                        // Something that it started may hold the pipe open, so that there is no
                        // end; but its last words may still be under way.
                        watch = SETTLE;
                    } else if self.state() == Writing::Refused
                        && !self.ends_within(self.limits.grace)
                    {
                        let words = "it closed its standard input before it had read the request";
                        return Err(self.fails(Failure::Protocol(words.into())));
                    }
                }
            }
        }
    }

    /// What it has said on stderr at last. Of a child that lives, what is there soon.
    pub(crate) fn stderr(&self) -> String {
        self.errors.text(if self.reaped { SETTLE } else { WATCH })
    }

    /// Ends its input and waits for it to end by itself.
    ///
    /// # Errors
    /// When it does not, or not with exit code 0; the child is killed then.
    pub(crate) fn end(&mut self) -> Result<(), Failure> {
        self.input = None;
        if !self.ends_within(self.limits.grace) {
            let seconds = self.limits.grace.as_secs_f64();
            let words = format!("it still runs {seconds:.1} s after its input has ended");
            return Err(self.fails(Failure::Timeout(words)));
        }
        match self.reap() {
            Ok(status) if status.success() => Ok(()),
            status => Err(Failure::Crash(format!("it {}", how(status)))),
        }
    }

    fn fails(&mut self, failure: Failure) -> Failure {
        self.kill();
        failure
    }

    fn state(&self) -> Writing {
        self.input.as_ref().map_or(Writing::Done, Input::state)
    }

    fn too_long(&mut self) -> Failure {
        let limit = self.limits.answer;
        self.fails(Failure::Protocol(format!(
            "a line of more than {limit} bytes, the most that an answer may have"
        )))
    }

    fn late(&mut self, patience: Duration) -> Failure {
        let seconds = patience.as_secs_f64();
        let reads = match self.state() {
            Writing::Busy => ", and it has not read the whole request",
            _ => "",
        };
        self.fails(Failure::Timeout(format!(
            "no answer within {seconds:.1} s{reads}"
        )))
    }

    /// Its stdout has ended, or it has.
    fn ended(&mut self, rest: &[u8]) -> Failure {
        let unfinished = match rest.len() {
            0 => String::new(),
            bytes => format!(" within a line, {bytes} bytes into it"),
        };
        if !self.ends_within(self.limits.grace) {
            return self.fails(Failure::Protocol(format!(
                "it closed its standard output{unfinished} and lives on"
            )));
        }
        let how = how(self.reap());
        Failure::Crash(format!("it {how}{unfinished}"))
    }

    /// Waits for a child that has ended. What is left of its group goes first, before its number
    /// may be used again.
    fn reap(&mut self) -> io::Result<ExitStatus> {
        group::kill(&mut self.handle);
        let status = self.handle.wait();
        self.reaped = true;
        status
    }

    /// Waits for the child to end by itself; whether it did.
    fn ends_within(&mut self, patience: Duration) -> bool {
        let begin = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            if group::has_ended(&mut self.handle) {
                return true;
            }
            if begin.elapsed() >= patience {
                return false;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Ends it by force, with all that it started.
    pub(crate) fn kill(&mut self) {
        self.input = None;
        if !self.reaped {
            // How it ended is known: it was killed.
            let _ = self.reap();
        }
    }
}

/// The child gets the end of its input and a short while to go, then it is killed.
impl Drop for Child {
    fn drop(&mut self) {
        self.input = None;
        if !self.reaped {
            let begin = Instant::now();
            // Its stdout ends as it does; what it still writes is nobody's.
            while let Some(left) = self.limits.grace.checked_sub(begin.elapsed()) {
                match self.output.recv_timeout(left.min(WATCH)) {
                    Ok(Event::Line(_)) => {}
                    Err(RecvTimeoutError::Timeout) if !group::has_ended(&mut self.handle) => {}
                    _ => break,
                }
            }
            self.ends_within(self.limits.grace.saturating_sub(begin.elapsed()));
        }
        self.kill();
    }
}

/// How a process ended, in words.
fn how(status: io::Result<ExitStatus>) -> String {
    let status = match status {
        Ok(status) => status,
        Err(error) => return format!("ended unseen ({error})"),
    };
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        if status.signal().is_some() {
            return format!("was killed by {status}");
        }
    }
    match status.code() {
        Some(code) => format!("ended with exit code {code}"),
        None => format!("ended with {status}"),
    }
}
