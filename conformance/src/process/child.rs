//! One running child: lines out, lines in, and its end.

use std::io;
use std::process::{Child as Handle, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use super::group::{self, Mark};
use super::pipes::{self, Event, Input, Tail, Writing};
use super::{Launch, Limits, answer};
use crate::implementation::Failure;

/// How often a child that does not answer is looked at.
const WATCH: Duration = Duration::from_millis(100);

/// How long what a dead child has written may take to come through.
const SETTLE: Duration = Duration::from_millis(300);

/// How often the memory of a child is measured at most.
const MEASURE: Duration = Duration::from_millis(400);

/// How long a process that was killed may take to end.
const KILLED: Duration = Duration::from_secs(5);

/// A running child.
pub(crate) struct Child {
    handle: Handle,
    /// By which what it starts is known.
    mark: Mark,
    /// None once the child knows that no request follows.
    input: Option<Input>,
    output: Receiver<Event>,
    /// Bytes that the answer to the last request may have.
    longest: Arc<AtomicUsize>,
    errors: Tail,
    limits: Limits,
    /// When its memory was measured last.
    measured: Instant,
    /// Whether it was reaped.
    reaped: bool,
}

impl Child {
    /// Starts a program.
    ///
    /// # Errors
    /// If the system cannot start or limit it.
    pub(crate) fn start(launch: &Launch, limits: &Limits) -> Result<Self, Failure> {
        let program = launch.program.display();
        let cannot = |error| Failure::Crash(format!("{program} cannot be started: {error}"));
        let (mut command, limits_itself) = command(launch, limits);
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
        let mark = Mark::put(&mut command);
        if super::is_closing() {
            return Err(Failure::NotRun("the run was interrupted".into()));
        }
        group::renounce();
        let mut handle = command.spawn().map_err(cannot)?;
        Mark::began(&handle);
        let (Some(stdin), Some(stdout), Some(stderr)) = (
            handle.stdin.take(),
            handle.stdout.take(),
            handle.stderr.take(),
        ) else {
            unreachable!("all three were asked for");
        };
        let longest = Arc::new(AtomicUsize::new(limits.answer_to(0)));
        let child = Self {
            handle,
            mark,
            input: Some(Input::new(stdin)),
            output: pipes::output(stdout, Arc::clone(&longest)),
            longest,
            errors: Tail::new(stderr),
            limits: limits.clone(),
            measured: Instant::now(),
            reaped: false,
        };
        if !limits_itself {
            group::limit(&child.handle, limits.memory).map_err(cannot)?;
        }
        Ok(child)
    }

    /// The number of the process.
    pub(super) fn id(&self) -> u32 {
        self.handle.id()
    }

    /// Sends a line, whatever stands in front of it.
    pub(crate) fn send(&self, line: Arc<[u8]>) {
        if let Some(input) = &self.input {
            let longest = self.limits.answer_to(line.len());
            self.longest.store(longest, Ordering::Relaxed);
            input.send(line);
        }
    }

    /// Checks that the child lives and has written nothing unasked.
    ///
    /// # Errors
    /// What is wrong; the child is killed then.
    pub(super) fn quiet(&mut self) -> Result<(), Failure> {
        self.measure()?;
        match self.output.try_recv() {
            Err(TryRecvError::Empty) => Ok(()),
            Ok(Event::Line(line)) => Err(self.fails(Failure::Protocol(format!(
                "a line that was not asked for: {}",
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
    /// If none comes within `patience`; the child is killed then.
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
                    self.measure()?;
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
    /// If it does not, or not with exit code 0; the child is killed then.
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

    /// Kills it for a failure.
    fn fails(&mut self, failure: Failure) -> Failure {
        if self.kill() {
            failure
        } else {
            failure.and("; it could not be killed")
        }
    }

    /// Measures the memory that it takes with all that it started, now and then. The system limits
    /// what one process may write to; several of them, and what they share, only this does.
    fn measure(&mut self) -> Result<(), Failure> {
        if self.measured.elapsed() < MEASURE {
            return Ok(());
        }
        self.measured = Instant::now();
        let taken = self.mark.memory(&self.handle);
        if taken <= self.limits.memory {
            return Ok(());
        }
        let (taken, limit) = (taken >> 20, self.limits.memory >> 20);
        Err(self.fails(Failure::Crash(format!(
            "it was killed: with all that it started it took {taken} MiB of memory, and {limit} MiB are the limit"
        ))))
    }

    fn state(&self) -> Writing {
        self.input.as_ref().map_or(Writing::Done, Input::state)
    }

    fn too_long(&mut self) -> Failure {
        let limit = self.longest.load(Ordering::Relaxed);
        self.fails(Failure::Protocol(format!(
            "a line of more than {limit} bytes, the most that this answer may have"
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

    /// Kills it unless it has ended, with all that it started, and waits for it. What
    /// descends from it goes first, before its number may be used again.
    fn reap(&mut self) -> io::Result<ExitStatus> {
        self.mark.kill(&mut self.handle);
        self.reaped = true;
        // One that may not be killed, such as a program of another user, is left behind.
        if !self.ends_within(KILLED) {
            return Err(io::Error::other("it could not be killed"));
        }
        let status = self.handle.wait();
        Mark::ended(&self.handle);
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

    /// Ends it by force, with all that it started; whether it has ended.
    pub(crate) fn kill(&mut self) -> bool {
        self.input = None;
        // How it ended is known: it was killed.
        self.reaped || self.reap().is_ok()
    }
}

/// The command that starts a program, and whether it limits itself.
#[cfg_attr(
    not(target_os = "linux"),
    expect(unused_variables, reason = "elsewhere nothing is limited")
)]
fn command(launch: &Launch, limits: &Limits) -> (Command, bool) {
    #[cfg(target_os = "linux")]
    if launch.unprivileged {
        let mut command = group::limiting_itself(&launch.program, limits.memory);
        if group::as_nobody(&mut command) {
            return (command, true);
        }
    }
    (Command::new(&launch.program), false)
}

/// The child gets the end of its input and a short while to go, then it is killed.
impl Drop for Child {
    fn drop(&mut self) {
        self.input = None;
        if !self.reaped {
            let begin = Instant::now();
            // Its stdout ends as it does; what it still writes is discarded.
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
