//! One running child: the lines sent to it, the lines received, and its end.

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

/// The interval at which a child that does not answer is checked.
const WATCH: Duration = Duration::from_millis(100);

/// The time allowed for the last output of a dead child to arrive.
const SETTLE: Duration = Duration::from_millis(300);

/// The shortest interval between two measurements of a child's memory.
const MEASURE: Duration = Duration::from_millis(400);

/// The time within which a killed process must end.
const KILLED: Duration = Duration::from_secs(5);

/// A running child.
pub(crate) struct Child {
    handle: Handle,
    /// The mark by which its descendants are recognised.
    mark: Mark,
    /// `None` once the child has been notified that no request follows.
    input: Option<Input>,
    output: Receiver<Event>,
    /// The largest number of bytes that the answer to the last request may have.
    longest: Arc<AtomicUsize>,
    errors: Tail,
    limits: Limits,
    /// When its memory was last measured.
    measured: Instant,
    /// Whether the process has been reaped.
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

    /// Returns the process id.
    pub(super) fn id(&self) -> u32 {
        self.handle.id()
    }

    /// Queues a line for sending, after those that are still being written.
    pub(crate) fn send(&self, line: Arc<[u8]>) {
        if let Some(input) = &self.input {
            let longest = self.limits.answer_to(line.len());
            self.longest.store(longest, Ordering::Relaxed);
            input.send(line);
        }
    }

    /// Checks that the child is alive and has written nothing unrequested.
    ///
    /// # Errors
    /// If it has ended or written something. The child is then killed.
    pub(super) fn quiet(&mut self) -> Result<(), Failure> {
        self.measure()?;
        match self.output.try_recv() {
            Err(TryRecvError::Empty) => Ok(()),
            Ok(Event::Line(line)) => Err(self.fails(Failure::Protocol(format!(
                "an unrequested line: {}",
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
    /// If none arrives within `patience`. The child is then killed.
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
                        // A descendant may hold the pipe open, so that it does not end, but the last output may still
                        // be on its way.
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

    /// Returns its last output on stderr. For a child that is alive, waits only briefly.
    pub(crate) fn stderr(&self) -> String {
        self.errors.text(if self.reaped { SETTLE } else { WATCH })
    }

    /// Ends the child's input and waits for the child to exit on its own.
    ///
    /// # Errors
    /// If it does not exit, or exits with a code other than 0. The child is then killed.
    pub(crate) fn end(&mut self) -> Result<(), Failure> {
        self.input = None;
        if !self.ends_within(self.limits.grace) {
            let seconds = self.limits.grace.as_secs_f64();
            let words = format!("it is still running {seconds:.1} s after its input ended");
            return Err(self.fails(Failure::Timeout(words)));
        }
        match self.reap() {
            Ok(status) if status.success() => Ok(()),
            status => Err(Failure::Crash(format!("it {}", how(status)))),
        }
    }

    /// Kills the child because of a failure.
    fn fails(&mut self, failure: Failure) -> Failure {
        if self.kill() {
            failure
        } else {
            failure.and("; it could not be killed")
        }
    }

    /// Measures, from time to time, the memory used by the child and everything that it started. The system's limit
    /// applies to what a single process may write to; only this measurement covers several processes and their shared
    /// memory.
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
            "it was killed: with its child processes it used {taken} MiB of memory; the limit is \
             {limit} MiB"
        ))))
    }

    fn state(&self) -> Writing {
        self.input.as_ref().map_or(Writing::Done, Input::state)
    }

    fn too_long(&mut self) -> Failure {
        let limit = self.longest.load(Ordering::Relaxed);
        self.fails(Failure::Protocol(format!(
            "a line longer than {limit} bytes, the limit for this answer"
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

    /// Handles the end of the child or of its stdout.
    fn ended(&mut self, rest: &[u8]) -> Failure {
        let unfinished = match rest.len() {
            0 => String::new(),
            bytes => format!(" within a line, {bytes} bytes into it"),
        };
        if !self.ends_within(self.limits.grace) {
            return self.fails(Failure::Protocol(format!(
                "it closed its standard output{unfinished} but is still running"
            )));
        }
        let how = how(self.reap());
        Failure::Crash(format!("it {how}{unfinished}"))
    }

    /// Kills the child, unless it has ended, with everything that it started, and waits for it. Its descendants are
    /// killed first, before the child's process id can be reused.
    fn reap(&mut self) -> io::Result<ExitStatus> {
        self.mark.kill(&mut self.handle);
        self.reaped = true;
        // A process that this one may not kill, such as a program of another user, is left behind.
        if !self.ends_within(KILLED) {
            return Err(io::Error::other("it could not be killed"));
        }
        let status = self.handle.wait();
        Mark::ended(&self.handle);
        status
    }

    /// Waits for the child to end on its own, and returns whether it did.
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

    /// Kills the child and everything that it started, and returns whether the child has ended.
    pub(crate) fn kill(&mut self) -> bool {
        self.input = None;
        // The reason why it ended is known: it was killed.
        self.reaped || self.reap().is_ok()
    }
}

/// Returns the command that starts a program, and whether the program limits itself.
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

/// Ends the child's input and gives the child a short time to exit before it is killed.
impl Drop for Child {
    fn drop(&mut self) {
        self.input = None;
        if !self.reaped {
            let begin = Instant::now();
            // Its stdout ends when the child does; further output is discarded.
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

/// Returns a description of how a process ended.
fn how(status: io::Result<ExitStatus>) -> String {
    let status = match status {
        Ok(status) => status,
        Err(error) => return format!("ended with an unknown status ({error})"),
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
