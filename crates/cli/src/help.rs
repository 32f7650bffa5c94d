//! The help of the command itself, with the subcommands in groups.

use std::fmt::Write as _;

use clap::Command;
use exactum_conformance::report::wrapped;

use crate::style;

/// The subcommands, grouped by purpose. `help` is added by clap.
const GROUPS: [(&str, &[&str]); 3] = [
    (
        "Verify data",
        &[
            "validate",
            "plan",
            "prove",
            "try",
            "pack",
            "compare",
            "downsample",
        ],
    ),
    (
        "Judge code",
        &["run", "explain", "check", "adapter", "adapter-test"],
    ),
    (
        "Reference",
        &["vectors", "schema", "completions", "man", "help"],
    ),
];

/// The number of columns for the names and the space around them.
const NAMES: usize = 16;

/// Returns the template of the help, which lists every subcommand with the first sentence of its help.
pub(crate) fn template(command: &Command) -> String {
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    let width = style::width().clamp(NAMES * 3, 100);
    for (heading, names) in GROUPS {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n{heading}:\n");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map_or_else(
                || "Print this message or the help of the given subcommand".to_owned(),
                ToString::to_string,
            );
            let lines = wrapped(&about, width, &" ".repeat(NAMES));
            let _ = writeln!(
                text,
                "  {name:width$}{}",
                lines.trim_start(),
                width = NAMES - 2
            );
        }
    }
    text + "\nOptions:\n{options}{after-help}"
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn every_subcommand_is_in_one_group() {
        let command = crate::Cli::command();
        let mut there: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        there.push("help");
        there.sort_unstable();
        let groups = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
        let mut grouped: Vec<&str> = groups.collect();
        grouped.sort_unstable();
        assert_eq!(grouped, there);
        let text = template(&command);
        assert!(text.contains("\nVerify data:\n  validate      "), "{text}");
    }
}
