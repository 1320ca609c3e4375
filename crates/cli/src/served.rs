//! Which catalogs a question is about: those for each version of OpenShift, where there are several, with one answer for all that
//! have the same.

use crate::given;
use crate::json::{self, Json, MemberAnswer};
use crate::output::{Failure, written};
use crate::places::{NamedPath, file_name, shown_path};
use report::{Report, Terminal};
use session::{Given, Member, Purpose};
use source::{OpenShift, OpmVersion, name_list};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// What tells one of several catalogs from the others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Which {
    OpenShift(OpenShift),
    Folder(String),
}

/// A catalog with the name of its CatalogSource and the path that it was read from.
#[derive(Clone)]
pub(crate) struct Named {
    /// The number of its path on the command line, from 0.
    pub(crate) argument: usize,
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) member: Member,
}

/// The catalogs that a question is about together: one for each path of the command line.
pub(crate) struct Served {
    /// Absent if there are no others.
    pub(crate) which: Option<Which>,
    pub(crate) catalogs: Vec<Named>,
}

/// A catalog, and what tells it from the others at its path, if there are any.
type Told = (Option<Which>, Named);

/// Reads catalogs. If paths have several, there is one answer for each version of OpenShift, with the catalog for this version of
/// each path that has one.
///
/// # Errors
/// When a path cannot be read, is no catalog, or has none for the wanted version.
pub(crate) fn read(paths: &[NamedPath], openshift: Option<OpenShift>) -> Result<Vec<Served>, Failure> {
    read_others(paths, openshift, |_, _| false)
}

/// The same without what `take` takes, which it says.
///
/// # Errors
/// The same of the others.
pub(crate) fn read_others(
    paths: &[NamedPath],
    openshift: Option<OpenShift>,
    mut take: impl FnMut(&Path, &[Given]) -> bool,
) -> Result<Vec<Served>, Failure> {
    let read = paths.iter().map(|(name, path)| told(name, path, &mut take)).collect::<Result<Vec<_>, Failure>>()?;
    combined(read, openshift)
}

/// The same where one bundle directory is a catalog, too, whose channels nobody asks about.
pub(crate) fn read_with_bundles(paths: &[NamedPath], openshift: Option<OpenShift>) -> Result<Vec<Served>, Failure> {
    let mut read = Vec::new();
    for (name, path) in paths {
        let (stated, path) = given::stated(path);
        for found in given::all(path, Purpose::Catalog, OpmVersion::NEWEST)? {
            found.tell();
            found.tell_bundle();
            let label = if found.label.is_empty() { name.clone() } else { found.label.clone() };
            read.push(told_apart(&label, path, stated, found.members_or_bundle()?));
        }
    }
    combined(read, openshift)
}

fn told(name: &str, path: &Path, take: &mut dyn FnMut(&Path, &[Given]) -> bool) -> Result<Vec<Told>, Failure> {
    let (stated, path) = given::stated(path);
    // `--catalog 4.18=PATH` names no CatalogSource.
    let stated = stated.or_else(|| name.parse().ok());
    let name = if stated.is_some() { file_name(path) } else { name.to_owned() };
    let found = given::only(path, Purpose::Catalog, OpmVersion::NEWEST)?;
    if take(path, found.given()) {
        return Ok(Vec::new());
    }
    Ok(told_apart(&name, path, stated, found.members()?))
}

/// Each catalog at a path with what tells it from the others.
fn told_apart(name: &str, path: &Path, stated: Option<OpenShift>, members: Vec<Member>) -> Vec<Told> {
    let stated = stated.filter(|_| members.len() == 1).map(Which::OpenShift);
    let told = |(which, member)| {
        let named = Named { argument: 0, name: name.to_owned(), path: path.to_path_buf(), member };
        (stated.clone().or(which), named)
    };
    each(members).map(told).collect()
}

/// Catalogs with what tells each from the others: the version of OpenShift, or the folder. Of several for one version, that of a set
/// has it.
pub(crate) fn each(members: Vec<Member>) -> impl Iterator<Item = (Option<Which>, Member)> {
    let versions: Vec<(Option<OpenShift>, bool)> =
        members.iter().map(|member| (member.openshift, member.is_of_set)).collect();
    members.into_iter().map(move |member| {
        let is_other = |(version, is_of_set): &&(Option<OpenShift>, bool)| {
            *version == member.openshift && (*is_of_set || !member.is_of_set)
        };
        let is_unique = versions.iter().filter(is_other).count() == 1;
        let which = match member.openshift.filter(|_| is_unique) {
            _ if versions.len() == 1 => None,
            Some(version) => Some(Which::OpenShift(version)),
            None => Some(Which::Folder(member.folder.clone())),
        };
        (which, member)
    })
}

fn combined(mut read: Vec<Vec<Told>>, openshift: Option<OpenShift>) -> Result<Vec<Served>, Failure> {
    for (argument, told) in read.iter_mut().enumerate() {
        told.iter_mut().for_each(|(_, named)| named.argument = argument);
    }
    let mut all: BTreeSet<Which> = read.iter().flatten().filter_map(|(which, _)| which.clone()).collect();
    if let Some(wanted) = openshift {
        let is_one = read.iter().flatten().all(|(which, _)| which.is_none());
        all.retain(|which| *which == Which::OpenShift(wanted));
        if all.is_empty() && !is_one {
            let paths = read.iter().flatten().filter(|(which, _)| which.is_some());
            let path = paths.map(|(_, named)| &named.path).next().map(|path| shown_path(path)).unwrap_or_default();
            return Err(format!("`{path}` has no catalog for OpenShift {wanted}").into());
        }
    }
    let mut served: Vec<Served> =
        all.into_iter().map(|which| Served { which: Some(which), catalogs: Vec::new() }).collect();
    if served.is_empty() {
        served.push(Served { which: None, catalogs: Vec::new() });
    }
    for catalogs in read {
        for (which, named) in catalogs {
            let mut of = served.iter_mut().filter(|one| which.is_none() || one.which == which);
            // The last one gets the catalog itself: a copy of a large one takes time.
            let last = of.next_back();
            of.for_each(|one| one.catalogs.push(named.clone()));
            if let Some(last) = last {
                last.catalogs.push(named);
            }
        }
    }
    Ok(served)
}

impl Which {
    /// The version of OpenShift, if it is one.
    pub(crate) const fn openshift(&self) -> Option<OpenShift> {
        match self {
            Self::OpenShift(version) => Some(*version),
            Self::Folder(_) => None,
        }
    }
}

impl Served {
    /// The version of OpenShift, if that tells the catalogs from others.
    pub(crate) fn openshift(&self) -> Option<OpenShift> {
        self.which.as_ref().and_then(Which::openshift)
    }

    /// The version of OpenShift that its catalogs are for, if they are for one.
    pub(crate) fn served_on(&self) -> Option<OpenShift> {
        let mut versions = self.catalogs.iter().map(|named| named.member.openshift);
        let first = versions.next()?;
        self.openshift().or_else(|| first.filter(|_| versions.all(|version| version == first)))
    }

    /// The names of the catalogs with their paths.
    pub(crate) fn names(&self) -> Vec<NamedPath> {
        self.catalogs.iter().map(|named| (named.name.clone(), named.path.clone())).collect()
    }

    pub(crate) fn folders(&self) -> Folders {
        Folders::of(self.catalogs.iter().map(|named| &named.member))
    }
}

/// The folders of catalogs, which their paths begin with.
#[derive(Clone, Default)]
pub(crate) struct Folders(Vec<String>);

impl Folders {
    pub(crate) fn of<'m>(members: impl Iterator<Item = &'m Member>) -> Self {
        let home = |member: &Member| if member.home.is_empty() { member.folder.clone() } else { member.home.clone() };
        Self(members.map(home).filter(|home| !home.is_empty()).map(|home| format!("{home}/")).collect())
    }

    /// What tells a text from others, without these folders and, for people, without lines and columns: these may differ although
    /// the answer is the same.
    pub(crate) fn key(&self, text: &str, is_for_people: bool) -> String {
        let text = self.0.iter().fold(text.to_owned(), |text, folder| text.replace(folder, ""));
        if !is_for_people {
            return text;
        }
        let parts = text.split(".yaml:").flat_map(|part| part.split(".json:")).enumerate();
        let is_of_place = |c: char| c.is_ascii_digit() || c == ':';
        let parts = parts.map(|(at, part)| if at == 0 { part } else { part.trim_start_matches(is_of_place) });
        parts.collect::<Vec<_>>().join("\u{0}")
    }
}

/// The first of several catalogs with the same answer.
pub(crate) struct Same<T> {
    pub(crate) which: Vec<Which>,
    key: String,
    pub(crate) first: T,
}

impl<T> Same<T> {
    /// Whether it is the answer about these catalogs.
    pub(crate) fn is_of(&self, which: Option<&Which>) -> bool {
        which.map_or(self.which.is_empty(), |which| self.which.contains(which))
    }
}

/// Adds the answer about a catalog to those that are the same.
pub(crate) fn add<T>(answers: &mut Vec<Same<T>>, which: Option<Which>, key: String, answer: T) {
    match answers.iter_mut().find(|known| known.key == key) {
        Some(known) => known.which.extend(which),
        None => answers.push(Same { which: which.into_iter().collect(), key, first: answer }),
    }
}

/// How an answer about several catalogs is put together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Text,
    Markdown,
    Json,
    /// A text for another program, in which a title is a comment behind these characters.
    Commented(&'static str),
}

/// Asks about the catalogs for each version. Those with the same answer have one.
///
/// # Errors
/// When there is no answer about some of them; the others are printed before.
pub(crate) fn ask(
    served: Vec<Served>,
    form: Form,
    terminal: Terminal,
    out: &mut dyn Write,
    mut question: impl FnMut(Served, &mut dyn Write) -> Result<bool, Failure>,
) -> Result<bool, Failure> {
    let mut served = served;
    if served.len() == 1
        && let Some(only) = served.pop()
    {
        return question(only, out);
    }
    type Answer = (Vec<u8>, Result<bool, Failure>);
    let mut answers: Vec<Same<Answer>> = Vec::new();
    for one in served {
        let (which, folders) = (one.which.clone(), one.folders());
        let mut text = Vec::new();
        let yes = question(one, &mut text);
        let failed = yes.as_ref().err().map(Failure::text).unwrap_or_default();
        let key = folders.key(&format!("{}{failed}", String::from_utf8_lossy(&text)), form != Form::Json);
        add(&mut answers, which, key, (text, yes));
    }
    match form {
        Form::Json => {
            let json = |Same { which, first: (text, yes), .. }: &Same<Answer>| {
                let failure = || yes.as_ref().err().map(Failure::text).unwrap_or_default();
                MemberAnswer::of(which, Json::printed(text).ok_or_else(failure))
            };
            json::write_members(out, answers.iter().map(json).collect())?;
        }
        Form::Text | Form::Markdown | Form::Commented(_) => {
            for (at, Same { which, first: (text, yes), .. }) in answers.iter().enumerate() {
                let title = title(which);
                let title = match form {
                    Form::Markdown => format!("## {title}\n"),
                    Form::Commented(comment) => format!("{comment} {title}"),
                    Form::Text | Form::Json => terminal.painted(report::Paint::Bold, &format!("{title}:")),
                };
                writeln!(out, "{}{title}", if at == 0 { "" } else { "\n" }).map_err(written)?;
                out.write_all(text).map_err(written)?;
                if let (true, Err(failure)) = (text.is_empty(), yes) {
                    writeln!(out, "no answer: {}", source::one_line(&failure.text())).map_err(written)?;
                }
            }
        }
    }
    let mut is_fine = true;
    let mut failures: BTreeMap<String, Vec<Which>> = BTreeMap::new();
    let has_answer = answers.iter().any(|answer| answer.first.1.is_ok());
    for Same { which, first: (_, yes), .. } in answers {
        match yes {
            Ok(yes) => is_fine &= yes,
            // A package need not be in the catalogs for all versions.
            Err(failure) if failure.is_absence() && has_answer => {}
            Err(failure) => failures.entry(failure.text()).or_default().extend(which),
        }
    }
    if failures.is_empty() {
        return Ok(is_fine);
    }
    let lines = failures.into_iter().map(|(text, which)| format!("{}: {text}", title(&which)));
    Err(Failure::of_lines(lines))
}

/// All reports as one, each with a title if there are several catalogs.
pub(crate) fn as_one(mut parts: Vec<(Vec<Which>, Report)>) -> Report {
    if parts.len() == 1
        && let Some((_, report)) = parts.pop()
    {
        return report;
    }
    report::together(parts.into_iter().map(|(which, report)| (title(&which), report)).collect())
}

/// Catalogs in a few words: `OpenShift 4.18 to 4.20`, or their folders.
pub(crate) fn title(which: &[Which]) -> String {
    let versions: Vec<OpenShift> = which.iter().filter_map(Which::openshift).collect();
    let folders = which.iter().filter_map(|one| if let Which::Folder(folder) = one { Some(&**folder) } else { None });
    let folders: Vec<&str> = folders.collect();
    let versions =
        if versions.is_empty() { String::new() } else { format!("OpenShift {}", OpenShift::list(&versions)) };
    match folders.is_empty() {
        true => versions,
        false => {
            [versions, name_list(folders)].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" and ")
        }
    }
}
