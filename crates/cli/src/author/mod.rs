//! `opscope release`, `opscope remove` and `opscope deprecate`

mod json;
mod target;
mod text;

use self::target::Target;
use crate::args::{self, ReportFormat};
use crate::folder;
use crate::output::{Failure, say, write_json, written};
use crate::paths::{raw_path, shown_path};
use crate::rewritten::{self, Rewritten};
use bundle::Bundle;
use bundle_tree::MappingKind;
use catalog::{BundleName, ChannelName};
use release::{Deprecated, Policy, Refusal, release_config};
use report::Terminal;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use update_graph::{NewEntry, version_in, version_of};
use views::Level;
use workbench::{Authoring, FileInput, NewBundle, ReleaseRequest, Written, WrittenFile};

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
    let targets = targets(&arguments.into, &arguments.output)?;
    let new = new_bundle(arguments, &targets)?;
    let targets = with_package(targets, &new.bundle().package);
    if new.bundle().image.is_empty() && arguments.policy != Policy::Promote {
        say("the bundle's image is not known, so its document has none; give it with `--image`");
    }
    for text in new.findings() {
        say(text);
    }
    let release = Authoring::Release(ReleaseRequest {
        new: &new,
        policy: arguments.policy,
        channels: &arguments.channels,
        from: arguments.from.clone(),
    });
    // The pipelines build the image, and name it in the template.
    let built = new.clone().in_image(&format!("{}:{}", new.bundle().package, new.bundle().version));
    let in_pipelines = Authoring::Release(ReleaseRequest {
        new: &built,
        policy: arguments.policy,
        channels: &arguments.channels,
        from: arguments.from.clone(),
    });
    let authored = targets.into_iter().map(|mut target| {
        let (new, release) = if target.template.is_some() { (&built, &in_pipelines) } else { (&new, &release) };
        target.add_bundle(new);
        author(target, release)
    });
    let authored: Vec<Authored> = authored.collect();
    let configs = configs(&authored, new.bundle(), &arguments.channels);
    finish(&authored, &configs, &arguments.output, terminal, out)
}

/// The `release-config.yaml` of each operator's folder whose templates can all take the release.
fn configs(authored: &[Authored], bundle: &Bundle, channels: &[String]) -> Vec<NewFile> {
    let mut of: BTreeMap<&Path, Vec<&Authored>> = BTreeMap::new();
    for one in authored.iter().filter(|one| one.target.template.is_some()) {
        of.entry(&one.target.root).or_default().push(one);
    }
    of.retain(|_, templates| templates.iter().all(|one| one.result.is_ok()));
    // The pipelines spell the lists of `olm.semver` templates so.
    let title = |list: &String| {
        let (first, rest) = list.split_at_checked(1)?;
        Some(first.to_uppercase() + &rest.to_lowercase())
    };
    let lists: Vec<String> = channels.iter().filter_map(title).collect();
    let file = |(root, templates): (&Path, Vec<&Authored>)| {
        let items = templates.iter().filter_map(|one| {
            let mapping = one.target.template.as_ref()?;
            let channels = match mapping.kind {
                MappingKind::Semver => lists.iter().map(|list| (&**list, None)).collect(),
                MappingKind::Basic => {
                    let edits = one.written().into_iter().flat_map(|written| &written.channels);
                    edits.map(|edit| (edit.channel.as_str(), edit.added.first())).collect()
                }
            };
            Some((&*mapping.template, channels))
        });
        let text = release_config(&items.collect::<Vec<_>>());
        NewFile { root: root.to_path_buf(), path: format!("{}/release-config.yaml", bundle.version), text }
    };
    of.into_iter().map(file).collect()
}

/// Prints what a removal writes, and writes it if that is wanted.
pub(crate) fn remove(arguments: &args::Remove, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let targets = targets(std::slice::from_ref(&arguments.catalog), &arguments.output)?;
    let package = package(arguments.output.package.as_deref(), &targets)?;
    let targets = with_package(targets, &package);
    let authored = targets.into_iter().map(|target| {
        let name = bundle_name(&target, &package, &arguments.version);
        let stays_listed = arguments.keep_listed;
        author(target, &Authoring::Remove { package: &package, name, stays_listed })
    });
    finish(&authored.collect::<Vec<_>>(), &[], &arguments.output, terminal, out)
}

/// Prints what a deprecation writes, and writes it if that is wanted.
pub(crate) fn deprecate(arguments: &args::Deprecate, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let targets = targets(std::slice::from_ref(&arguments.catalog), &arguments.output)?;
    let package = package(arguments.output.package.as_deref(), &targets)?;
    let targets = with_package(targets, &package);
    let authored = targets.into_iter().map(|target| {
        let what = match (&arguments.version, &arguments.channel) {
            (Some(version), _) => Deprecated::Bundle(bundle_name(&target, &package, version)),
            (None, Some(channel)) => Deprecated::Channel(ChannelName::from(&**channel)),
            (None, None) => Deprecated::Package,
        };
        author(target, &Authoring::Deprecate { package: &package, what, message: &arguments.message })
    });
    finish(&authored.collect::<Vec<_>>(), &[], &arguments.output, terminal, out)
}

/// What is at the paths, all of which can be written into if that is wanted.
fn targets(paths: &[PathBuf], output: &args::Written) -> Result<Vec<Target>, Failure> {
    let mut targets = Vec::new();
    for path in paths {
        if output.write {
            folder::check_writable(path)?;
        }
        targets.extend(Target::open(path)?);
    }
    Ok(targets)
}

/// The bundle in a directory, or the one that the arguments describe.
fn new_bundle(arguments: &args::Release, targets: &[Target]) -> Result<NewBundle, Failure> {
    let path = Path::new(&arguments.bundle);
    if path.exists() {
        let new = NewBundle::of(&folder::files(path)?).ok_or_else(|| {
            let help = "expected `manifests/` and `metadata/annotations.yaml` that `opm render` accepts";
            format!("`{}` is no bundle directory: {help}", shown_path(path))
        })?;
        new.check_read().map_err(|refusal| format!("{}; {}", refusal.sentence, refusal.instead))?;
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
    let package = package(arguments.output.package.as_deref(), targets)?;
    let listed = || targets.iter().find_map(|target| version_of(target.package(&package)?, &BundleName::from(name)));
    let version = arguments.version.clone().or_else(|| Some(listed().or_else(|| version_in(name))?.to_string()));
    let version = version.ok_or_else(|| format!("`{name}` does not end in a version; give it with `--version`"))?;
    let image = if is_name { "" } else { &*arguments.bundle };
    Ok(NewBundle::of_image(image, name, &version, &package))
}

/// The package that is named, or else the only one of the catalogs.
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

/// The targets without the catalogs of a set that do not have the package, if others of the set have it.
fn with_package(targets: Vec<Target>, package: &str) -> Vec<Target> {
    let is_of_set = |target: &Target| target.openshift.is_some() && target.package(package).is_none();
    let has = targets.iter().any(|target| target.openshift.is_some() && target.package(package).is_some());
    let (without, with): (Vec<Target>, Vec<Target>) = targets.into_iter().partition(|target| has && is_of_set(target));
    let versions: Vec<String> = without.iter().filter_map(|target| Some(target.openshift?.to_string())).collect();
    if !versions.is_empty() {
        say(&format!("OpenShift {}: no package `{package}`, nothing to write", versions.join(", ")));
    }
    with
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
    let (effects, worst) = target.inputs.workbench.effects_of_edits(target.id);
    Authored { target, result, effects, is_breaking: worst == Some(Level::Breaking) }
}

fn finish(
    authored: &[Authored],
    new: &[NewFile],
    output: &args::Written,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    match output.format {
        ReportFormat::Json => write_json(out, &json::report(authored, new))?,
        ReportFormat::Text => text::write(out, terminal, authored, new).map_err(written)?,
    }
    // What was read in part is not written.
    for one in authored {
        one.target.inputs.answer(true)?;
    }
    if output.write {
        let files = authored.iter().flat_map(|one| one.target.files(one));
        let new =
            new.iter().map(|file| Rewritten { root: &file.root, below: &file.path, before: None, after: &file.text });
        rewritten::write(&files.chain(new).collect::<Vec<_>>())?;
    }
    Ok(authored.iter().all(|one| one.result.is_ok() && !one.is_breaking))
}

/// A file that is made.
struct NewFile {
    /// The folder of an operator.
    root: PathBuf,
    path: String,
    text: String,
}

impl NewFile {
    /// Its path, and it as a unified diff.
    fn diff(&self) -> (String, String) {
        let path = format!("{}/{}", raw_path(&self.root).trim_end_matches('/'), self.path);
        let lines: String = self.text.lines().map(|line| format!("+{line}\n")).collect();
        let diff = format!("--- /dev/null\n+++ {path}\n@@ -0,0 +1,{} @@\n{lines}", self.text.lines().count());
        (path, diff)
    }
}

impl Authored {
    /// What was written, if it could be.
    fn written(&self) -> Option<&Written> {
        self.result.as_ref().ok()
    }

    /// The files with their new texts, as unified diffs, and the differences of what templates expand to.
    fn diffs(&self) -> Vec<(String, String, Option<&str>)> {
        let shown = |file| {
            let WrittenFile { key, diff, expansion, .. }: &WrittenFile = file;
            let path = self.target.shown(*key);
            // The pipelines change the template.
            let diff = self.target.template.is_none().then(|| format!("--- {path}\n+++ {path}\n{diff}"));
            (path, diff.unwrap_or_default(), expansion.as_deref())
        };
        self.written().into_iter().flat_map(|written| &written.files).map(shown).collect()
    }
}

impl Target {
    /// Its files with the texts that they are to have. Those of a folder that do not change, too: another target may change them by
    /// a link.
    fn files<'t>(&'t self, of: &'t Authored) -> impl Iterator<Item = Rewritten<'t>> {
        let edits = of.written().filter(|_| self.template.is_none()).map_or(&[][..], |written| &written.files);
        let catalog = self.inputs.workbench.catalog(self.id);
        catalog.into_iter().flat_map(move |catalog| {
            let edited = |file: &FileInput| edits.iter().find(|edited| edited.key == file.key);
            let is_linked = |file: &FileInput| self.root.is_dir() && file.expanded_from.is_none() && !file.ignored;
            let files = catalog.files.iter().filter(move |file| edited(file).is_some() || is_linked(file));
            files.map(move |file| {
                let edited = edited(file);
                let before = Some(edited.map_or(&*file.text, |edited| &*edited.before));
                Rewritten { root: &self.root, below: &file.path, before, after: &file.text }
            })
        })
    }
}

/// An entry that is added, in words.
fn added(channel: &str, is_new: bool, entry: &NewEntry) -> String {
    let new = if is_new { " (new)" } else { "" };
    format!("channel `{channel}`{new}: `{}` {}", entry.name, entry.edges())
}
