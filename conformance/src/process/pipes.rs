//! The three pipes of a child. Each has its own thread, so that none of them can block the others: a child may write
//! before it reads, or do neither.
//!
//! The threads end when their pipes do. They are not joined: a process that left the child's group may hold a pipe open
//! for as long as it lives.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The output on a child's stdout.
pub(super) enum Event {
    /// A line, without its line feed.
    Line(Vec<u8>),
    /// A line longer than the limit.
    TooLong,
    /// The end of the output, with anything after the last line feed.
    End(Vec<u8>),
}

/// The state of writing to the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writing {
    /// Everything was written.
    Done,
    /// A line is being written.
    Busy,
    /// The child has closed its end.
    Refused,
}

/// The child's stdin.
pub(super) struct Input {
    lines: Sender<Arc<[u8]>>,
    queue: Arc<Mutex<Queue>>,
}

/// Lines on their way to the child. An answer may arrive, and the next line be sent, before the writing thread has
/// recorded that the previous line is written.
#[derive(Default)]
struct Queue {
    /// The number of lines that are not written yet.
    waiting: usize,
    refused: bool,
}

impl Input {
    /// Starts the writing thread. It closes the pipe when this value is dropped.
    pub(super) fn new(mut pipe: ChildStdin) -> Self {
        let (lines, sent) = channel::<Arc<[u8]>>();
        let queue = Arc::new(Mutex::new(Queue::default()));
        let shared = Arc::clone(&queue);
        thread::spawn(move || {
            for line in sent {
                let written = pipe.write_all(&line).and_then(|()| pipe.flush());
                let mut queue = lock(&shared);
                queue.waiting -= 1;
                if written.is_err() {
                    queue.refused = true;
                    return;
                }
            }
        });
        Self { lines, queue }
    }

    /// Queues a line for writing.
    pub(super) fn send(&self, line: Arc<[u8]>) {
        let mut queue = lock(&self.queue);
        if queue.refused {
            return;
        }
        match self.lines.send(line) {
            Ok(()) => queue.waiting += 1,
            Err(_) => queue.refused = true,
        }
    }

    /// Returns the state of writing.
    pub(super) fn state(&self) -> Writing {
        match *lock(&self.queue) {
            Queue { refused: true, .. } => Writing::Refused,
            Queue { waiting: 0, .. } => Writing::Done,
            Queue { .. } => Writing::Busy,
        }
    }
}

/// Starts the thread that reads lines of at most `longest` bytes; the sender of the requests may change that limit. The
/// thread reads at most one line ahead, so that a child that writes without end does not fill memory.
pub(super) fn output(pipe: ChildStdout, longest: Arc<AtomicUsize>) -> Receiver<Event> {
    let (events, queue) = sync_channel(1);
    thread::spawn(move || read(BufReader::with_capacity(1 << 16, pipe), &longest, &events));
    queue
}

fn read(mut pipe: impl BufRead, longest: &AtomicUsize, events: &SyncSender<Event>) {
    loop {
        let event = line(&mut pipe, longest);
        let last = !matches!(event, Event::Line(_));
        // The receiver is gone once the child has been given up.
        if events.send(event).is_err() || last {
            return;
        }
    }
}

/// Reads the next line.
fn line(pipe: &mut impl BufRead, longest: &AtomicUsize) -> Event {
    let mut line = Vec::new();
    loop {
        // A pipe that cannot be read is treated as ended.
        let buffer = match pipe.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            buffer => buffer.unwrap_or_default(),
        };
        if buffer.is_empty() {
            return Event::End(line);
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(buffer.len());
        if line.len() + taken > longest.load(Ordering::Relaxed) {
            return Event::TooLong;
        }
        line.extend_from_slice(&buffer[..taken]);
        pipe.consume(end.map_or(taken, |end| end + 1));
        if end.is_some() {
            return Event::Line(line);
        }
    }
}

/// The last bytes of the child's stderr.
#[derive(Clone)]
pub(super) struct Tail(Arc<(Mutex<Kept>, Condvar)>);

#[derive(Default)]
struct Kept {
    bytes: VecDeque<u8>,
    /// Whether earlier bytes were dropped.
    cut: bool,
    ended: bool,
}

/// The number of bytes of stderr that are kept.
const KEPT: usize = 4 << 10;

impl Tail {
    /// Starts the reading thread.
    pub(super) fn new(mut pipe: ChildStderr) -> Self {
        let tail = Self(Arc::default());
        let shared = tail.clone();
        thread::spawn(move || {
            let mut buffer = [0; KEPT];
            loop {
                let read = pipe.read(&mut buffer).unwrap_or_default();
                let (kept, changed) = &*shared.0;
                let mut kept = lock(kept);
                if read == 0 {
                    kept.ended = true;
                    changed.notify_all();
                    return;
                }
                kept.bytes.extend(&buffer[..read]);
                let surplus = kept.bytes.len().saturating_sub(KEPT);
                kept.cut |= surplus > 0;
                kept.bytes.drain(..surplus);
            }
        });
        tail
    }

    /// Returns the text so far; waits up to `patience` for the pipe to end. The first line of a truncated text is left
    /// out, because it is incomplete.
    pub(super) fn text(&self, patience: Duration) -> String {
        let (kept, changed) = &*self.0;
        let (kept, _) = changed
            .wait_timeout_while(lock(kept), patience, |kept| !kept.ended)
            .unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.bytes.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        match text.split_once('\n') {
            Some((_, whole)) if kept.cut => whole.to_owned(),
            _ => text.into_owned(),
        }
    }
}

/// The threads here do not panic; if one did, the value would still be consistent.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
