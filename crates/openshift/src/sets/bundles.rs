//! The set that the index build makes of bundle directories, by their annotation `com.redhat.openshift.versions`.

use crate::sets::finding::Finding;
use crate::sets::set::{CatalogSet, Member, SetFile};
use crate::sets::unit::{ReadFile, Rejected, Unit, UnitKey};
use bundle::File;
use bundle_tree::{VersionedCatalog, by_openshift, catalog_versions};
use catalog::predicate::PackageName;
use fbc::raw::RawDoc;
use fbc::{Decoded, Parse, decode_bytes, parse};
use source::{Diagnostic, Executor, FileId, OpenShift, OpmVersion, Rule, Severity, Span};
use std::collections::BTreeMap;
use std::sync::Arc;
use template::Origins;

/// Makes the catalogs of bundle directories among files, which a release of `opm` judges; each file has its bytes, or why they
/// cannot be read. `None` without bundle directories, or if all their catalogs are made of catalog templates.
///
/// # Errors
/// Why there is nothing to compare.
pub fn set_of_bundles(
    files: Vec<(String, Result<Vec<u8>, String>)>,
    opm: OpmVersion,
    executor: Executor,
) -> Result<Option<CatalogSet>, String> {
    let (paths, contents): (Vec<String>, Vec<_>) = files.into_iter().unzip();
    let texts: Vec<Decoded> = (0..).map(FileId).zip(contents).map(|(id, content)| decoded(id, content)).collect();
    let files = paths.iter().zip(&texts).enumerate().map(|(at, (path, Decoded { text, fault }))| File {
        id: FileId(at as u32),
        path,
        text,
        fault: fault.as_ref(),
    });
    let tree = by_openshift(&files.collect::<Vec<_>>());
    if tree.packages.is_empty() && tree.unknown.is_empty() {
        return Ok(None);
    }
    if !tree.has_ranges && tree.unknown.is_empty() {
        return Err(
            "no bundle directory has the annotation `com.redhat.openshift.versions`: the catalogs of all versions \
                    of OpenShift have all bundles, so that there is nothing to compare"
                .to_owned(),
        );
    }
    let catalogs =
        tree.packages.iter().flat_map(|package| package.catalogs.iter().map(|catalog| (&*package.name, catalog)));
    let catalogs: Vec<(u32, &str, &VersionedCatalog)> =
        (paths.len() as u32..).zip(catalogs).map(|(id, (name, catalog))| (id, name, catalog)).collect();
    let made = executor.map(&catalogs, |(id, _, catalog)| Made::of(FileId(*id), catalog));
    let has = |version: OpenShift| catalogs.iter().any(|(_, _, catalog)| catalog.versions.contains(&version));
    let versions: Vec<OpenShift> = catalog_versions().skip_while(|version| !has(*version)).collect();
    let Some((first, last)) = versions.first().copied().zip(versions.last().copied()) else {
        return Err(
            "the catalogs of OpenShift have none of the bundles, by their `com.redhat.openshift.versions`".to_owned()
        );
    };
    let unknown: Vec<(Box<str>, Box<str>)> =
        tree.unknown.iter().map(|(folder, why)| (folder.as_str().into(), why.as_str().into())).collect();
    let member = |version: &OpenShift| {
        let own = || catalogs.iter().zip(&made).filter(|((_, _, catalog), _)| catalog.versions.contains(version));
        let is_built = |made: &&Made| made.unread.is_none() && !made.unit.packages.is_empty();
        let units = own().map(|(_, made)| made).filter(is_built).map(|made| Arc::clone(&made.unit)).collect();
        let unread = own().filter_map(|((_, name, _), made)| Some(((*name).into(), made.unread.clone()?)));
        let mut member = Member::of(*version, units, unknown.iter().cloned().chain(unread).collect());
        let unbuilt = own().filter(|(_, made)| !is_built(made));
        let unbuilt = unbuilt.map(|((_, name, _), made)| (PackageName::from(*name), Arc::clone(&made.unit)));
        member.by_package.extend(unbuilt);
        member
    };
    let members = versions.iter().map(member).collect();
    let finding = |package: Option<&str>, from, to, found: &Diagnostic| Finding {
        rule: found.rule,
        severity: found.severity,
        package: package.map(PackageName::from),
        channel: None,
        from,
        to,
        message: found.message.clone(),
        rows: Vec::new(),
        way_out: None,
        spans: vec![(from, found.span)],
    };
    let is_error = |found: &&Diagnostic| found.severity == Severity::Error;
    let mut findings: Vec<Finding> =
        tree.findings.iter().filter(is_error).map(|found| finding(None, first, last, found)).collect();
    for package in &tree.packages {
        // The others are what the rules of sets find.
        let rules = [Rule::BundleRangeInvalid, Rule::BundleRangeEnds];
        let own = package.findings.iter().filter(|found| rules.contains(&found.rule));
        findings.extend(own.map(|found| finding(Some(&package.name), first, last, found)));
        for catalog in &package.catalogs {
            let of_channels = catalog.findings.iter().filter(|found| found.rule != Rule::IgnoredSubstitution);
            for found in of_channels {
                let of_version = |version: &OpenShift| finding(Some(&package.name), *version, *version, found);
                findings.extend(catalog.versions.iter().map(of_version));
            }
        }
    }
    let mut files: Vec<SetFile> = Vec::new();
    for (Decoded { text, .. }, path) in texts.into_iter().zip(paths) {
        let mut file = SetFile::new(text.into());
        file.paths.insert(first, vec![path.into()]);
        files.push(file);
    }
    for made in made {
        let mut file = SetFile::new(made.text.into());
        file.origins = Some(made.origins);
        files.push(file);
    }
    let mut set = CatalogSet {
        pattern: "".into(),
        members,
        holes: Vec::new(),
        files,
        doubts: Vec::new(),
        operators: Vec::new(),
        rendered: BTreeMap::new(),
        of_bundles: Some(findings),
    };
    set.judge(opm);
    Ok(Some(set))
}

fn decoded(id: FileId, content: Result<Vec<u8>, String>) -> Decoded {
    content.map(|bytes| decode_bytes(id, bytes)).unwrap_or_else(|reason| {
        let message = format!("the file cannot be read: {reason}");
        Decoded {
            text: String::new(),
            fault: Some(Diagnostic::new(Rule::UnreadableFile, Span::new(id, 0, 0), message)),
        }
    })
}

/// A package as it is made of bundle directories for some of the versions.
struct Made {
    text: String,
    origins: Origins,
    unit: Arc<Unit>,
    /// Why there is no answer.
    unread: Option<Box<str>>,
}

impl Made {
    fn of(id: FileId, catalog: &VersionedCatalog) -> Self {
        let text: Result<String, String> = catalog.documents.iter().map(bundle::Document::to_yaml).collect();
        let (text, unread) = match text {
            Ok(text) => (text, None),
            Err(why) => (String::new(), Some(why.into())),
        };
        let parse = parse(id, &text);
        let file = ReadFile { id, text: &text, parse: &parse, fault: None };
        let key = UnitKey { files: vec![id], is_partial: false, has_unknown_images: false };
        let mut unit = Unit::of(&[file], &key);
        if let Some(refused) = catalog.findings.iter().find(|found| found.rule == Rule::UnbuiltPackage) {
            unit.rejected = Some(Rejected { text: refused.message.as_str().into(), finding: refused.clone() });
        }
        let origins = origins(&parse, &catalog.bundles);
        Self { origins, unit: Arc::new(unit), unread, text }
    }
}

/// The CSVs that the documents and entries of a package come from: what is not of one bundle, from the highest.
fn origins(parse: &Parse, bundles: &[(String, Span)]) -> Origins {
    let by_name: BTreeMap<&str, (usize, Span)> =
        bundles.iter().enumerate().map(|(at, (name, span))| (&**name, (at, *span))).collect();
    let mut parts: Vec<(Span, Span)> = Vec::new();
    for doc in &parse.docs {
        let of = |name: &Option<source::Spanned<Box<str>>>| by_name.get(&*name.as_ref()?.value).copied();
        let highest = match &doc.raw {
            RawDoc::Channel(raw) => {
                let entries = raw.entries.iter().filter_map(|entry| Some((entry.span, of(&entry.name)?)));
                let entries: Vec<(Span, (usize, Span))> = entries.collect();
                parts.extend(entries.iter().map(|(entry, (_, origin))| (*entry, *origin)));
                entries.into_iter().map(|(_, origin)| origin).max()
            }
            RawDoc::Bundle(raw) => of(&raw.name),
            _ => None,
        };
        let origin = highest.map(|(_, origin)| origin).or_else(|| bundles.last().map(|(_, origin)| *origin));
        parts.extend(origin.map(|origin| (doc.span, origin)));
    }
    Origins::from_parts(parts)
}
