//! The rule `icon-mismatch`.
//!
#![doc = include_str!("icon_mismatch.md")]

use crate::input::Input;
use crate::operator::Operator;
use source::{Diagnostic, Findings, Rule, Span};

/// So much of an icon is decoded: more than any XML prologue with a licence.
const LOOKED_AT: usize = 8 * 1024;

pub(super) fn check(input: Input<'_>, operator: &Operator<'_>, found: &mut Findings) {
    let Some(icon) = &operator.package.icon else { return };
    let place =
        Span::new(icon.base64data.file, icon.base64data.start, icon.base64data.end.min(icon.base64data.start + 16));
    let claimed = match &*icon.media_type {
        "image/jpg" => "image/jpeg",
        other => other,
    };
    let package = &operator.package.name;
    let Some(kind) = kind(&decoded(input.text(icon.base64data))) else { return };
    if kind != claimed {
        let message = match claimed {
            "" => format!("the icon of package `{package}` has no media type; it is `{kind}`"),
            _ => format!("the icon of package `{package}` is `{kind}`, not `{}`", icon.media_type),
        };
        let help = format!("write `mediatype: {kind}`, else browsers show nothing");
        found.push(Diagnostic::new(Rule::IconMismatch, place, message).with_help(help));
    }
}

/// The media type that the first bytes tell; `None` for what is not known.
fn kind(bytes: &[u8]) -> Option<&'static str> {
    let starts = [
        (&b"\x89PNG\r\n"[..], "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF8", "image/gif"),
        (b"RIFF", "image/webp"),
    ];
    let known = starts.into_iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, kind)| kind);
    known.or_else(|| memchr::memmem::find(bytes, b"<svg").map(|_| "image/svg+xml"))
}

/// The beginning of a base64 scalar as it stands in YAML or JSON: quotes, indentation and line breaks are no part of it.
fn decoded(scalar: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0_u32, 0);
    for digit in scalar.bytes().filter_map(digit).take(LOOKED_AT) {
        bits = bits << 6 | digit;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}

fn digit(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[track_caller]
    fn icon(data: &str, media_type: &str, expected: &[&str]) {
        let text = format!("schema: olm.package\nname: p\nicon:\n  base64data: {data}\n  mediatype: {media_type}\n");
        check(Rule::IconMismatch, &text, expected);
    }

    #[test]
    fn another_type() {
        icon("iVBORw0KGgo=", "image/svg+xml", &["4:15 the icon of package `p` is `image/png`, not `image/svg+xml`"]);
        icon("\"/9j/4AAQ\"", "''", &["4:15 the icon of package `p` has no media type; it is `image/jpeg`"]);
        icon(
            "|\n    PHN2\n    ZyB4",
            "image/png",
            &["5:5 the icon of package `p` is `image/svg+xml`, not `image/png`"],
        );
    }

    #[test]
    fn as_it_says() {
        icon("iVBORw0KGgo=", "image/png", &[]);
        icon("/9j/4AAQ", "image/jpg", &[]);
        icon("AAAA", "image/x-icon", &[]);
    }
}
