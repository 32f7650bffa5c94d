//! Where the vectors, the specification and the expectations are.

use std::env;
use std::path::{Path, PathBuf};

use exactum_vectors::Suite;
use exactum_vectors::spec::{Clause, clauses};

/// The folders of a checkout.
#[derive(Clone, Debug)]
pub struct Checkout {
    root: PathBuf,
    vectors: PathBuf,
}

impl Checkout {
    /// The checkout around the current folder or, outside of any, the one that this program was
    /// built from; with its own vectors or those of another folder.
    #[must_use]
    pub fn find(vectors: Option<&Path>) -> Self {
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let root = env::current_dir()
            .ok()
            .and_then(|folder| {
                folder
                    .ancestors()
                    .find(|folder| is_checkout(folder))
                    .map(Path::to_owned)
            })
            .unwrap_or(built);
        let vectors = vectors.map_or_else(|| root.join("vectors"), Path::to_owned);
        Self { root, vectors }
    }

    /// The vectors.
    ///
    /// # Errors
    /// When they are not there or not the ones that their manifest describes.
    pub fn suite(&self) -> Result<Suite, String> {
        Suite::load(&self.vectors)
            .map_err(|error| format!("vectors in {}: {error}", self.vectors.display()))
    }

    /// The clauses of the specification.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn clauses(&self) -> Result<Vec<Clause>, String> {
        clauses(&self.root)
    }

    /// The folder that holds everything.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of the vectors.
    #[must_use]
    pub fn vectors(&self) -> &Path {
        &self.vectors
    }

    /// The folder of the expectations.
    #[must_use]
    pub fn expectations(&self) -> PathBuf {
        self.root.join("conformance").join("expectations")
    }

    /// The folder of the results.
    #[must_use]
    pub fn results(&self) -> PathBuf {
        self.root.join("conformance").join("results")
    }
}

fn is_checkout(folder: &Path) -> bool {
    folder.join("vectors/manifest.json").is_file() && folder.join("spec").is_dir()
}
