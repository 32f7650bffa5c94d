//! Cyclic dependencies between the modules of a package.
//!
//! A module and its descendants count as one unit for its siblings: if any of them names a sibling or a descendant of a
//! sibling, this is a use of that sibling. These uses must not form a cycle. A module and its descendants may use each
//! other, since a child uses the types of its parent, and a parent consists of its children. Tests are exempt.

use std::collections::{BTreeMap, BTreeSet};

use super::Tree;
use super::uses::{Uses, uses};

/// The uses between sibling modules, each with its place in the sources.
type Edges = BTreeMap<(String, String), String>;

/// Looks for cycles in every package.
pub(super) fn check(tree: &Tree) -> Vec<String> {
    let mut findings = Vec::new();
    for (manifest, _) in tree.ending("Cargo.toml") {
        let package = manifest.trim_end_matches("Cargo.toml");
        let circles = circles(&modules(tree, package)).into_iter();
        findings.extend(circles.map(|circle| format!("{package}src: {circle}")));
    }
    findings
}

/// Returns the modules of a package by their paths, except test modules, each with its file and its uses.
fn modules<'a>(tree: &'a Tree, package: &str) -> BTreeMap<Vec<String>, (&'a str, Uses)> {
    let source = format!("{package}src/");
    tree.ending(".rs")
        .filter_map(|(file, text)| {
            let inner = file.strip_prefix(&source)?.strip_suffix(".rs")?;
            let mut path: Vec<String> = inner.split('/').map(str::to_owned).collect();
            if path.iter().any(|part| part == "tests") || path[0] == "bin" {
                return None;
            }
            // A library and a program of the same package are not distinguished.
            if matches!(path[..], [ref root] if root == "lib" || root == "main") {
                path.clear();
            }
            if path.last().is_some_and(|last| last == "mod") {
                path.pop();
            }
            let uses = uses(text, &path);
            Some((path, (file, uses)))
        })
        .collect()
}

/// Returns the cycles between sibling modules, with the uses that form them.
fn circles(modules: &BTreeMap<Vec<String>, (&str, Uses)>) -> Vec<String> {
    let mut beside: BTreeMap<Vec<String>, Edges> = BTreeMap::new();
    for (from, (file, uses)) in modules {
        for (line, path) in &uses.paths {
            let to = resolve(modules, path, 0);
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            // One module is an ancestor of the other.
            let (Some(a), Some(b)) = (from.get(common), to.get(common)) else {
                continue;
            };
            beside
                .entry(from[..common].to_vec())
                .or_default()
                .entry((a.clone(), b.clone()))
                .or_insert_with(|| format!("{file}:{line}"));
        }
    }
    beside
        .iter()
        .flat_map(|(parent, edges)| circles_beside(parent, edges))
        .collect()
}

/// Returns the module to which a path leads. Names that modules along the path import are followed.
fn resolve(
    modules: &BTreeMap<Vec<String>, (&str, Uses)>,
    path: &[String],
    depth: usize,
) -> Vec<String> {
    let length = (0..=path.len())
        .rev()
        .find(|&length| modules.contains_key(&path[..length]))
        .unwrap_or(0);
    let (module, rest) = path.split_at(length);
    let imported = rest
        .first()
        .and_then(|name| modules.get(module)?.1.imports.get(name));
    match imported {
        // No chain of imports is this long unless it is cyclic.
        Some(target) if depth < 8 && target != path => {
            resolve(modules, &[target, &rest[1..]].concat(), depth + 1)
        }
        _ => module.to_vec(),
    }
}

fn circles_beside(parent: &[String], edges: &Edges) -> Vec<String> {
    let nodes: BTreeSet<&str> = edges.keys().flat_map(|(a, b)| [a.as_str(), b]).collect();
    let reached: BTreeMap<&str, BTreeSet<&str>> = nodes
        .iter()
        .map(|&node| (node, reach(edges, node)))
        .collect();
    let mut circles = Vec::new();
    for &node in &nodes {
        let modules: Vec<&str> = nodes
            .iter()
            .copied()
            .filter(|other| reached[node].contains(other) && reached[other].contains(node))
            .collect();
        // Each cycle is reported once, at its first module.
        if modules.first() != Some(&node) {
            continue;
        }
        let within = edges
            .iter()
            .filter(|((a, b), _)| modules.contains(&a.as_str()) && modules.contains(&b.as_str()));
        let arrows: Vec<String> = within
            .map(|((a, b), place)| format!("{a} uses {b} ({place})"))
            .collect();
        let path = |name: &&str| [parent, &[(*name).to_owned()]].concat().join("::");
        circles.push(format!(
            "cyclic modules {}: {}",
            modules.iter().map(path).collect::<Vec<_>>().join(", "),
            arrows.join(", ")
        ));
    }
    circles
}

/// Returns the modules that a module uses, directly or indirectly.
fn reach<'a>(edges: &'a Edges, from: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for (a, b) in edges.keys() {
            if a == node && reached.insert(b.as_str()) {
                open.push(b);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_package(files: &[(&str, &str)], expected: &[&str]) {
        let files = [("a/Cargo.toml", "")].iter().chain(files);
        let tree = Tree {
            root: "".into(),
            files: files
                .map(|(path, text)| (path.to_string(), text.to_string()))
                .collect(),
        };
        let found: Vec<String> = check(&tree)
            .into_iter()
            .filter(|finding| finding.starts_with("a/"))
            .collect();
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_circle_is_found_wherever_it_closes() {
        let root = ("a/src/lib.rs", "mod b;\nmod c;\npub use c::Two;");
        check_package(
            &[
                root,
                ("a/src/b.rs", "use crate::c::Two;\nstruct One;"),
                ("a/src/c.rs", "use super::b::One;\nstruct Two;"),
            ],
            &["a/src: cyclic modules b, c: b uses c (a/src/b.rs:1), c uses b (a/src/c.rs:1)"],
        );
        // A use may name a descendant, stand in the middle of the code, or name something that the parent imports.
        check_package(
            &[
                root,
                ("a/src/b/mod.rs", "mod d;"),
                ("a/src/b/d.rs", "\nfn f() -> crate::Two {}"),
                ("a/src/c.rs", "fn g() { crate::{b::d::f(), x} }"),
            ],
            &["a/src: cyclic modules b, c: b uses c (a/src/b/d.rs:2), c uses b (a/src/c.rs:1)"],
        );
        check_package(
            &[
                ("a/src/main.rs", "mod b;"),
                ("a/src/b.rs", "mod c; mod d; mod e;"),
                ("a/src/b/c.rs", "use super::d;"),
                ("a/src/b/d.rs", "use super::{e::{self, X}};"),
                ("a/src/b/e.rs", "use crate::b::c as other;"),
            ],
            &[
                "a/src: cyclic modules b::c, b::d, b::e: c uses d (a/src/b/c.rs:1), \
               d uses e (a/src/b/d.rs:1), e uses c (a/src/b/e.rs:1)",
            ],
        );
    }

    #[test]
    fn what_is_no_circle_passes() {
        let root = ("a/src/lib.rs", "mod b;\nmod c;\nuse b::One;\nfn word() {}");
        check_package(
            &[
                root,
                ("a/src/b.rs", "use crate::c::Two;\nuse crate::word;"),
                (
                    "a/src/c.rs",
                    "/// Of [`crate::b::One`].\nuse super::word;\n\"crate::b\";",
                ),
                ("a/src/c/tests.rs", "use crate::b::One;"),
            ],
            &[],
        );
        check_package(
            &[
                root,
                ("a/src/b.rs", "mod d;\nuse d::X;\nuse crate::c::Two;"),
                ("a/src/b/d.rs", "use super::One;"),
                (
                    "a/src/c.rs",
                    "mod tests {\nuse crate::b::One;\n}\npub(in crate::b) fn f() {}",
                ),
            ],
            &[],
        );
    }
}
