//! Generated packages with large channels, as text.

use std::fmt::Write;

/// A package whose `channels` list the same `entries`: chains of `replaces`, each entry with a skipRange over those
/// before.
#[must_use]
pub fn package(name: &str, channels: u32, entries: u32) -> String {
    let mut text = format!("schema: olm.package\nname: {name}\ndefaultChannel: stable-1.0\n");
    for channel in 0..channels {
        push(
            &mut text,
            format_args!("---\nschema: olm.channel\npackage: {name}\nname: stable-1.{channel}\nentries:\n"),
        );
        for patch in 0..entries {
            push(&mut text, format_args!("- name: {name}.v1.0.{patch}\n  skipRange: '>=1.0.0 <1.0.{patch}'\n"));
            if let Some(before) = patch.checked_sub(1) {
                push(&mut text, format_args!("  replaces: {name}.v1.0.{before}\n"));
            }
        }
    }
    for patch in 0..entries {
        push(
            &mut text,
            format_args!(
                "---\nschema: olm.bundle\npackage: {name}\nname: {name}.v1.0.{patch}\nimage: i\nproperties:\n- {{type: olm.package, value: {{packageName: {name}, version: 1.0.{patch}}}}}\n- {{type: olm.csv.metadata, value: {{displayName: Wide}}}}\n"
            ),
        );
    }
    text
}

fn push(text: &mut String, line: std::fmt::Arguments<'_>) {
    text.write_fmt(line).expect("writing to a string never fails");
}
