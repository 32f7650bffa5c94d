//! The arrows between packages, and the third-party packages.

use std::path::Path;

use cargo_metadata::{DependencyKind, MetadataCommand};

/// The dependencies that a package may have in normal builds; those of tests are not restricted.
#[derive(Default)]
struct Allowed<'a> {
    package: &'a str,
    /// The allowed packages of this workspace. Every package may depend on `exactum-model`.
    inside: Vec<&'a str>,
    /// The allowed packages from the registry.
    outside: Vec<&'a str>,
}

/// Each package, followed by the packages of this workspace (`inside`) and the third-party packages (`outside`) on
/// which it may depend. A change that needs another arrow first gives the reason in ARCHITECTURE.md.
const ALLOWED: &str = "\
exactum-model
exactum-exact
  outside num-bigint
exactum-metadata
  inside exactum-exact
  outside schemars serde serde_json
exactum-reference
  inside exactum-exact
  outside num-bigint
exactum-optimized
  outside half rayon
exactum-zarrs-plugins
  inside exactum-metadata exactum-optimized
  outside crc32c flate2 inventory lz4_flex miniz_oxide serde_json zarrs zstd
exactum-plan
  inside exactum-exact exactum-metadata exactum-reference
  outside serde_json
exactum-pyramid
  inside exactum-metadata exactum-optimized exactum-zarrs-plugins
  outside rayon serde_json zarrs
exactum-vectors
  outside base16ct crc32fast schemars serde serde_json sha2
exactum-conformance
  inside exactum-exact exactum-metadata exactum-vectors
  outside comfy-table globset maud rayon rustix serde serde_json sha2 toml
exactum-suite
  inside exactum-conformance exactum-vectors
  outside libtest-mimic miniz_oxide serde_json
exactum-mutants
  inside exactum-conformance exactum-exact exactum-reference
  outside rayon serde_json
exactum-peers
  inside exactum-conformance exactum-exact exactum-optimized exactum-reference exactum-zarrs-plugins
  outside fastrand half serde serde_json toml zarr-cast-value zarrs zfp-rs
exactum-lab
  inside exactum-conformance exactum-mutants exactum-optimized exactum-peers exactum-reference exactum-zarrs-plugins
  outside clap fastrand indicatif rayon serde_json zarr-cast-value zarrs zfp-rs
exactum-site
  inside exactum-conformance exactum-exact exactum-vectors
  outside pulldown-cmark serde_json toml
exactum
  inside exactum-conformance exactum-exact exactum-metadata exactum-optimized exactum-peers exactum-plan exactum-pyramid
    exactum-reference exactum-suite exactum-vectors exactum-zarrs-plugins
  outside ariadne clap clap_complete clap_mangen comfy-table console indicatif serde_json signal-hook
exactum-python
  inside exactum exactum-exact exactum-metadata exactum-optimized
  outside numpy pyo3
xtask
  inside exactum-exact exactum-metadata exactum-reference exactum-vectors
  outside cargo_metadata clap crc32fast miniz_oxide rayon rustc_apfloat schemars serde_json sha2
";

/// Packages that need more to build than Rust and the C compiler that it links with.
const NATIVE: &[&str] = &[
    "autotools",
    "bindgen",
    "clang-sys",
    "cmake",
    "meson",
    "nasm-rs",
];

/// Parses the text of the arrows.
fn read(text: &str) -> Vec<Allowed<'_>> {
    let mut all: Vec<Allowed<'_>> = Vec::new();
    let mut is_inside = true;
    for line in text.lines() {
        let Some(last) = all.last_mut().filter(|_| line.starts_with(' ')) else {
            let package = line;
            all.push(Allowed {
                package,
                ..Allowed::default()
            });
            continue;
        };
        for word in line.split_whitespace() {
            match word {
                "inside" => is_inside = true,
                "outside" => is_inside = false,
                name if is_inside => last.inside.push(name),
                name => last.outside.push(name),
            }
        }
    }
    all
}

/// A dependency of a package on another.
struct Arrow {
    from: String,
    to: String,
    /// Whether `to` belongs to this workspace.
    inside: bool,
    /// Whether it is a normal dependency and not only a dependency of tests.
    normal: bool,
    features: Vec<String>,
}

/// Compares the manifests with the arrows.
pub(super) fn check(root: &Path) -> Vec<String> {
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec();
    let metadata = match metadata {
        Ok(metadata) => metadata,
        Err(error) => return vec![format!("cargo metadata: {error}")],
    };
    let allowed = read(ALLOWED);
    let mut findings = Vec::new();
    let mut arrows = Vec::new();
    for package in &metadata.packages {
        let name = package.name.to_string();
        if !allowed.iter().any(|allowed| allowed.package == name) {
            findings.push(format!(
                "{name}: the package has no arrows; add it to xtask/src/tidy/graph.rs and ARCHITECTURE.md"
            ));
        }
        for dependency in &package.dependencies {
            arrows.push(Arrow {
                from: name.clone(),
                to: dependency.name.clone(),
                inside: dependency.path.is_some(),
                normal: dependency.kind != DependencyKind::Development,
                features: dependency.features.clone(),
            });
        }
    }
    findings.extend(violations(&allowed, &arrows));
    findings.extend(unused(&allowed, &arrows));
    for (file, check) in [
        ("Cargo.lock", native as fn(&str) -> _),
        ("Cargo.toml", patches),
    ] {
        match std::fs::read_to_string(root.join(file)) {
            Ok(text) => findings.extend(check(&text)),
            Err(error) => findings.push(format!("{file}: {error}")),
        }
    }
    findings
}

/// Returns the packages in a lock file that need more than a C compiler.
fn native(lock: &str) -> Vec<String> {
    lock.lines()
        .filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
        .filter(|name| NATIVE.contains(name))
        .map(|name| {
            format!("Cargo.lock: {name}, which needs more than a C compiler; `cargo tree -i {name}` shows its users")
        })
        .collect()
}

/// Returns the tables of a manifest that replace packages of a registry. A dependent package does not inherit these
/// tables, so it would be built with other packages.
fn patches(manifest: &str) -> Vec<String> {
    manifest
        .lines()
        .filter(|line| line.starts_with("[patch") || line.starts_with("[replace"))
        .map(|line| format!("Cargo.toml: {line}, which a dependant would have to repeat"))
        .collect()
}

fn violations(allowed: &[Allowed<'_>], arrows: &[Arrow]) -> Vec<String> {
    let mut findings = Vec::new();
    for arrow in arrows {
        let Arrow { from, to, .. } = arrow;
        if to == "serde_json" && arrow.features.iter().any(|f| f == "arbitrary_precision") {
            findings.push(format!(
                "{from}: serde_json with arbitrary_precision, which changes how every crate of the build reads numbers"
            ));
        }
        let Some(allowed) = allowed.iter().find(|allowed| allowed.package == from) else {
            continue;
        };
        let list = match arrow.inside {
            true => &allowed.inside,
            false => &allowed.outside,
        };
        let of_the_model = to == "exactum-model" && from != "exactum-model";
        if arrow.normal && !of_the_model && !list.contains(&to.as_str()) {
            findings.push(format!("{from}: depends on {to}, which no arrow allows"));
        }
    }
    findings
}

/// Returns the allowed dependencies that do not exist, because the package is missing or does not have the dependency.
fn unused(allowed: &[Allowed<'_>], arrows: &[Arrow]) -> Vec<String> {
    let mut findings = Vec::new();
    for Allowed {
        package,
        inside,
        outside,
    } in allowed
    {
        let used = |to: &str, is_inside: bool| {
            arrows.iter().any(|arrow| {
                arrow.from == *package
                    && arrow.to == to
                    && arrow.inside == is_inside
                    && arrow.normal
            })
        };
        let lists = [(inside, true), (outside, false)];
        for (list, is_inside) in lists {
            for to in list.iter().filter(|to| !used(to, is_inside)) {
                findings.push(format!(
                    "xtask/src/tidy/graph.rs: allows {package} to depend on {to}, which it does not"
                ));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrow(from: &str, to: &str, inside: bool, normal: bool, features: &[&str]) -> Arrow {
        Arrow {
            from: from.into(),
            to: to.into(),
            inside,
            normal,
            features: features.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn more_than_a_compiler_is_found() {
        let lock =
            "[[package]]\nname = \"cmake\"\nversion = \"1.0.0\"\n[[package]]\nname = \"cmakes\"\n";
        assert_eq!(native(lock).len(), 1);
        assert_eq!(native("name = \"cc\""), Vec::<String>::new());
    }

    #[test]
    fn a_package_in_the_place_of_another_is_found() {
        let manifest = "[dependencies]\na = \"1\"\n[patch.crates-io]\na = { path = \"a\" }\n";
        assert_eq!(patches(manifest).len(), 1);
        assert_eq!(
            patches("[dependencies]\npatch = \"1\""),
            Vec::<String>::new()
        );
    }

    #[test]
    fn an_arrow_that_nobody_needs_is_found() {
        let allowed = read("a\n  inside b\n  outside serde\n");
        let all = || {
            vec![
                arrow("a", "b", true, true, &[]),
                arrow("a", "serde", false, true, &[]),
            ]
        };
        assert_eq!(unused(&allowed, &all()), Vec::<String>::new());
        for index in 0..2 {
            let mut arrows = all();
            // Dependencies of tests are not restricted.
            arrows[index].normal = false;
            assert_eq!(unused(&allowed, &arrows).len(), 1);
            arrows.remove(index);
            assert_eq!(unused(&allowed, &arrows).len(), 1);
        }
    }

    #[test]
    fn an_arrow_too_many_is_found() {
        let found = |arrow| violations(&read(ALLOWED), &[arrow]).len();
        let inside = |from, to| found(arrow(from, to, true, true, &[]));
        assert_eq!(inside("exactum-optimized", "exactum-reference"), 1);
        assert_eq!(inside("exactum-optimized", "exactum-model"), 0);
        assert_eq!(inside("exactum-model", "exactum-exact"), 1);
        let outside = |from, to| found(arrow(from, to, false, true, &[]));
        assert_eq!(outside("exactum-model", "serde"), 1);
        assert_eq!(outside("exactum-reference", "half"), 1);
        let for_tests = |to, inside, features: &[&str]| {
            found(arrow("exactum-optimized", to, inside, false, features))
        };
        assert_eq!(for_tests("exactum-reference", true, &[]), 0);
        let features = ["arbitrary_precision"];
        assert_eq!(for_tests("serde_json", false, &features), 1);
    }
}
