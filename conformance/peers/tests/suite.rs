//! Every group of the vectors is a test of each of Exactum's implementations.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use exactum_conformance::expectations::describe;
use exactum_conformance::run::judge_case;
use exactum_conformance::vectors::{Group, Suite};
use exactum_conformance::{Failure, Verdict};
use exactum_peers::{Constructor, all, implementation, is_ours};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let suite = match Suite::load(&root) {
        Ok(suite) => suite,
        Err(error) => {
            let failing = Trial::test("vectors", move || Err(error.into()));
            return libtest_mimic::run(&arguments, vec![failing]).exit_code();
        }
    };
    let manifest = suite.manifest.clone();
    let groups: Vec<Arc<Group>> = suite
        .files
        .into_iter()
        .flat_map(|(file, _)| file.groups)
        .map(Arc::new)
        .collect();
    let cases: usize = groups.iter().map(|group| group.cases.len()).sum();
    let counted = (groups.len(), cases);
    let mut trials = vec![Trial::test("as-many-as-the-manifest-tells", move || {
        if counted == (manifest.groups, manifest.cases) {
            Ok(())
        } else {
            Err(format!("{counted:?} groups and cases").into())
        }
    })];
    for (name, constructor) in all().into_iter().filter(|(name, _)| is_ours(name)) {
        for group in &groups {
            let group = Arc::clone(group);
            let test = format!("{name}::{}", group.id);
            trials.push(Trial::test(test, move || judge(constructor, &group)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Checks that an Exactum implementation passes every case or, where the text is open, gives an answer.
fn judge(constructor: Constructor, group: &Group) -> Result<(), Failed> {
    let mut implementation = implementation(constructor);
    let hello = implementation
        .hello()
        .map_err(|failure: Failure| format!("{failure:?}"))?;
    let judged = group
        .cases
        .iter()
        .map(|case| judge_case(implementation.as_mut(), &hello, group, case))
        .collect::<Result<Vec<_>, String>>()?;
    let failures: Vec<String> = judged
        .iter()
        .filter(|judged| !matches!(judged.verdict, Verdict::Pass | Verdict::Observed))
        .map(|judged| format!("{}: {}", judged.case, describe(judged)))
        .collect();
    if failures.is_empty() {
        Ok(())
    } else {
        Err(failures.join("\n").into())
    }
}
