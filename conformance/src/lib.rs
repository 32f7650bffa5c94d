//! Judges implementations: the protocol, the runner, comparators, verdicts, expectations and reports.
