//! An environment that is being made.

use super::command::Log;

/// Who is told what happens: an environment and what is done to it; nothing when it is finished.
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
