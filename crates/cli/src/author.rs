//! `opscope release`, `opscope remove` and `opscope deprecate`

use crate::args::{self, MigrateLevel};
use crate::folder;
use crate::format::AnswerFormat;
use crate::image::Image;
use crate::json;
use crate::output::{Failure, say, write_report};
use crate::places::{raw_path, shown_path};
use crate::rewritten::{self, Rewritten};
use crate::served::{Which, title};
use crate::target::Target;
use answers::version_in_name;
use report::{Answer, Paint, Report, Terminal};
use session::{
    AuthoredCatalog, Authoring, NewBundle, PipelineTemplate, Policy, Reason, ReleaseRequest, release_config,
};
use source::{OpenShift, name_list};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use views::{Deprecatee, Level, PackageKey, RefusedView, WrittenCatalog, WrittenFileView, WrittenView};

/// What is to be written into a catalog.
struct Authored {
    target: Target,
    catalog: AuthoredCatalog,
}

/// Prints what a release writes, and writes it if that is wanted. The answer is yes if every catalog can take it and no installed
/// version is worse off.
pub(crate) fn release(arguments: &args::Release, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let catalogs = [&*arguments.catalogs, &*arguments.into].concat();
    let targets = targets(&catalogs, &arguments.output)?;
    let new = new_bundle(arguments, &targets)?;
    let targets = with_package(targets, new.package());
    for target in targets.iter().filter(|target| target.is_computed()) {
        let given = [("--policy", arguments.policy.is_some()), ("--package", arguments.output.package.is_some())];
        let given: Vec<&str> = given.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name).collect();
        if !given.is_empty() {
            let (title, given) = (target.title(), name_list(given));
            say(&format!("{title}: an `olm.semver` template computes all edges of its bundles, without {given}"));
        }
    }
    let channels: Vec<String> = arguments.channels.iter().map(|(name, _)| name.clone()).collect();
    let policies: Vec<(String, Policy)> =
        arguments.channels.iter().filter_map(|(name, policy)| Some((name.clone(), (*policy)?))).collect();
    if !new.has_image() && !is_name(arguments) && arguments.policy != Some(Policy::Promote) {
        say("the bundle's image is not known, so its document has none; give it with `--image`");
    }
    for text in new.findings() {
        say(text);
    }
    // The pipelines build the image, and name it in the template.
    let built = if new.has_image() { new.clone() } else { new.clone().in_built_image() };
    let authored = targets.into_iter().map(|mut target| {
        let new = if target.template.is_some() { &built } else { &new };
        target.inputs.workbench.add_new_bundle(new);
        let of_version = target.served_on.map(OpenShift::csv_form);
        let release = ReleaseRequest {
            policies: &policies,
            from: arguments.lowest.clone(),
            form: arguments.migrate_level.map(MigrateLevel::form).or(of_version),
            ..ReleaseRequest::of(new, arguments.policy, &channels)
        };
        author(target, &Authoring::Release(release))
    });
    let policy = |channel: &str| {
        let own = policies.iter().find(|(name, _)| name == channel).map(|(_, policy)| *policy);
        own.or(arguments.policy)
    };
    let authored = without_unfit(authored.collect(), |channel| policy(channel) == Some(Policy::NewMinor));
    let configs = configs(&authored, new.version());
    finish(&authored, &configs, &arguments.output, terminal, out)
}

/// Whether the bundle is given by its name, because other channels may list it.
fn is_name(arguments: &args::Release) -> bool {
    if arguments.name.is_some() || arguments.bundle.contains('/') || Path::new(&arguments.bundle).exists() {
        return false;
    }
    let own = arguments.channels.iter().map(|(_, policy)| policy.or(arguments.policy));
    let mut policies = own.chain(arguments.policy.filter(|_| arguments.channels.is_empty()).map(Some)).peekable();
    let is_of_listed = |policy| matches!(policy, Some(Policy::Promote | Policy::Hotfix | Policy::SkippedHotfix));
    policies.peek().is_some() && policies.all(is_of_listed)
}

/// The catalogs without those that the release is not for, if it is for others. It is not for a catalog that lacks what the policy is
/// about, or lacks a channel that others have, unless the policy may add the channel (`may_be_new`).
fn without_unfit(authored: Vec<Authored>, may_be_new: impl Fn(&str) -> bool) -> Vec<Authored> {
    let known: BTreeSet<String> =
        authored.iter().flat_map(|one| one.catalog.channels_with(false).map(str::to_owned)).collect();
    let unfit = |one: &Authored| {
        let new = one.catalog.channels_with(true).find(|name| known.contains(*name) && !may_be_new(name));
        let lacks = new.map(|name| format!("no channel `{name}`"));
        one.catalog.not_for_it().map(str::to_owned).or(lacks)
    };
    if authored.iter().all(|one| unfit(one).is_some()) {
        return authored;
    }
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut fit = Vec::new();
    for one in authored {
        match unfit(&one) {
            Some(reason) => {
                let which = one.target.which.as_ref().map(|which| title(std::slice::from_ref(which)));
                reasons.entry(reason).or_default().push(which.unwrap_or_else(|| one.target.title()));
            }
            None => fit.push(one),
        }
    }
    for (reason, which) in reasons {
        say(&format!("{}: {reason}, left out", which.join(", ")));
    }
    fit
}

/// The `release-config.yaml` of each operator's folder whose templates can all take the release.
fn configs(authored: &[Authored], version: &str) -> Vec<NewFile> {
    let mut of: BTreeMap<&Path, Vec<(&PipelineTemplate, &AuthoredCatalog)>> = BTreeMap::new();
    for one in authored {
        let templates = one.target.template.iter().map(|template| (template, &one.catalog));
        of.entry(&one.target.root).or_default().extend(templates);
    }
    of.retain(|_, templates| !templates.is_empty() && templates.iter().all(|(_, catalog)| catalog.is_written()));
    let file = |(root, templates): (&Path, Vec<_>)| NewFile {
        root: root.to_path_buf(),
        path: format!("{version}/release-config.yaml"),
        text: release_config(&templates),
    };
    of.into_iter().map(file).collect()
}

/// Prints what a removal writes, and writes it if that is wanted.
pub(crate) fn remove(arguments: &args::Remove, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let targets = targets(std::slice::from_ref(&arguments.catalog), &arguments.output)?;
    let package = package(arguments.output.package.as_deref(), &targets)?;
    let targets = with_package(targets, &package);
    let authored = targets.into_iter().map(|target| {
        let (version, stays_listed) = (&*arguments.version, arguments.keep_listed);
        author(target, &Authoring::Remove { package: &package, version, stays_listed })
    });
    finish(&with_version(authored.collect()), &[], &arguments.output, terminal, out)
}

/// Prints what a deprecation writes, and writes it if that is wanted.
pub(crate) fn deprecate(arguments: &args::Deprecate, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let targets = targets(std::slice::from_ref(&arguments.catalog), &arguments.output)?;
    let package = package(arguments.output.package.as_deref(), &targets)?;
    let targets = with_package(targets, &package);
    let what = match (&arguments.version, &arguments.channel) {
        (Some(version), _) => Deprecatee::Bundle(version.clone()),
        (None, Some(channel)) => Deprecatee::Channel(channel.clone()),
        (None, None) => Deprecatee::Package,
    };
    let what = Authoring::Deprecate { package: &package, what: &what, message: &arguments.message };
    let authored = targets.into_iter().map(|target| author(target, &what)).collect();
    finish(&with_version(authored), &[], &arguments.output, terminal, out)
}

/// What is at the paths, all of which can be written into if that is wanted.
fn targets(paths: &[PathBuf], output: &args::Written) -> Result<Vec<Target>, Failure> {
    let mut targets = Vec::new();
    for path in paths {
        if output.write {
            folder::check_writable(path)?;
        }
        targets.extend(Target::open(path, output.opm.release()?, output.openshift.as_ref())?);
    }
    Ok(targets)
}

/// The bundle in a directory, or the one that the arguments describe.
fn new_bundle(arguments: &args::Release, targets: &[Target]) -> Result<NewBundle, Failure> {
    let path = Path::new(&arguments.bundle);
    let image = Image::of(path);
    if path.exists() || image.is_some() {
        let directory = || {
            let help = "expected `manifests/` and `metadata/annotations.yaml` that `opm render` accepts";
            let new = NewBundle::of(&folder::files(path)?);
            new.ok_or_else(|| format!("`{}` is no bundle directory: {help}", shown_path(path)).into())
        };
        let new: NewBundle = image.map_or_else(directory, |image| image.bundle())?;
        new.check_read().map_err(|refused| format!("{}; {}", refused.sentence, refused.instead))?;
        return Ok(match &arguments.image {
            Some(image) => new.in_image(image),
            None => new,
        });
    }
    let named = arguments.name.as_deref();
    let is_name = is_name(arguments);
    let name = if is_name { Some(&*arguments.bundle) } else { named };
    let Some(name) = name else {
        let help = "for an image, write `image:` before it, or give the name of its bundle with `--name`";
        return Err(format!("`{}` is no bundle directory; {help}", arguments.bundle).into());
    };
    let package = package(arguments.output.package.as_deref(), targets)?;
    let listed = |target: &Target| {
        let key = PackageKey { catalog: target.id, package: package.clone() };
        answers::bundle_version(&target.inputs.workbench, &key, name)
    };
    let listed = || targets.iter().find_map(listed);
    let version = arguments.version.clone().or_else(listed).or_else(|| version_in_name(name));
    let version = version.ok_or_else(|| format!("`{name}` does not end in a version; give it with `--version`"))?;
    let image = if is_name { "" } else { &*arguments.bundle };
    Ok(NewBundle::of_image(image, name, &version, &package))
}

/// The package that is named, or else the only one of the catalogs.
fn package(named: Option<&str>, targets: &[Target]) -> Result<String, Failure> {
    if let Some(name) = named {
        return Ok(name.to_owned());
    }
    let mut names: Vec<&str> =
        (targets.iter()).flat_map(|target| answers::package_names(&target.inputs.workbench, target.id)).collect();
    names.sort_unstable();
    names.dedup();
    match names[..] {
        [only] => Ok(only.to_owned()),
        // The bundles say the package, and their images may not be known.
        [] if targets.iter().all(Target::is_computed) => Ok(String::new()),
        _ => Err(format!("the catalog has {} packages; name one with `--package`", names.len()).into()),
    }
}

/// The targets without the catalogs of a set that do not have the package, if others of the set have it.
fn with_package(targets: Vec<Target>, package: &str) -> Vec<Target> {
    let is_of_set = |target: &Target| target.which.is_some() && !target.has_package(package);
    let has = targets.iter().any(|target| target.which.is_some() && target.has_package(package));
    let (without, with): (Vec<Target>, Vec<Target>) = targets.into_iter().partition(|target| has && is_of_set(target));
    let without: Vec<Which> = without.into_iter().filter_map(|target| target.which).collect();
    if !without.is_empty() {
        say(&format!("{}: no package `{package}`, nothing to write", title(&without)));
    }
    with
}

/// The same without the catalogs of a set that lack the named version or channel, if other catalogs of the set have it.
fn with_version(authored: Vec<Authored>) -> Vec<Authored> {
    let lacks = |one: &Authored| one.target.which.is_some() && one.catalog.missing().is_some();
    if authored.iter().all(lacks) {
        return authored;
    }
    let (without, with): (Vec<Authored>, Vec<Authored>) = authored.into_iter().partition(lacks);
    let reason = without.iter().find_map(|one| one.catalog.missing()).map(str::to_owned);
    let without: Vec<Which> = without.into_iter().filter_map(|one| one.target.which).collect();
    if let Some(reason) = reason {
        say(&format!("{}: {reason}, nothing to write", title(&without)));
    }
    with
}

fn author(mut target: Target, what: &Authoring<'_>) -> Authored {
    let catalog = target.inputs.workbench.author_catalog(target.id, what);
    Authored { target, catalog }
}

fn finish(
    authored: &[Authored],
    new: &[NewFile],
    output: &args::Written,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let catalogs: Vec<WrittenCatalog> = authored.iter().map(Authored::view).collect();
    let changed = catalogs.iter().filter(|one| one.reason.is_none()).count();
    let sentence = match catalogs.len() {
        1 => format!("{changed} of 1 catalog changes."),
        of => format!("{changed} of {of} catalogs change."),
    };
    let view = WrittenView { sentence, catalogs, files: new.iter().map(NewFile::view).collect() };
    match output.format {
        AnswerFormat::Json => json::print(out, &view)?,
        format => write_report(out, terminal, format.into(), &report(&view))?,
    }
    let reasons: Option<Vec<&RefusedView>> = view.catalogs.iter().map(|one| one.reason.as_ref()).collect();
    let missing = reasons.filter(|reasons| reasons.iter().all(|reason| reason.id == Reason::Missing.id()));
    if let Some(first) = missing.as_ref().and_then(|reasons| reasons.first()) {
        return Err(format!("no answer: {}", first.sentence).into());
    }
    // What was read in part is not written.
    for one in authored {
        one.target.inputs.answer(true)?;
    }
    if output.write {
        let files = authored.iter().flat_map(Authored::rewritten);
        let new =
            new.iter().map(|file| Rewritten { root: &file.root, below: &file.path, before: None, after: &file.text });
        rewritten::write(&files.chain(new).collect::<Vec<_>>())?;
    }
    Ok(view.catalogs.iter().all(WrittenCatalog::is_fine))
}

struct NewFile {
    /// The folder of an operator.
    root: PathBuf,
    path: String,
    text: String,
}

impl NewFile {
    fn view(&self) -> WrittenFileView {
        let lines: String = self.text.lines().map(|line| format!("+{line}\n")).collect();
        let path = format!("{}/{}", raw_path(&self.root).trim_end_matches('/'), self.path);
        let diff = format!("--- /dev/null\n+++ {path}\n@@ -0,0 +1,{} @@\n{lines}", self.text.lines().count());
        WrittenFileView { path, diff, expansion: None }
    }
}

impl Authored {
    /// The files with the texts that they are to have.
    fn rewritten(&self) -> impl Iterator<Item = Rewritten<'_>> {
        // The pipelines write into their templates themselves.
        self.target.rewritten(self.catalog.files().filter(|_| self.target.template.is_none()).collect())
    }

    fn view(&self) -> WrittenCatalog {
        let target = &self.target;
        let mut view = self.catalog.view(target.title(), |file| target.shown(file.key));
        view.openshift.extend(target.openshift());
        if let Some(template) = &target.template {
            view.template = Some(template.name().to_owned());
            // The pipelines change the template.
            view.files.iter_mut().for_each(|file| file.diff.clear());
        }
        view
    }
}

// Releases, removals and deprecations for people.

/// For each catalog what changes in its channels, what that does to installed versions, and the differences of its files.
pub(super) fn report(view: &WrittenView) -> Report {
    let mut answer = Answer::new(&());
    view.catalogs.iter().for_each(|one| catalog(&mut answer, one));
    for WrittenFileView { path, diff, .. } in &view.files {
        answer.heading(Paint::Bold, path);
        answer.verbatim(diff);
    }
    answer.into_report()
}

fn catalog(answer: &mut Answer<'_>, one: &WrittenCatalog) {
    answer.heading(Paint::Bold, &one.title);
    if let Some(outgrown) = &one.outgrown {
        answer.line("! ", Paint::Bad, outgrown);
    }
    if let Some(reason) = &one.reason {
        answer.line("✕ ", Paint::Bad, &format!("{} ({})", reason.sentence, reason.id));
        return answer.line("  instead: ", Paint::Plain, &reason.instead);
    }
    for edit in &one.channels {
        let channel = &edit.channel;
        let new = if edit.new { " (new)" } else { "" };
        for entry in &edit.added {
            answer.line("+ ", Paint::Good, &format!("channel `{channel}`{new}: `{}` {}", entry.name, entry.text));
        }
        for change in &edit.edits {
            answer.line("~ ", Paint::Plain, &format!("channel `{channel}`: {}", change.text));
        }
        for name in &edit.removed {
            answer.line("− ", Paint::Plain, &format!("channel `{channel}`: `{name}`"));
        }
    }
    let paint = if one.worst == Some(Level::Breaking) { Paint::Bad } else { Paint::Good };
    one.effects.iter().for_each(|text| answer.line("  ", paint, text));
    for WrittenFileView { diff, expansion, .. } in &one.files {
        if !diff.is_empty() {
            answer.verbatim(diff);
        }
        if let Some(expansion) = expansion {
            answer.line("  ", Paint::Plain, "What the template expands to:");
            answer.verbatim(expansion);
        }
    }
}
