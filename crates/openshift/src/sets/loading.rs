//! Reads the files of a candidate, in steps, and makes a set of them. Texts that several members have are read once.

use crate::sets::recognise::{Candidate, Place};
use crate::sets::set::{CatalogSet, Hole, Member, Operator, SetFile};
use crate::sets::unit::{ReadFile, Rendered, Unit, UnitKey, is_of_catalog, packages_of, rendered, text_of, units};
use catalog::{IndexIgnore, is_about_unread};
use fbc::{Decoded, Parse, Reading};
use source::{Diagnostic, Executor, FileId, OpenShift, OpmVersion};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{DefaultHasher, Hasher};
use std::sync::Arc;
use template::{Images, Origins, TemplateKind, expand, kind_of};

/// The word without which a text has no document of a catalog.
const SCHEMA: &str = "olm.";

/// A set that is being read.
///
/// ```
/// use openshift::sets::{Loading, Paths, recognise};
///
/// let text = "schema: olm.package\nname: p\ndefaultChannel: c\n";
/// let paths = ["catalogs/v4.18/p.yaml", "catalogs/v4.19/p.yaml"];
/// let candidate = recognise(&Paths::new(paths.to_vec(), Vec::new())).sets.remove(0);
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
    /// What templates in folders without a catalog expand to, by the indexes of their texts.
    made: BTreeMap<usize, Result<Made, String>>,
    units: BTreeMap<UnitKey, Arc<Unit>>,
    /// The release of `opm` that judges.
    opm: OpmVersion,
    /// The folders of files with `olm.package` documents, once all files are read that may have some.
    roots: Option<BTreeSet<String>>,
}

/// What a template expands to.
#[derive(Clone, Copy, Debug)]
struct Made {
    text: usize,
    /// How many images no catalog has.
    unknown: usize,
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
    /// Where in a template its parts come from, if it is the expansion of one.
    origins: Option<Origins>,
}

impl Text {
    /// The finding that says that nothing or only a part of it was read.
    fn why_unread(&self) -> Option<&Diagnostic> {
        let parsed = self.parse.iter().flat_map(|parse| &parse.diagnostics);
        self.fault.iter().chain(parsed).find(|found| is_about_unread(found))
    }
}

/// Adds a file to those that want it: its bytes, or why they cannot be read.
pub fn add_file<'l>(loadings: impl IntoIterator<Item = &'l mut Loading>, path: &str, content: Result<Vec<u8>, String>) {
    let mut wanting = loadings.into_iter().filter(|loading| loading.wants(path));
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
            made: BTreeMap::new(),
            units: BTreeMap::new(),
            opm: OpmVersion::NEWEST,
            roots: None,
        }
    }

    /// The same with its catalogs judged as a release of `opm` does.
    #[must_use]
    pub fn judged_by(self, opm: OpmVersion) -> Self {
        Self { opm, ..self }
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

    /// Whether several versions have catalogs or templates of some, as far as files are parsed. The others are parts of one
    /// catalog with a version in their names, for instance.
    #[must_use]
    pub fn has_several_catalogs(&self) -> bool {
        let versions = self.files.values().flat_map(|file| {
            let (has_package, is_template) = (self.has_package(file), self.kind_of(file).is_some());
            let is_of =
                move |place: &&Place| has_package && place.serves(&file.path) || is_template && place.has(&file.path);
            self.candidate.places.iter().filter(is_of).map(|place| place.version)
        });
        versions.collect::<BTreeSet<_>>().len() > 1
    }

    /// The kind of template that a file is, if it is one.
    fn kind_of(&self, file: &File) -> Option<TemplateKind> {
        kind_of(self.texts[*file.text.as_ref().ok()?].parse.as_ref()?)
    }

    /// Whether a file belongs to a catalog of the candidate.
    #[must_use]
    pub fn wants(&self, path: &str) -> bool {
        let is_named = || self.candidate.doubts.iter().any(|doubt| *doubt.dockerfile == *path);
        let is_member = self.candidate.places.iter().any(|place| place.has(path) || place.serves(path));
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
        self.made.clear();
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
        self.texts.push(Text { text: text.into(), fault, may_be_catalog, reading: None, parse: None, origins: None });
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
            let served = self.files.values().filter(|file| self.is_served(&roots, &file.path));
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

    /// The set, if all is parsed, and if several versions have catalogs. Without a Dockerfile they need a package in common.
    ///
    /// # Errors
    /// The versions with templates that cannot be expanded, if it is no set.
    pub fn finish(mut self, executor: Executor) -> Result<CatalogSet, Vec<Hole>> {
        if !self.has_several_catalogs() {
            return Err(Vec::new());
        }
        let set = self.set(executor, &[]);
        if self.candidate.is_declared || set.is_set() {
            Ok(set)
        } else {
            Err(set.holes.into_iter().filter(|hole| hole.has_template).collect())
        }
    }

    /// The set with the catalogs that there are, if all is parsed; `None` without any.
    pub fn finish_whole(mut self, executor: Executor) -> Option<CatalogSet> {
        Some(self.set(executor, &[])).filter(|set| !set.members.is_empty())
    }

    /// The members of which all files are parsed, if the paths of all files that are not added yet are `coming`.
    #[must_use]
    pub fn preview(&mut self, coming: &[&str]) -> CatalogSet {
        self.set(Executor::default(), coming)
    }

    fn set(&mut self, executor: Executor, coming: &[&str]) -> CatalogSet {
        let has_roots = self.roots.is_some();
        let roots = self.roots();
        if coming.is_empty() {
            self.expand_templates(&roots);
        }
        let drafts = self.versions().into_iter().filter_map(|version| self.draft(version, &roots, coming));
        let (drafts, empty): (Vec<Draft<'_>>, Vec<Draft<'_>>) = drafts.partition(|draft| draft.has_catalog);
        let repeated = self.candidate.repeated.iter().map(|(version, paths)| Hole::of_several(*version, paths));
        let mut holes: Vec<Hole> = empty.iter().map(|draft| self.hole(draft)).chain(repeated).collect();
        holes.sort_by_key(|hole| hole.version);
        let keys: BTreeSet<&UnitKey> = drafts.iter().flat_map(|draft| &draft.units).collect();
        let new: Vec<&UnitKey> = keys.into_iter().filter(|key| !self.units.contains_key(*key)).collect();
        let made = executor.map(&new, |key| Arc::new(self.unit(key)));
        let made: Vec<(UnitKey, Arc<Unit>)> = new.into_iter().cloned().zip(made).collect();
        let mut files: Vec<SetFile> = self.texts.iter().map(|text| SetFile::new(Arc::clone(&text.text))).collect();
        for draft in &drafts {
            for (path, at) in draft.files.iter().chain(&draft.templates) {
                files[*at].paths.entry(draft.version).or_default().push((*path).into());
            }
        }
        for (file, text) in files.iter_mut().zip(&self.texts) {
            file.origins.clone_from(&text.origins);
        }
        for doubt in &self.candidate.doubts {
            let key: Vec<Box<str>> = doubt.dockerfile.split('/').map(Into::into).collect();
            if let Some(at) = self.files.get(&key).and_then(|file| file.text.as_ref().ok()) {
                files[*at].paths.entry(doubt.version).or_default().push(doubt.dockerfile.clone());
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
        let rendered = self.rendered(&drafts);
        let members = drafts.into_iter().map(|draft| draft.member(&known)).collect();
        let mut set = CatalogSet::new(&self.candidate, members, holes, files, operators, rendered);
        set.judge(self.opm);
        self.units.extend(made);
        self.roots = has_roots.then_some(roots);
        set
    }

    fn unit(&self, key: &UnitKey) -> Unit {
        let file = |id: &FileId| {
            let text = &self.texts[id.0 as usize];
            Some(ReadFile { id: *id, text: &text.text, parse: text.parse.as_ref()?, fault: text.fault.as_ref() })
        };
        Unit::of(&key.files.iter().filter_map(file).collect::<Vec<_>>(), key)
    }

    /// Expands the templates of folders without a catalog.
    fn expand_templates(&mut self, roots: &BTreeSet<String>) {
        let drafts = self.versions().into_iter().filter_map(|version| self.draft(version, roots, &[]));
        let empty = drafts.filter(|draft| !draft.has_catalog);
        let new: BTreeSet<usize> = empty.flat_map(|draft| draft.templates).map(|(_, at)| at).collect();
        let mut made = Vec::new();
        let images = self.images();
        for at in new.into_iter().filter(|at| !self.made.contains_key(at)) {
            let expansion = expand(FileId(at as u32), &self.texts[at].text, &images);
            made.push((at, text_of(&expansion), expansion.missing.len()));
        }
        for (at, text, unknown) in made {
            let made = text.map(|text| Made { text: self.new_expansion(at, text), unknown });
            self.made.insert(at, made);
        }
    }

    /// Adds the expansion of a template as a text of its own.
    fn new_expansion(&mut self, template: usize, text: String) -> usize {
        let at = self.texts.len();
        let parse = fbc::parse(FileId(at as u32), &text);
        let origins = Some(Origins::of(FileId(template as u32), &self.texts[template].text, &parse));
        let parse = Some(parse);
        self.texts.push(Text { text: text.into(), fault: None, may_be_catalog: true, reading: None, parse, origins });
        at
    }

    /// The bundles of all catalogs.
    fn images(&self) -> Images<'_> {
        let mut images = Images::default();
        for text in self.texts.iter().filter(|text| text.origins.is_none()) {
            text.parse.iter().for_each(|parse| images.add(&text.text, parse));
        }
        images
    }

    /// What the templates give that are beside catalogs.
    fn rendered(&self, drafts: &[Draft<'_>]) -> BTreeMap<FileId, Result<Rendered, String>> {
        let own = drafts.iter().flat_map(|draft| &draft.templates).map(|(_, at)| *at);
        let of_operators =
            self.beside.iter().filter(|(path, _)| self.beside(path).is_some_and(|(_, name)| name.is_some()));
        let all: BTreeSet<usize> = own.chain(of_operators.map(|(_, at)| *at)).collect();
        let images = if all.is_empty() { Images::default() } else { self.images() };
        let of_text = |at: usize| {
            let id = FileId(at as u32);
            Some((id, rendered(id, &self.texts[at].text, &images)?))
        };
        all.into_iter().filter(|at| !self.made.contains_key(at)).filter_map(of_text).collect()
    }

    /// A version without a catalog, and why.
    fn hole(&self, draft: &Draft<'_>) -> Hole {
        let why = draft.templates.iter().find_map(|(path, at)| Some((path, self.made.get(at)?.as_ref().err()?)));
        let reason = why.map(|(path, why)| format!("only a template, not rendered (`{path}`): {why}"));
        let has_template = reason.is_some();
        Hole { version: draft.version, reason: reason.unwrap_or_else(|| "no catalog".to_owned()).into(), has_template }
    }

    /// The files of a member, if all of them are parsed.
    fn draft(&self, version: OpenShift, roots: &BTreeSet<String>, coming: &[&str]) -> Option<Draft<'_>> {
        let places: Vec<&Place> = self.candidate.places.iter().filter(|place| place.version == version).collect();
        let is_own = |path: &str| places.iter().any(|place| place.serves(path));
        if coming.iter().any(|path| is_own(path)) {
            return None;
        }
        let files = self.files.values().filter(|file| is_own(&file.path));
        let files: Vec<&File> = files.collect();
        let ignored = self.ignored(&files);
        let (mut served, mut unread, mut has_catalog) = (Vec::new(), Vec::new(), false);
        let mut broken = Vec::new();
        for file in files.into_iter().filter(|file| !ignored.ignores(&file.path)) {
            let is_place = |place: &&Place| *place.path == *file.path;
            let is_served = places.iter().any(is_place) || self.is_served(roots, &file.path);
            match &file.text {
                // It may be a catalog, also in a folder that has no other one.
                Err(reason) => unread.push((file.path.clone(), reason.clone())),
                Ok(at) => {
                    let text = &self.texts[*at];
                    let is_waiting = text.parse.is_none() && (is_served || text.may_be_catalog);
                    if is_waiting {
                        return None;
                    }
                    let is_broken = text.parse.as_ref().is_some_and(|parse| !parse.diagnostics.is_empty());
                    broken.extend((is_broken && text.may_be_catalog).then_some((&*file.path, *at)));
                    let mut docs = text.parse.iter().flat_map(|parse| &parse.docs);
                    let is_catalog = docs.any(|doc| is_of_catalog(&doc.raw));
                    has_catalog |= is_catalog;
                    if is_served || is_catalog {
                        served.push((&*file.path, *at));
                    }
                    let reason = text.why_unread();
                    unread.extend(reason.map(|found| (file.path.clone(), found.message.as_str().into())));
                }
            }
        }
        has_catalog |= !unread.is_empty();
        let named: BTreeSet<&str> = places.iter().flat_map(|place| &place.templates).map(|path| &**path).collect();
        // What an image serves is no template of it.
        let is_beside = |path: &str| {
            let is_of = |place: &&Place| place.has(path) && (place.served.is_empty() || !place.serves(path));
            places.iter().any(is_of)
        };
        let is_own = |path: &str| if named.is_empty() { is_beside(path) } else { named.contains(path) };
        let templates = self.files.values().filter(|file| self.kind_of(file).is_some() && is_own(&file.path));
        let templates: Vec<(&str, usize)> =
            templates.filter_map(|file| Some((&*file.path, *file.text.as_ref().ok()?))).collect();
        let mut unknown = 0;
        if !has_catalog {
            if !coming.is_empty() {
                return None;
            }
            let made = templates.iter().map(|(path, at)| Some((*path, self.made.get(at)?.as_ref().ok()?)));
            let made: Vec<(&str, &Made)> = made.collect::<Option<_>>().unwrap_or_default();
            has_catalog = !made.is_empty();
            unknown = made.iter().map(|(_, made)| made.unknown).sum();
            served = made.iter().map(|(path, made)| (*path, made.text)).collect();
            if templates.is_empty() && !broken.is_empty() {
                (served, has_catalog) = (broken, true);
            }
        }
        let packages = served.iter().map(|(_, at)| self.texts[*at].parse.as_ref().map(packages_of).unwrap_or_default());
        let units = units(&packages.collect::<Vec<_>>());
        let units = units.into_iter().map(|files| UnitKey {
            files: files.iter().map(|at| FileId(served[*at].1 as u32)).collect(),
            is_partial: !unread.is_empty(),
            has_unknown_images: unknown > 0,
        });
        let units = units.collect();
        Some(Draft { version, units, places, unread, files: served, has_catalog, templates, unknown })
    }

    /// Whether `opm` reads a file: it is below a folder with a catalog, or in one that an image serves.
    fn is_served(&self, roots: &BTreeSet<String>, path: &str) -> bool {
        let is_copied = |place: &Place| !place.served.is_empty() && place.serves(path);
        path.match_indices('/').any(|(at, _)| roots.contains(&path[..at]))
            || self.candidate.places.iter().any(is_copied)
    }

    /// What `.indexignore` files leave out.
    fn ignored(&self, files: &[&File]) -> IndexIgnore {
        let lists = files.iter().filter(|file| file.path.rsplit('/').next() == Some(".indexignore"));
        IndexIgnore::new(lists.filter_map(|file| Some((&*file.path, &*self.texts[*file.text.as_ref().ok()?].text))))
    }
}

/// A member before its units are lowered.
struct Draft<'l> {
    version: OpenShift,
    places: Vec<&'l Place>,
    units: Vec<UnitKey>,
    files: Vec<(&'l str, usize)>,
    unread: Vec<(Box<str>, Box<str>)>,
    /// Whether any of its files is one of a catalog, or may be, or its templates can be expanded.
    has_catalog: bool,
    /// The templates in its folder.
    templates: Vec<(&'l str, usize)>,
    /// How many images of the templates that it is made of no catalog has.
    unknown: usize,
}

impl Draft<'_> {
    fn member(self, known: &BTreeMap<&UnitKey, &Arc<Unit>>) -> Member {
        let units = self.units.iter().map(|key| Arc::clone(known[key])).collect();
        Member {
            places: self.places.into_iter().cloned().collect(),
            templates: self.templates.into_iter().map(|(_, at)| FileId(at as u32)).collect(),
            unknown_images: self.unknown,
            ..Member::of(self.version, units, self.unread)
        }
    }
}
