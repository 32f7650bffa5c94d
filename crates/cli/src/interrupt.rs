//! Handles interruptions: ends all programs that the command has started.

/// Watches for SIGINT (Ctrl-C), SIGTERM and SIGHUP in a separate thread. When one of them arrives, the thread ends the
/// programs that were started, and then ends this process as the signal would.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // If the system refuses, an interruption ends only this process.
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

/// Does nothing: on other systems the programs that were started are not known.
#[cfg(not(unix))]
pub(crate) fn watch() {}
