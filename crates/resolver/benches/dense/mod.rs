//! A catalog of 330 packages and 5500 channel entries whose bundles depend on each other densely. The same text each
//! time.
//!
//! Package `i` has the versions `1.0.0` and up on one replaces chain in `stable`, its default channel; the newer ones
//! are in `candidate` too. Every bundle provides two APIs of its package and requires six things of six other packages:
//! three APIs, a range of versions, one of two, and both of two. Ranges are wide enough that everything can be
//! installed together, though not every head.

use std::fmt::Write;

/// How many packages there are.
pub(crate) const PACKAGES: usize = 330;
/// How many entries the channels have together.
pub(crate) const ENTRIES: usize = 5500;

#[must_use]
pub(crate) fn package(number: usize) -> String {
    format!("package-{:03}", number % PACKAGES)
}

/// The catalog as one stream of JSON documents. With `rivals`, the first two packages provide one more API, the same
/// one, in every version: they cannot be installed together, though every other package can.
#[must_use]
pub(crate) fn text(rivals: bool) -> String {
    let mut text = String::new();
    for number in 0..PACKAGES {
        write_package(&mut text, number, rivals && number < 2).expect("writing to a string never fails");
    }
    text
}

/// How many entries a package has in both of its channels.
fn entries(number: usize) -> usize {
    ENTRIES / PACKAGES + usize::from(number < ENTRIES % PACKAGES)
}

fn write_package(text: &mut String, number: usize, rival: bool) -> std::fmt::Result {
    let name = package(number);
    let (stable, candidate) = (entries(number) - 5, 5);
    writeln!(text, r#"{{"schema":"olm.package","name":"{name}","defaultChannel":"stable"}}"#)?;
    for (channel, versions) in [("stable", 0..stable), ("candidate", stable - candidate..stable)] {
        let listed: Vec<String> =
            versions.clone().map(|version| entry(&name, version, version > versions.start)).collect();
        writeln!(
            text,
            r#"{{"schema":"olm.channel","package":"{name}","name":"{channel}","entries":[{}]}}"#,
            listed.join(",")
        )?;
    }
    for version in 0..stable {
        writeln!(
            text,
            r#"{{"schema":"olm.bundle","package":"{name}","name":"{name}.v1.{version}.0","image":"example.com/{name}:1.{version}.0","properties":[{}]}}"#,
            properties(number, version, rival).join(",")
        )?;
    }
    Ok(())
}

fn entry(name: &str, version: usize, replaces: bool) -> String {
    let older = version.saturating_sub(1);
    let replaces = if replaces { format!(r#","replaces":"{name}.v1.{older}.0""#) } else { String::new() };
    format!(r#"{{"name":"{name}.v1.{version}.0"{replaces}}}"#)
}

fn properties(number: usize, version: usize, rival: bool) -> Vec<String> {
    // Neighbours at distances that share no factor with the number of packages.
    let other = |step: usize| (number + step) % PACKAGES;
    let gvk = |number: usize, kind: char| {
        format!(r#"{{"group":"{}.example.com","version":"v1","kind":"{kind}"}}"#, package(number))
    };
    let range =
        |number: usize, text: String| format!(r#"{{"packageName":"{}","versionRange":"{text}"}}"#, package(number));
    let mut properties = vec![format!(
        r#"{{"type":"olm.package","value":{{"packageName":"{}","version":"1.{version}.0"}}}}"#,
        package(number)
    )];
    let mut add = |kind: &str, value: String| properties.push(format!(r#"{{"type":"{kind}","value":{value}}}"#));
    add("olm.gvk", gvk(number, 'A'));
    add("olm.gvk", gvk(number, 'B'));
    if rival {
        add("olm.gvk", r#"{"group":"rival.example.com","version":"v1","kind":"R"}"#.to_owned());
    }
    add("olm.gvk.required", gvk(other(1), 'A'));
    add("olm.gvk.required", gvk(other(7), 'B'));
    add("olm.gvk.required", gvk(other(31), 'A'));
    // Some of the newest bundles do not get along with the newest of another package.
    let picky = number % 9 == 4 && version > 8;
    let highest = if picky { "1.10.0" } else { "1.99.0" };
    add("olm.package.required", range(other(13), format!(">=1.{}.0 <{highest}", version / 2)));
    let either = [format!(r#"{{"gvk":{}}}"#, gvk(other(17), 'B')), format!(r#"{{"gvk":{}}}"#, gvk(other(19), 'B'))];
    add("olm.constraint", format!(r#"{{"any":{{"constraints":[{}]}}}}"#, either.join(",")));
    let both = [
        format!(r#"{{"gvk":{}}}"#, gvk(other(23), 'A')),
        format!(r#"{{"package":{}}}"#, range(other(23), format!(">=1.{}.0", version / 3))),
    ];
    add("olm.constraint", format!(r#"{{"all":{{"constraints":[{}]}}}}"#, both.join(",")));
    properties
}
