//! The versions of linked packages, for tests of the versions that peers report.

/// Returns the version of a package in `Cargo.lock`.
pub(crate) fn locked(package: &str) -> String {
    let lock: toml::Table = include_str!("../../../Cargo.lock")
        .parse()
        .expect("Cargo.lock is TOML");
    lock["package"]
        .as_array()
        .expect("packages")
        .iter()
        .find(|entry| entry["name"].as_str() == Some(package))
        .and_then(|entry| entry["version"].as_str())
        .expect("a dependency")
        .to_owned()
}
