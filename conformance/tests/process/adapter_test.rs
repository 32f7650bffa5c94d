//! What `adapter-test` says to the author of an adapter.

use std::time::Duration;

use exactum_conformance::adapter_test;
use exactum_conformance::model::Reason;
use exactum_conformance::process::Limits;
use exactum_conformance::vectors::Expect;
use libtest_mimic::Failed;

use super::common::{case, output, suite};
use super::liar::CULPRIT;
use super::{State, launch, limits};

/// Liars whose report is a snapshot.
pub(crate) const LIARS: &[&str] = &[
    "nobody",
    "always ok",
    "calls all else an error",
    "dies at the start",
    "dies of junk",
    "exits with 3",
    "hangs",
    "has no such exception",
    "id is a number",
    "is narrower than it says",
    "makes noise",
    "never starts",
    "output too short",
    "says more later",
    "shows a dict",
    "stops within a request",
    "talks at the start",
];

/// Compares what is said with the snapshot.
pub(crate) fn check(name: &str) -> Result<(), Failed> {
    let suite = suite(|group| {
        for byte in [CULPRIT, 1] {
            case(group, &format!("c{byte}"), &[byte, 2], output(&[byte, 2]));
        }
        for byte in [128, 255] {
            let expect = Expect::reject(Reason::OutOfRange);
            case(group, &format!("c{byte}"), &[byte], expect);
        }
    });
    let state = State::new(&format!("adapter test of {name}"));
    let mut launch = launch(name, &state);
    let limits = Limits {
        start: if name == "never starts" {
            Duration::from_millis(300)
        } else {
            limits().start
        },
        answer: 4 << 20,
        ..limits()
    };
    let mut text = String::new();
    let tested = adapter_test(&launch, &limits, &suite, &mut |part| text.push_str(part))?;
    assert_eq!(tested.wrong == 0, name == "nobody", "{text}");
    let program = launch.program.display().to_string();
    insta::assert_snapshot!(name.replace(' ', "_"), text.replace(&program, "adapter"));

    launch.program = "there/is/no/such/program".into();
    let error = adapter_test(&launch, &limits, &suite, &mut |_| {});
    assert!(error.is_err_and(|words| words.contains("cannot be started")));
    Ok(())
}
