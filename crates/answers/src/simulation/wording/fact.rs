//! Words single facts, requirements, and how a bundle meets a requirement.

use super::Wording;
use catalog::predicate::{Gvk, Property, Requirement};
use cluster::{CatalogKey, Kind, SubscriptionSpec};
use resolver::{Fact, FactId, Missing, VarId, Witness};
use source::Span;
use views::{Place, ReasonView};

impl Wording<'_> {
    pub(super) fn fact(&self, id: FactId) -> ReasonView {
        let fact = self.problem.fact(id);
        ReasonView { text: self.sentence(fact), place: self.place(fact) }
    }

    fn sentence(&self, fact: &Fact) -> String {
        match fact {
            Fact::Subscribed { subscription } => self.wish(*subscription),
            Fact::Wants { subscription, alternatives, .. } => {
                let name = self.problem.name(*subscription);
                match &alternatives[..] {
                    [] => format!("Subscription `{name}` has no candidate"),
                    [only] => format!("the only candidate of Subscription `{name}` is {}", self.var(*only)),
                    some => format!("the only candidates of Subscription `{name}` are {}", self.listed(some, "and")),
                }
            }
            Fact::NothingFound { subscription, missing } => self.nothing_found(*subscription, *missing),
            Fact::Freestanding { bundle } => {
                format!(
                    "{} is installed without a SubscriptionSpec, so OLM must keep it and cannot update it",
                    self.var(*bundle)
                )
            }
            Fact::Deprecated { bundle } => {
                format!("{} has the property `olm.deprecated`, so OLM never selects it", self.var(*bundle))
            }
            Fact::Requires { bundle, requirement: wanted, alternatives, .. } => {
                let met = match &alternatives[..] {
                    [] => "no bundle meets this".to_owned(),
                    [only] => format!("only {} meets this", self.var(*only)),
                    some => format!("{} would meet this", self.listed(some, "or")),
                };
                format!("{} requires {}; {met}", self.var(*bundle), requirement(wanted))
            }
            Fact::Supersedes { upgrade, installed } => {
                format!("{} is an update of {}, so both cannot be installed", self.var(*upgrade), self.var(*installed))
            }
            Fact::OneProvider { gvk, providers } => match twice(providers) {
                Some(bundle) => {
                    format!("{} lists the API {} twice, so it conflicts with itself", self.var(bundle), api(gvk))
                }
                None => {
                    format!(
                        "only one installed operator may provide {}, but {} provide it",
                        api(gvk),
                        self.listed(providers, "and")
                    )
                }
            },
            Fact::OneOfPackage { package, bundles } => match twice(bundles) {
                Some(bundle) => {
                    format!("{} lists package `{package}` twice, so it conflicts with itself", self.var(bundle))
                }
                None => {
                    format!("only one bundle of package `{package}` can be installed: {}", self.listed(bundles, "or"))
                }
            },
        }
    }

    /// The fields of a Subscription as a sentence.
    fn wish(&self, id: VarId) -> String {
        let Some(spec) = self.problem.subscription(id) else { return String::new() };
        let SubscriptionSpec { name, package, channel, catalog, starting_csv, installed_csv } = spec;
        let installed = self.problem.installed(spec);
        let mut text = format!("Subscription `{name}` asks for package `{package}`");
        if let Some(channel) = channel {
            text += &format!(" from channel `{channel}`");
        }
        if let Some(key) = catalog.as_ref().filter(|key| !key.name.is_empty()) {
            text += &format!(" of catalog `{}`", key.name);
        }
        if let Some(gone) = installed_csv.as_ref().filter(|_| installed.is_none()) {
            text += &format!("; its CSV `{gone}` was deleted");
        }
        match (installed, starting_csv) {
            (Some(installed), _) => text += &format!("; `{installed}` is installed"),
            (None, Some(start)) => text += &format!("; startingCSV is `{start}`"),
            (None, None) => {}
        }
        text
    }

    /// The OperatorGroup that hides a catalog from the namespace.
    fn excluded_by(&self, key: &CatalogKey) -> Option<&str> {
        let cluster = &self.scenario.cluster;
        let here = cluster.groups_of(&self.scenario.namespace).first()?;
        let hidden = here.excludes_global
            && key.namespace == cluster.global_namespace
            && key.namespace != self.scenario.namespace
            && cluster.catalog_sources.iter().any(|source| source.key == *key);
        hidden.then_some(&*here.name)
    }

    fn nothing_found(&self, id: VarId, missing: Missing) -> String {
        let Some(spec) = self.problem.subscription(id) else { return String::new() };
        let (name, package) = (&spec.name, &spec.package);
        // A Subscription without a channel looks in all channels.
        let channel = spec.channel.as_ref().map(ToString::to_string).unwrap_or_default();
        match missing {
            Missing::Catalog => match &spec.catalog {
                Some(key) if !key.name.is_empty() => match self.excluded_by(key) {
                    Some(group) => format!(
                        "Subscription `{name}` names catalog `{key}`, but its namespace cannot use it: OperatorGroup `{group}` excludes the catalogs of namespace `{}` (`olm.operatorframework.io/exclude-global-namespace-resolution`)",
                        key.namespace
                    ),
                    None => {
                        format!(
                            "Subscription `{name}` names catalog `{key}`, but its namespace gets no bundle from there"
                        )
                    }
                },
                _ => format!("Subscription `{name}` asks for package `{package}`, but no catalog has it"),
            },
            Missing::Package => {
                format!("Subscription `{name}` asks for package `{package}`, but its catalog does not have it")
            }
            Missing::Channel => {
                format!("Subscription `{name}` asks for channel `{channel}`, but package `{package}` does not have it")
            }
            Missing::StartingCsv => {
                let csv = spec.starting_csv.as_ref().map(ToString::to_string).unwrap_or_default();
                let not_listed = match &spec.channel {
                    Some(_) => format!("channel `{channel}` of package `{package}` does not list it"),
                    None => format!("no channel of package `{package}` lists it"),
                };
                format!("Subscription `{name}` asks for startingCSV `{csv}`, but {not_listed}")
            }
        }
    }

    fn place(&self, fact: &Fact) -> Option<Place> {
        match fact {
            Fact::Subscribed { subscription } | Fact::NothingFound { subscription, .. } => {
                return self.object_place(Kind::Subscription, self.problem.name(*subscription));
            }
            Fact::Freestanding { bundle } => {
                let name = &self.problem.entry(*bundle)?.name;
                return self.object_place(Kind::ClusterServiceVersion, name.as_str());
            }
            _ => {}
        }
        let span = match fact {
            Fact::Requires { span, bundle, .. } => span.or_else(|| self.problem.entry(*bundle)?.span),
            Fact::Deprecated { bundle } => self.problem.entry(*bundle)?.span,
            Fact::Wants { alternatives, .. } => self.problem.entry(*alternatives.first()?)?.span,
            Fact::Supersedes { upgrade, .. } => self.problem.entry(*upgrade)?.span,
            Fact::OneProvider { providers: bundles, .. } | Fact::OneOfPackage { bundles, .. } => {
                bundles.iter().find_map(|&id| self.problem.entry(id)?.span)
            }
            Fact::Subscribed { .. } | Fact::NothingFound { .. } | Fact::Freestanding { .. } => None,
        };
        self.place_of(span?)
    }
}

/// A bundle that is twice in a sorted list.
fn twice(ids: &[VarId]) -> Option<VarId> {
    ids.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

/// A requirement, to be read after "requires".
pub(crate) fn requirement(requirement: &Requirement) -> String {
    match requirement {
        Requirement::Gvk(gvk) => format!("the API {}", api(gvk)),
        Requirement::Package { name, text, .. } => format!("package `{name}` in range `{text}`"),
        Requirement::Label(label) => format!("an operator with label `{label}`"),
        Requirement::All(inner) => one_or_several(inner, "all of", "and"),
        Requirement::Any(inner) => one_or_several(inner, "any of", "or"),
        Requirement::Not(inner) => format!("an operator without ({})", joined(inner, "and without")),
        Requirement::Cel { rule, message, .. } if message.trim().is_empty() => {
            format!("an operator for which the CEL rule `{}` is true", one_line(rule))
        }
        Requirement::Cel { rule, message, .. } => {
            format!("an operator for which the CEL rule `{}` is true (“{}”)", one_line(rule), one_line(message))
        }
    }
}

/// `` `Kind` (group/version) ``
pub(super) fn api(Gvk { group, version, kind }: &Gvk) -> String {
    format!("`{kind}` ({group}/{version})")
}

/// How a bundle meets a requirement, and where the text says so.
pub(super) fn witness(witness: &Witness) -> (String, Option<Span>) {
    match witness {
        Witness::Property { property: Property::Gvk(gvk, ..), span } => (format!("it provides {}", api(gvk)), *span),
        Witness::Property { property, span } => (format!("it has the property `{}`", property.kind()), *span),
        Witness::Package { version, span } => (format!("its version is `{version}`"), *span),
        Witness::All(inner) => {
            let parts: Vec<(String, Option<Span>)> = inner.iter().map(self::witness).collect();
            let text = parts.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(" and ");
            (text, parts.iter().find_map(|(_, span)| *span))
        }
        Witness::Any(_, inner) => self::witness(inner),
        Witness::Not(inner) => (format!("it does not match {}", joined(inner, "or")), None),
        Witness::Rule => ("the rule is true for its properties".to_owned(), None),
    }
}

fn one_or_several(inner: &[Requirement], what: &str, last: &str) -> String {
    match inner {
        [only] => requirement(only),
        _ => format!("{what} ({})", joined(inner, last)),
    }
}

fn joined(inner: &[Requirement], last: &str) -> String {
    inner.iter().map(requirement).collect::<Vec<_>>().join(&format!(" {last} "))
}

/// A CEL rule on one line. Backticks are replaced because one would end the code that the rule is shown as.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "'")
}

// Names in sentences.

/// The number of names that a sentence lists; it counts the others.
pub(super) const LISTED: usize = 4;

/// `a, b or c`, or `a, b, c, d or 7 more`.
pub(in crate::simulation) fn listed(names: impl Iterator<Item = String>, last: &str) -> String {
    source::joined(names, LISTED, last)
}

#[cfg(test)]
mod tests {
    use crate::simulate;
    use crate::testing::{form, with_form};
    use session::testing::workbench;
    use views::SubscriptionForm;

    /// The lines of the only conflict of a Subscription to `p`.
    fn conflict_lines(channel: &str, starting_csv: &str) -> Vec<String> {
        let catalog = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0";
        let spec = SubscriptionForm {
            package: "p".to_owned(),
            channel: channel.to_owned(),
            starting_csv: starting_csv.to_owned(),
            ..SubscriptionForm::default()
        };
        let view = simulate(&with_form(workbench(&[("c", catalog)]), &form(&[spec])), "");
        let failure = view.outcomes[0].steps[0].failure.clone().unwrap();
        failure.conflicts.iter().flat_map(|conflict| &conflict.lines).map(|line| line.text.clone()).collect()
    }

    #[test]
    fn a_subscription_without_a_channel_looks_in_all_channels() {
        let check = |text: &str, lines: Vec<String>| assert!(lines.iter().any(|line| line.contains(text)), "{lines:?}");
        check("startingCSV `p.v9.0.0`, but no channel of package `p` lists it", conflict_lines("", "p.v9.0.0"));
        check(
            "startingCSV `p.v9.0.0`, but channel `c` of package `p` does not list it",
            conflict_lines("c", "p.v9.0.0"),
        );
        check("asks for channel `d`, but package `p` does not have it", conflict_lines("d", ""));
    }

    #[test]
    fn a_conflict_of_two_channels_says_what_asks_for_them() {
        let catalog = "package p c\nchannel p c p.v1.0.0\nchannel p d p.v2.0.0\nbundle p 1.0.0\nbundle p 2.0.0";
        let row = SubscriptionForm { package: "p".to_owned(), channel: "c".to_owned(), ..SubscriptionForm::default() };
        let other = SubscriptionForm { channel: "d".to_owned(), ..row.clone() };
        let view = simulate(&with_form(workbench(&[("c", catalog)]), &form(&[row, other])), "");
        let failure = view.outcomes[0].steps[0].failure.as_ref().unwrap();
        let decision = "the only candidate of Subscription `p` is `p.v1.0.0` (c, c) and the only candidate of Subscription `p-2` is \
                        `p.v2.0.0` (d, c), but only one bundle of package `p` can be installed: `p.v1.0.0` (c, c) or `p.v2.0.0` (d, c)";
        assert_eq!(failure.conflicts[0].decision, decision);
    }
}
