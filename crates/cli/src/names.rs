//! Finds what the names on the command line mean, or proposes what may have been meant.

use crate::output::Failure;
use answers::NameError;
use session::Workbench;
use views::PackageKey;

/// The package in the first catalog that has it.
pub(crate) fn package(workbench: &Workbench, name: &str) -> Result<PackageKey, Failure> {
    answers::find_package(workbench, name)
        .map_err(|error| failure(&format!("no catalog has a package `{name}`"), error))
}

/// The package with a name; without one the only package of the catalogs.
pub(crate) fn package_or_only(workbench: &Workbench, name: Option<&str>) -> Result<PackageKey, Failure> {
    if let Some(name) = name {
        return package(workbench, name);
    }
    let of_catalog = |id| answers::package_names(workbench, id).into_iter();
    let mut names: Vec<&str> = workbench.catalogs().iter().flat_map(|catalog| of_catalog(catalog.id)).collect();
    names.dedup();
    match names[..] {
        [only] => package(workbench, only),
        [] => Err("the catalog has no package".into()),
        _ => Err(format!("the catalog has {} packages; name one with `--package`", names.len()).into()),
    }
}

/// Checks that packages with these names are there. A catalog of a set need not have all of them.
pub(crate) fn check_packages(names: &[String], there: &[&str], is_of_set: bool) -> Result<(), Failure> {
    let (found, missing): (Vec<&String>, Vec<&String>) = names.iter().partition(|name| there.contains(&name.as_str()));
    match missing.first().filter(|_| found.is_empty() || !is_of_set) {
        Some(name) => {
            let nearest = source::nearest(name, there.iter().copied());
            Err(did_you_mean(&format!("no catalog has a package `{name}`"), &nearest).absent())
        }
        None => Ok(()),
    }
}

/// A channel of a package, by default its default channel.
pub(crate) fn channel(workbench: &Workbench, key: &PackageKey, name: Option<&str>) -> Result<String, Failure> {
    let package = &key.package;
    let what = match name {
        Some(name) => format!("package `{package}` has no channel `{name}`"),
        None => format!("package `{package}` has no default channel; choose one with `--channel`"),
    };
    answers::find_channel(workbench, key, name).map_err(|error| failure(&what, error))
}

/// The CSV of a package that a name or version means.
pub(crate) fn csv(workbench: &Workbench, key: &PackageKey, text: &str) -> Result<String, Failure> {
    let what = format!("package `{}` has no version or CSV `{text}`", key.package);
    answers::find_csv(workbench, key, text).map_err(|error| failure(&what, error))
}

/// The namespace and the name of the Subscription that `NAME` or `NAMESPACE/NAME` means.
pub(crate) fn subscription(workbench: &Workbench, text: &str) -> Result<(String, String), Failure> {
    answers::find_subscription(workbench, text).map_err(|error| match error {
        NameError::Unknown { nearest } => did_you_mean(&format!("there is no Subscription `{text}`"), &nearest),
        NameError::Ambiguous { names } => {
            let name = text.split_once('/').map_or(text, |(_, name)| name);
            did_you_mean(&format!("several namespaces have a Subscription `{name}`"), &names)
        }
    })
}

/// The failure of a name that does not identify one thing.
fn failure(what: &str, error: NameError) -> Failure {
    match error {
        NameError::Unknown { nearest } => did_you_mean(what, &nearest).absent(),
        NameError::Ambiguous { names } => format!("several CSVs have this version; choose {}", listed(&names)).into(),
    }
}

/// A failure with names that may have been meant.
pub(crate) fn did_you_mean<S: AsRef<str>>(what: &str, names: &[S]) -> Failure {
    if names.is_empty() { what.to_owned().into() } else { format!("{what}; did you mean {}?", listed(names)).into() }
}

fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match names.as_slice() {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        names => names.concat(),
    }
}
