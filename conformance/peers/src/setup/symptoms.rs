//! Detects whether a command failed because a server did not answer.

/// Messages of pip, npm, apt, debootstrap and cargo when a registry does not answer or cannot be reached, in lower
/// case.
const SYMPTOMS: &[&str] = &[
    "connection refused",
    "connection reset",
    "connection timed out",
    "connecttimeout",
    "could not connect",
    "could not resolve",
    "couldn't connect",
    "couldn't download",
    "couldn't resolve",
    "eai_again",
    "econnrefused",
    "econnreset",
    "enetunreach",
    "enotfound",
    "etimedout",
    "failed getting release file",
    "failed to establish a new connection",
    "name or service not known",
    "network is unreachable",
    "network request failed",
    "no route to host",
    "read timed out",
    "remotedisconnected",
    "service unavailable",
    "socket hang up",
    "temporary failure in name resolution",
    "temporary failure resolving",
    "timeout was reached",
    "too many requests",
    "unable to connect",
    "bad gateway",
    "gateway time-out",
    "gateway timeout",
];

/// Messages that show that the registry did answer, but does not have the package. They take precedence over the
/// symptoms, because the log also contains failed attempts that were followed by a successful retry.
const ANSWERED: &[&str] = &["404 not found", "e404", "etarget", "(from versions: 0"];

/// Returns whether the output of a failed command shows that a server did not answer.
pub(super) fn unreachable(words: &str) -> bool {
    let words = words.to_lowercase();
    let says = |list: &[&str]| list.iter().any(|symptom| words.contains(symptom));
    says(SYMPTOMS) && !says(ANSWERED)
}

#[cfg(test)]
mod tests {
    use super::unreachable;

    #[test]
    fn a_registry_that_does_not_answer_is_told_apart() {
        for (words, expected) in [
            (
                "WARNING: Retrying (Retry(total=1)) after connection broken by \
                 'NewConnectionError(...: Failed to establish a new connection: [Errno -3] \
                 Temporary failure in name resolution')': /simple/zfpy/\n\
                 ERROR: Could not find a version that satisfies the requirement zfpy==1.0.1 \
                 (from versions: none)\nERROR: No matching distribution found for zfpy==1.0.1",
                true,
            ),
            (
                "ERROR: Could not find a version that satisfies the requirement zfpy==9.9 \
                 (from versions: 0.5.5, 1.0.1)\nERROR: No matching distribution found for zfpy==9.9",
                false,
            ),
            (
                "npm error code ENOTFOUND\nnpm error network request failed",
                true,
            ),
            (
                "npm error code ETARGET\nnpm error notarget No matching version",
                false,
            ),
            ("npm error code EACCES\nnpm error syscall mkdir", false),
            (
                "W: Failed to fetch: Temporary failure resolving 'a.example'",
                true,
            ),
            ("E: Unable to locate package debootstrap", false),
            (
                "error: failed to download from the registry\n[6] Couldn't resolve host name",
                true,
            ),
            ("error: no matching package named `zfp-syss` found", false),
            ("wget: 503 Service Unavailable", true),
            (
                "I: Retrieving Release\nE: Failed getting release file x/dists/trixie/Release",
                true,
            ),
        ] {
            assert_eq!(unreachable(words), expected, "{words}");
        }
    }
}
