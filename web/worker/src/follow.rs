//! Takes what `opscope open` tells of files on the disk into the catalogs that they make.

use crate::fetch;
use crate::inbox::Inbox;
use crate::load::{Cancelled, Root, RootFile};
use crate::server::Server;
use crate::store::StoredSource;
use session::{CatalogInput, Content, KeptEdits, NewText, Purpose, Renewed, Workbench, has_bundle_directory};
use std::collections::BTreeMap;
use views::{CatalogId, FileKey, FileState, FollowedFiles, Opened, SavedFile, SetId};
use web_sys::Blob;

/// A file or folder that the user named, as it is on the disk, and what it was loaded as.
#[derive(Default)]
pub(crate) struct FollowedRoot {
    files: BTreeMap<String, Result<Blob, String>>,
    catalog: Option<CatalogId>,
    sets: Vec<SetId>,
    purpose: Purpose,
}

/// A file that changed; without content if it is gone.
type Change = (String, Option<Result<Blob, String>>);

impl Server {
    /// Takes files as they are on the disk now. What the user removed from the page stays away.
    pub(crate) async fn follow(
        &mut self,
        inbox: &mut Inbox,
        followed: FollowedFiles,
        blobs: Vec<Blob>,
        opened: &mut Vec<Opened>,
    ) -> Result<(), Cancelled> {
        let mut all = Renewed::default();
        for (name, changes) in by_root(&followed, blobs) {
            let root = self.followed.entry(name.clone()).or_default();
            let is_new = root.files.is_empty();
            if followed.manifests.contains(&name) {
                root.purpose = Purpose::Manifests;
            }
            for (path, content) in &changes {
                match content {
                    Some(content) => drop(root.files.insert(path.clone(), content.clone())),
                    None => drop(root.files.remove(path)),
                }
            }
            let (catalog, sets) = (root.catalog, root.sets.clone());
            let is_open = |set: &SetId| self.session.workbench.sets().iter().any(|input| input.id == *set);
            let is_removed = match catalog {
                Some(id) => self.session.workbench.catalog(id).is_none(),
                None => !sets.is_empty() && !sets.iter().any(is_open),
            };
            if is_removed {
                continue;
            }
            match self.renew(&name, &changes).await {
                Some(Renewed { changed, contradicted }) => {
                    all.changed.extend(changed);
                    all.contradicted.extend(contradicted);
                }
                None => all.contradicted.extend(self.load_again(inbox, &name, opened).await?),
            }
            let Some(root) = self.followed.get(&name).filter(|_| is_new && followed.baselines.contains(&name)) else {
                continue;
            };
            root.catalog.into_iter().for_each(|id| self.session.workbench.set_baseline(id, true));
            root.sets.iter().for_each(|id| self.session.workbench.set_baseline_set(*id, true));
        }
        let sets: Vec<SetId> = self.followed.values().flat_map(|root| root.sets.iter().copied()).collect();
        let Renewed { changed, contradicted } = self.session.workbench.renew_members(&sets);
        all.changed.extend(changed);
        all.contradicted.extend(contradicted);
        self.attach_bundle_files(opened);
        // The page takes what was opened beside the catalogs differently.
        opened.insert(0, Opened::Followed { contradicted: all.contradicted, changed: all.changed });
        Ok(())
    }

    /// Gives the files of a catalog the texts that they have on the disk, if nothing more changed than texts.
    async fn renew(&mut self, name: &str, changes: &[Change]) -> Option<Renewed> {
        let root = self.followed.get(name).filter(|root| root.sets.is_empty())?;
        let catalog = root.catalog?;
        let is_bundles = has_bundle_directory(root.files.keys().map(String::as_str));
        let mut texts = Vec::new();
        for (path, content) in changes {
            let bytes = fetch::whole(content.as_ref()?.as_ref().ok()?).await.ok()?;
            let is_whole = |bytes: &Vec<u8>| {
                let Content { catalog, other } = Content::of(bytes.clone(), Purpose::Any);
                catalog.is_some() && other.is_none()
            };
            if !is_bundles && !is_whole(&bytes) {
                return None;
            }
            texts.push(NewText { path: path.clone(), content: Ok(bytes) });
        }
        self.session.workbench.renew(catalog, texts)
    }

    /// Loads all files of a root, in the place of what it was loaded as before, with the edits of the user. Returns the
    /// files whose new texts contradict these.
    async fn load_again(
        &mut self,
        inbox: &mut Inbox,
        name: &str,
        opened: &mut Vec<Opened>,
    ) -> Result<Vec<FileKey>, Cancelled> {
        let Some(root) = self.followed.get(name) else { return Ok(Vec::new()) };
        let files: Vec<RootFile> = root.files.iter().map(|(path, content)| (path.clone(), content.clone())).collect();
        let known = root.catalog.and_then(|id| self.session.workbench.catalog(id));
        let kept = known.map(|catalog| (catalog.id, StoredSource::of(catalog)));
        let edits = known.map(KeptEdits::of);
        let (sets, purpose) = (root.sets.clone(), root.purpose);
        let root = Root { kept, sets, purpose, ..Root::of(name.to_owned(), files) };
        if let Some((id, _)) = &root.kept {
            drop(self.session.workbench.remove(*id));
        }
        let before = opened.len();
        let loaded = self.load(inbox, vec![root], opened).await?;
        let sets = opened[before..].iter().filter_map(|opened| match opened {
            Opened::Set(id) => Some(*id),
            _ => None,
        });
        let catalog = loaded.first().copied();
        if let Some(root) = self.followed.get_mut(name) {
            root.sets = sets.collect();
            root.catalog = catalog;
        }
        Ok(catalog.zip(edits).map(|(id, edits)| self.session.workbench.edit_again(id, edits)).unwrap_or_default())
    }
}

/// The edits of all followed files.
pub(crate) fn unsaved(workbench: &Workbench, followed: &BTreeMap<String, FollowedRoot>) -> Vec<SavedFile> {
    let catalogs = followed.iter().flat_map(|(name, root)| {
        let is_of_root = |catalog: &&CatalogInput| {
            Some(catalog.id) == root.catalog || catalog.member_of().is_some_and(|set| root.sets.contains(&set))
        };
        workbench.catalogs().iter().filter(is_of_root).map(move |catalog| (name, catalog))
    });
    let files = catalogs.flat_map(|(name, catalog)| catalog.edited_files().map(move |file| (name, file)));
    let saved = files.map(|(name, file)| SavedFile {
        root: name.clone(),
        path: file.path.clone(),
        before: file.opened_text().into_owned(),
        after: file.text.clone(),
    });
    saved.collect()
}

/// The changes of each root, in the order in which they are told.
fn by_root(followed: &FollowedFiles, blobs: Vec<Blob>) -> Vec<(String, Vec<Change>)> {
    let mut blobs = blobs.into_iter();
    let mut roots: Vec<(String, Vec<Change>)> = Vec::new();
    for file in &followed.files {
        let content = match &file.state {
            FileState::Read(_) => blobs.next().map(Ok),
            FileState::Unread(reason) => Some(Err(reason.clone())),
            FileState::Gone => None,
        };
        let change = (file.path.clone(), content);
        match roots.last_mut().filter(|(name, _)| *name == file.root) {
            Some((_, changes)) => changes.push(change),
            None => roots.push((file.root.clone(), vec![change])),
        }
    }
    roots
}
