//! Reads the files of a candidate, in steps, and makes a set of them. Texts that several members have are read once.

use crate::sets::recognise::{Candidate, is_below};
use crate::sets::set::{CatalogSet, Member, Operator, SetFile};
use crate::sets::unit::{ReadFile, Unit, UnitKey, is_of_catalog, packages_of, units};
use catalog::{Catalog, IndexIgnore, is_about_unread};
use fbc::{Decoded, Parse, Reading};
use source::{Diagnostic, Executor, FileId, OpenShift};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;

/// The word without which a text has no document of a catalog.
const SCHEMA: &str = "olm.";

/// A set that is being read.
///
/// ```
/// use openshift::sets::{Loading, candidates};
///
/// let text = "schema: olm.package\nname: p\ndefaultChannel: c\n";
/// let paths = ["catalogs/v4.18/p.yaml", "catalogs/v4.19/p.yaml"];
/// let candidate = candidates(paths, &[]).remove(0);
/// let mut loading = Loading::new(candidate);
/// for path in paths {
///     loading.add_file(path, Ok(text.into()));
/// }
/// while !loading.step(1 << 20) {}
/// let set = loading.finish(Default::default()).expect("both have the package p");
/// assert_eq!((set.members.len(), set.files.len()), (2, 1));
/// ```
#[derive(Debug)]
pub struct Loading {
    candidate: Candidate,
    /// Each content once.
    texts: Vec<Text>,
    by_content: BTreeMap<(u64, usize), Vec<usize>>,
    /// The indexes of texts that are to be parsed.
    waiting: VecDeque<usize>,
    /// All files, sorted as `opm` walks them.
    files: BTreeMap<Vec<Box<str>>, File>,
    /// The texts of `ci.yaml` and of templates beside the catalogs, by path.
    beside: BTreeMap<Box<str>, usize>,
    units: BTreeMap<UnitKey, Arc<Unit>>,
    /// The folders of files with `olm.package` documents, once all files are read that may have some.
    roots: Option<BTreeSet<String>>,
}

#[derive(Debug)]
struct File {
    path: Box<str>,
    /// The index of its text, or why there is none.
    text: Result<usize, Box<str>>,
}

#[derive(Debug)]
struct Text {
    text: Arc<str>,
    fault: Option<Diagnostic>,
    may_be_catalog: bool,
    reading: Option<Reading>,
    parse: Option<Parse>,
}

impl Text {
    /// The finding that says that nothing or only a part of it was read.
    fn why_unread(&self) -> Option<&Diagnostic> {
        let parsed = self.parse.iter().flat_map(|parse| &parse.diagnostics);
        self.fault.iter().chain(parsed).find(|found| is_about_unread(found))
    }
}

/// Adds a file to those that want it: its bytes, or why they cannot be read.
pub fn add_file(loadings: &mut [Loading], path: &str, content: Result<Vec<u8>, String>) {
    let mut wanting = loadings.iter_mut().filter(|loading| loading.wants(path));
    if let Some(first) = wanting.next() {
        wanting.for_each(|other| other.add_wanted(path, content.clone()));
        first.add_wanted(path, content);
    }
}

impl Loading {
    /// Of files that are added later.
    #[must_use]
    pub const fn new(candidate: Candidate) -> Self {
        Self {
            candidate,
            texts: Vec::new(),
            by_content: BTreeMap::new(),
            waiting: VecDeque::new(),
            files: BTreeMap::new(),
            beside: BTreeMap::new(),
            units: BTreeMap::new(),
            roots: None,
        }
    }

    /// What the paths of its catalogs have in common, as [`Candidate::pattern`].
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.candidate.pattern
    }

    /// The versions of its catalogs.
    #[must_use]
    pub fn versions(&self) -> BTreeSet<OpenShift> {
        self.candidate.places.iter().map(|place| place.version).collect()
    }

    /// Whether several versions have catalogs, as far as files are parsed. The others are folders of templates, for instance, or
    /// parts of one catalog with a version in their names.
    #[must_use]
    pub fn has_several_catalogs(&self) -> bool {
        let with_package = self.files.values().filter(|file| self.has_package(file));
        let places = with_package.flat_map(|file| self.candidate.places.iter().filter(|place| place.has(&file.path)));
        places.map(|place| place.version).collect::<BTreeSet<_>>().len() > 1
    }

    /// Whether a file belongs to a catalog of the candidate.
    #[must_use]
    pub fn wants(&self, path: &str) -> bool {
        let is_named = || self.candidate.mismatches.iter().any(|mismatch| *mismatch.dockerfile == *path);
        let is_member = self.candidate.places.iter().any(|place| place.has(path));
        is_member || is_named() || self.beside(path).is_some()
    }

    /// The operator of a `ci.yaml` or a template of a repository of the pipelines, and the name of the template.
    fn beside<'p>(&self, path: &'p str) -> Option<(&'p str, Option<&'p str>)> {
        let base = self.candidate.pattern.strip_suffix("catalogs/*")?;
        let (operator, rest) = path.strip_prefix(base)?.strip_prefix("operators/")?.split_once('/')?;
        match rest.split_once('/') {
            None if rest == "ci.yaml" => Some((operator, None)),
            Some(("catalog-templates", template)) if !template.contains('/') => Some((operator, Some(template))),
            _ => None,
        }
    }

    /// Adds a file: its bytes, or why they cannot be read. One that is not wanted is left out.
    pub fn add_file(&mut self, path: &str, content: Result<Vec<u8>, String>) {
        if self.wants(path) {
            self.add_wanted(path, content);
        }
    }

    fn add_wanted(&mut self, path: &str, content: Result<Vec<u8>, String>) {
        if self.beside(path).is_some() {
            let Ok(bytes) = content else { return };
            // Not shared: each has a path of its own, whatever it says.
            let at = self.new_text(bytes, false);
            self.beside.insert(path.into(), at);
            return;
        }
        let text = content.map(|bytes| self.text_of(bytes)).map_err(Into::into);
        self.roots = None;
        self.files.insert(path.split('/').map(Into::into).collect(), File { path: path.into(), text });
    }

    /// The text with this content, a known one if there is one.
    fn text_of(&mut self, bytes: Vec<u8>) -> usize {
        let mut hasher = DefaultHasher::new();
        hasher.write(&bytes);
        let same = self.by_content.entry((hasher.finish(), bytes.len())).or_default();
        if let Some(known) = same.iter().find(|known| *self.texts[**known].text.as_bytes() == *bytes) {
            return *known;
        }
        same.push(self.texts.len());
        self.new_text(bytes, true)
    }

    fn new_text(&mut self, bytes: Vec<u8>, is_of_member: bool) -> usize {
        let at = self.texts.len();
        let Decoded { text, fault } = fbc::decode_bytes(FileId(at as u32), bytes);
        let may_be_catalog = is_of_member && text.contains(SCHEMA);
        self.waiting.extend(may_be_catalog.then_some(at));
        self.texts.push(Text { text: text.into(), fault, may_be_catalog, reading: None, parse: None });
        at
    }

    /// Parses about `bytes` more bytes. Returns whether all that was added is parsed.
    pub fn step(&mut self, bytes: u32) -> bool {
        let mut left = bytes;
        while let Some(at) = self.next_text() {
            if left == 0 {
                return false;
            }
            let text = &mut self.texts[at];
            let reading = text.reading.get_or_insert_with(|| Reading::new(FileId(at as u32)));
            let from = reading.position();
            let is_read = reading.step(&text.text, left);
            left = left.saturating_sub(reading.position() - from);
            if is_read {
                text.parse = text.reading.take().map(Reading::into_parse);
                self.waiting.pop_front();
            }
        }
        true
    }

    /// Parses all that is left, perhaps several files at once.
    pub fn read(&mut self, executor: Executor) {
        while self.next_text().is_some() {
            let waiting = std::mem::take(&mut self.waiting);
            let texts: Vec<(u32, &str)> = waiting.iter().map(|at| (*at as u32, &*self.texts[*at].text)).collect();
            let parses = executor.map(&texts, |(at, text)| fbc::parse(FileId(*at), text));
            for (at, parse) in waiting.into_iter().zip(parses) {
                self.texts[at].parse = Some(parse);
            }
        }
    }

    /// The text to parse next: first those that may have documents of a catalog, and then the others beside these, since
    /// `opm` reads every file of a folder.
    fn next_text(&mut self) -> Option<usize> {
        if self.waiting.is_empty() && self.roots.is_none() {
            let roots = self.roots();
            let served = self.files.values().filter(|file| is_served(&roots, &file.path));
            let served: BTreeSet<usize> = served.filter_map(|file| file.text.as_ref().ok().copied()).collect();
            self.waiting.extend(served.into_iter().filter(|at| self.texts[*at].parse.is_none()));
            self.roots = Some(roots);
        }
        self.waiting.front().copied()
    }

    /// The folders of files with `olm.package` documents.
    fn roots(&mut self) -> BTreeSet<String> {
        self.roots.take().unwrap_or_else(|| {
            let folder = |file: &File| file.path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
            self.files.values().filter(|file| self.has_package(file)).filter_map(folder).collect()
        })
    }

    fn has_package(&self, file: &File) -> bool {
        let parse = file.text.as_ref().ok().and_then(|at| self.texts[*at].parse.as_ref());
        parse.is_some_and(|parse| parse.docs.iter().any(|doc| matches!(doc.raw, fbc::raw::RawDoc::Package(_))))
    }

    /// The set, if all is parsed, and if several versions have catalogs with a package in common.
    #[must_use]
    pub fn finish(mut self, executor: Executor) -> Option<CatalogSet> {
        if !self.has_several_catalogs() {
            return None;
        }
        let set = self.set(executor, &[]);
        set.is_set().then_some(set)
    }

    /// The members of which all files are parsed, if the paths of all files that are not added yet are `coming`.
    #[must_use]
    pub fn preview(&mut self, coming: &[&str]) -> CatalogSet {
        self.set(Executor::default(), coming)
    }

    fn set(&mut self, executor: Executor, coming: &[&str]) -> CatalogSet {
        let has_roots = self.roots.is_some();
        let roots = self.roots();
        let drafts = self.versions().into_iter().filter_map(|version| self.draft(version, &roots, coming));
        let drafts: Vec<Draft<'_>> = drafts.collect();
        let keys: BTreeSet<&UnitKey> = drafts.iter().flat_map(|draft| &draft.units).collect();
        let new: Vec<&UnitKey> = keys.into_iter().filter(|key| !self.units.contains_key(*key)).collect();
        let made = executor.map(&new, |key| Arc::new(self.unit(key)));
        let made: Vec<(UnitKey, Arc<Unit>)> = new.into_iter().cloned().zip(made).collect();
        let mut files: Vec<SetFile> = self.texts.iter().map(|text| SetFile::new(Arc::clone(&text.text))).collect();
        for draft in &drafts {
            for (path, at) in &draft.files {
                files[*at].paths.entry(draft.version).or_default().push((*path).into());
            }
        }
        for mismatch in &self.candidate.mismatches {
            let key: Vec<Box<str>> = mismatch.dockerfile.split('/').map(Into::into).collect();
            let at = self.files.get(&key).and_then(|file| file.text.as_ref().ok());
            if let Some((at, version)) = at.zip(mismatch.declared.first()) {
                files[*at].paths.entry(*version).or_default().push(mismatch.dockerfile.clone());
            }
        }
        let mut operators: BTreeMap<&str, Operator> = BTreeMap::new();
        for (path, at) in &self.beside {
            let Some((name, template)) = self.beside(path) else { continue };
            let first = drafts.first().map(|draft| draft.version);
            first.into_iter().for_each(|version| files[*at].paths.entry(version).or_default().push(path.clone()));
            let new = || Operator { name: name.into(), ci: None, templates: BTreeMap::new() };
            let operator = operators.entry(name).or_insert_with(new);
            match template {
                None => operator.ci = Some(FileId(*at as u32)),
                Some(template) => _ = operator.templates.insert(template.into(), FileId(*at as u32)),
            }
        }
        let operators: Vec<Operator> = operators.into_values().collect();
        let known: BTreeMap<&UnitKey, &Arc<Unit>> =
            self.units.iter().chain(made.iter().map(|(key, unit)| (key, unit))).collect();
        let members = drafts.into_iter().map(|draft| draft.member(&known)).collect();
        let set = CatalogSet::new(&self.candidate, members, files, operators);
        self.units.extend(made);
        self.roots = has_roots.then_some(roots);
        set
    }

    fn unit(&self, key: &UnitKey) -> Unit {
        let file = |id: &FileId| {
            let text = &self.texts[id.0 as usize];
            Some(ReadFile { id: *id, text: &text.text, parse: text.parse.as_ref()?, fault: text.fault.as_ref() })
        };
        Unit::of(&key.files.iter().filter_map(file).collect::<Vec<_>>(), key.is_partial)
    }

    /// The files of a member, if all of them are parsed.
    fn draft(&self, version: OpenShift, roots: &BTreeSet<String>, coming: &[&str]) -> Option<Draft<'_>> {
        let places: Vec<&str> =
            self.candidate.places.iter().filter(|place| place.version == version).map(|place| &*place.path).collect();
        let is_own = |path: &str| places.iter().any(|place| is_below(path, place));
        if coming.iter().any(|path| is_own(path)) {
            return None;
        }
        let files = self.files.values().filter(|file| is_own(&file.path));
        let files: Vec<&File> = files.collect();
        let ignored = self.ignored(&files);
        let (mut served, mut unread) = (Vec::new(), Vec::new());
        for file in files.into_iter().filter(|file| !ignored.ignores(&file.path)) {
            let is_served = places.contains(&&*file.path) || is_served(roots, &file.path);
            match &file.text {
                // It may be a catalog, also in a folder that has no other one.
                Err(reason) => unread.push((file.path.clone(), reason.clone())),
                Ok(at) => {
                    let text = &self.texts[*at];
                    let is_waiting = text.parse.is_none() && (is_served || text.may_be_catalog);
                    if is_waiting {
                        return None;
                    }
                    let docs = text.parse.iter().flat_map(|parse| &parse.docs);
                    if is_served || docs.clone().any(|doc| is_of_catalog(&doc.raw)) {
                        served.push((&*file.path, *at));
                    }
                    let reason = text.why_unread();
                    unread.extend(reason.map(|found| (file.path.clone(), found.message.as_str().into())));
                }
            }
        }
        let packages = served.iter().map(|(_, at)| self.texts[*at].parse.as_ref().map(packages_of).unwrap_or_default());
        let units = units(&packages.collect::<Vec<_>>());
        let units = units.into_iter().map(|files| UnitKey {
            files: files.iter().map(|at| FileId(served[*at].1 as u32)).collect(),
            is_partial: !unread.is_empty(),
        });
        Some(Draft { version, units: units.collect(), places, unread, files: served })
    }

    /// What `.indexignore` files leave out.
    fn ignored(&self, files: &[&File]) -> IndexIgnore {
        let lists = files.iter().filter(|file| file.path.rsplit('/').next() == Some(".indexignore"));
        IndexIgnore::new(lists.filter_map(|file| Some((&*file.path, &*self.texts[*file.text.as_ref().ok()?].text))))
    }
}

/// Whether `opm` reads a file of a folder with a catalog.
fn is_served(roots: &BTreeSet<String>, path: &str) -> bool {
    path.match_indices('/').any(|(at, _)| roots.contains(&path[..at]))
}

/// A member before its units are lowered.
struct Draft<'l> {
    version: OpenShift,
    places: Vec<&'l str>,
    units: Vec<UnitKey>,
    files: Vec<(&'l str, usize)>,
    unread: Vec<(Box<str>, Box<str>)>,
}

impl Draft<'_> {
    fn member(self, known: &BTreeMap<&UnitKey, &Arc<Unit>>) -> Member {
        let units: Vec<Arc<Unit>> = self.units.iter().map(|key| Arc::clone(known[key])).collect();
        let named = |unit: &Arc<Unit>| {
            let unit = Arc::clone(unit);
            unit.packages.iter().map(|package| (package.name.clone(), Arc::clone(&unit))).collect::<Vec<_>>()
        };
        let by_package = units.iter().flat_map(named).collect();
        let mut packages: Vec<_> = units.iter().flat_map(|unit| unit.packages.iter().cloned()).collect();
        packages.sort_by(|one, other| one.name.cmp(&other.name));
        let unmatched_lifecycles = units.iter().flat_map(|unit| unit.unmatched_lifecycles.iter().cloned()).collect();
        let rejections = units.iter().filter_map(|unit| unit.rejected.as_ref());
        let rejected = rejections.min_by_key(|rejected| rejected.finding.opm_rank).cloned();
        Member {
            version: self.version,
            places: self.places.into_iter().map(Into::into).collect(),
            catalog: Catalog { packages, unmatched_lifecycles, is_partial: !self.unread.is_empty() },
            rejected,
            unread: self.unread,
            units,
            by_package,
        }
    }
}
