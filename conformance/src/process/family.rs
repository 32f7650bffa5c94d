//! A child with all that descends from it, on Linux: found below it in the tree of processes or,
//! where what stood between has ended, by the token in its environment. A process group or a
//! session of its own hides nothing.
//!
//! For that, this process takes the place of init for its descendants: those whose parents have
//! ended become its own children. It reaps them.

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

/// The variable that carries the token.
pub(super) const TOKEN: &str = "EXACTUM_CHILD";

/// How long killing may take. Who forks without end is killed faster than it forks.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether any child was started.
static STARTED: AtomicBool = AtomicBool::new(false);

/// The numbers of the children that run. Each is waited for by the thread that started it.
static CHILDREN: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn children() -> std::sync::MutexGuard<'static, BTreeSet<i32>> {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A token that no other child has; descendants that lose their parents come here from now on.
pub(super) fn token() -> String {
    static ADOPTS: Once = Once::new();
    static COUNT: AtomicU64 = AtomicU64::new(0);
    ADOPTS.call_once(|| {
        // Where the system does not know it, they go to init, and their groups are all that ends.
        let _ = set_child_subreaper(Some(getpid()));
    });
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}-{count}", getpid().as_raw_nonzero())
}

/// Notes a child that runs.
pub(super) fn began(child: Pid) {
    STARTED.store(true, Ordering::SeqCst);
    children().insert(child.as_raw_nonzero().get());
}

/// Notes that a child was reaped.
pub(super) fn ended(child: Pid) {
    children().remove(&child.as_raw_nonzero().get());
}

/// A process as `/proc` has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    pid: i32,
    parent: i32,
    /// Its process group: that of the child unless it has left.
    group: i32,
    /// When it started: with the number that is one process and no other.
    start: u64,
    zombie: bool,
}

/// One process; none where it has gone.
fn see(pid: i32) -> Option<Seen> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in parentheses and may hold anything, even parentheses.
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

/// Those below some roots, without the roots.
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

/// Who descends from a child, the child itself apart.
fn descendants(child: Pid, token: &str) -> BTreeSet<Seen> {
    let (child, here) = (
        child.as_raw_nonzero().get(),
        getpid().as_raw_nonzero().get(),
    );
    let processes = processes();
    let numbers: BTreeSet<i32> = processes.iter().map(|seen| seen.pid).collect();
    let mut roots = BTreeSet::from([child]);
    // The parent of some ended between one look and the next: they are adopted already, or will be.
    let is_orphan = |seen: &&Seen| seen.parent == here || !numbers.contains(&seen.parent);
    // What has ended, or is about to, has no environment any more, but still its group.
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

/// Kills a process that is still the one that was seen.
fn kill(seen: Seen) {
    let Some(pid) = Pid::from_raw(seen.pid) else {
        return;
    };
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
        return;
    };
    // The handle is held now, and who was seen has not become another.
    if see(seen.pid).is_some_and(|now| now.start == seen.start) {
        let _ = pidfd_send_signal(&handle, Signal::KILL);
    }
}

/// Takes a process away that has ended, if it has become a child of this one and nothing else waits for
/// it. Whether there is nothing left of it to take.
fn reap(seen: Seen) -> bool {
    let here = getpid().as_raw_nonzero().get();
    let is_ours = || see(seen.pid).is_some_and(|now| now.parent == here && now.start == seen.start);
    let running = children();
    if running.contains(&seen.pid) || !is_ours() {
        return true;
    }
    if let Some(pid) = Pid::from_raw(seen.pid) {
        // It fails where it has not ended yet.
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
    !is_ours()
}

/// Kills the processes seen so far and those that `who` finds, until it finds only children that something waits
/// for and all that were seen are gone. A process that is ending has already lost the environment by which it would
/// be found, but is not a zombie yet.
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

/// Ends a child, in the way that is given, and all that descends from it.
pub(super) fn end_family(child: Pid, token: &str, end_child: impl FnOnce()) {
    // Before it has ended: afterwards only the token tells whose they were.
    let seen = descendants(child, token);
    end_child();
    end(seen, || descendants(child, token));
}

/// Ends everything that this process has started, if any of it was a child that is judged.
pub(super) fn end_all() {
    if !STARTED.load(Ordering::SeqCst) {
        return;
    }
    let here = BTreeSet::from([getpid().as_raw_nonzero().get()]);
    let all = || below(here.clone(), &processes());
    end(all(), all);
}

/// Bytes of memory of a child and all that descends from it, with the files in memory that they write.
pub(super) fn memory(child: Pid, token: &str, written: &mut Written) -> u64 {
    let mut family: Vec<i32> = descendants(child, token)
        .iter()
        .map(|seen| seen.pid)
        .collect();
    family.push(child.as_raw_nonzero().get());
    memory::of(&family, written)
}
