//! `conformance/peers.lock`, which lists the programs that are judged and the versions of their packages; and
//! `conformance/locks`, which holds the hashes of those packages.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use exactum_conformance::fairness::Claims;
use serde::{Deserialize, Serialize};

/// The path of the file, relative to the root of the checkout.
pub const LOCK: &str = "conformance/peers.lock";

/// The folder of the hashes, relative to the root of the checkout: a file in pip's format for each Python environment,
/// and a file in npm's format for each Node environment. `cargo xtask peers --lock` generates them.
pub const HASHES: &str = "conformance/locks";

/// The contents of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// The environments, by name.
    pub environments: BTreeMap<String, Environment>,
    /// The peers, by name.
    pub peers: BTreeMap<String, Peer>,
    /// The texts that each implementation claims to implement, including those built into the process.
    #[serde(default)]
    pub claims: BTreeMap<String, Claims>,
}

/// Versions by package.
pub type Packages = BTreeMap<String, String>;

/// Takes the place of a version and stands for the newest release.
pub const NEWEST: &str = "newest";

/// An environment in which programs run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Environment {
    /// A virtual environment of Python.
    Python {
        /// The oldest Python that is accepted, such as `3.12`.
        minimum: String,
        /// All installed packages.
        packages: Packages,
    },
    /// A folder of packages for Node, including Node itself.
    Npm {
        /// The version of Node.
        node: String,
        /// The packages that contain Node, one for each platform.
        engines: Vec<String>,
        /// All installed packages.
        packages: Packages,
    },
    /// A program that is built by cargo; its own `Cargo.lock` lists the versions.
    Cargo {
        /// Its manifest, relative to the root of the checkout.
        manifest: PathBuf,
        /// The name of the program.
        program: String,
        /// The environment with the tools that build it.
        tools: String,
    },
}

/// A program that is judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    /// The environment that the peer runs in.
    pub environment: String,
    /// The adapter below `conformance/adapters`, or `None` if the environment is itself the program.
    #[serde(default)]
    pub adapter: Option<String>,
    /// The package whose version is that of the peer, if its name differs from the peer's.
    #[serde(default)]
    pub package: Option<String>,
    /// The version, if no package of the environment has it.
    #[serde(default)]
    pub version: Option<String>,
}

impl Environment {
    /// Returns whether the environment consists of the newest releases, whatever they currently are.
    #[must_use]
    pub fn is_newest(&self) -> bool {
        match self {
            Environment::Python { packages, .. } | Environment::Npm { packages, .. } => {
                packages.values().all(|version| version == NEWEST)
            }
            Environment::Cargo { .. } => false,
        }
    }

    /// Returns the same packages in their newest releases, or `None` for a program that is built by cargo.
    fn newest(&self) -> Option<Self> {
        let mut newest = self.clone();
        match &mut newest {
            Environment::Python { packages, .. } | Environment::Npm { packages, .. } => {
                packages
                    .values_mut()
                    .for_each(|version| *version = NEWEST.into());
            }
            Environment::Cargo { .. } => return None,
        }
        Some(newest)
    }
}

impl Environment {
    /// Returns the file of the environment's hashes, below [`HASHES`]. A program that is built by cargo has them in its
    /// `Cargo.lock`.
    #[must_use]
    pub fn hashes(&self, name: &str) -> String {
        match self {
            Environment::Npm { .. } => format!("{name}.json"),
            Environment::Python { .. } | Environment::Cargo { .. } => format!("{name}.txt"),
        }
    }
}

impl Lock {
    /// Reads the file of a checkout.
    ///
    /// # Errors
    /// If the file cannot be read or refers to something that does not exist. The message states the reason.
    pub fn load(root: &Path) -> Result<Self, String> {
        let path = root.join(LOCK);
        let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = fs::read_to_string(&path).map_err(|error| at(&error))?;
        Self::parse(&text).map_err(|error| at(&error))
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    /// If the text cannot be parsed, or a peer has no environment, adapter or version.
    pub fn parse(text: &str) -> Result<Self, String> {
        let lock: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        for (name, environment) in &lock.environments {
            if let Environment::Cargo { tools, .. } = environment
                && !matches!(
                    lock.environments.get(tools),
                    Some(Environment::Python { .. })
                )
            {
                return Err(format!("{name}: {tools} is not a Python environment"));
            }
        }
        for (name, peer) in &lock.peers {
            let Some(environment) = lock.environments.get(&peer.environment) else {
                return Err(format!("{name}: unknown environment {}", peer.environment));
            };
            let built = matches!(environment, Environment::Cargo { .. });
            if built == peer.adapter.is_some() {
                return Err(format!(
                    "{name}: a Python or Node environment requires an adapter, and a Cargo \
                     environment must not have one"
                ));
            }
            if lock.version(name).is_none() {
                return Err(format!(
                    "{name}: neither `version` nor a package of its environment gives its version"
                ));
            }
        }
        for (name, claims) in &lock.claims {
            if let Some((row, link)) = claims.iter().find(|(_, it)| !it.starts_with("https://")) {
                return Err(format!(
                    "{name}: {row}: {link} is not a link to the library's claim"
                ));
            }
        }
        Ok(lock)
    }

    /// Returns the lock with the newest releases of the peers that have releases. A peer that is an older version of
    /// another one is left out.
    #[must_use]
    pub fn newest(&self) -> Self {
        let is_own = |name: &str, peer: &Peer| {
            let folder = peer.adapter.as_deref().and_then(|it| it.split('/').next());
            folder == Some(name)
        };
        let peers: BTreeMap<String, Peer> = self
            .peers
            .iter()
            .filter(|(name, peer)| is_own(name, peer))
            .map(|(name, peer)| {
                let peer = Peer {
                    version: None,
                    ..peer.clone()
                };
                (name.clone(), peer)
            })
            .collect();
        let environments = self
            .environments
            .iter()
            .filter(|(name, _)| peers.values().any(|peer| peer.environment == **name))
            .filter_map(|(name, environment)| Some((name.clone(), environment.newest()?)))
            .collect();
        Self {
            environments,
            peers,
            claims: self.claims.clone(),
        }
    }

    /// Returns the version that a peer must report, or `None` for a newest release, whose version is not known in
    /// advance.
    #[must_use]
    pub fn version(&self, peer: &str) -> Option<&str> {
        let entry = self.peers.get(peer)?;
        if let Some(version) = &entry.version {
            return Some(version);
        }
        let packages = match self.environments.get(&entry.environment)? {
            Environment::Python { packages, .. } | Environment::Npm { packages, .. } => packages,
            Environment::Cargo { .. } => return None,
        };
        let package = entry.package.as_deref().unwrap_or(peer);
        let version = packages.get(package).map(String::as_str);
        version.filter(|version| *version != NEWEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LITTLE: &str = r#"
[environments.python]
kind = "python"
minimum = "3.11"
packages = { numcodecs = "0.16.6" }
[environments.zfp-c]
kind = "cargo"
manifest = "zfp-c/Cargo.toml"
program = "zfp-c"
tools = "python"
[peers.numcodecs]
environment = "python"
adapter = "numcodecs/adapter.py"
[peers.zfp-c]
environment = "zfp-c"
version = "1.0.1"
"#;

    #[test]
    fn the_file_of_the_checkout_is_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let lock = Lock::load(&root).expect("a lock");
        assert_eq!(lock.version("zarr-python"), Some("3.4.2"));
        for (name, peer) in &lock.peers {
            if let Some(adapter) = &peer.adapter {
                // A second version of a peer shares the adapter of the first.
                let newer = name.rsplit_once('-').map_or("", |(newer, _)| newer);
                let own = [name, newer].map(|name| format!("{name}/"));
                assert!(
                    own.iter().any(|folder| adapter.starts_with(folder)),
                    "{name}: {adapter}"
                );
            }
            // As an entry point, `cast-value` replaces zarr's own codec.
            let beside = match &lock.environments[&peer.environment] {
                Environment::Python { packages, .. } => packages.contains_key("cast-value"),
                Environment::Npm { .. } | Environment::Cargo { .. } => false,
            };
            assert_eq!(beside, name == "cast-value", "{name}");
        }
    }

    #[test]
    fn the_newest_are_the_peers_that_have_releases_each_once() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let newest = Lock::load(&root).expect("a lock").newest();
        for older in ["cast-value-rs-0.4", "zarr-python-3.3", "zfp-c"] {
            assert!(!newest.peers.contains_key(older), "{older}");
        }
        for name in ["cast-value-rs", "gdal", "zarr-python", "zarrita"] {
            let peer = &newest.peers[name];
            assert!(newest.environments[&peer.environment].is_newest(), "{name}");
            assert_eq!(newest.version(name), None, "{name}");
        }
        assert!(!newest.environments.contains_key("tools"));
    }

    #[test]
    fn zfp_is_the_librarys_own_code_in_the_program() {
        let manifest: toml::Table = include_str!("../../zfp-c/Cargo.toml")
            .parse()
            .expect("TOML");
        let zfp = &manifest["dependencies"]["zfp-sys"];
        assert_eq!(zfp["version"].as_str(), Some("=0.4.3"));
        let features: Vec<_> = zfp["features"].as_array().expect("a list").iter().collect();
        assert_eq!(features, [&toml::Value::from("static")]);
        assert_eq!(zfp["default-features"].as_bool(), Some(false));
    }

    /// The lock file of `zarrs-zfp` must list every dependency of Exactum's packages; otherwise `--locked` would reject
    /// it.
    #[test]
    fn zarrs_with_zfp_is_locked_with_all_dependencies() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../zarrs-zfp");
        let read = |path: &Path| -> toml::Table {
            let text = std::fs::read_to_string(path).expect("a file");
            text.parse().expect("TOML")
        };
        let workspace = read(&folder.join("../../Cargo.toml"));
        let locked = read(&folder.join("Cargo.lock"));
        let packages = locked["package"].as_array().expect("packages");
        let ours = packages.iter().filter(|it| it.get("source").is_none());
        let mut compared = 0;
        for package in ours {
            let name = package["name"].as_str().expect("a name");
            let path = workspace["workspace"]["dependencies"].get(name);
            let Some(path) = path.and_then(|it| it.get("path")?.as_str()) else {
                assert_eq!(name, "exactum-zarrs-zfp");
                continue;
            };
            let manifest = read(&folder.join("../..").join(path).join("Cargo.toml"));
            let known = package.get("dependencies").and_then(|it| it.as_array());
            let known = known.map_or(&[][..], Vec::as_slice);
            // Dependencies of unused features are not locked.
            let is_there = |it: &toml::Value| it.get("optional") != Some(&toml::Value::from(true));
            let dependencies = manifest["dependencies"].as_table().expect("a table").iter();
            for (dependency, _) in dependencies.filter(|(_, it)| is_there(it)) {
                // If there are several versions of a package, the version follows its name.
                let is_it = |it: &toml::Value| {
                    let name = it.as_str().and_then(|it| it.split(' ').next());
                    name == Some(dependency.as_str())
                };
                assert!(
                    known.iter().any(is_it),
                    "{name}: {dependency} is not in Cargo.lock of conformance/zarrs-zfp"
                );
                compared += 1;
            }
        }
        assert!(compared > 25, "{compared}");
    }

    /// Both programs contain the same adapter, whose list of codecs depends on these features.
    #[test]
    fn zarrs_with_zfp_has_the_features_of_zarrs() {
        let features = |manifest: &str| -> Vec<String> {
            let manifest: toml::Table = manifest.parse().expect("TOML");
            let features = manifest["dependencies"]["zarrs"]["features"].as_array();
            let names = features
                .expect("a list")
                .iter()
                .filter_map(|it| it.as_str());
            names.map(str::to_owned).collect()
        };
        let mut expected = features(include_str!("../Cargo.toml"));
        expected.push("zfp".to_owned());
        let manifest = include_str!("../../zarrs-zfp/Cargo.toml");
        assert_eq!(features(manifest), expected);
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        assert_eq!(Lock::parse(LITTLE).map(|lock| lock.peers.len()), Ok(2));
        for (from, to, message) in [
            (
                "tools = \"python\"",
                "tools = \"none\"",
                "none is not a Python environment",
            ),
            (
                "tools = \"python\"",
                "tools = \"zfp-c\"",
                "zfp-c is not a Python environment",
            ),
            (
                "environment = \"python\"",
                "environment = \"perl\"",
                "unknown environment perl",
            ),
            (
                "adapter = \"numcodecs/adapter.py\"",
                "",
                "requires an adapter",
            ),
            ("version = \"1.0.1\"", "", "gives its version"),
            ("{ numcodecs =", "{ numpy =", "gives its version"),
            ("minimum =", "least =", "unknown field"),
            (
                "[peers.zfp-c]",
                "[claims.zfp-c]\nzfp = \"its manual\"\n[peers.zfp-c]",
                "is not a link",
            ),
        ] {
            let error = Lock::parse(&LITTLE.replacen(from, to, 1)).expect_err(message);
            assert!(error.contains(message), "{error}");
        }
    }
}
