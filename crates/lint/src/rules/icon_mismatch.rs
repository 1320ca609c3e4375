//! The rule `icon-mismatch`.
//!
#![doc = include_str!("icon_mismatch.md")]

use crate::index::{IndexedPackage, Input};
use base64::prelude::{BASE64_STANDARD, Engine};
use source::{Diagnostic, Findings, QuickFix, Rewrite, Rule, Span};

/// How many base64 digits of an icon are decoded first. They tell the type of nearly every icon.
const FEW_DIGITS: usize = 128;
/// How many are decoded if those do not tell it: more than any XML prologue with a licence has.
const MAX_DIGITS: usize = 8 * 1024;

pub(super) fn check(input: Input<'_>, indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    let Some(icon) = &indexed.package.icon else { return };
    let place =
        Span::new(icon.base64data.file, icon.base64data.start, icon.base64data.end.min(icon.base64data.start + 16));
    let claimed = match &*icon.media_type {
        "image/jpg" => "image/jpeg",
        other => other,
    };
    let package = &indexed.package.name;
    let text = input.text(icon.base64data);
    let found = [FEW_DIGITS, MAX_DIGITS].into_iter().find_map(|digits| media_type(&decoded_start(text, digits)));
    let Some(actual) = found else { return };
    if actual != claimed {
        let message = match claimed {
            "" => format!("the icon of package `{package}` has no media type; it is `{actual}`"),
            _ => format!("the icon of package `{package}` is `{actual}`, not `{}`", icon.media_type),
        };
        let help = format!("set `mediatype: {actual}`; browsers do not show an icon of another type");
        let fix = indexed.package.declared.map(|mapping| {
            let change = Rewrite::Set { mapping, within: Some("icon"), field: "mediatype", text: actual.to_owned() };
            QuickFix::new(format!("Set `mediatype: {actual}`"), change)
        });
        findings.push(Diagnostic::new(Rule::IconMismatch, place, message).with_help(help).with_fix(fix));
    }
}

/// The media type of a file with these first bytes; `None` if unknown.
fn media_type(bytes: &[u8]) -> Option<&'static str> {
    let starts = [
        (&b"\x89PNG\r\n"[..], "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF8", "image/gif"),
        (b"RIFF", "image/webp"),
    ];
    let known = starts.into_iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, kind)| kind);
    known.or_else(|| memchr::memmem::find(bytes, b"<svg").map(|_| "image/svg+xml"))
}

/// The bytes of the first base64 digits of a scalar as it stands in YAML or JSON, with quotes, indentation and line breaks.
fn decoded_start(scalar: &str, digits: usize) -> Vec<u8> {
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let digits: Vec<u8> = scalar.bytes().filter(is_digit).take(digits).collect();
    // Four digits make three bytes; what is left of a shorter group is not needed.
    BASE64_STANDARD.decode(&digits[..digits.len() / 4 * 4]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = r#"
            == another type
            schema: olm.package
            name: p
            icon: {base64data: iVBORw0KGgo=, mediatype: image/svg+xml}
                               ^^^^^^^^^^^^ icon-mismatch: the icon of package `p` is `image/png`, not `image/svg+xml`
            == no type
            schema: olm.package
            name: p
            icon: {base64data: "/9j/4AAQ", mediatype: ''}
                               ^^^^^^^^^^ icon-mismatch: the icon of package `p` has no media type; it is `image/jpeg`
            == several lines
            schema: olm.package
            name: p
            icon:
              base64data: |
                          ^ icon-mismatch: the icon of package `p` is `image/svg+xml`, not `image/png`
                PHN2
                ZyB4
              mediatype: image/png
            == the claimed type
            schema: olm.package
            name: p
            icon: {base64data: iVBORw0KGgo=, mediatype: image/png}
            == a type with two names
            schema: olm.package
            name: p
            icon: {base64data: /9j/4AAQ, mediatype: image/jpg}
            == a type that is not recognised
            schema: olm.package
            name: p
            icon: {base64data: AAAA, mediatype: image/x-icon}
        "#;
        check(Rule::IconMismatch, cases);
    }
}
