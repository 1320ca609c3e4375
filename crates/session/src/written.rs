//! What the page asks to be written: at once into a catalog that is open, and as files and patches for the catalogs of a set.

use crate::authoring::{Authoring, ReleaseRequest, Written, made_of_bundles};
use crate::new_bundle::{NewBundle, policy_of};
use crate::offered::AuthoredCatalog;
use crate::write_edits::WrittenFile;
use crate::{Expand, NewText, Workbench};
use openshift::sets::{CatalogSet, Member};
use release::{Reason, Refusal, patch};
use source::{CsvForm, FileId};
use std::collections::BTreeSet;
use views::{AuthoringInput, CatalogId, FileEdit, FileKey, OpenShift, SetId, WrittenCatalog, WrittenView};

/// What would be written into the members of a set that have a package from the same files.
struct SetWritten {
    versions: Vec<OpenShift>,
    authored: AuthoredCatalog,
    texts: Vec<SetText>,
}

/// A file of a set with another text.
struct SetText {
    key: FileKey,
    paths: Vec<Box<str>>,
    before: String,
    after: String,
}

impl Workbench {
    /// Writes into a catalog. Returns the edits that undo it, one for each edited file.
    ///
    /// # Errors
    ///
    /// Why nothing is written, and what to do.
    pub fn author_input(
        &mut self,
        catalog: CatalogId,
        input: &AuthoringInput,
        new: Option<&NewBundle>,
    ) -> Result<Vec<FileEdit>, String> {
        let undo = |written: Written| written.files.into_iter().map(|file| file.undo).collect();
        if let AuthoringInput::Release(trial) = input {
            let new = new.ok_or("the bundle has to be opened again")?;
            let new = &new.clone().in_image(&trial.image);
            let written = self.author(catalog, &Authoring::Trial { new, trial });
            return written.map(undo).map_err(|refusal| refusal.sentence);
        }
        let written = with_authoring(input, (new, None), |what| self.author_catalog(catalog, what)).result;
        written.map(undo).map_err(|refusal| format!("{}; {}", refusal.sentence, refusal.instead))
    }

    /// What would be written into the catalogs of a set.
    #[must_use]
    pub fn written(&self, set: SetId, input: &AuthoringInput, new: Option<&NewBundle>) -> WrittenView {
        let all = self.set_written(set, input, new);
        let count = |all: &mut dyn Iterator<Item = &SetWritten>| all.map(|one| one.versions.len()).sum::<usize>();
        let changed = count(&mut all.iter().filter(|one| one.authored.result.is_ok()));
        let sentence = match count(&mut all.iter()) {
            0 => "No catalog of the set has the package.".to_owned(),
            of => format!("{changed} of {of} catalogs with the package change."),
        };
        WrittenView { sentence, catalogs: all.iter().map(SetWritten::view).collect(), files: Vec::new() }
    }

    /// The name and the bytes of a patch of the catalogs of a set; see [`Workbench::written_files`] for the files themselves.
    #[must_use]
    pub fn written_patch(&self, set: SetId, input: &AuthoringInput, new: Option<&NewBundle>) -> String {
        let of_text =
            |text: SetText| text.paths.iter().map(|path| patch(path, &text.before, &text.after)).collect::<Vec<_>>();
        self.texts(set, input, new).flat_map(of_text).collect()
    }

    /// The files of the catalogs of a set that would change, with their new texts.
    #[must_use]
    pub fn written_files(
        &self,
        set: SetId,
        input: &AuthoringInput,
        new: Option<&NewBundle>,
    ) -> Vec<(Box<str>, String)> {
        let of_text = |text: SetText| {
            let SetText { paths, after, .. } = text;
            paths.into_iter().map(move |path| (path, after.clone()))
        };
        self.texts(set, input, new).flat_map(of_text).collect()
    }

    fn texts(&self, set: SetId, input: &AuthoringInput, new: Option<&NewBundle>) -> impl Iterator<Item = SetText> {
        self.set_written(set, input, new).into_iter().flat_map(|one| one.texts)
    }

    fn set_written(&self, id: SetId, input: &AuthoringInput, new: Option<&NewBundle>) -> Vec<SetWritten> {
        let Some(set) = self.sets().iter().find(|input| input.id == id).map(|input| &input.set) else {
            return Vec::new();
        };
        if set.is_of_bundles() {
            let versions = set.members.iter().map(|member| member.version).collect();
            return vec![SetWritten { versions, authored: made_of_bundles().into(), texts: Vec::new() }];
        }
        let package = match input {
            AuthoringInput::Release(_) => new.map(|new| &*new.bundle.package).unwrap_or_default(),
            AuthoringInput::Remove { package, .. }
            | AuthoringInput::Deprecate { package, .. }
            | AuthoringInput::Edge { package, .. } => package,
            // It is about one catalog.
            AuthoringInput::Fix { .. } => return Vec::new(),
        };
        set.edited_together(package).iter().map(|members| written(set, members, package, input, new)).collect()
    }
}

fn written(
    set: &CatalogSet,
    members: &[&Member],
    package: &str,
    input: &AuthoringInput,
    new: Option<&NewBundle>,
) -> SetWritten {
    let versions: Vec<OpenShift> = members.iter().map(|member| member.version).collect();
    let files = members.first().map(|member| set.sources_of(member, package)).unwrap_or_default();
    let paths = |file: &openshift::sets::SetFile| {
        versions.iter().filter_map(|version| file.paths.get(version)).flatten().cloned().collect::<Vec<_>>()
    };
    let text = |(_, file): &(FileId, &openshift::sets::SetFile)| NewText {
        path: paths(file).first().map(ToString::to_string).unwrap_or_default(),
        content: Ok(file.text.as_bytes().to_vec()),
    };
    let mut workbench = Workbench::expanding(Expand::Templates);
    let id = workbench.add_catalog("catalog", files.iter().map(text).collect(), &mut |_| {});
    new.into_iter().for_each(|new| workbench.add_new_bundle(new));
    let is_template =
        |(id, _): &(FileId, &openshift::sets::SetFile)| members.iter().any(|one| one.templates.contains(id));
    if files.iter().any(is_template) {
        // Templates take the images of all catalogs of the set, first of all of their own.
        let catalogs = members.iter().copied().chain(&set.members).flat_map(|member| set.files_of(member, package));
        let mut known = BTreeSet::new();
        let others = catalogs.filter(|(id, file)| !file.is_expansion() && known.insert(*id));
        let image = |(id, file): (FileId, &openshift::sets::SetFile)| NewText {
            path: format!("{}.yaml", id.0),
            content: Ok(file.text.as_bytes().to_vec()),
        };
        workbench.add_catalog("images", others.map(image).collect(), &mut |_| {});
    }
    let forms: BTreeSet<CsvForm> = versions.iter().map(|version| version.csv_form()).collect();
    let form = forms.first().copied().filter(|_| forms.len() == 1);
    let authored = with_authoring(input, (new, form), |what| workbench.author_catalog(id, what));
    let of_file = |written: &WrittenFile| {
        let file = workbench.file(written.key).map(|(_, file)| file)?;
        let (_, known) =
            files.iter().find(|(_, known)| paths(known).first().is_some_and(|path| **path == *file.path))?;
        let (before, after) = (known.text.to_string(), file.text.clone());
        Some(SetText { key: written.key, paths: paths(known), before, after })
    };
    let texts = authored.files().filter_map(of_file).collect();
    SetWritten { versions, authored, texts }
}

/// What the page asks for as the workbench takes it.
fn with_authoring(
    input: &AuthoringInput,
    (new, form): (Option<&NewBundle>, Option<CsvForm>),
    with: impl FnOnce(&Authoring<'_>) -> AuthoredCatalog,
) -> AuthoredCatalog {
    match input {
        AuthoringInput::Release(trial) => {
            let gone = || Refusal::new(Reason::Missing, "the bundle is not open any more", "drop its folder again");
            let (Some(new), policy @ Some(_)) = (new, policy_of(&trial.policy)) else { return gone().into() };
            let new = new.clone().in_image(&trial.image);
            let channels: Vec<String> = trial.entries.iter().map(|entry| entry.channel.clone()).collect();
            with(&Authoring::Release(ReleaseRequest { form, ..ReleaseRequest::of(&new, policy, &channels) }))
        }
        AuthoringInput::Remove { package, name, stays_listed } => {
            with(&Authoring::Remove { package, version: name, stays_listed: *stays_listed })
        }
        AuthoringInput::Deprecate { package, what, message } => with(&Authoring::Deprecate { package, what, message }),
        AuthoringInput::Edge { package, edit } => with(&Authoring::Edge { package, edit }),
        AuthoringInput::Fix { title, changes } => with(&Authoring::Fix { title, changes }),
    }
}

impl SetWritten {
    fn view(&self) -> WrittenCatalog {
        let paths = |file: &WrittenFile| {
            let text = self.texts.iter().find(|text| text.key == file.key);
            text.map(|text| text.paths.join(", ")).unwrap_or_default()
        };
        let title = format!("OpenShift {}", OpenShift::list(&self.versions));
        WrittenCatalog { openshift: self.versions.clone(), ..self.authored.view(title, paths) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{set_of, yaml};
    use views::{Deprecatee, Target, Trial};

    const OLD: &str = "package p stable\nchannel p stable p.v1.1.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 1.1.0";
    const NEW: &str = "package p stable\nchannel p stable p.v1.0.0\nbundle p 1.0.0";
    const CSV: &str = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: p.v1.2.0\nspec:\n  version: 1.2.0\n";
    const ANNOTATIONS: &str = "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  operators.operatorframework.io.bundle.channels.v1: stable\n";

    fn texts(files: &[(&str, String)]) -> Vec<NewText> {
        files
            .iter()
            .map(|(path, text)| NewText { path: (*path).to_owned(), content: Ok(text.clone().into()) })
            .collect()
    }

    /// Two members with the same files, one with others, one without the package.
    fn set() -> (Workbench, SetId) {
        let other = "package q stable\nchannel q stable q.v1.0.0\nbundle q 1.0.0";
        set_of(&[
            ("catalogs/v4.16/p/catalog.yaml", &yaml(NEW)),
            ("catalogs/v4.17/p/catalog.yaml", &yaml(OLD)),
            ("catalogs/v4.18/p/catalog.yaml", &yaml(OLD)),
            ("catalogs/v4.18/q/catalog.yaml", &yaml(other)),
            ("catalogs/v4.19/q/catalog.yaml", &yaml(other)),
        ])
    }

    #[test]
    fn members_that_are_made_of_templates_are_written_there() {
        let template = "schema: olm.template.basic\nentries:\n- {schema: olm.package, name: p, defaultChannel: stable}\n\
                        - schema: olm.channel\n  package: p\n  name: stable\n  entries:\n  - {name: p.v1.0.0}\n- {schema: olm.bundle, image: i}\n";
        let commented = format!("# {template}").replacen("\nentries", "\nschema: olm.template.basic\nentries", 1);
        let (workbench, id) = set_of(&[
            ("v4.16/template.yaml", template),
            ("v4.16/catalog/p.yaml", &yaml(NEW)),
            ("v4.17/template.yaml", &commented),
            ("v4.18/catalog/p.yaml", &yaml(NEW)),
        ]);
        let input = AuthoringInput::Deprecate {
            package: "p".to_owned(),
            what: Deprecatee::Channel("stable".to_owned()),
            message: "m".to_owned(),
        };
        let written = workbench.written_files(id, &input, None);
        let paths: Vec<&str> = written.iter().map(|(path, _)| &**path).collect();
        assert_eq!(paths, ["v4.16/template.yaml", "v4.17/template.yaml", "v4.18/catalog/p.yaml"]);
        assert!(
            written[1].1.starts_with("# schema: olm.template.basic\n") && written[1].1.contains("olm.deprecations")
        );
    }

    fn release(workbench: &Workbench) -> (NewBundle, AuthoringInput) {
        let files = [("manifests/csv.yaml", CSV.to_owned()), ("metadata/annotations.yaml", ANNOTATIONS.to_owned())];
        let new = NewBundle::of(&texts(&files)).unwrap();
        let view = workbench.trial(0, &new).unwrap();
        let entries = view.targets[0].policies[0].channels.iter().map(|row| row.entry.clone()).collect();
        let trial =
            Trial { number: 0, image: "quay.io/p:1.2.0".to_owned(), policy: "replace-head".to_owned(), entries };
        (new, AuthoringInput::Release(trial))
    }

    #[test]
    fn a_bundle_can_be_released_into_all_catalogs_of_a_set_that_have_its_package() {
        let (workbench, id) = set();
        let (new, input) = release(&workbench);
        let target = &workbench.trial(0, &new).unwrap().targets[0];
        assert_eq!((target.target, &*target.name), (Target::Set(id), "repository (3 catalogs)"));
        let expected =
            "OpenShift 4.16: Its entry replaces `p.v1.0.0`. OpenShift 4.17 to 4.18: Its entry replaces `p.v1.1.0`.";
        assert_eq!((&*target.policies[0].policy, &*target.policies[0].channels[0].edge), ("replace-head", expected));
        let view = workbench.written(id, &input, Some(&new));
        assert_eq!(view.sentence, "3 of 3 catalogs with the package change.");
        let shown: Vec<_> =
            view.catalogs.iter().map(|one| (&*one.title, one.reason.is_some(), &*one.files[0].path)).collect();
        let expected = [
            ("OpenShift 4.16", false, "catalogs/v4.16/p/catalog.yaml"),
            ("OpenShift 4.17 to 4.18", false, "catalogs/v4.17/p/catalog.yaml, catalogs/v4.18/p/catalog.yaml"),
        ];
        assert_eq!(shown, expected);
        let added: Vec<&str> = view.catalogs[1].files[0].diff.lines().filter(|line| line.starts_with('+')).collect();
        assert!(added.iter().any(|line| line.contains("quay.io/p:1.2.0")), "{added:?}");
        let patch = workbench.written_patch(id, &input, Some(&new));
        assert_eq!(patch.matches("\n+++ b/").count(), 3, "{patch}");
        let files = workbench.written_files(id, &input, Some(&new));
        assert_eq!(files.len(), 3);
        assert!(files.iter().all(|(_, text)| text.contains("p.v1.2.0")));
    }

    #[test]
    fn what_a_catalog_of_a_set_cannot_take_is_said_beside_what_others_can() {
        let (workbench, id) = set();
        let name = "p.v1.0.0".to_owned();
        let input = AuthoringInput::Remove { package: "p".to_owned(), name, stays_listed: false };
        let view = workbench.written(id, &input, None);
        assert_eq!(view.sentence, "2 of 3 catalogs with the package change.");
        assert!(view.catalogs[0].reason.is_some() && view.catalogs[0].files.is_empty());
        assert!(view.catalogs[0].sentences()[0].starts_with("Nothing is written: "), "{:?}", view.catalogs[0]);
        let input = AuthoringInput::Deprecate {
            package: "p".to_owned(),
            what: Deprecatee::Channel("stable".to_owned()),
            message: "use another one".to_owned(),
        };
        assert_eq!(workbench.written(id, &input, None).sentence, "3 of 3 catalogs with the package change.");
        let none = AuthoringInput::Remove { package: "r".to_owned(), name: "r.v1".to_owned(), stays_listed: false };
        assert_eq!(workbench.written(id, &none, None).sentence, "No catalog of the set has the package.");
    }
}
