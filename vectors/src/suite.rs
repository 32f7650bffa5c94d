//! The suite: all vector files.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, panic, thread};

use crate::file::File;
use crate::manifest::Manifest;

/// The vectors, all in memory.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The manifest as it was read.
    pub manifest: Manifest,
    /// The files in the manifest with their texts, in the manifest's order.
    pub files: Vec<(File, String)>,
}

impl Suite {
    /// Reads the manifest of a folder and every file that it names.
    ///
    /// # Errors
    /// If a file is missing, does not have the format, or does not match its hash in the manifest.
    pub fn load(root: &Path) -> Result<Self, String> {
        let suite = Self::read(&|path| {
            fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))
        })?;
        let now = Manifest::of(&suite.files);
        for (then, now) in suite.manifest.files.iter().zip(&now.files) {
            if then != now {
                return Err(format!(
                    "{}: not the file that manifest.json describes",
                    then.path
                ));
            }
        }
        if now != suite.manifest {
            return Err("manifest.json: the totals or the order are wrong".into());
        }
        Ok(suite)
    }

    /// Reads the manifest and every file that it names from a source that cannot have changed, such as the program
    /// itself. Their groups and cases are counted, but the files are not hashed.
    ///
    /// # Errors
    /// If a file is missing, does not have the format, or has a different number of groups or cases.
    pub fn of(text: impl Fn(&str) -> Result<String, String> + Sync) -> Result<Self, String> {
        let suite = Self::read(&text)?;
        for (entry, (file, _)) in suite.manifest.files.iter().zip(&suite.files) {
            let cases: usize = file.groups.iter().map(|group| group.cases.len()).sum();
            if (file.groups.len(), cases) != (entry.groups, entry.cases) {
                return Err(format!(
                    "{}: not the file that manifest.json describes",
                    entry.path
                ));
            }
        }
        Ok(suite)
    }

    fn read(text: &(dyn Fn(&str) -> Result<String, String> + Sync)) -> Result<Self, String> {
        let manifest: Manifest = serde_json::from_str(&text("manifest.json")?)
            .map_err(|error| format!("manifest.json: {error}"))?;
        let files = side_by_side(&manifest.files, |entry| {
            let text = text(&entry.path)?;
            let file = File::parse(&text).map_err(|error| format!("{}: {error}", entry.path))?;
            Ok((file, text))
        });
        let files = files.into_iter().collect::<Result<Vec<_>, String>>()?;
        Ok(Self { manifest, files })
    }
}

/// Returns the results of some work in the order of its items, using one thread for each processor.
pub fn side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            match items.get(place) {
                Some(item) => done.push((place, work(item))),
                None => return done,
            }
        }
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
        let mut done = take();
        for other in others {
            match other.join() {
                Ok(part) => done.extend(part),
                Err(payload) => panic::resume_unwind(payload),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}
