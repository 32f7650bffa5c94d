//! Nothing is reported as complete unless it is: unreadable chunks, replaced inputs, lost outputs, and
//! simultaneous shares.

use std::error::Error as _;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::thread;

use super::*;

/// Returns an array, and its pyramid.
fn prepared() -> (TempDir, PathBuf, BTreeMap<String, Vec<u8>>) {
    let scratch = tempdir().expect("a folder");
    let input = scratch.path().join("in.zarr");
    write(
        &input,
        DataType::Uint8,
        &document(DataType::Uint8, &bytes()),
    );
    let whole = scratch.path().join("whole.zarr");
    let made = make(&input, &whole, &options(Method::Mean), Part::WHOLE);
    assert_eq!(made, Ok(Outcome::Complete));
    let files = tree(&whole);
    (scratch, input, files)
}

fn refused(name: &str, made: Result<Outcome, Error>, words: &str) {
    match made {
        Err(fault) => assert!(fault.to_string().contains(words), "{name}: {fault}"),
        Ok(outcome) => panic!("{name}: {outcome:?}"),
    }
}

/// A chunk that cannot be read is not treated as missing: nothing is made from it, and once it exists again,
/// everything is made.
#[test]
fn unreadable_chunks_are_not_missing() {
    let (scratch, input, whole) = prepared();
    let chunk = input.join("c/1/1/1");
    let aside = scratch.path().join("aside");
    type Spoil = fn(&Path);
    let spoils: [(&str, Spoil, &str); 5] = [
        (
            "loop",
            |chunk| symlink("1", chunk).expect("a link"),
            "os error",
        ),
        (
            "dangling",
            |chunk| symlink("nothing", chunk).expect("a link"),
            "leads nowhere",
        ),
        (
            "folder",
            |chunk| fs::create_dir(chunk).expect("a folder"),
            "not a regular file",
        ),
        (
            "fifo",
            |chunk| {
                let made = Command::new("mkfifo").arg(chunk).status();
                assert!(made.expect("mkfifo").success());
            },
            "not a regular file",
        ),
        (
            "device",
            |chunk| symlink("/dev/zero", chunk).expect("a link"),
            "not a regular file",
        ),
    ];
    for copy_base in [true, false] {
        let options = match copy_base {
            true => options(Method::Mean),
            false => options(Method::Mean).without_base(),
        };
        for (name, spoil, words) in &spoils {
            let output = scratch.path().join("out.zarr");
            fs::rename(&chunk, &aside).expect("it is put aside");
            spoil(&chunk);
            refused(name, make(&input, &output, &options, Part::WHOLE), words);
            // Earlier records do not make it complete, either.
            refused(name, make(&input, &output, &options, Part::WHOLE), words);
            assert!(!output.join("zarr.json").exists(), "{name}");
            match chunk.is_dir() {
                true => fs::remove_dir(&chunk).expect("it is gone"),
                false => fs::remove_file(&chunk).expect("it is gone"),
            }
            fs::rename(&aside, &chunk).expect("it is put back");
            if let Ok(metadata) = fs::metadata(&output)
                && metadata.is_dir()
            {
                let made = make(&input, &output, &options, Part::WHOLE);
                assert_eq!(made, Ok(Outcome::Complete), "{name}");
            }
            if copy_base && output.exists() {
                assert!(tree(&output) == whole, "{name}");
            }
            let _ = fs::remove_dir_all(&output);
        }
    }
}

/// Errors in chunks name the file, the array and the level, and keep their cause.
#[test]
fn faults_of_chunks_name_their_place() {
    let (scratch, input, _) = prepared();
    let chunk = input.join("c/1/1/1");
    let bytes = fs::read(&chunk).expect("a chunk");
    fs::write(&chunk, &bytes[..9]).expect("a chunk");
    for level in [0, 1] {
        let options = match level {
            0 => options(Method::Mean),
            _ => options(Method::Mean).without_base(),
        };
        // Level 0 is copied as it is, and read when level 1 is made.
        let made = make(
            &input,
            &scratch.path().join(format!("{level}")),
            &options,
            Part::WHOLE,
        );
        let Err(Error::File(fault)) = &made else {
            panic!("{made:?}");
        };
        assert_eq!(fault.path(), chunk, "{fault}");
        assert_eq!(fault.array(), Some(&*input), "{fault}");
        assert_eq!(fault.level(), Some(1), "{fault}");
        assert!(fault.source().is_some(), "{fault}");
        let words = fault.to_string();
        for part in ["c/1/1/1: ", "a chunk of the array", "while level 1"] {
            assert!(words.contains(part), "{words}");
        }
    }
}

/// The pyramid of an array is not accepted for another array, nor for the same array after a change.
#[test]
fn replaced_inputs_are_noticed() {
    let (scratch, input, _) = prepared();
    let whole = scratch.path().join("whole.zarr");
    let other = scratch.path().join("other.zarr");
    write(
        &other,
        DataType::Uint8,
        &document(DataType::Uint8, &bytes()),
    );
    let mean = options(Method::Mean);
    refused(
        "other",
        make(&other, &whole, &mean, Part::WHOLE),
        "was made from",
    );
    let part = Part::new(1, 2).expect("a part");
    let half = scratch.path().join("half.zarr");
    let made = make(&input, &half, &mean, part);
    assert!(matches!(made, Ok(Outcome::Waiting(_))), "{made:?}");
    refused(
        "other",
        make(&other, &half, &mean, part),
        "incomplete result",
    );
    let chunk = input.join("c/1/1/1");
    let bytes = fs::read(&chunk).expect("a chunk");
    fs::write(&chunk, vec![7; bytes.len()]).expect("a chunk");
    refused(
        "changed",
        make(&input, &whole, &mean, Part::WHOLE),
        "an earlier state of",
    );
    refused(
        "changed",
        make(&input, &half, &mean, part),
        "an earlier state of",
    );
    fs::remove_file(&chunk).expect("it is gone");
    refused(
        "removed",
        make(&input, &whole, &mean, Part::WHOLE),
        "an earlier state of",
    );
}

/// If an input is changed while it is read, nothing is reported as complete.
#[test]
fn inputs_changed_meanwhile_are_noticed() {
    let (scratch, input, _) = prepared();
    let output = scratch.path().join("out.zarr");
    let pyramid = Pyramid::open(&input, &output, &options(Method::Mean)).expect("a pyramid");
    let made = pyramid.run(Part::WHOLE, threads(1), &|progress| {
        if progress.made == 70 {
            fs::write(input.join("c/0/0/0"), vec![9; 64]).expect("a chunk");
        }
    });
    refused("meanwhile", made, "has changed in the meantime");
    assert!(!output.join("zarr.json").exists());
}

/// Lost outputs are noticed; an incomplete result is repaired.
#[test]
fn lost_chunks_are_noticed() {
    let (scratch, input, whole) = prepared();
    let mean = options(Method::Mean);
    type Lose = fn(&Path);
    let losses: [(&str, Lose); 5] = [
        ("a level", |out| {
            fs::remove_dir_all(out.join("1")).expect("it is gone")
        }),
        ("a document", |out| {
            fs::remove_file(out.join("2/zarr.json")).expect("it is gone")
        }),
        ("a chunk", |out| {
            fs::remove_file(out.join("0/c/1/1/1")).expect("it is gone")
        }),
        ("an end", |out| {
            fs::write(out.join("1/c/1/1/1"), [1]).expect("it is cut")
        }),
        // The file takes the place of a chunk of fill values, which has no file.
        ("too much", |out| {
            fs::write(out.join("0/c/0/4/3"), [1; 64]).expect("a chunk")
        }),
    ];
    for (name, lose) in losses {
        let output = scratch.path().join("out.zarr");
        assert_eq!(
            make(&input, &output, &mean, Part::WHOLE),
            Ok(Outcome::Complete)
        );
        lose(&output);
        refused(
            name,
            make(&input, &output, &mean, Part::WHOLE),
            "was changed after it was written",
        );
        fs::remove_dir_all(&output).expect("it is gone");
        // This also applies while the pyramid is not complete.
        let pyramid = Pyramid::open(&input, &output, &mean).expect("a pyramid");
        let stopping = AssertUnwindSafe(|| {
            pyramid.run(Part::WHOLE, threads(1), &|progress| {
                assert!(progress.made < progress.all, "stopped");
            })
        });
        assert!(catch_unwind(stopping).is_err(), "{name}");
        lose(&output);
        let made = make(&input, &output, &mean, Part::WHOLE);
        assert_eq!(made, Ok(Outcome::Complete), "{name}");
        assert!(tree(&output) == whole, "{name}");
        fs::remove_dir_all(&output).expect("it is gone");
    }
}

/// Parts, and whole runs, that end at the same time all find the pyramid complete.
#[test]
fn runs_that_end_together_succeed() {
    let (scratch, input, whole) = prepared();
    let mean = options(Method::Mean);
    for round in 0..12 {
        let output = scratch.path().join("out.zarr");
        let parts: Vec<Part> = match round % 2 {
            0 => vec![Part::WHOLE; 6],
            _ => (1..=6).filter_map(|index| Part::new(index, 6)).collect(),
        };
        let outcomes: Vec<_> = thread::scope(|scope| {
            let runs: Vec<_> = parts
                .iter()
                .map(|&part| {
                    let (input, output, mean) = (&input, &output, &mean);
                    scope.spawn(move || make(input, output, mean, part))
                })
                .collect();
            runs.into_iter()
                .map(|run| run.join().expect("no panic"))
                .collect()
        });
        for outcome in &outcomes {
            assert!(outcome.is_ok(), "round {round}: {outcomes:?}");
        }
        assert!(
            outcomes.contains(&Ok(Outcome::Complete)),
            "round {round}: {outcomes:?}"
        );
        assert!(tree(&output) == whole, "round {round}");
        fs::remove_dir_all(&output).expect("it is gone");
    }
}

/// A journal that remains in a complete group is removed.
#[test]
fn journals_of_complete_pyramids_go() {
    let (scratch, input, whole) = prepared();
    let output = scratch.path().join("whole.zarr");
    let journal = output.join(".exactum-downsample");
    fs::create_dir(&journal).expect("a folder");
    fs::write(journal.join("file-1-1"), "left").expect("a file");
    let made = make(&input, &output, &options(Method::Mean), Part::WHOLE);
    assert_eq!(made, Ok(Outcome::Complete));
    assert!(tree(&output) == whole);
    assert!(!journal.exists());
}
