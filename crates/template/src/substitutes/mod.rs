//! Expands `olm.template.substitutes`: a whole catalog in which bundles, named by image, take the places of others
//! (`alpha/template/substitutes/substitutes.go`).

mod config;

use crate::basic::{Chosen, Fields, Form};
use crate::expand::{Budget, Report, TooLarge};
use crate::images::{CatalogBundle, Images};
use crate::kind::SUBSTITUTION;
use crate::rules::stranding_substitution::{self, Stranding};
use crate::{ExpandedCatalog, Expansion, TemplateKind};
use config::{Config, Rejection, Replaced, VersionRelease, name};
use fbc::raw::Text;
use fbc::{FieldNames, GoStruct, GoType, Node, Value, go_misfit, same_field, second_spellings};
use go_semver::blang::Quoted;
use source::{Diagnostic, FileId, Rule, Span, Spanned, nearest};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How it is read.
static FORM: Form = Form {
    kind: TemplateKind::Substitutes,
    go: ("substitutes", "SubstitutesTemplateData"),
    unread: "render: unable to parse template: ",
    unloaded: UNLOADED,
    fields: &["schema", "entries", "substitutions"],
};

const UNLOADED: &str = "render: unable to create declarative config from entries: ";
const INVALID: &str = "render: entries are not valid FBC: ";

/// The Go type of the template, without what [`Form`] reads.
static TEMPLATE: GoType = GoType::Struct(&GoStruct {
    package: "substitutes",
    name: "SubstitutesTemplateData",
    fields: &[("substitutions", GoType::List(&SUBSTITUTION))],
});
/// How many labels a finding has at most.
const MAX_LABELS: usize = 20;

struct Substitution {
    span: Span,
    image: Text,
    /// The name of the bundle whose place it takes.
    base: Box<str>,
}

/// Expands the template in the first document of a text.
pub(crate) fn expand(file: FileId, text: &str, images: &Images<'_>, chosen: Chosen) -> Expansion {
    let mut report = Report::default();
    let mut missing = Vec::new();
    let node = FORM.first_document(file, text, &mut report);
    let catalog = node.as_ref().map_or(Ok(None), |node| {
        let others = |fields: Fields<'_>, report: &mut Report| substitutions(node, fields, report);
        let (entries, substitutions) = FORM.read(node, text, chosen, &mut report, others);
        let config = Config::new(file, text, entries);
        let budget = Budget::of(images.bytes + text.len());
        let mut expander =
            Expander { config, images, report: &mut report, missing: &mut missing, budget, is_valid: true };
        expander.substitute_all(&substitutions)?;
        expander.finish()
    });
    let catalog = catalog.unwrap_or_else(|too_large| {
        report.reject_too_large(too_large.diagnostic(Span::new(file, 0, 0)));
        None
    });
    report.expansion(TemplateKind::Substitutes, missing, catalog)
}

fn substitutions(node: &Node, fields: Fields<'_>, report: &mut Report) -> Vec<Substitution> {
    let Some(list) = fields.get("substitutions") else { return Vec::new() };
    if let Some(misfit) = go_misfit(node, &TEMPLATE, FieldNames::AnyCase) {
        let message = "`substitutions` must be a list of mappings with the texts `name` and `base`";
        let place = Node { span: misfit.span, value: Value::Null };
        report.reject(FORM.unfit(&place, message, &misfit.message));
    }
    let Value::Sequence(items) = &list.value else { return Vec::new() };
    items.iter().filter_map(|item| substitution(item, report)).collect()
}

fn substitution(item: &Node, report: &mut Report) -> Option<Substitution> {
    let fields = match &item.value {
        Value::Mapping(fields) => Fields(fields),
        Value::Null => Fields(&[]),
        _ => return None,
    };
    second_spellings(fields.0, &["name", "base"]).into_iter().for_each(|finding| report.note(finding));
    for (key, _) in fields.0.iter().filter(|(key, _)| !["name", "base"].iter().any(|name| same_field(&key.value, name)))
    {
        let finding = Diagnostic::new(Rule::UnknownField, key.span, format!("a substitution has no field `{key}`"));
        report.note(finding.with_help("opm ignores it"));
    }
    let text = |name: &str| fields.get(name).and_then(|node| Some(Text::new(node.as_str()?.into(), node.span)));
    let image = text("name").unwrap_or_else(|| Text::new("".into(), item.span.at_start()));
    Some(Substitution { span: item.span, image, base: text("base").map(|base| base.value).unwrap_or_default() })
}

struct Expander<'a, 't, 'i> {
    config: Config<'t, 'i>,
    images: &'a Images<'i>,
    report: &'a mut Report,
    missing: &'a mut Vec<Spanned<Box<str>>>,
    budget: Budget,
    /// Whether the entries are a catalog that `opm` accepts.
    is_valid: bool,
}

impl Expander<'_, '_, '_> {
    /// Lets every substitute take its place that can. `opm` ends at the first that cannot.
    fn substitute_all(&mut self, substitutions: &[Substitution]) -> Result<(), TooLarge> {
        if self.report.has_ended() {
            return Ok(());
        }
        if let Some(rejection) = self.config.rejection() {
            self.is_valid = false;
            self.report.reject(invalid_entries(rejection));
        }
        let mut checks = Budget::of_checks();
        let mut bases: BTreeMap<&str, &Substitution> = BTreeMap::new();
        let mut images: BTreeMap<&str, &Substitution> = BTreeMap::new();
        for substitution in substitutions {
            let Substitution { image, base, .. } = substitution;
            if let Some(first) = bases.get(&**base) {
                self.report.reject(reused_base(substitution, first));
            } else if let Some(first) = images.get(&*image.value) {
                self.report.reject(reused_image(substitution, first));
            } else {
                checks.spend(self.config.bytes())?;
                self.substitute(substitution)?;
            }
            bases.entry(base).or_insert(substitution);
            images.entry(&image.value).or_insert(substitution);
        }
        Ok(())
    }

    fn substitute(&mut self, substitution: &Substitution) -> Result<(), TooLarge> {
        let Substitution { image, base, .. } = substitution;
        if let Some(finding) = unusable(substitution) {
            self.report.reject(finding);
            return Ok(());
        }
        let version = |base: &str, config: &Config<'_, '_>| {
            config
                .bundles()
                .find(|(bundle, _)| name(bundle) == base)
                .map(|(bundle, text)| VersionRelease::of(bundle, text))
        };
        let base_version = version(base, &self.config);
        let Some(bundle) = self.images.get(&image.value) else {
            let text =
                format!("failed to render bundle image reference {0}: no bundle with image {0}", Quoted(&image.value));
            self.report.needs_registry(substitution.wrapped(&text));
            self.missing.push(image.clone());
            if let Some(Ok(version)) = base_version {
                self.after(substitution, &image.value, &version)?;
            }
            return Ok(());
        };
        self.images.ambiguous(image).into_iter().for_each(|finding| self.report.note(finding));
        let own_version = match VersionRelease::of(bundle.raw, bundle.text) {
            Ok(version) => version,
            Err(error) => {
                let finding =
                    substitution.finding(format!("the substitute `{}` has no version: {error}", bundle.name()));
                let opm =
                    format!("failed to get VersionRelease for substitute bundle {}: {error}", Quoted(&image.value));
                self.report.reject(finding.with_label(bundle.span, "the bundle").with_opm(substitution.wrapped(&opm)));
                return Ok(());
            }
        };
        let base_version = match base_version {
            Some(Ok(version)) => version,
            Some(Err(error)) => {
                let finding = substitution.finding(format!("bundle `{base}` has no version: {error}"));
                let opm = format!("failed to get VersionRelease for base bundle {}: {error}", Quoted(base));
                self.report.reject(finding.with_opm(substitution.wrapped(&opm)));
                return Ok(());
            }
            None => {
                // It may be a bundle that only a registry has.
                if self.missing.is_empty() {
                    self.report.reject(self.unknown_base(substitution));
                }
                return Ok(());
            }
        };
        if base_version.cmp(&own_version) != Ordering::Less {
            self.report.reject(not_less(substitution, bundle, &base_version, &own_version));
            return Ok(());
        }
        let channels = self.after(substitution, bundle.name(), &base_version)?;
        let before = self.config.put(channels);
        self.config.add(bundle);
        if let Some(rejection) = Some(()).filter(|()| self.is_valid).and_then(|()| self.config.rejection()) {
            self.report.reject(invalid_result(substitution, rejection));
            self.config.remove_last();
            self.config.put(before);
        }
        Ok(())
    }

    /// The channels as they are with the substitute. Reports what it does to installed versions.
    fn after(
        &mut self,
        substitution: &Substitution,
        substitute: &str,
        version: &VersionRelease,
    ) -> Result<Replaced, TooLarge> {
        let Substitution { base, span, .. } = substitution;
        let before = self.config.channels(base);
        let mut after = before.clone();
        for (_, channel) in &mut after {
            config::substitute(channel, base, substitute, &mut self.budget)?;
        }
        let (before, model) = (self.config.model(&before), self.config.model(&after));
        let stranding = Stranding { before: &before, after: &model, base, version: &version.version };
        stranding_substitution::check(*span, &stranding).into_iter().for_each(|finding| self.report.note(finding));
        Ok(after)
    }

    fn unknown_base(&self, substitution: &Substitution) -> Diagnostic {
        let base = &substitution.base;
        let of_image =
            self.config.bundles().find(|(bundle, _)| bundle.image.as_ref().is_some_and(|image| image.value == *base));
        let near = nearest(base, self.config.bundles().map(|(bundle, _)| name(bundle)));
        let help = match (of_image, near.first()) {
            (Some((bundle, _)), _) => format!("write the name of the bundle, `{}`", name(bundle)),
            (None, Some(near)) => format!("did you mean `{near}`?"),
            (None, None) => "name a bundle of the entries, or an earlier substitute".to_owned(),
        };
        let opm = format!("base bundle {} does not exist in catalog", Quoted(base));
        let finding = substitution.finding(format!("the entries have no bundle `{base}`"));
        finding.with_help(help).with_opm(substitution.wrapped(&opm))
    }

    fn finish(mut self) -> Result<Option<ExpandedCatalog>, TooLarge> {
        self.config.expanded(&mut self.budget)
    }
}

impl Substitution {
    fn finding(&self, message: String) -> Diagnostic {
        Diagnostic::new(Rule::InvalidTemplate, self.span, message)
    }

    /// An error of `opm` about this substitution.
    fn wrapped(&self, error: &str) -> String {
        format!(
            "render: error processing substitution {} -> {}: {error}",
            Quoted(&self.base),
            Quoted(&self.image.value)
        )
    }
}

/// The finding for a substitution without what it needs.
fn unusable(substitution: &Substitution) -> Option<Diagnostic> {
    let Substitution { image, base, .. } = substitution;
    let (message, help, opm) = if image.value.is_empty() {
        (
            "the substitution has no `name`",
            "add `name`, the image of the substitute",
            "substitution name cannot be empty",
        )
    } else if base.is_empty() {
        let help = "add `base`, the name of the bundle whose place it takes";
        ("the substitution has no `base`", help, "substitution base cannot be empty")
    } else if image.value == *base {
        let help = "write the image of the substitute as `name`, and the name of a bundle as `base`";
        ("`name` and `base` are the same", help, "substitution name and base cannot be the same")
    } else {
        return None;
    };
    Some(substitution.finding(message.to_owned()).with_help(help).with_opm(substitution.wrapped(opm)))
}

fn reused_base(substitution: &Substitution, first: &Substitution) -> Diagnostic {
    let base = &substitution.base;
    let help =
        "remove one of them, or let the second take the place of the first: its `base` is then the name of that bundle";
    substitution
        .finding(format!("`{base}` has a substitute already"))
        .with_label(first.span, "the first one")
        .with_help(help)
        .with_opm(format!("render: cannot reuse the same substitution base {}", Quoted(base)))
}

fn reused_image(substitution: &Substitution, first: &Substitution) -> Diagnostic {
    let Substitution { image, base, .. } = substitution;
    let bases = format!("{} and {}", Quoted(&first.base), Quoted(base));
    substitution
        .finding(format!("the bundle of `{image}` takes the place of `{}` already", first.base))
        .with_label(first.span, "the first one")
        .with_help("give each bundle a substitute of its own")
        .with_opm(format!(
            "render: cannot reuse the same substitution {} for different bases ({bases})",
            Quoted(&image.value)
        ))
}

fn not_less(
    substitution: &Substitution,
    bundle: CatalogBundle<'_>,
    base: &VersionRelease,
    own: &VersionRelease,
) -> Diagnostic {
    let Substitution { image, base: name, .. } = substitution;
    let help = if !own.version.pre().is_empty() && base.version.pre().is_empty() {
        "a prerelease is lower than its version; write what follows the `-` as `release` of its `olm.package` property"
    } else if own.version == base.version && !own.version.build().is_empty() {
        "build metadata does not count without the annotation `olm.substitutesFor`; use `release` of the `olm.package` property"
    } else {
        "give the substitute a higher version, or the same with a `release`"
    };
    let message = format!("the substitute `{}` ({own}) is not higher than `{name}` ({base})", bundle.name());
    let opm = format!("base bundle {} is not less than substitute bundle {}", Quoted(name), Quoted(&image.value));
    substitution
        .finding(message)
        .with_label(bundle.span, "the bundle")
        .with_help(help)
        .with_opm(substitution.wrapped(&opm))
}

/// The finding for entries that `opm` rejects: it substitutes nothing in them.
fn invalid_entries(rejection: Rejection) -> Diagnostic {
    let Rejection { finding, text, others } = rejection;
    let prefix = if finding.opm_rank == u8::from(catalog::OpmPhase::Load) { UNLOADED } else { INVALID };
    let message = format!("the entries are no valid catalog, so that opm substitutes nothing: {}", finding.message);
    let invalid = Diagnostic::new(Rule::InvalidTemplate, finding.span, message).with_opm(format!("{prefix}{text}"));
    with_errors(Diagnostic { help: finding.help, labels: finding.labels, ..invalid }, others)
}

fn invalid_result(substitution: &Substitution, rejection: Rejection) -> Diagnostic {
    let Rejection { finding, text, others } = rejection;
    let message = format!("opm rejects the catalog with this substitution: {}", finding.message);
    let opm = substitution.wrapped(&format!("resulting config is not valid FBC: {text}"));
    let invalid = substitution.finding(message).with_label(finding.span, "the error is about this").with_opm(opm);
    with_errors(Diagnostic { help: finding.help, ..invalid }, others)
}

/// Adds the other errors as labels.
fn with_errors(finding: Diagnostic, others: Vec<Diagnostic>) -> Diagnostic {
    let label = |finding: Diagnostic, other: Diagnostic| finding.with_label(other.span, other.message);
    others.into_iter().take(MAX_LABELS).fold(finding, label)
}
