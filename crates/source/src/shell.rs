//! Commands that are shown for a user to paste into a shell.
//!
//! Names come from catalogs and manifests of others, and a pasted command runs with the rights of an admin. So whatever a word
//! contains, it stays one word.

use crate::escape::{is_control, push_escaped};
use std::fmt;

/// The most bytes of the name of an object: that of a DNS subdomain.
/// Source: apimachinery, `pkg/util/validation/validation.go`.
const MOST_BYTES: usize = 253;

/// A command for a POSIX shell.
///
/// ```
/// use source::ShellCommand;
///
/// let command = ShellCommand::new("oc -n").word("operators").with("delete csv").word("a; reboot");
/// assert_eq!(command.to_string(), "oc -n operators delete csv 'a; reboot'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellCommand(String);

impl ShellCommand {
    /// A program, with options that are the same for everybody.
    #[must_use]
    pub fn new(program: &'static str) -> Self {
        Self(program.to_owned())
    }

    /// The command with further options that are the same for everybody.
    #[must_use]
    pub fn with(self, options: &'static str) -> Self {
        Self(self.0 + " " + options)
    }

    /// The command with one more word, in quotes where the shell would read it otherwise.
    #[must_use]
    pub fn word(self, word: &str) -> Self {
        Self(self.0 + " " + &shell_word(word))
    }

    /// The command with a JSON text as one more word. Control characters in it are escaped, so that it stays in its line.
    #[must_use]
    pub fn json(self, value: &serde_json::Value) -> Self {
        let mut text = String::new();
        for character in value.to_string().chars() {
            if is_control(character) {
                push_escaped(&mut text, character);
            } else {
                text.push(character);
            }
        }
        self.word(&text)
    }

    /// The command with what another command prints as one more word.
    #[must_use]
    pub fn output_of(self, other: &Self) -> Self {
        Self(format!("{} \"$({other})\"", self.0))
    }
}

impl fmt::Display for ShellCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text as one word of a command. A shell cannot hold the character NUL, which is left out.
#[must_use]
pub fn shell_word(text: &str) -> String {
    let text = text.replace('\0', "");
    shlex::try_quote(&text).map_or_else(|_| "''".to_owned(), Into::into)
}

/// The name, if an object of a cluster can have it.
///
/// # Errors
/// A sentence that says why there is no such object.
pub fn object_name(name: &str) -> Result<&str, String> {
    let is_edge = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_label = |label: &str| {
        label.starts_with(is_edge) && label.ends_with(is_edge) && label.chars().all(|c| is_edge(c) || c == '-')
    };
    if name.len() <= MOST_BYTES && name.split('.').all(is_label) {
        return Ok(name);
    }
    Err(format!("no object of a cluster can be named `{name}`: expected lower-case letters, digits, `-` and `.`"))
}

/// Whether a text can be the name of an image.
#[must_use]
pub fn is_image_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-._:/@".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_word_stays_one_word() {
        assert_eq!(shell_word("quay.io/a@sha256:0"), "quay.io/a@sha256:0");
        assert_eq!(shell_word("a; rm 'b'"), r#""a; rm 'b'""#);
        assert_eq!(shell_word(""), "''");
        assert_eq!(shell_word("a\0$(b)"), "'a$(b)'");
    }

    #[test]
    fn json_stays_in_its_line() {
        let command = ShellCommand::new("oc patch -p").json(&json!({"channel": "a'\n\u{2028}\"$(b)"}));
        let expected = r#"oc patch -p '{"channel":"a'"'"'\n\u2028\"$(b)"}'"#;
        assert_eq!(shlex::split(&command.to_string()), shlex::split(expected));
        assert_eq!(command.to_string().lines().count(), 1);
    }

    #[test]
    fn a_command_can_have_the_output_of_another_one() {
        let inner = ShellCommand::new("kubectl get csv").word("a b");
        let command = ShellCommand::new("opm render").output_of(&inner).with("-o yaml");
        assert_eq!(command.to_string(), "opm render \"$(kubectl get csv 'a b')\" -o yaml");
    }

    #[test]
    fn names_are_those_of_dns() {
        for name in ["a", "a-b.c1", "etcd.v1.0.0"] {
            assert_eq!(object_name(name), Ok(name));
        }
        let long = "a".repeat(254);
        for name in ["", "A", "-a", "a-", "a..b", "a b", "a\n", "é", "$(a)", "a_b", long.as_str()] {
            assert!(object_name(name).is_err(), "{name}");
        }
    }
}
