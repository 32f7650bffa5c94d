//! Tests with simulated crashes of the machine. Data that was not synced may be lost. Nothing that is lost
//! may have been reported as complete, and it must be made again.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::PoisonError;

use exactum_model::Method;
use serde_json::json;

use crate::disk::{Change, Disk, Log};
use crate::files::tree;
use crate::{Compression, Error, Options, Outcome, Pack, Packing, Part, Pyramid};

/// A file or a folder, by its number.
type Number = usize;

/// The content of a file or a folder: the current one, and the one at the last sync.
#[derive(Clone, Debug)]
enum Node {
    File {
        now: Vec<u8>,
        synced: Option<Vec<u8>>,
    },
    Folder {
        now: BTreeMap<OsString, Number>,
        synced: BTreeMap<OsString, Number>,
    },
}

/// The fate of data that was not synced.
#[derive(Clone, Copy, Debug)]
enum Fate {
    /// All of it is lost.
    Lost,
    /// Names survive, and contents have their length but consist of zeros.
    Zeros,
    /// Each item survives or is lost, as determined by these bits.
    Mixed(u64),
}

/// A file system.
#[derive(Clone, Debug)]
struct Model {
    nodes: Vec<Node>,
}

impl Model {
    fn new() -> Self {
        Self {
            nodes: vec![Node::Folder {
                now: BTreeMap::new(),
                synced: BTreeMap::new(),
            }],
        }
    }

    /// Returns the entries of a folder.
    fn entries(&mut self, at: Number) -> &mut BTreeMap<OsString, Number> {
        match &mut self.nodes[at] {
            Node::Folder { now, .. } => now,
            Node::File { .. } => panic!("a file is not a folder"),
        }
    }

    fn find(&mut self, path: &Path) -> Option<Number> {
        let mut at = 0;
        for name in path.iter() {
            at = *self.entries(at).get(name)?;
        }
        Some(at)
    }

    /// Returns the folder of a path, and the name in it.
    fn place(&mut self, path: &Path) -> (Number, OsString) {
        let parent = path.parent().expect("a path below the root");
        let folder = self.find(parent).expect("an existing folder");
        (folder, path.file_name().expect("a name").to_owned())
    }

    fn insert(&mut self, path: &Path, number: Number) {
        let (folder, name) = self.place(path);
        self.entries(folder).insert(name, number);
    }

    fn create(&mut self, path: &Path, node: Node) {
        self.nodes.push(node);
        let number = self.nodes.len() - 1;
        self.insert(path, number);
    }

    fn change(&mut self, change: &Change) {
        match change {
            Change::Folder(path) => self.create(
                path,
                Node::Folder {
                    now: BTreeMap::new(),
                    synced: BTreeMap::new(),
                },
            ),
            Change::Create(path) => self.create(
                path,
                Node::File {
                    now: Vec::new(),
                    synced: None,
                },
            ),
            Change::Write(path, bytes) => {
                let file = self.find(path).expect("a file");
                if let Node::File { now, .. } = &mut self.nodes[file] {
                    now.extend_from_slice(bytes);
                }
            }
            Change::SyncFile(path) => {
                let file = self.find(path).expect("a file");
                if let Node::File { now, synced } = &mut self.nodes[file] {
                    *synced = Some(now.clone());
                }
            }
            Change::SyncFolder(path) => {
                let folder = self.find(path).expect("a folder");
                if let Node::Folder { now, synced } = &mut self.nodes[folder] {
                    synced.clone_from(now);
                }
            }
            Change::Rename(from, to) => {
                let number = self.find(from).expect("a file");
                let (folder, name) = self.place(from);
                self.entries(folder).remove(&name);
                self.insert(to, number);
            }
            Change::Link(from, to) => {
                let number = self.find(from).expect("a file");
                self.insert(to, number);
            }
            Change::Remove(path) | Change::RemoveTree(path) => {
                let (folder, name) = self.place(path);
                self.entries(folder).remove(&name);
            }
        }
    }

    /// Writes the state after a crash.
    fn survive(&self, fate: Fate, to: &Path) {
        self.survive_at(0, fate, to);
    }

    fn survive_at(&self, at: Number, fate: Fate, to: &Path) {
        let lucky = |kind: u64| match fate {
            Fate::Lost => false,
            Fate::Zeros => true,
            Fate::Mixed(bits) => {
                let mixed = (at as u64 ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
                mixed >> kind & 1 == 1
            }
        };
        match &self.nodes[at] {
            Node::Folder { now, synced } => {
                fs::create_dir_all(to).expect("a folder");
                for (name, &number) in if lucky(0) { now } else { synced } {
                    self.survive_at(number, fate, &to.join(name));
                }
            }
            Node::File { now, synced } => {
                let unsynced = match fate {
                    Fate::Zeros => vec![0; now.len()],
                    Fate::Mixed(_) if lucky(1) => now.clone(),
                    Fate::Mixed(_) if lucky(2) => now[..now.len() / 2].to_vec(),
                    _ => Vec::new(),
                };
                fs::write(to, synced.as_ref().unwrap_or(&unsynced)).expect("a file");
            }
        }
    }
}

/// Writes an array of 4 x 4 bytes in chunks of 2 x 2, one of which is not stored.
pub(crate) fn write_input(folder: &Path) {
    fs::create_dir_all(folder).expect("a folder");
    let document = r#"{"zarr_format": 3, "node_type": "array", "shape": [4, 4], "data_type": "uint8",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 2]}},
        "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
        "codecs": [{"name": "bytes"}, {"name": "crc32c"}]}"#;
    let document = document.replace(", {\"name\": \"crc32c\"}", "");
    fs::write(folder.join("zarr.json"), document).expect("a document");
    for (row, column) in (0..2).flat_map(|row| (0..2).map(move |column| (row, column))) {
        if (row, column) != (1, 1) {
            let place = folder.join(format!("c/{row}"));
            fs::create_dir_all(&place).expect("a folder");
            let chunk = [1, 2, 3, 4].map(|it| it * (row * 2 + column + 1));
            fs::write(place.join(column.to_string()), chunk).expect("a chunk");
        }
    }
}

/// A function that writes to a folder through a disk.
type Work<'a> = &'a dyn Fn(&Path, &Disk) -> Outcome;

/// Lets the machine crash after each change, with every fate, and continues: the result must be that of an
/// undisturbed run. Without syncing, the result needs to differ only once; the function returns whether it
/// does.
fn crashes(name: &str, sync: bool, complete: &str, work: Work<'_>) -> bool {
    let scratch = tempfile::tempdir().expect("a folder");
    let root = fs::canonicalize(scratch.path()).expect("a folder");
    let (place, log) = (root.join("place"), Log::default());
    fs::create_dir_all(&place).expect("a folder");
    let logged = |sync: bool, log: &Log| {
        let mut disk = Disk::new(sync);
        disk.log = Some(log.clone());
        disk
    };
    let disk = logged(sync, &log);
    assert_eq!(work(&place.join("out"), &disk), Outcome::Complete);
    let expected = tree(&place.join("out"));
    let changes = log.lock().unwrap_or_else(PoisonError::into_inner).clone();
    assert!(changes.len() > 20, "{} changes", changes.len());
    let mut model = Model::new();
    for at in 0..=changes.len() {
        for fate in [Fate::Lost, Fate::Zeros, Fate::Mixed(at as u64)] {
            fs::remove_dir_all(&place).expect("it is gone");
            model.survive(fate, &place);
            let out = place.join("out");
            let is_called_complete = fs::metadata(out.join(complete)).is_ok_and(|it| it.len() > 0);
            let is_right = || {
                let mut there = tree(&out);
                there.retain(|name, _| !name.starts_with(".exactum-downsample"));
                there.retain(|name, _| !name.starts_with(".exactum-pack"));
                there == expected
            };
            let mut is_wrong = is_called_complete && !is_right();
            // An incomplete result is completed.
            let again = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                work(&out, &logged(true, &Log::default()))
            }));
            is_wrong |= again.is_err() || !is_right();
            if is_wrong && !sync {
                return true;
            }
            assert!(
                !is_wrong,
                "{name}: after {at} changes of {}, {fate:?}: {:?}",
                changes.len(),
                changes.get(at.saturating_sub(1))
            );
        }
        if let Some(change) = changes.get(at) {
            // Changes of the parent folder do not matter.
            if let Some(change) = change.below(&place) {
                model.change(&change);
            }
        }
    }
    false
}

impl Change {
    /// Returns the same change with paths relative to a folder.
    fn below(&self, folder: &Path) -> Option<Change> {
        let of = |path: &Path| path.strip_prefix(folder).ok().map(Path::to_owned);
        Some(match self {
            Change::Folder(path) => Change::Folder(of(path)?),
            Change::Create(path) => Change::Create(of(path)?),
            Change::Write(path, bytes) => Change::Write(of(path)?, bytes.clone()),
            Change::SyncFile(path) => Change::SyncFile(of(path)?),
            Change::SyncFolder(path) => Change::SyncFolder(of(path)?),
            Change::Rename(from, to) => Change::Rename(of(from)?, of(to)?),
            Change::Link(from, to) => Change::Link(of(from)?, of(to)?),
            Change::Remove(path) => Change::Remove(of(path)?),
            Change::RemoveTree(path) => Change::RemoveTree(of(path)?),
        })
    }
}

fn check(name: &str, complete: &str, work: Work<'_>) {
    assert!(!crashes(name, true, complete, work), "{name}");
    // Without a sync, the same changes lose something, so that the test can fail.
    assert!(crashes(name, false, complete, work), "{name}");
}

#[test]
fn pyramids_survive_crashes() {
    for from_base in [false, true] {
        let scratch = tempfile::tempdir().expect("a folder");
        let input = scratch.path().join("in");
        write_input(&input);
        let mut options = Options::new(vec![2, 2], Method::Max).with_levels(2);
        options.from_base = from_base;
        check(
            &format!("pyramid-{from_base}"),
            "zarr.json",
            &|out, disk| {
                let mut pyramid = Pyramid::open(&input, out, &options).expect("a pyramid");
                pyramid.disk = disk.clone();
                let run = pyramid.run(Part::WHOLE, NonZeroUsize::MIN, &|_| ());
                run.expect("it is made")
            },
        );
    }
}

#[test]
fn packed_arrays_survive_crashes() {
    let scratch = tempfile::tempdir().expect("a folder");
    let input = scratch.path().join("in");
    write_input(&input);
    let codecs = json!([
        {"name": "cast_value", "configuration": {"data_type": "uint16"}},
        {"name": "bytes", "configuration": {"endian": "little"}},
    ]);
    check("packed", "zarr.json", &|out, disk| {
        let mut pack = Pack::open::<Error>(&input, out, |_, _| {
            Ok(Some(Packing {
                codecs: codecs.clone(),
                fill_value: None,
                bound: 0.0,
                compression: Some(Compression::Gzip(1)),
            }))
        })
        .expect("an array");
        pack.disk = disk.clone();
        let run = pack.run(Part::WHOLE, NonZeroUsize::MIN, &|_| ());
        run.expect("it is packed")
    });
}

/// Processes with the same identity, which may occur in containers, do not mix up their files. One of them may stop,
/// but the output of the others is right.
#[test]
fn equal_names_of_processes_mix_nothing_up() {
    let scratch = tempfile::tempdir().expect("a folder");
    let input = scratch.path().join("in");
    write_input(&input);
    let options = Options {
        levels: Some(2),
        ..Options::new(vec![2, 2], Method::Max)
    };
    let run = |out: &Path, disk: Disk, part: Part| {
        let mut pyramid = Pyramid::open(&input, out, &options).expect("a pyramid");
        pyramid.disk = disk;
        pyramid.run(part, NonZeroUsize::MIN, &|_| ())
    };
    let (whole, out) = (scratch.path().join("whole"), scratch.path().join("out"));
    let made = run(&whole, Disk::new(false), Part::WHOLE);
    assert_eq!(made, Ok(Outcome::Complete));
    for _ in 0..40 {
        std::thread::scope(|scope| {
            let parts = (1..=4).filter_map(|index| Part::new(index, 4));
            let run = &run;
            let out = &out;
            let runs: Vec<_> = parts
                .map(|part| scope.spawn(move || run(out, Disk::with_identity(false, "same"), part)))
                .collect();
            for run in runs {
                // The process is done, or it has stopped at a file of another one.
                let _ = run.join().expect("no panic");
            }
        });
        let made = run(&out, Disk::new(false), Part::WHOLE);
        assert_eq!(made, Ok(Outcome::Complete));
        assert!(tree(&out) == tree(&whole));
        fs::remove_dir_all(&out).expect("it is gone");
    }
    // A file that another process has begun is kept.
    let foreign = out.join(crate::run::JOURNAL).join("file-same-0");
    fs::create_dir_all(foreign.parent().expect("a folder")).expect("a folder");
    fs::write(&foreign, "foreign").expect("a file");
    let made = run(&out, Disk::with_identity(false, "same"), Part::WHOLE);
    assert!(
        matches!(&made, Err(Error::File(fault)) if fault.path() == foreign),
        "{made:?}"
    );
    assert_eq!(fs::read(&foreign).expect("a file"), b"foreign");
    let names = [(); 2].map(|()| Disk::new(false).unique("file"));
    assert_ne!(names[0], names[1]);
}
