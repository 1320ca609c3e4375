//! `opscope release`, `opscope remove` and `opscope deprecate`

mod json;
mod target;
mod text;

use self::target::Target;
use crate::args::{self, ReportFormat};
use crate::folder;
use crate::output::{Failure, write_json, written};
use crate::rewritten::{self, Rewritten};
use crate::terminal::Terminal;
use catalog::{BundleName, ChannelName};
use compare::{Level, Levels};
use release::{Deprecated, NewEntry, Policy};
use repair::Refusal;
use std::io::Write;
use std::path::Path;
use update_graph::{version_in, version_of};
use workbench::comparison::words::sentence;
use workbench::comparison::{Comparison, Scope, Side};
use workbench::{Authoring, NewBundle, ReleaseRequest, Written};

/// What is to be written into a catalog.
struct Authored {
    target: Target,
    result: Result<Written, Refusal>,
    /// What becomes of installed versions, as sentences.
    effects: Vec<String>,
    /// Whether some are worse off.
    is_breaking: bool,
}

/// Prints what a release writes, and writes it if that is wanted. The answer is yes if every catalog can take it and no installed
/// version is worse off.
pub(crate) fn release(arguments: &args::Release, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let mut targets = Vec::new();
    for path in &arguments.into {
        targets.extend(Target::open(path)?);
    }
    let new = new_bundle(arguments, &targets)?;
    for text in new.findings() {
        crate::output::say(text);
    }
    let release = Authoring::Release(ReleaseRequest {
        new: &new,
        policy: arguments.policy,
        channels: &arguments.channels,
        from: arguments.from.clone(),
    });
    let authored = targets.into_iter().map(|mut target| {
        target.add_bundle(&new);
        author(target, &release)
    });
    finish(authored.collect(), arguments.format, arguments.write, terminal, out)
}

/// Prints what a removal writes, and writes it if that is wanted.
pub(crate) fn remove(arguments: &args::Remove, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let targets = Target::open(&arguments.catalog)?;
    let package = package(arguments.package.as_deref(), &targets)?;
    let authored = targets.into_iter().map(|target| {
        let name = bundle_name(&target, &package, &arguments.version);
        let stays_listed = arguments.keep_listed;
        author(target, &Authoring::Remove { package: &package, name, stays_listed })
    });
    finish(authored.collect(), arguments.format, arguments.write, terminal, out)
}

/// Prints what a deprecation writes, and writes it if that is wanted.
pub(crate) fn deprecate(arguments: &args::Deprecate, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let targets = Target::open(&arguments.catalog)?;
    let package = package(arguments.package.as_deref(), &targets)?;
    let authored = targets.into_iter().map(|target| {
        let what = match (&arguments.version, &arguments.channel) {
            (Some(version), _) => Deprecated::Bundle(bundle_name(&target, &package, version)),
            (None, Some(channel)) => Deprecated::Channel(ChannelName::from(&**channel)),
            (None, None) => Deprecated::Package,
        };
        author(target, &Authoring::Deprecate { package: &package, what, message: &arguments.message })
    });
    finish(authored.collect(), arguments.format, arguments.write, terminal, out)
}

/// The bundle in a directory, or the one that the arguments describe.
fn new_bundle(arguments: &args::Release, targets: &[Target]) -> Result<NewBundle, Failure> {
    let path = Path::new(&arguments.bundle);
    if path.exists() {
        let new = NewBundle::of(&folder::files(path)?).ok_or_else(|| {
            let help = "expected `manifests/` and `metadata/annotations.yaml` that `opm render` accepts";
            format!("`{}` is no bundle directory: {help}", crate::paths::shown_path(path))
        })?;
        return Ok(match &arguments.image {
            Some(image) => new.in_image(image),
            None => new,
        });
    }
    let named = arguments.name.as_deref();
    let is_name = arguments.policy == Policy::Promote && named.is_none();
    let name = if is_name { Some(&*arguments.bundle) } else { named };
    let Some(name) = name else {
        let help = "for an image, give the name of its bundle with `--name`";
        return Err(format!("`{}` is no bundle directory; {help}", arguments.bundle).into());
    };
    let package = package(arguments.package.as_deref(), targets)?;
    let listed = || targets.iter().find_map(|target| version_of(target.package(&package)?, &BundleName::from(name)));
    let version = arguments.version.clone().or_else(|| Some(listed().or_else(|| version_in(name))?.to_string()));
    let version = version.ok_or_else(|| format!("`{name}` does not end in a version; give it with `--version`"))?;
    let image = if is_name { "" } else { &*arguments.bundle };
    Ok(NewBundle::of_image(image, name, &version, &package))
}

/// The package that is meant: the one that is named, or the only one.
fn package(named: Option<&str>, targets: &[Target]) -> Result<String, Failure> {
    if let Some(name) = named {
        return Ok(name.to_owned());
    }
    let mut names: Vec<&str> = targets.iter().flat_map(Target::packages).collect();
    names.sort_unstable();
    names.dedup();
    match names[..] {
        [only] => Ok(only.to_owned()),
        _ => Err(format!("the catalog has {} packages; name one with `--package`", names.len()).into()),
    }
}

/// The bundle with a version, or with this name.
fn bundle_name(target: &Target, package: &str, text: &str) -> BundleName {
    let found = target.package(package).and_then(|package| {
        let mut entries = package.channels.iter().flat_map(|channel| &channel.entries).map(|entry| &entry.name.value);
        entries.find(|name| {
            name.as_str() == text || version_of(package, name).is_some_and(|version| version.to_string() == text)
        })
    });
    found.cloned().unwrap_or_else(|| BundleName::from(text))
}

fn author(mut target: Target, what: &Authoring<'_>) -> Authored {
    let result = target.inputs.workbench.author(target.id, what);
    let (effects, is_breaking) = effects(&target);
    Authored { target, result, effects, is_breaking }
}

/// What the edits of a catalog do to installed versions, and whether some are worse off.
fn effects(target: &Target) -> (Vec<String>, bool) {
    let Some(catalog) = target.inputs.workbench.catalog(target.id) else { return (Vec::new(), false) };
    let levels = Levels::default();
    let comparison = Comparison::of(Side::opened(catalog), Side::present(catalog), &levels, Scope::default());
    let texts = comparison.shown().map(|found| sentence(&comparison, found)).collect();
    let is_breaking = comparison.packages.iter().any(|found| comparison.worst(found) >= Some(Level::Breaking));
    (texts, is_breaking)
}

fn finish(
    authored: Vec<Authored>,
    format: ReportFormat,
    is_written: bool,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    match format {
        ReportFormat::Json => write_json(out, &json::report(&authored))?,
        ReportFormat::Text => text::write(out, terminal, &authored).map_err(written)?,
    }
    if is_written {
        let files = authored.iter().filter(|one| one.result.is_ok()).flat_map(|one| one.target.files(one));
        rewritten::write(files.collect())?;
    }
    Ok(authored.iter().all(|one| one.result.is_ok() && !one.is_breaking))
}

impl Authored {
    /// What was written, if it could be.
    fn written(&self) -> Option<&Written> {
        self.result.as_ref().ok()
    }

    /// The files with their new texts, as unified diffs.
    fn diffs(&self) -> Vec<(String, String)> {
        let Some(written) = self.written() else { return Vec::new() };
        let shown = |file: &workbench::WrittenFile| {
            let path = self.target.shown(file.key);
            let diff = format!("--- {path}\n+++ {path}\n{}", file.diff);
            (path, diff)
        };
        written.files.iter().map(shown).collect()
    }
}

impl Target {
    fn files<'t>(&'t self, of: &'t Authored) -> impl Iterator<Item = Rewritten<'t>> {
        let catalog = self.inputs.workbench.catalog(self.id);
        let written = of.written().into_iter().flat_map(|written| &written.files);
        written.filter_map(move |file| {
            let found = catalog?.file(file.key)?;
            let before = self.before.get(&file.key)?;
            Some(Rewritten { path: (&self.root, &found.path), before: Some(before), after: found.text.clone() })
        })
    }
}

/// An entry that is added, in words.
fn added(channel: &str, is_new: bool, entry: &NewEntry) -> String {
    let new = if is_new { " (new)" } else { "" };
    format!("channel `{channel}`{new}: `{}` {}", entry.name, entry.edges())
}
