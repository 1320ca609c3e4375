//! Takes what was given into the inputs.

use crate::file::NewText;
use crate::input::Workbench;
use crate::intake::{Catalogs, Given, Intake, Purpose, TakenIn};
use crate::load::Loading;
use crate::new_bundle::NewBundle;
use crate::stray_files::AttachedFiles;
use cluster::MustGather;
use source::{Executor, OpenShift};
use views::{CatalogId, Opened, SetId};

/// What is taken together.
#[derive(Default)]
pub struct Taking {
    /// The sets that the same files made before, which the new ones replace in this order.
    pub before: Vec<SetId>,
    /// The sets that the files make now.
    pub sets: Vec<SetId>,
    pub opened: Vec<Opened>,
}

/// A catalog that is still to be loaded.
pub struct NewCatalog {
    pub name: String,
    pub files: Vec<NewText>,
}

impl Workbench {
    /// Takes what was given with a name; bundles that can be tried on catalogs are added to `bundles`. Returns the catalogs that are
    /// still to be loaded, and the session that is to be opened.
    pub fn take(
        &mut self,
        name: &str,
        TakenIn { given, .. }: TakenIn,
        bundles: &mut Vec<NewBundle>,
        taking: &mut Taking,
    ) -> (Vec<NewCatalog>, Option<Vec<u8>>) {
        let (mut catalogs, mut session) = (Vec::new(), None);
        let alone = given.iter().filter(|one| matches!(one, Given::Catalogs(found) if !found.is_set)).count();
        for given in given {
            let opened = &mut taking.opened;
            match given {
                Given::Catalogs(Catalogs { set, is_set: true, .. }) => self.take_set(name, set, taking),
                Given::Catalogs(found) => {
                    let folder = if alone > 1 { format!("-{}", found.set.pattern) } else { String::new() };
                    let files = found.set.members.iter().flat_map(|member| found.set.files_in(member));
                    let files = files.map(|(path, text)| NewText { path, content: Ok(text.into()) }).collect();
                    catalogs.push(NewCatalog { name: format!("{name}{folder}"), files });
                }
                Given::Catalog { files, .. } => {
                    if let Ok(set) = crate::of_bundles(files.clone(), self.opm(), Executor::default()) {
                        self.take_set(name, set, taking);
                    }
                    catalogs.push(NewCatalog { name: name.to_owned(), files });
                }
                Given::Bundle(files) => {
                    let new = NewBundle::of(&files);
                    let view = new.as_ref().and_then(|new| self.trial(bundles.len() as u32, new));
                    match new.zip(view) {
                        Some((new, view)) => {
                            bundles.push(new);
                            opened.push(Opened::NewBundle(view));
                        }
                        None => catalogs.push(NewCatalog { name: name.to_owned(), files }),
                    }
                }
                Given::Manifests(text) => add_manifests(opened, text),
                Given::MustGather { found, unread, others } => {
                    let MustGather { objects, copied, .. } = found;
                    opened.push(Opened::MustGather { name: name.to_owned(), objects, copied, others });
                    // A document with a fault, so that the manifests show which file is missing, and why.
                    let faults =
                        unread.iter().map(|file| format!("[ # {} cannot be read: {}\n", file.path, file.reason));
                    let whole = if unread.is_empty() { found.marked_complete() } else { found.manifests };
                    let texts = (objects > 0).then_some(whole).into_iter().chain(faults);
                    texts.for_each(|text| add_manifests(opened, text));
                }
                Given::ImageSet(text) => opened.push(Opened::ImageSet { text }),
                Given::PackageManifests(view) => opened.push(Opened::PackageManifests(view)),
                Given::Session(compressed) => session = Some(compressed),
                Given::Nothing { path, reason } => opened.push(Opened::NotUnpacked { name: path, reason }),
            }
        }
        (catalogs, session)
    }

    fn take_set(&mut self, name: &str, set: openshift::sets::CatalogSet, taking: &mut Taking) {
        let known = taking.before.get(taking.sets.len()).copied();
        let id = self.put_set(known, name, set, Vec::new());
        taking.sets.push(id);
        taking.opened.push(Opened::Set(id));
    }

    /// Opens files that are all there, below something with this name.
    pub fn open_files(&mut self, name: &str, files: Vec<NewText>, bundles: &mut Vec<NewBundle>) -> Vec<Opened> {
        let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
        let intake = Intake::of(name, paths, Purpose::Any).judged_by(self.opm());
        let taken =
            intake.all(Executor::default(), |wanted, _| wanted.iter().map(|at| files[*at].content.clone()).collect());
        let mut taking = Taking::default();
        // Only the page can open sessions: their bytes are compressed.
        let (catalogs, _) = self.take(name, taken, bundles, &mut taking);
        let mut loaded = Vec::new();
        for NewCatalog { name, files } in catalogs {
            let mut loading = self.begin_loading(&name, files);
            while !self.continue_loading(&mut loading, u32::MAX) {}
            loaded.extend(self.take_back(&loading, &mut taking.opened).then_some(loading));
        }
        self.finish_loading(&loaded);
        let attached = self.attach_bundle_files();
        taking.opened.extend(
            attached.lost.into_iter().map(|name| Opened::NotUnpacked { name, reason: AttachedFiles::LOST.to_owned() }),
        );
        taking.opened
    }

    /// Opens a text that somebody pasted.
    pub fn open_text(&mut self, text: String, name: Option<&str>, bundles: &mut Vec<NewBundle>) -> Vec<Opened> {
        let path = if text.trim_start().starts_with('{') { "pasted.json" } else { "pasted.yaml" };
        let file = NewText { path: path.to_owned(), content: Ok(text.into_bytes()) };
        let mut opened = self.open_files(name.unwrap_or("pasted"), vec![file], bundles);
        for one in &mut opened {
            if let Opened::NotUnpacked { name, .. } = one
                && name == path
            {
                "the pasted text".clone_into(name);
            }
        }
        opened
    }

    /// Takes back a catalog that is being loaded, if its only file is no catalog, and says why. Returns whether it stays.
    pub fn take_back(&mut self, loading: &Loading, opened: &mut Vec<Opened>) -> bool {
        let first = self.catalog(loading.catalog).and_then(|catalog| catalog.files.iter().next());
        let name = first.map(|file| file.path.clone()).unwrap_or_default();
        match self.take_back_no_catalog(loading) {
            Some(reason) => {
                opened.push(Opened::NotUnpacked { name, reason });
                false
            }
            None => true,
        }
    }

    /// Removes the sets that the same files do not make any more.
    pub fn remove_former_sets(&mut self, taking: &Taking) {
        let gone = taking.before.iter().filter(|id| !taking.sets.contains(id));
        gone.for_each(|id| self.remove_set(*id));
    }

    /// The files of a member of a set, with the paths that they have in the set.
    #[must_use]
    pub fn member_files(&self, id: SetId, version: OpenShift) -> Vec<NewText> {
        let set = self.sets().iter().find(|input| input.id == id).map(|input| &input.set);
        let files = set.and_then(|set| Some(set.files_in(set.member(version)?)));
        let text = |(path, text): (String, &str)| NewText { path, content: Ok(text.into()) };
        files.unwrap_or_default().into_iter().map(text).collect()
    }

    /// Opens a member of a set as a catalog, a baseline if the set is one.
    pub fn open_member(&mut self, id: SetId, version: OpenShift) -> CatalogId {
        let files = self.member_files(id, version);
        let is_baseline = self.sets().iter().any(|input| input.id == id && input.is_baseline);
        let name = if is_baseline { format!("{version}-before") } else { version.to_string() };
        let catalog = self.add_catalog(&name, files, &mut |_| {});
        self.set_member(catalog, (id, version));
        if is_baseline {
            self.set_baseline(catalog, true);
        }
        catalog
    }
}

/// Adds manifests to those that were opened: all are one stream.
fn add_manifests(opened: &mut Vec<Opened>, text: String) {
    let present = opened.iter_mut().find_map(|opened| match opened {
        Opened::Manifests { text } => Some(text),
        _ => None,
    });
    let Some(present) = present else { return opened.push(Opened::Manifests { text }) };
    if !present.ends_with('\n') {
        present.push('\n');
    }
    *present += "---\n";
    *present += &text;
}
