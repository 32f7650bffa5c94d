//! An environment that is being made.

use super::command::Log;

/// A callback for progress: the name of an environment and the step under way, or `None` when it is finished.
pub type Watch<'a> = &'a (dyn Fn(&str, Option<&str>) + Sync);

/// One environment that is being made.
pub(super) struct Task<'a> {
    pub(super) name: &'a str,
    pub(super) log: Log,
    pub(super) watch: Watch<'a>,
}

impl Task<'_> {
    /// Tells what is done to it.
    pub(super) fn say(&self, what: &str) {
        (self.watch)(self.name, Some(what));
    }
}
