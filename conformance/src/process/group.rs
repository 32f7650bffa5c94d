//! The operating system's view of a child: its process group, its limits, whether it is alive, and its descendants.
//!
//! A child that has ended is reaped only after its group has been killed. Until then its process id cannot be reused,
//! so that no unrelated process is killed.

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

/// Makes the child the leader of a new process group. Signals from the terminal then do not reach it; it ends because
/// its input ends.
#[cfg(unix)]
pub(super) fn separate(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

/// Prevents programs started by this thread from changing their user: a program with the set-user-ID bit of root could
/// be neither limited nor killed by this process.
#[cfg(target_os = "linux")]
pub(super) fn renounce() {
    // If the system does not support this, such a program cannot be limited and is not judged.
    let _ = rustix::thread::set_no_new_privs(true);
}

/// Does nothing: other systems have no such mechanism.
#[cfg(not(target_os = "linux"))]
pub(super) fn renounce() {}

/// The user id and group id that own nothing.
#[cfg(target_os = "linux")]
const NOBODY: u32 = 65534;

/// Makes a program run as `nobody`, without supplementary groups, if the user is root. Returns whether the user is
/// root.
#[cfg(target_os = "linux")]
pub fn as_nobody(command: &mut Command) -> bool {
    use std::os::unix::process::CommandExt as _;
    let is_root = rustix::process::geteuid().is_root();
    if is_root {
        // No supplementary groups are specified, so this also drops those of root.
        command.uid(NOBODY).gid(NOBODY);
    }
    is_root
}

/// Does nothing: this id of `nobody` is specific to Linux.
#[cfg(not(target_os = "linux"))]
pub fn as_nobody(_command: &mut Command) -> bool {
    false
}

/// Returns a command that limits itself through a shell before the shell is replaced by the program. Limiting a process
/// of another user requires a capability that root lacks in many containers. Limits that are already lower are kept.
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

/// Distinguishes the descendants of a child from all other processes.
#[derive(Debug)]
pub(super) struct Mark {
    #[cfg(target_os = "linux")]
    token: String,
    #[cfg(target_os = "linux")]
    written: Written,
}

#[cfg(target_os = "linux")]
impl Mark {
    /// Marks a command that is about to be started.
    pub(super) fn put(command: &mut Command) -> Self {
        let token = family::token();
        command.env(family::TOKEN, &token);
        Self {
            token,
            written: Written::default(),
        }
    }

    /// Records that the child was started.
    pub(super) fn began(child: &Child) {
        family::began(Pid::from_child(child));
    }

    /// Records that the child was reaped.
    pub(super) fn ended(child: &Child) {
        family::ended(Pid::from_child(child));
    }

    /// Kills the child and all its descendants.
    pub(super) fn kill(&self, child: &mut Child) {
        let pid = Pid::from_child(child);
        family::end_family(pid, &self.token, || kill(child));
    }

    /// Returns the memory, in bytes, that the child and all its descendants use.
    pub(super) fn memory(&mut self, child: &Child) -> u64 {
        family::memory(Pid::from_child(child), &self.token, &mut self.written)
    }
}

/// On systems other than Linux, descendants are known only by their process group, and their memory is not measured.
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

/// Ends everything that this process has started. On systems other than Linux this does nothing.
pub(super) fn end_all() {
    #[cfg(target_os = "linux")]
    family::end_all();
}

/// Limits the memory that the child may write to and prevents it from writing a core file.
///
/// The limit applies to data, not to address space: engines such as V8 reserve far more addresses than they ever use.
///
/// # Errors
/// If the system refuses to set the limits.
#[cfg(target_os = "linux")]
pub(super) fn limit(child: &Child, memory: u64) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
    let pid = Pid::from_child(child);
    for (resource, limit) in [(Resource::Data, memory), (Resource::Core, 0)] {
        // The inherited limit may be lower and must not be raised.
        let inherited = getrlimit(resource);
        let least = |inherited: Option<u64>| Some(inherited.map_or(limit, |i| i.min(limit)));
        let limit = Rlimit {
            current: least(inherited.current),
            maximum: least(inherited.maximum),
        };
        match prlimit(Some(pid), resource, limit) {
            // It has ended already, which is noticed elsewhere.
            Ok(_) | Err(rustix::io::Errno::SRCH) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// On systems other than Linux, another process cannot be limited.
#[cfg(not(target_os = "linux"))]
pub(super) fn limit(_child: &Child, _memory: u64) -> io::Result<()> {
    Ok(())
}

/// Returns whether the child itself has ended, regardless of its own children.
#[cfg(unix)]
pub(super) fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(
        waitid(WaitId::Pid(Pid::from_child(child)), options),
        Ok(None)
    )
}

/// Kills the child, which may have left its group, and the group.
#[cfg(unix)]
fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};
    let pid = Pid::from_child(child);
    // It is not an error if nothing is left to kill; a process that may not be killed is noticed later because it is
    // still alive.
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
    // It fails only if the child has already ended.
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
