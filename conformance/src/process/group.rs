//! The system's view of a child: its process group, its limits, whether it still lives, and its descendants.
//!
//! A child that has ended is not waited for before its group was killed: until then its number
//! cannot be given to another process, so that no stranger is hit.

use std::io;
#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::{Child, Command};

#[cfg(target_os = "linux")]
use rustix::process::Pid;

#[cfg(target_os = "linux")]
use super::family;
#[cfg(target_os = "linux")]
use super::memory::Written;

/// Makes the child the first of a process group of its own. A signal of the terminal does not
/// reach it then; it ends because its input does.
#[cfg(unix)]
pub(super) fn separate(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

/// Lets nothing that this thread starts from now on become another user by what it runs: a program with the
/// set-user-ID bit of root would be one that this process may neither limit nor kill.
#[cfg(target_os = "linux")]
pub(super) fn renounce() {
    // Where the system does not know it, such a program cannot be limited, and is not judged.
    let _ = rustix::thread::set_no_new_privs(true);
}

/// Elsewhere there is no such promise.
#[cfg(not(target_os = "linux"))]
pub(super) fn renounce() {}

/// The user and the group that own nothing.
#[cfg(target_os = "linux")]
const NOBODY: u32 = 65534;

/// Makes a program run as `nobody`, without other groups, if the user is root. Returns whether the user is root.
#[cfg(target_os = "linux")]
pub fn as_nobody(command: &mut Command) -> bool {
    use std::os::unix::process::CommandExt as _;
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        // Without a group of its own this also drops the other groups of root.
        command.uid(NOBODY).gid(NOBODY);
    }
    is_root
}

/// Does nothing: the number of `nobody` is that of Linux.
#[cfg(not(target_os = "linux"))]
pub fn as_nobody(_command: &mut Command) -> bool {
    false
}

/// A program that limits itself before it runs, by the shell, which it replaces: to limit a process of another
/// user takes a capability that root lacks in many containers. What is limited further already stays so.
#[cfg(target_os = "linux")]
pub(super) fn limiting_itself(program: &Path, memory: u64) -> Command {
    let script = format!(
        "ulimit -c 0; ulimit -d {} 2>/dev/null; exec \"$0\" \"$@\"",
        memory >> 10
    );
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(script).arg(program);
    command
}

/// What tells the descendants of a child from all other processes.
#[derive(Debug)]
pub(super) struct Mark {
    #[cfg(target_os = "linux")]
    token: String,
    #[cfg(target_os = "linux")]
    written: Written,
}

#[cfg(target_os = "linux")]
impl Mark {
    /// Marks what is about to be started.
    pub(super) fn put(command: &mut Command) -> Self {
        let token = family::token();
        command.env(family::TOKEN, &token);
        Self {
            token,
            written: Written::default(),
        }
    }

    /// Notes that it was started.
    pub(super) fn began(child: &Child) {
        family::began(Pid::from_child(child));
    }

    /// Notes that it was waited for.
    pub(super) fn ended(child: &Child) {
        family::ended(Pid::from_child(child));
    }

    /// Kills the child and all that descends from it.
    pub(super) fn kill(&self, child: &mut Child) {
        let pid = Pid::from_child(child);
        family::end_family(pid, &self.token, || kill(child));
    }

    /// Bytes of memory that the child and all that descends from it take.
    pub(super) fn memory(&mut self, child: &Child) -> u64 {
        family::memory(Pid::from_child(child), &self.token, &mut self.written)
    }
}

/// Elsewhere than on Linux the process group is all that holds descendants, and nothing measures
/// their memory.
#[cfg(not(target_os = "linux"))]
impl Mark {
    pub(super) fn put(_command: &mut Command) -> Self {
        Self {}
    }

    pub(super) fn began(_child: &Child) {}

    pub(super) fn ended(_child: &Child) {}

    pub(super) fn kill(&self, child: &mut Child) {
        kill(child);
    }

    pub(super) fn memory(&mut self, _child: &Child) -> u64 {
        0
    }
}

/// Ends everything that this process has started; on Linux, that is, elsewhere nothing is known
/// of it.
pub(super) fn end_all() {
    #[cfg(target_os = "linux")]
    family::end_all();
}

/// Limits the memory that the child may write to and keeps it from writing a core file.
///
/// The limit is on data, not on addresses: engines such as V8 reserve far more addresses than they
/// ever use.
///
/// # Errors
/// If the system refuses.
#[cfg(target_os = "linux")]
pub(super) fn limit(child: &Child, memory: u64) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
    let pid = Pid::from_child(child);
    for (resource, limit) in [(Resource::Data, memory), (Resource::Core, 0)] {
        // What it inherits may be less, and must not be raised.
        let inherited = getrlimit(resource);
        let least = |inherited: Option<u64>| Some(inherited.map_or(limit, |i| i.min(limit)));
        let limit = Rlimit {
            current: least(inherited.current),
            maximum: least(inherited.maximum),
        };
        match prlimit(Some(pid), resource, limit) {
            // It has ended already; that will be noticed elsewhere.
            Ok(_) | Err(rustix::io::Errno::SRCH) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Elsewhere than on Linux there is no way to limit another process.
#[cfg(not(target_os = "linux"))]
pub(super) fn limit(_child: &Child, _memory: u64) -> io::Result<()> {
    Ok(())
}

/// Returns whether the child itself has ended, whatever became of its own children.
#[cfg(unix)]
pub(super) fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(
        waitid(WaitId::Pid(Pid::from_child(child)), options),
        Ok(None)
    )
}

/// Kills the child, which may have left its group, and its group.
#[cfg(unix)]
fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};
    let pid = Pid::from_child(child);
    // Where nothing is left to kill that is as well; who may not be killed will still be there.
    let _ = kill_process_group(pid, Signal::KILL);
    let _ = kill_process(pid, Signal::KILL);
}

#[cfg(not(unix))]
pub(super) fn separate(_command: &mut Command) {}

#[cfg(not(unix))]
pub(super) fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    // It fails only where it has ended.
    let _ = child.kill();
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_started_gains_no_privileges() {
        renounce();
        let status = Command::new("cat").arg("/proc/self/status").output();
        let status = String::from_utf8(status.expect("it runs").stdout).expect("a text");
        assert!(status.contains("NoNewPrivs:\t1"), "{status}");
    }
}
