//! What happens when the command is interrupted: everything that it has started ends first.

/// Ends what was started, and then this process in the way of the signal, on SIGINT (Ctrl-C), SIGTERM
/// and SIGHUP.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // Where the system refuses, an interruption ends this process only.
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
        return;
    };
    std::thread::spawn(move || {
        for signal in &mut signals {
            exactum_conformance::process::close();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}

/// Elsewhere nothing is known of what a program has started.
#[cfg(not(unix))]
pub(crate) fn watch() {}
