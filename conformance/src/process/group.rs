//! What the system knows of a child: its process group, its limits, whether it still lives.
//!
//! A child that has ended is not waited for before its group was killed: until then its number
//! cannot be given to another process, so that no stranger is hit.

use std::io;
use std::process::{Child, Command};

/// Makes the child the first of a process group of its own. A signal of the terminal does not
/// reach it then; it ends because its input does.
#[cfg(unix)]
pub(super) fn separate(command: &mut Command) {
    use std::os::unix::process::CommandExt as _;
    command.process_group(0);
}

/// Limits the memory that the child may write to and keeps it from writing a core file.
///
/// The limit is on data, not on addresses: engines such as V8 reserve far more addresses than they
/// ever use.
///
/// # Errors
/// When the system refuses.
#[cfg(target_os = "linux")]
pub(super) fn limit(child: &Child, memory: u64) -> io::Result<()> {
    use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};
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

/// Whether the child itself has ended, whatever became of its own children.
#[cfg(unix)]
pub(super) fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(
        waitid(WaitId::Pid(Pid::from_child(child)), options),
        Ok(None)
    )
}

/// Kills the child and all that it started, as far as they stayed in its group.
#[cfg(unix)]
pub(super) fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // It fails only where nobody is left to kill.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
pub(super) fn separate(_command: &mut Command) {}

#[cfg(not(unix))]
pub(super) fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

#[cfg(not(unix))]
pub(super) fn kill(child: &mut Child) {
    // It fails only where it has ended.
    let _ = child.kill();
}
