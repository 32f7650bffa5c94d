//! The verdicts on cases.

macro_rules! verdicts {
    ($($variant:ident $name:literal $fails:literal $meaning:literal;)*) => {
        /// The verdict on a case. The list is closed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Verdict { $(#[doc = $meaning] $variant,)* }

        impl Verdict {
            /// All verdicts.
            pub const ALL: &[Verdict] = &[$(Verdict::$variant),*];

            /// Returns the name used in reports.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Verdict::$variant => $name,)* }
            }

            /// Returns whether the case counts against the implementation.
            #[must_use]
            pub const fn is_failure(self) -> bool {
                match self { $(Verdict::$variant => $fails,)* }
            }

            /// Returns whether the implementation was asked and had to answer.
            #[must_use]
            pub const fn is_judged(self) -> bool {
                !matches!(self, Verdict::Unsupported | Verdict::NotRun)
            }
        }
    };
}

verdicts! {
    Pass "pass" false "The answer is the expected one.";
    WrongValue "wrong value" true "The result differs from the expected one.";
    Accepted "accepted but must reject" true "A result was returned where only a rejection is right.";
    Rejected "rejected but must accept" true "The input was rejected where only a result is right.";
    Crash "crash" true "The implementation died or panicked.";
    Timeout "timeout" true "No answer arrived in time.";
    Protocol "protocol violation" true "The output is not an answer, or is an `error`.";
    Unsupported "unsupported (declared)" false "The implementation does not offer it.";
    Skipped "skipped although declared" true "`unsupported` although the implementation offers it.";
    Observed "observed (open)" false "The text is open: recorded, not judged.";
    NotRun "not run" true "The case was not sent.";
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
