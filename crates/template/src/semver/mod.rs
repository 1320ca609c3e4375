//! Expands `olm.semver`: makes channels from the versions of bundles (`alpha/template/semver/semver.go`).

mod bundles;
mod channels;
mod conflicts;
mod read;
mod stream;

use crate::budget::{Budget, TooLarge};
use crate::description::describe;
use crate::expansion::Report;
use crate::images::{CatalogBundle, not_found};
use crate::{Document, ExpandedCatalog, Expansion, Images, Package, TemplateKind, source_text};
use bundles::Member;
use fbc::YamlDocument;
use read::Template;
use source::{Diagnostic, Rule, Span, Spanned};
use std::collections::BTreeMap;
use stream::UNREADABLE;

/// Expands the template in `document`.
pub(crate) fn expand(text: &str, document: YamlDocument, images: &Images<'_>) -> Expansion {
    let mut report = Report::default();
    let place = document.node.span.at_start();
    let template = read::read(text, document, &mut report);
    let (rendered, missing) = render(&template, images, &mut report);
    if rendered.is_empty() && missing.is_empty() {
        let finding = Diagnostic::new(Rule::InvalidTemplate, place, "the template lists no bundles");
        report.reject(
            finding
                .with_opm("render: no bundles specified or no bundles could be rendered")
                .with_help("list images under `candidate`, `fast` or `stable`, as `bundles: [{image: ...}]`"),
        );
    }
    let (package, members) = bundles::members(&template, &rendered, &mut report);
    let catalog = match build(&template, &package, &members, Budget::of(images.bytes + text.len())) {
        Ok(catalog) => catalog,
        Err(too_large) => {
            report.reject_too_large(too_large.diagnostic(place));
            None
        }
    };
    report.expansion(TemplateKind::Semver, missing, catalog)
}

/// The result for a text that is not YAML.
pub(crate) fn broken(mut fault: Diagnostic) -> Expansion {
    fault.opm = fault.opm.map(|words| format!("{UNREADABLE}{words}"));
    let mut report = Report::default();
    report.reject(fault);
    report.expansion(TemplateKind::Semver, Vec::new(), None)
}

type Missing = Vec<Spanned<Box<str>>>;

/// The bundles of all images, and the images that no loaded catalog has.
fn render<'a>(
    template: &Template,
    images: &Images<'a>,
    report: &mut Report,
) -> (BTreeMap<Box<str>, CatalogBundle<'a>>, Missing) {
    let mut rendered = BTreeMap::new();
    let mut missing: BTreeMap<&str, &Spanned<Box<str>>> = BTreeMap::new();
    let mut order = Vec::new();
    for image in template.lists.iter().flatten() {
        if rendered.contains_key(&image.value) || missing.contains_key(&*image.value) {
            continue;
        }
        match images.get(&image.value) {
            Some(bundle) => {
                images.ambiguous(image).into_iter().for_each(|finding| report.note(finding));
                rendered.insert(image.value.clone(), bundle);
            }
            None => {
                missing.insert(&image.value, image);
                order.push(image.clone());
                if image.value.is_empty() {
                    report.note(no_image(image));
                }
                report.needs_registry(not_found(&image.value));
            }
        }
    }
    (rendered, order)
}

fn no_image(image: &Spanned<Box<str>>) -> Diagnostic {
    Diagnostic::new(Rule::MissingField, image.span, "the bundle has no `image`")
        .with_help("add the `image` of the bundle, or remove the entry")
}

/// The catalog of the bundles that can be ordered; `None` if there are none.
fn build(
    template: &Template,
    package: &str,
    members: &[Vec<Member<'_>>; 3],
    mut budget: Budget,
) -> Result<Option<ExpandedCatalog>, TooLarge> {
    if members.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let made = channels::channels(template, package, members, &mut budget)?;
    let last = made.channels.iter().find(|channel| channel.name == made.default_channel);
    let head = last.and_then(|channel| channel.entries.last()).and_then(|entry| {
        members.iter().flatten().find(|member| *member.name == *entry.name).map(|member| member.bundle)
    });
    let (description, icon) = head.map(describe).unwrap_or_default();
    let package = Package { name: package.into(), default_channel: made.default_channel, description, icon };
    let mut documents = vec![Document::of_package(&package)];
    documents.extend(made.channels.iter().map(Document::of_channel));
    let bundles: BTreeMap<Span, CatalogBundle<'_>> =
        members.iter().flatten().map(|member| (member.bundle.span, member.bundle)).collect();
    for bundle in bundles.into_values() {
        documents.push(bundle_document(bundle, &mut budget)?);
    }
    Ok(Some(ExpandedCatalog::new(vec![package], made.channels, documents)))
}

/// The document of a bundle, with the text of the catalog that it was found in.
pub(crate) fn bundle_document(bundle: CatalogBundle<'_>, budget: &mut Budget) -> Result<Document, TooLarge> {
    let text = source_text::document(bundle.text, bundle.span);
    budget.spend(text.len())?;
    Ok(Document { schema: "olm.bundle".into(), package: bundle.package().into(), name: bundle.name().into(), text })
}
