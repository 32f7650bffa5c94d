//! Programs that are built by cargo, and the tools that build them.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::command::Step;
use super::task::Task;
use crate::registry::{Missing, Runtime};

/// Folders below which distributions install libclang.
const LIBRARIES: &[&str] = &[
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
];

/// Builds a program and runs its tests. Tools that the system lacks come from an environment, which is then set up.
///
/// # Errors
/// If a step fails. The error names it.
pub(super) fn make(
    task: &Task<'_>,
    peers: &Path,
    manifest: &Path,
    program: &str,
    tools: &dyn Fn() -> Result<Runtime, Missing>,
) -> Result<Runtime, Missing> {
    let target = peers.join(task.name);
    let cmake = env::var_os("CMAKE").is_some() || runs("cmake");
    let libclang = env::var_os("LIBCLANG_PATH").is_some() || libclang_is_there();
    let mut variables: Vec<(&str, OsString)> = Vec::new();
    if !(cmake && libclang) {
        task.say("getting cmake and libclang");
        let packages = packages(&tools()?)?;
        if !cmake {
            variables.push(("CMAKE", packages.join("cmake/data/bin/cmake").into()));
        }
        if !libclang {
            variables.push(("LIBCLANG_PATH", packages.join("clang/native").into()));
            // The clang package has no headers of its own; those of the C compiler are used.
            let mut arguments = env::var_os("BINDGEN_EXTRA_CLANG_ARGS").unwrap_or_default();
            if let Some(headers) = headers() {
                arguments.push(" -I");
                arguments.push(headers);
            }
            variables.push(("BINDGEN_EXTRA_CLANG_ARGS", arguments));
        }
    }
    // Passing the program's own tests proves that it was built correctly.
    for verb in ["build", "test"] {
        task.say(if verb == "build" {
            "building"
        } else {
            "testing"
        });
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .args([verb, "--release", "--locked", "--manifest-path"])
            .arg(manifest)
            .arg("--target-dir")
            .arg(&target)
            // The variable may be set by a surrounding build.
            .env_remove("CARGO_TARGET_DIR")
            .envs(variables.iter().map(|(key, value)| (key, value)));
        task.log.run(Step {
            command,
            limit: Duration::from_secs(1200),
            network: true,
            remedy: "install a C compiler, and make sure that cargo can reach its registry; or \
                     leave the peer out (--without)",
        })?;
    }
    let program = target.join("release").join(program);
    Ok(Runtime::of(
        program.with_extension(env::consts::EXE_EXTENSION),
    ))
}

fn runs(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Returns the folder of the headers that come with the C compiler.
fn headers() -> Option<OsString> {
    let mut compiler = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
    let output = compiler.arg("-print-file-name=include").output().ok()?;
    let folder = String::from_utf8(output.stdout).ok()?;
    let folder = folder.trim();
    Path::new(folder).is_absolute().then(|| folder.into())
}

/// Returns whether libclang is installed where the build looks for it.
fn libclang_is_there() -> bool {
    let entries = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<PathBuf>>()
    };
    let holds = |folder: &Path| {
        entries(folder).iter().any(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let numbered = name.starts_with("libclang-") && !name.starts_with("libclang-cpp");
            name.starts_with("libclang.so") || (numbered && name.contains(".so"))
        })
    };
    LIBRARIES.iter().map(Path::new).any(|folder| {
        let llvm = entries(folder).into_iter().filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("llvm")
        });
        holds(folder) || llvm.into_iter().any(|llvm| holds(&llvm.join("lib")))
    })
}

/// Returns the folder of the packages in a virtual environment.
fn packages(tools: &Runtime) -> Result<PathBuf, Missing> {
    let probe = "import sysconfig; print(sysconfig.get_paths()['platlib'])";
    let output = Command::new(&tools.program).args(["-c", probe]).output();
    match output {
        Ok(output) if output.status.success() => {
            let path = String::from_utf8_lossy(&output.stdout);
            Ok(PathBuf::from(path.trim()))
        }
        Ok(output) => Err(Missing::set_up(format!(
            "{}: {}",
            tools.program.display(),
            String::from_utf8_lossy(&output.stderr).trim()
        ))),
        Err(error) => Err(Missing::set_up(format!(
            "{}: {error}",
            tools.program.display()
        ))),
    }
}
