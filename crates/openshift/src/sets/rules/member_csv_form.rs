//! `member-bundle-object` and `member-csv-metadata`: a catalog has one of the two properties, by its version of OpenShift.

use crate::sets::finding::Finding;
use crate::sets::set::{CatalogSet, Member};
use catalog::{Bundle, Package};
use source::{CsvForm, FileId, OpmVersion, Rule, Severity};

pub(super) fn check(set: &CatalogSet, is_made: &dyn Fn(FileId) -> bool) -> Vec<Finding> {
    set.members.iter().flat_map(|member| of_member(member, is_made)).collect()
}

fn of_member(member: &Member, is_made: &dyn Fn(FileId) -> bool) -> Vec<Finding> {
    let form = member.version.csv_form();
    let packages = member.catalog.packages.iter().map(|package| &**package);
    let bundles: Vec<(&Package, &Bundle)> = packages
        .flat_map(|package| package.bundles.iter().map(move |bundle| (package, bundle)))
        .filter(|(_, bundle)| !bundle.has_unknown_contents && !is_made(bundle.span.file))
        .collect();
    let with = |form| bundles.iter().filter(move |(_, bundle)| has(bundle, form)).copied().collect::<Vec<_>>();
    let others = with(form.other());
    let bare = bundles.iter().filter(|(_, bundle)| !has(bundle, form) && !has(bundle, form.other())).copied();
    let bare: Vec<_> = bare.collect();
    let is_rendered = bare.len() < bundles.len();
    let mut found = Vec::new();
    found.extend((!others.is_empty()).then(|| finding(member, &others, form.other(), wrong(member, form))));
    if is_rendered && !bare.is_empty() {
        // Nobody but Konflux looks at bundles below the heads.
        let why = format!("the pipelines of Konflux want `{}` in each", form.property());
        found.push(finding(member, &bare, form, why).with_severity(Severity::Warning));
    }
    found
}

const fn has(bundle: &Bundle, form: CsvForm) -> bool {
    match form {
        CsvForm::Objects => bundle.has_objects,
        CsvForm::Metadata => bundle.has_metadata,
    }
}

/// What is wrong with the other form than this one.
fn wrong(member: &Member, form: CsvForm) -> String {
    let property = form.property();
    match form {
        CsvForm::Metadata => {
            format!("from 4.17 on, catalogs have `{property}` instead, and the pipelines refuse this")
        }
        CsvForm::Objects if OpmVersion::NEWEST.serving(Some(member.version)) < OpmVersion::CSV_METADATA => format!(
            "up to 4.16, catalogs have `{property}` instead, the pipelines of Konflux refuse this, and before 4.14 \
             OperatorHub does not show the package"
        ),
        CsvForm::Objects => {
            format!("up to 4.16, catalogs have `{property}` instead, and the pipelines of Konflux refuse this")
        }
    }
}

/// The finding about these bundles of a member, some of which have a property that they must not have, or lack one.
fn finding(member: &Member, bundles: &[(&Package, &Bundle)], form: CsvForm, why: String) -> Finding {
    let (package, first) = bundles[0];
    let lack = if has(first, form) { "" } else { "no " };
    let which = match bundles.len() {
        1 => format!("`{}`", first.name),
        count => format!("{count} bundles, such as `{}`", first.name),
    };
    let message = format!("{lack}`{}` in {which}: {why}", form.property());
    let rule = match form {
        CsvForm::Objects => Rule::MemberBundleObject,
        CsvForm::Metadata => Rule::MemberCsvMetadata,
    };
    let mut found = Finding::of_member(rule, member.version, &package.name, Some(first.name.span), message);
    found.package = found.package.filter(|_| bundles.iter().all(|(other, _)| other.name == package.name));
    found
}
