//! A child and all its descendants, on Linux. Descendants are found below the child in the process tree or, if a
//! process in between has ended, by the token in their environment. A new process group or session does not hide them.
//!
//! For that purpose, this process takes the role of init for its descendants: processes whose parents have ended become
//! its own children, and it reaps them.

use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, getpid, pidfd_open, pidfd_send_signal,
    set_child_subreaper, waitpid,
};

use super::memory::{self, Written};

/// The environment variable that carries the token.
pub(super) const TOKEN: &str = "EXACTUM_CHILD";

/// The longest time that killing may take. Even a program that forks without end is killed faster than it forks.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether any child has been started.
static STARTED: AtomicBool = AtomicBool::new(false);

/// The process ids of the running children. Each child is waited for by the thread that started it.
static CHILDREN: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn children() -> std::sync::MutexGuard<'static, BTreeSet<i32>> {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a unique token for a child. From now on, this process adopts descendants that lose their parents.
pub(super) fn token() -> String {
    static ADOPTS: Once = Once::new();
    static COUNT: AtomicU64 = AtomicU64::new(0);
    ADOPTS.call_once(|| {
        // If the system does not support this, init adopts them, and only their groups are killed.
        let _ = set_child_subreaper(Some(getpid()));
    });
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}-{count}", getpid().as_raw_nonzero())
}

/// Records that a child is running.
pub(super) fn began(child: Pid) {
    STARTED.store(true, Ordering::SeqCst);
    children().insert(child.as_raw_nonzero().get());
}

/// Records that a child was reaped.
pub(super) fn ended(child: Pid) {
    children().remove(&child.as_raw_nonzero().get());
}

/// A process as described by `/proc`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    pid: i32,
    parent: i32,
    /// Its process group, which is that of the child unless the process has left it.
    group: i32,
    /// When it started. Together with the process id, this identifies the process.
    start: u64,
    zombie: bool,
}

/// Looks up one process, or returns `None` if it has gone.
fn see(pid: i32) -> Option<Seen> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name is in parentheses and may contain any character, including parentheses.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let zombie = matches!(fields.next()?, "Z" | "X");
    Some(Seen {
        pid,
        parent: fields.next()?.parse().ok()?,
        group: fields.next()?.parse().ok()?,
        start: fields.nth(16)?.parse().ok()?,
        zombie,
    })
}

fn processes() -> Vec<Seen> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| see(entry.file_name().to_str()?.parse().ok()?))
        .collect()
}

/// Returns the descendants of some roots, without the roots.
fn below(roots: BTreeSet<i32>, processes: &[Seen]) -> BTreeSet<Seen> {
    let mut known = roots;
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        for seen in processes {
            if known.contains(&seen.parent) && known.insert(seen.pid) {
                found.insert(*seen);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Returns whether a process was started with a token.
fn carries(pid: i32, token: &str) -> bool {
    let wanted = format!("{TOKEN}={token}");
    fs::read(format!("/proc/{pid}/environ")).is_ok_and(|text| {
        text.split(|&byte| byte == 0)
            .any(|it| it == wanted.as_bytes())
    })
}

/// Returns the descendants of a child, without the child itself.
fn descendants(child: Pid, token: &str) -> BTreeSet<Seen> {
    let (child, here) = (
        child.as_raw_nonzero().get(),
        getpid().as_raw_nonzero().get(),
    );
    let processes = processes();
    let numbers: BTreeSet<i32> = processes.iter().map(|seen| seen.pid).collect();
    let mut roots = BTreeSet::from([child]);
    // The parents of some processes ended between the two reads: these processes have been adopted already, or will be.
    let is_orphan = |seen: &&Seen| seen.parent == here || !numbers.contains(&seen.parent);
    // A process that has ended, or is about to, no longer has an environment, but still has its group.
    let is_of_child = |seen: &&Seen| seen.group == child || carries(seen.pid, token);
    let adopted = processes.iter().filter(|seen| seen.pid != child);
    let adopted: Vec<Seen> = adopted
        .filter(is_orphan)
        .filter(is_of_child)
        .copied()
        .collect();
    roots.extend(adopted.iter().map(|seen| seen.pid));
    let mut found = below(roots, &processes);
    found.extend(adopted);
    found
}

/// Kills a process, if its process id still belongs to the process that was seen.
fn kill(seen: Seen) {
    let Some(pid) = Pid::from_raw(seen.pid) else {
        return;
    };
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
        return;
    };
    // The handle is now open, so a successful comparison rules out a reused process id.
    if see(seen.pid).is_some_and(|now| now.start == seen.start) {
        let _ = pidfd_send_signal(&handle, Signal::KILL);
    }
}

/// Reaps a process that has ended, if it has become a child of this process and no thread waits for it. Returns whether
/// nothing is left to reap.
fn reap(seen: Seen) -> bool {
    let here = getpid().as_raw_nonzero().get();
    let is_ours = || see(seen.pid).is_some_and(|now| now.parent == here && now.start == seen.start);
    let running = children();
    if running.contains(&seen.pid) || !is_ours() {
        return true;
    }
    if let Some(pid) = Pid::from_raw(seen.pid) {
        // This has no effect if the process has not ended yet.
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
    !is_ours()
}

/// Kills the processes seen so far and those that `who` finds, until `who` finds only children that a thread waits for
/// and all processes seen are gone. A process that is ending has already lost the environment by which it would be
/// found, but is not yet a zombie.
fn end(seen: BTreeSet<Seen>, who: impl Fn() -> BTreeSet<Seen>) {
    let begin = Instant::now();
    let mut known = seen.clone();
    let mut found = seen;
    loop {
        for &seen in found.iter().filter(|seen| !seen.zombie) {
            kill(seen);
        }
        known.retain(|&seen| !reap(seen));
        found = who();
        let running = children();
        found.retain(|seen| !(seen.zombie && running.contains(&seen.pid)));
        drop(running);
        known.extend(&found);
        if known.is_empty() || begin.elapsed() > PATIENCE {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Ends a child with the given function, and then all its descendants.
pub(super) fn end_family(child: Pid, token: &str, end_child: impl FnOnce()) {
    // Taken before the child ends; afterwards only the token identifies its descendants.
    let seen = descendants(child, token);
    end_child();
    end(seen, || descendants(child, token));
}

/// Ends everything that this process has started, if that includes a child under test.
pub(super) fn end_all() {
    if !STARTED.load(Ordering::SeqCst) {
        return;
    }
    let here = BTreeSet::from([getpid().as_raw_nonzero().get()]);
    let all = || below(here.clone(), &processes());
    end(all(), all);
}

/// Returns the memory, in bytes, of a child and all its descendants, including the in-memory files that they write.
pub(super) fn memory(child: Pid, token: &str, written: &mut Written) -> u64 {
    let mut family: Vec<i32> = descendants(child, token)
        .iter()
        .map(|seen| seen.pid)
        .collect();
    family.push(child.as_raw_nonzero().get());
    memory::of(&family, written)
}
