//! What is found in packages by themselves, which is most of what is checked: an edit changes it for few of them.

use catalog::{Catalog, Package};
use lint::{Input, ParsedFiles};
use source::{Diagnostic, Executor, FileId, Findings};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Packages, sorted by name, and the findings that depend on each of them and on the text of its documents alone.
#[derive(Default)]
pub struct CheckedPackages(Vec<(Arc<Package>, Vec<Diagnostic>)>);

impl CheckedPackages {
    /// Checks the packages of a catalog, perhaps several at once. A package that is the same as before, and has no document in a
    /// file that `changed`, keeps its findings, and the catalog shares it.
    pub(crate) fn check(
        &mut self,
        catalog: &mut Catalog,
        files: &ParsedFiles<'_>,
        changed: &BTreeSet<FileId>,
        executor: Executor,
    ) -> Vec<Diagnostic> {
        for package in &mut catalog.packages {
            let is_same = |known: &Package| !package.files().any(|file| changed.contains(&file)) && *known == **package;
            if let Some((known, _)) = self.named(package).filter(|(known, _)| is_same(known)) {
                *package = Arc::clone(known);
            }
        }
        let input = Input { catalog, files };
        let check = |package: &Arc<Package>, findings: &mut Findings| match self.named(package) {
            Some((known, found)) if Arc::ptr_eq(known, package) => findings.extend(found.iter().cloned()),
            _ => check_package(input, package, findings),
        };
        let (found, hints) = executor.findings(&catalog.packages, check);
        let all = found.iter().flatten().chain(&hints).cloned().collect();
        // Where some are not kept, a package does not have all of its findings.
        let found = found.into_iter().take_while(|_| hints.is_empty());
        self.0 = catalog.packages.iter().cloned().zip(found).collect();
        all
    }

    /// The package of this name.
    fn named(&self, package: &Package) -> Option<&(Arc<Package>, Vec<Diagnostic>)> {
        let at = self.0.binary_search_by(|(known, _)| known.name.cmp(&package.name)).ok()?;
        self.0.get(at)
    }
}

fn check_package(input: Input<'_>, package: &Package, findings: &mut Findings) {
    catalog::check_package(package, findings);
    findings.extend(update_graph::check_package(package));
    lint::check_package(input, package, findings);
}

#[cfg(test)]
mod tests {
    use crate::testing::yaml;
    use crate::{NewText, Workbench};
    use std::sync::Arc;
    use views::{CatalogId, FileKey};

    const P: &str = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0 requires q >=1.2.0_<1.3.0";
    const Q: &str = "package q c\nchannel q c q.v1.2.0\nbundle q 1.2.0";

    /// A catalog of two files.
    fn workbench() -> (Workbench, [String; 2]) {
        let texts = [P, Q].map(|sketch| yaml(sketch).replace('_', " "));
        let file = |(path, text): (&str, &String)| NewText { path: path.to_owned(), content: Ok(text.clone().into()) };
        let mut workbench = Workbench::new();
        let files = ["p.yaml", "q.yaml"].into_iter().zip(&texts).map(file).collect();
        workbench.add_catalog("c", files, &mut |_| {});
        (workbench, texts)
    }

    /// Replaces the first occurrence of a text in a file by one that is as long.
    fn replace(workbench: &mut Workbench, texts: &[String; 2], file: usize, from: &str, to: &str) {
        assert_eq!(from.len(), to.len());
        let start = texts[file].find(from).expect("the text has it") as u32;
        workbench.edit(FileKey(file as u32), start..start + from.len() as u32, to);
    }

    fn messages(workbench: &Workbench) -> Vec<&str> {
        let findings = &workbench.catalog(CatalogId(0)).unwrap().analysis.findings;
        findings.iter().map(|found| &*found.diagnostic.message).collect()
    }

    #[test]
    fn an_edit_of_what_the_model_leaves_out_is_checked() {
        let (mut workbench, texts) = workbench();
        let before = messages(&workbench).len();
        replace(&mut workbench, &texts, 1, "displayName: P,", "displayName: ~,");
        assert_eq!(messages(&workbench).len(), before + 1);
        assert!(messages(&workbench).iter().any(|message| message.contains("no `displayName`")));
        replace(&mut workbench, &texts, 1, "displayName: P,", "displayName: Q,");
        assert_eq!(messages(&workbench).len(), before);
    }

    #[test]
    fn a_finding_about_a_requirement_follows_the_required_package() {
        let (mut workbench, texts) = workbench();
        assert!(messages(&workbench).iter().any(|message| message.ends_with("it matches 1.2.0 of 1 version")));
        replace(&mut workbench, &texts, 1, "version: 1.2.0", "version: 1.4.0");
        assert!(messages(&workbench).iter().any(|message| message.ends_with("it matches none of 1 version")));
    }

    #[test]
    fn a_package_of_another_file_is_shared_with_what_was_opened() {
        let (mut workbench, texts) = workbench();
        replace(&mut workbench, &texts, 0, "image: i", "image: j");
        let catalog = workbench.catalog(CatalogId(0)).unwrap();
        let opened = &catalog.opened.as_ref().expect("an edit").analysis.catalog.packages;
        let present = &catalog.analysis.catalog.packages;
        let is_shared: Vec<bool> = opened.iter().zip(present).map(|(one, other)| Arc::ptr_eq(one, other)).collect();
        assert_eq!(is_shared, [false, true]);
    }
}
