//! The location of the array of a base.

use std::borrow::Cow;
use std::fmt;

use crate::diagnostic::{Diagnostic, Read};
use crate::json::{Kind, Node};

const CLAUSE: &str = "downsample.document.base.stored";

/// The locations that can be opened, for the help texts.
pub(super) const OPENED: &str =
    "the supported drivers are array, downsample, and zarr3 on the stores file and memory";

/// The location of an array: a store, and a path in it.
///
/// The path of a file is taken from the document unchanged. A path that does not begin at the root is relative to the
/// folder of the process, as in TensorStore.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// The store.
    pub store: Store,
    /// The folder, or the prefix of the keys.
    pub path: String,
}

/// A store that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Store {
    /// Folders and files.
    File,
    /// Memory of the process, which holds what its owner has put into it.
    Memory,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.store {
            Store::File => f.write_str(&self.path),
            Store::Memory => write!(f, "memory://{}", self.path),
        }
    }
}

impl Location {
    /// Finds the array of a base, which is a URL or the document of a `zarr3` array.
    pub(super) fn of(base: Node<'_>) -> Read<Self> {
        if base.kind() == Kind::String {
            let url = base.text()?;
            let Some((store, format)) = url.split_once('|') else {
                return Err(
                    closed(base, "the URL does not state that the array is zarr3")
                        .help("write it as \"file:///path/|zarr3:\""),
                );
            };
            let location = of_url(base, store)?;
            return match format.strip_prefix("zarr3:") {
                Some(path) if !path.contains('|') => Ok(location.below(&decoded(path))),
                _ => Err(closed(base, "this is not the URL of a zarr3 array").help(OPENED)),
            };
        }
        let driver = base.get("driver").unwrap_or(base);
        if !is(driver, "zarr3") {
            let fault = format!("the driver {} is not supported", driver.raw());
            return Err(closed(driver, fault).help(OPENED));
        }
        let Some(store) = base.get("kvstore") else {
            return Err(closed(base, "a zarr3 base needs kvstore")
                .help("add \"kvstore\": {\"driver\": \"file\", \"path\": \"...\"}"));
        };
        let location = match store.kind() {
            Kind::String => of_url(store, &store.text()?)?,
            Kind::Object => of_store(store)?,
            _ => {
                return Err(
                    closed(store, format!("{} is not a store", store.describe()))
                        .help("write the document of a store, or its URL"),
                );
            }
        };
        Ok(match base.get("path") {
            Some(path) => location.below(&text(path)?),
            None => location,
        })
    }

    /// Returns a subfolder; an empty path is the folder itself.
    fn below(mut self, path: &str) -> Self {
        if !path.is_empty() {
            if !self.path.is_empty() && !self.path.ends_with('/') {
                self.path.push('/');
            }
            self.path.push_str(path);
        }
        self
    }
}

/// Returns the fault of a base that has to be opened.
pub(super) fn closed(node: Node<'_>, fault: impl Into<String>) -> Box<Diagnostic> {
    node.reject(CLAUSE, fault)
}

fn is(node: Node<'_>, name: &str) -> bool {
    node.kind() == Kind::String && node.text().is_ok_and(|text| text == name)
}

fn text(node: Node<'_>) -> Read<Cow<'_, str>> {
    match node.kind() {
        Kind::String => node.text(),
        _ => Err(closed(node, format!("{} is not a path", node.describe())).help("write a string")),
    }
}

fn of_store(store: Node<'_>) -> Read<Location> {
    let driver = store.get("driver").unwrap_or(store);
    let kind = match driver {
        driver if is(driver, "file") => Store::File,
        driver if is(driver, "memory") => Store::Memory,
        driver => {
            let fault = match driver.kind() {
                Kind::String => format!("the store {} is not supported", driver.raw()),
                _ => "a store needs a driver".to_owned(),
            };
            return Err(closed(driver, fault).help(OPENED));
        }
    };
    let path = store.get("path").map(text).transpose()?;
    if kind == Store::File && path.as_ref().is_none_or(|path| path.is_empty()) {
        return Err(closed(store, "a store of files needs a path")
            .help("add \"path\", the folder of the array"));
    }
    Ok(Location {
        store: kind,
        path: path.unwrap_or_default().into_owned(),
    })
}

fn of_url(node: Node<'_>, url: &str) -> Read<Location> {
    let found = match url.split_once("://") {
        Some(("file", path)) if !path.is_empty() => Some((Store::File, path)),
        Some(("memory", path)) => Some((Store::Memory, path)),
        _ => None,
    };
    let Some((store, path)) = found else {
        return Err(closed(
            node,
            format!("the store of {} is not supported", node.raw()),
        )
        .help(OPENED));
    };
    if path.contains(['?', '#']) {
        return Err(closed(node, "the URL of a store must end with its path")
            .help("write %3F for ? and %23 for #"));
    }
    Ok(Location {
        store,
        path: decoded(path),
    })
}

/// Returns the path of a URL in which each `%` with two digits is replaced by the byte for which it stands.
fn decoded(path: &str) -> String {
    let bytes = path.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = path
            .get(at + 1..at + 3)
            .filter(|digits| byte == b'%' && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(code.unwrap_or(byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
