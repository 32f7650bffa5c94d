//! An environment that is being set up.

use super::command::Log;

/// A callback for progress: the name of an environment and the step under way, or `None` when it is finished.
pub type Watch<'a> = &'a (dyn Fn(&str, Option<&str>) + Sync);

/// An environment that is being set up.
pub(super) struct Task<'a> {
    pub(super) name: &'a str,
    pub(super) log: Log,
    pub(super) watch: Watch<'a>,
}

impl Task<'_> {
    /// Reports the current step.
    pub(super) fn say(&self, what: &str) {
        (self.watch)(self.name, Some(what));
    }
}
