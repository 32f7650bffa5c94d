use super::*;

const LOCK: &str = r#"
[environments.python]
kind = "python"
minimum = "3.11"
packages = { a = "1.0" }
[peers.a]
environment = "python"
adapter = "a/adapter.py"
"#;

/// A test folder that is removed afterwards.
struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Self {
        let scratch = Self(tempfile::tempdir().expect("a folder"));
        fs::create_dir_all(scratch.join("adapters/a")).expect("a folder");
        fs::create_dir_all(scratch.join("python")).expect("a folder");
        fs::write(scratch.join("adapters/a/adapter.py"), "pass\n").expect("a file");
        scratch
    }

    fn join(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn registry(&self) -> Registry {
        Registry {
            lock: Lock::parse(LOCK).expect("a lock"),
            folder: self.0.path().to_owned(),
            adapters: self.join("adapters"),
            exactum: "exactum".into(),
        }
    }

    fn state(&self, outcome: Result<Runtime, Missing>) {
        let environment = self.registry().lock.environments["python"].clone();
        self.write(&State {
            environment,
            outcome,
        });
    }

    fn write(&self, state: &State) {
        let text = serde_json::to_string(state).expect("JSON");
        fs::write(State::path(self.0.path(), "python"), text).expect("a file");
    }
}

#[track_caller]
fn check_missing(registry: &Registry, peer: &str, why: &str) {
    let missing = registry.launch(peer).expect_err("it is missing");
    assert!(missing.why.contains(why), "{missing:?}");
    assert!(!missing.remedy.is_empty(), "{missing:?}");
}

#[test]
fn what_is_not_there_has_its_reason() {
    let scratch = Scratch::new();
    let registry = scratch.registry();
    check_missing(&registry, "b", "there is no such peer");
    check_missing(&registry, "a", "python is not set up");

    scratch.state(Err(Missing {
        why: "pip install: exit status: 1".into(),
        remedy: "mend it".into(),
        unreachable: true,
    }));
    check_missing(&registry, "a", "pip install");
    assert!(
        registry
            .launch("a")
            .is_err_and(|missing| missing.unreachable)
    );

    let gone = Runtime {
        program: scratch.join("bin/python"),
        unprivileged: false,
    };
    scratch.state(Ok(gone));
    check_missing(&registry, "a", "python no longer has");

    let mut other = registry.lock.environments["python"].clone();
    if let Environment::Python { packages, .. } = &mut other {
        packages.insert("a".into(), "2.0".into());
    }
    let program = scratch.join("adapters/a/adapter.py");
    let runtime = Runtime {
        program: program.clone(),
        unprivileged: false,
    };
    scratch.write(&State {
        environment: other,
        outcome: Ok(runtime.clone()),
    });
    check_missing(&registry, "a", "with other versions than those of the lock");

    scratch.state(Ok(runtime));
    fs::remove_file(program).expect("it is there");
    fs::write(scratch.join("adapters/a/other.py"), "").expect("a file");
    check_missing(&registry, "a", "python no longer has");
}

#[test]
fn an_adapter_runs_with_its_interpreter() {
    let scratch = Scratch::new();
    let registry = scratch.registry();
    let python = scratch.join("python/bin");
    fs::write(&python, "").expect("a file");
    scratch.state(Ok(Runtime {
        program: python.clone(),
        unprivileged: true,
    }));
    let launch = registry.launch("a").expect("it is there");
    assert_eq!(launch.program, python);
    let adapter = scratch.join("adapters/a/adapter.py");
    let arguments = ["-u".into(), adapter.clone().into_os_string()];
    assert_eq!(launch.arguments, arguments);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Runs as `nobody` only if that user can read it.
        assert_eq!(launch.unprivileged, is_open_to_all(&adapter));
        fs::set_permissions(&adapter, fs::Permissions::from_mode(0o600)).expect("it is ours");
        assert!(!registry.launch("a").expect("it is there").unprivileged);
    }
}

#[test]
fn peers_of_this_binary_are_this_binary() {
    let scratch = Scratch::new();
    let registry = scratch.registry();
    for (name, _) in adapters() {
        let launch = registry.launch(name).expect("it is there");
        assert_eq!(launch.program, registry.exactum);
        assert!(registry.names().iter().any(|known| known == name));
    }
}
