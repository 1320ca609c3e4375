//! Why a channel has no repair.

use catalog::{Channel, Package};
use release::{Reason, Refusal};
use session::Finding;
use session::{CatalogInput, FileInput};
use source::Rule;
use template::TemplateKind;
use views::FileKey;

/// Why no edit that was found is offered.
pub(super) fn no_safe_edit() -> Refusal {
    Refusal::new(
        Reason::NotEditable,
        "the edits that would help change other entries, too, or break what other versions or OLM v1 do",
        "write the entries without anchors and aliases, or edit the channel by hand and compare",
    )
}

/// Whether a file is the expansion of a template that does not list the entries as they are.
fn is_computed(catalog: &CatalogInput, file: &FileInput) -> bool {
    let template = file.expanded_from.and_then(|key| catalog.file(key));
    template.is_some_and(|template| template::kind_of(template.parse()) != Some(TemplateKind::Basic))
}

/// Why the text of a channel is not edited, if it is not.
pub(super) fn not_editable(catalog: &CatalogInput, channel: &Channel) -> Option<Refusal> {
    let file = catalog.file(FileKey(channel.span.file.0))?;
    let (sentence, instead) = if catalog.bundle_tree.is_some() {
        (
            "the channel is made of bundle directories, and published ones are not edited",
            "let the next release skip the versions, or convert the operator to a file-based catalog",
        )
    } else if is_computed(catalog, file) {
        (
            "the channel is made of a template that has other entries",
            "render the template with `opscope template`, and repair the result",
        )
    } else if file.expanded_from.is_none() && !file.is_editable() {
        ("the file is not plain text", "convert it to UTF-8")
    } else {
        return None;
    };
    Some(Refusal::new(Reason::NotEditable, sentence, instead))
}

/// The refusal if `opm` rejects the package for something else than the edges of its channels.
pub(super) fn rejected_otherwise(catalog: &CatalogInput, package: &Package) -> Option<Refusal> {
    let mut findings = faults(catalog)
        .filter(|finding| finding.subject.as_ref().is_none_or(|subject| subject.package == package.name));
    findings.next().map(|_| Refusal::rejected_otherwise())
}

/// What `opm` rejects the catalog for, and no edge mends.
pub(crate) fn faults(catalog: &CatalogInput) -> impl Iterator<Item = &Finding> {
    let edges = [Rule::MultipleChannelHeads, Rule::NoChannelHead, Rule::ReplacesCycle, Rule::StrandedEntry];
    let is_fault = move |found: &&Finding| found.diagnostic.opm.is_some() && !edges.contains(&found.diagnostic.rule);
    catalog.analysis.findings.iter().filter(is_fault)
}

/// The refusal of a catalog that `opm` rejects for something that no edge mends: nobody gets an update from it.
pub(crate) fn rejected_catalog(catalog: &CatalogInput) -> Option<Refusal> {
    let fault = &faults(catalog).next()?.diagnostic;
    let sentence = format!("opm rejects the catalog: {}", fault.opm.as_deref().unwrap_or_default());
    let instead = fault.help.clone().unwrap_or_else(|| Refusal::rejected_otherwise().instead);
    Some(Refusal::new(Reason::RejectedOtherwise, sentence, instead))
}
