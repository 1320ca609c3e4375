//! The rule `unservable`.
//!
#![doc = include_str!("unservable.md")]
use crate::index::Input;
use fbc::raw::{RawBundle, RawDoc, RawOther, RawProperty, Text};
use source::{Diagnostic, Findings, QuickFix, Rule};

const HELP: &str = "opm validate accepts this, but opm serve then fails for the whole catalog";

pub(super) fn check(input: Input<'_>, findings: &mut Findings) {
    for doc in input.files.iter().flat_map(|file| &file.parse.docs) {
        match &doc.raw {
            RawDoc::Bundle(bundle) => findings.extend(second_metadata(bundle)),
            RawDoc::Other(other) => findings.extend(unsafe_name(other)),
            RawDoc::Package(_) | RawDoc::Channel(_) | RawDoc::Deprecations(_) => {}
        }
    }
}

fn second_metadata(bundle: &RawBundle) -> Option<Diagnostic> {
    let is_metadata =
        |property: &&RawProperty| property.kind.as_ref().is_some_and(|kind| *kind.value == *"olm.csv.metadata");
    let mut metadata = bundle.properties.iter().filter(is_metadata);
    let (first, second) = (metadata.next()?, metadata.next()?);
    let name = bundle.name.as_ref().map_or("", |name| &name.value);
    let span = second.kind.as_ref().map_or(second.span, |kind| kind.span);
    let message = format!("bundle `{name}` has two `olm.csv.metadata` properties; at most one is allowed");
    let remove = QuickFix::remove(second.span, "this property");
    let finding = Diagnostic::new(Rule::Unservable, span, message).with_help(HELP).with_fix(remove);
    Some(finding.with_label(first.kind.as_ref().map_or(first.span, |kind| kind.span), "first here"))
}

fn unsafe_name(other: &RawOther) -> Option<Diagnostic> {
    let package = other.package.as_ref().filter(|package| !package.value.is_empty());
    let schema = std::iter::once(("schema", &other.schema));
    let mut texts = schema.chain(package.map(|package| ("packageName", package)));
    let (field, text): (&str, &Text) = texts.find(|(_, text)| !is_safe(&text.value))?;
    let message = format!("opm serve rejects `{text}`: only letters, digits, `.`, `_` and `-` are allowed");
    let error = format!("invalid custom schema meta: invalid {field} {:?}: must match {SAFE}", text.value);
    Some(Diagnostic::new(Rule::Unservable, text.span, message).with_help(format!("{HELP}: `{error}`")))
}

/// What the cache accepts, as its error shows it.
const SAFE: &str = "^[a-zA-Z0-9][a-zA-Z0-9._-]*$";

/// Whether a name matches [`SAFE`].
fn is_safe(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == two metadata properties
            c: 1.0.0 (property olm.csv.metadata {}; property olm.csv.metadata {})
                                                             ^^^^^^^^^^^^^^^^ unservable: bundle `p.v1.0.0` has two `olm.csv.metadata` properties; at most one is allowed
            == one
            c: 1.0.0 (property olm.csv.metadata {})
            == a schema with a slash
            schema: my/schema
                    ^^^^^^^^^ unservable: opm serve rejects `my/schema`: only letters, digits, `.`, `_` and `-` are allowed
            == a schema with a dot
            schema: my.schema
            package: p
        ";
        check(Rule::Unservable, cases);
    }

    #[test]
    fn a_slash_in_the_schema_of_lifecycle_data_shows_the_error_of_opm_serve() {
        let text = "schema: io.openshift.operators/lifecycles.v1alpha1\npackage: p\n";
        let parse = fbc::parse(source::FileId(0), text);
        let fbc::raw::RawDoc::Other(other) = &parse.docs[0].raw else { panic!("{parse:?}") };
        let error = "`invalid custom schema meta: invalid schema \"io.openshift.operators/lifecycles.v1alpha1\": \
                     must match ^[a-zA-Z0-9][a-zA-Z0-9._-]*$`";
        assert!(super::unsafe_name(other).unwrap().help.unwrap().ends_with(error));
    }
}
