//! The sentences of `constraints not satisfiable`, one form each (operator-lifecycle-manager
//! `pkg/controller/registry/resolver/variable_types.go`, `resolver.go` and `solver/constraints.go`), and what they mean together.

use super::{name, names};
use source::Verdict;
use views::{ExplainedMessage, ExplainedSentence, MessageName};

/// What the text begins with.
pub(super) const START: &str = "constraints not satisfiable";

/// A sentence, as far as its form is known.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sentence<'t> {
    Exists {
        subscription: &'t str,
    },
    Requires {
        subscription: &'t str,
        ids: Vec<Id<'t>>,
    },
    NoCatalog {
        subscription: &'t str,
        catalog: &'t str,
        namespace: &'t str,
    },
    NoPackage {
        subscription: &'t str,
        package: &'t str,
    },
    NoChannel {
        subscription: &'t str,
        package: &'t str,
        channel: &'t str,
    },
    NoStartingCsv {
        subscription: &'t str,
        package: &'t str,
        channel: &'t str,
        csv: &'t str,
    },
    NoMatch {
        subscription: &'t str,
    },
    Freestanding {
        csv: &'t str,
    },
    Depends {
        csv: &'t str,
        on: &'t str,
    },
    Deprecated {
        id: Id<'t>,
    },
    Provide {
        ids: Vec<Id<'t>>,
        api: &'t str,
    },
    OfPackage {
        ids: Vec<Id<'t>>,
        package: &'t str,
    },
    Conflicts {
        one: Id<'t>,
        other: Id<'t>,
    },
    /// The text ends in the middle of it.
    Cut,
    Other,
}

/// What sentences begin with, apart from those that begin with an identifier.
const BEGINNINGS: [&str; 5] =
    ["subscription ", "clusterserviceversion ", "bundle ", "no operators found ", "@existing/"];

/// An identifier of the resolver: `catalog/namespace/channel/csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Id<'t> {
    catalog: &'t str,
    namespace: &'t str,
    channel: &'t str,
    csv: &'t str,
}

impl<'t> Id<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let mut parts = text.split('/');
        let mut next = || parts.next();
        let (catalog, namespace, channel, csv) = (next()?, next()?, next()?, next()?);
        let is_one = !text.contains(char::is_whitespace) && next().is_none() && !csv.is_empty();
        is_one.then_some(Self { catalog, namespace, channel, csv })
    }

    fn is_installed(&self) -> bool {
        self.catalog == "@existing"
    }

    fn words(&self) -> String {
        let Self { catalog, namespace, channel, csv } = self;
        match (self.is_installed(), channel.is_empty()) {
            (true, _) => format!("the installed `{csv}`"),
            (false, true) => format!("`{csv}` of catalog `{namespace}/{catalog}`"),
            (false, false) => format!("`{csv}` of channel `{channel}` of catalog `{namespace}/{catalog}`"),
        }
    }

    fn names(&self) -> Vec<MessageName> {
        let csv = name("csv", self.csv);
        if self.is_installed() {
            return vec![csv, name("namespace", self.namespace)];
        }
        let catalog = name("catalog", &format!("{}/{}", self.namespace, self.catalog));
        let channel = (!self.channel.is_empty()).then(|| name("channel", self.channel));
        [csv].into_iter().chain(channel).chain([catalog]).collect()
    }
}

/// The message from its first sentence on, and the number of bytes that belong to it. `None` if no sentence is known.
pub(super) fn explained(text: &str) -> Option<(ExplainedMessage, usize)> {
    let mut at = 0;
    let mut found: Vec<(&str, Sentence<'_>)> = Vec::new();
    loop {
        let rest = &text[at..];
        let (sentence, length) = match sentence(rest) {
            Some((sentence, length)) => (sentence, length),
            None if found.is_empty() => return None,
            None => match next_sentence(rest) {
                Some(length) => (Sentence::Other, length),
                None if is_beginning(rest) => (Sentence::Cut, rest.len()),
                None => (Sentence::Other, rest.len()),
            },
        };
        found.push((&rest[..length], sentence));
        at += length;
        // After a known sentence that no comma follows, the text is about something else.
        match text[at..].strip_prefix(", ") {
            Some(rest) if !rest.is_empty() => at += 2,
            _ => break,
        }
    }
    let sentences: Vec<Sentence<'_>> = found.iter().map(|(_, sentence)| sentence.clone()).collect();
    let explained = |(text, sentence): &(&str, Sentence<'_>)| ExplainedSentence {
        text: (*text).to_owned(),
        meaning: meaning(sentence),
        names: sentence_names(sentence),
    };
    let message = ExplainedMessage { sentences: found.iter().map(explained).collect(), ..together(&sentences) };
    Some((message, at))
}

/// Whether a text that is no sentence is the beginning of one.
fn is_beginning(text: &str) -> bool {
    let is_id = || text.split([' ', ',']).next().is_some_and(|word| word.matches('/').count() == 3);
    BEGINNINGS.iter().any(|lead| text.starts_with(lead) || lead.starts_with(text)) || is_id()
}

/// Where the text ends that is no known sentence.
fn next_sentence(text: &str) -> Option<usize> {
    text.match_indices(", ").map(|(at, _)| at).find(|at| sentence(&text[at + 2..]).is_some())
}

/// The sentence with which a text begins, and its length.
fn sentence(text: &str) -> Option<(Sentence<'_>, usize)> {
    let ended = |sentence, rest: &str| {
        let is_end = rest.is_empty() || rest.starts_with(", ") || rest.starts_with([' ', '\'', '"']);
        is_end.then_some((sentence, text.len() - rest.len()))
    };
    let referenced = |rest| subscription_after(rest, " in the catalog referenced by subscription ");
    if let Some(rest) = text.strip_prefix("subscription ") {
        let (subscription, rest) = word(rest)?;
        if let Some(rest) = rest.strip_prefix(" exists") {
            return ended(Sentence::Exists { subscription }, rest);
        }
        let rest = rest.strip_prefix(" requires ")?;
        let (ids, rest) = match rest.strip_prefix("at least one of ") {
            Some(rest) => ids(rest, " or ")?,
            None => one_id(rest).map(|(id, rest)| (vec![id], rest))?,
        };
        return ended(Sentence::Requires { subscription, ids }, rest);
    }
    if let Some(rest) = text.strip_prefix("no operators found ") {
        if let Some(rest) = rest.strip_prefix("from catalog ") {
            let (catalog, rest) = word(rest)?;
            let (namespace, rest) = word(rest.strip_prefix(" in namespace ")?)?;
            let (subscription, rest) = subscription_after(rest, " referenced by subscription ")?;
            return ended(Sentence::NoCatalog { subscription, catalog, namespace }, rest);
        }
        if let Some(rest) = rest.strip_prefix("matching the criteria of subscription ") {
            let (subscription, rest) = word(rest)?;
            return ended(Sentence::NoMatch { subscription }, rest);
        }
        if let Some(rest) = rest.strip_prefix("in package ") {
            let (package, rest) = word(rest)?;
            let (subscription, rest) = referenced(rest)?;
            return ended(Sentence::NoPackage { subscription, package }, rest);
        }
        let (csv, rest) = match rest.strip_prefix("with name ") {
            Some(rest) => word(rest).map(|(csv, rest)| (Some(csv), rest.trim_start()))?,
            None => (None, rest),
        };
        let (channel, rest) = rest.strip_prefix("in channel ")?.split_once("of package ")?;
        let (package, rest) = word(rest)?;
        let (subscription, rest) = referenced(rest)?;
        let channel = channel.trim();
        let found = match csv {
            Some(csv) => Sentence::NoStartingCsv { subscription, package, channel, csv },
            None => Sentence::NoChannel { subscription, package, channel },
        };
        return ended(found, rest);
    }
    if let Some(rest) = text.strip_prefix("clusterserviceversion ") {
        let (csv, rest) = word(rest)?;
        return ended(
            Sentence::Freestanding { csv },
            rest.strip_prefix(" exists and is not referenced by a subscription")?,
        );
    }
    if let Some(rest) = text.strip_prefix("bundle ") {
        let (csv, rest) = word(rest)?;
        if let Some(rest) = rest.strip_prefix(" is deprecated") {
            return ended(Sentence::Deprecated { id: Id::of(csv)? }, rest);
        }
        let on = rest.strip_prefix(" requires an operator ")?;
        let on = &on[..next_sentence(on).unwrap_or(on.len())];
        let length = on.as_ptr() as usize - text.as_ptr() as usize + on.len();
        return Some((Sentence::Depends { csv, on }, length));
    }
    if let Some((one, rest)) = one_id(text)
        && let Some(rest) = rest.strip_prefix(" conflicts with ")
    {
        let (other, rest) = one_id(rest)?;
        return ended(Sentence::Conflicts { one, other }, rest);
    }
    let (ids, rest) = ids(text, " and ")?;
    if let Some(rest) = rest.strip_prefix(" originate from package ") {
        let (package, rest) = word(rest)?;
        return ended(Sentence::OfPackage { ids, package }, rest);
    }
    let rest = rest.strip_prefix(" provide ")?;
    let length = rest.find(')')? + 1;
    ended(Sentence::Provide { ids, api: &rest[..length] }, &rest[length..])
}

/// The name up to a blank or comma, and what follows.
fn word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, ',' | '\'' | '"')).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn subscription_after<'t>(text: &'t str, between: &str) -> Option<(&'t str, &'t str)> {
    word(text.strip_prefix(between)?)
}

fn one_id(text: &str) -> Option<(Id<'_>, &str)> {
    let (id, rest) = word(text)?;
    Some((Id::of(id)?, rest))
}

/// Identifiers with commas between, and this word before the last one.
fn ids<'t>(mut text: &'t str, last: &str) -> Option<(Vec<Id<'t>>, &'t str)> {
    let mut found = Vec::new();
    loop {
        let (id, rest) = one_id(text)?;
        found.push(id);
        if let Some(rest) = rest.strip_prefix(last) {
            let (id, rest) = one_id(rest)?;
            found.push(id);
            return Some((found, rest));
        }
        text = rest.strip_prefix(", ")?;
    }
}

fn listed(ids: &[Id<'_>], last: &str) -> String {
    source::joined(ids.iter().map(Id::words), 4, last)
}

fn meaning(sentence: &Sentence<'_>) -> String {
    match sentence {
        Sentence::Exists { subscription } => format!("Subscription `{subscription}` takes part"),
        Sentence::Requires { subscription, ids } => match ids.split_last() {
            Some((only, [])) if only.is_installed() => {
                format!("Subscription `{subscription}` keeps {}: no entry of its channel updates that", only.words())
            }
            Some((last, _)) if last.is_installed() => {
                format!("Subscription `{subscription}` is to get {}", listed(ids, "or keep"))
            }
            _ => format!("Subscription `{subscription}` is to get {}; nothing is installed for it", listed(ids, "or")),
        },
        Sentence::NoCatalog { subscription, catalog, namespace } => format!(
            "Subscription `{subscription}` names CatalogSource `{namespace}/{catalog}`, from which its namespace gets \
             nothing: there is none, it is empty, or the namespace does not see it"
        ),
        Sentence::NoPackage { subscription, package } => {
            format!("the CatalogSource of Subscription `{subscription}` does not have package `{package}`")
        }
        Sentence::NoChannel { subscription, package, channel } => {
            format!("package `{package}` does not have channel `{channel}`, which Subscription `{subscription}` names")
        }
        Sentence::NoStartingCsv { subscription, package, channel, csv } => {
            let channel = if channel.is_empty() { String::new() } else { format!("channel `{channel}` of ") };
            format!(
                "{channel}package `{package}` does not list `{csv}`, the startingCSV of Subscription `{subscription}`"
            )
        }
        Sentence::NoMatch { subscription } => format!("no bundle fits the fields of Subscription `{subscription}`"),
        Sentence::Freestanding { csv } => {
            format!(
                "`{csv}` is in the namespace, and no Subscription has it as `status.installedCSV`: OLM must keep it"
            )
        }
        Sentence::Depends { csv, on } => {
            format!("`{csv}` requires {}, and OLM finds none that it can use", dependency(on))
        }
        Sentence::Deprecated { id } => {
            format!("{} has the property `olm.deprecated`, so OLM never selects it", id.words())
        }
        Sentence::Provide { ids, api } => {
            format!("only one of these may be installed, because each provides the API `{api}`: {}", listed(ids, "and"))
        }
        Sentence::OfPackage { ids, package } => {
            format!(
                "only one of these may be installed, because each is of package `{package}`: {}",
                listed(ids, "and")
            )
        }
        Sentence::Conflicts { one, other } => {
            format!("{} is an update of {}, so both cannot be installed", one.words(), other.words())
        }
        Sentence::Cut => "the text ends in the middle of this sentence, and what follows is not known".to_owned(),
        Sentence::Other => "not a sentence that Opscope knows".to_owned(),
    }
}

/// What a bundle requires, to be read after "requires".
fn dependency(on: &str) -> String {
    if let Some(api) = api(on) {
        return format!("an operator that provides the API `{api}`");
    }
    match package(on) {
        Some((package, range)) => format!("package `{package}` in range `{range}`"),
        None => format!("an operator {on}"),
    }
}

/// The API in the text of a requirement that is nothing else.
fn api(on: &str) -> Option<String> {
    let rest = on.strip_prefix("providing an API with group: ")?;
    let (group, rest) = rest.split_once(", version: ")?;
    let (version, kind) = rest.split_once(", kind: ")?;
    (!kind.contains(' ')).then(|| format!("{kind} ({group}/{version})"))
}

/// The package and the range in the text of a requirement that is nothing else.
fn package(on: &str) -> Option<(&str, &str)> {
    let (package, range) = on.strip_prefix("with package: ")?.split_once(" and with version in range: ")?;
    let is_one = !range.contains("with package: ") && !range.contains("providing an API");
    is_one.then_some((package, range))
}

fn sentence_names(sentence: &Sentence<'_>) -> Vec<MessageName> {
    let of = |pairs: &[(&str, &str)]| names(pairs.iter().copied());
    let and =
        |first: Vec<MessageName>, ids: &[Id<'_>]| first.into_iter().chain(ids.iter().flat_map(Id::names)).collect();
    let found: Vec<MessageName> = match sentence {
        Sentence::Exists { subscription } | Sentence::NoMatch { subscription } => of(&[("subscription", subscription)]),
        Sentence::Requires { subscription, ids } => and(of(&[("subscription", subscription)]), ids),
        Sentence::NoCatalog { subscription, catalog, namespace } => {
            of(&[("subscription", subscription), ("catalog", &format!("{namespace}/{catalog}"))])
        }
        Sentence::NoPackage { subscription, package } => of(&[("subscription", subscription), ("package", package)]),
        Sentence::NoChannel { subscription, package, channel } => {
            of(&[("subscription", subscription), ("package", package), ("channel", channel)])
        }
        Sentence::NoStartingCsv { subscription, package, channel, csv } => {
            of(&[("subscription", subscription), ("package", package), ("channel", channel), ("csv", csv)])
        }
        Sentence::Freestanding { csv } => of(&[("csv", csv)]),
        Sentence::Depends { csv, on } => {
            let api = api(on);
            let package = package(on).map(|(package, _)| ("package", package));
            let api = api.as_deref().map(|api| ("api", api));
            names([("csv", *csv)].into_iter().chain(api).chain(package))
        }
        Sentence::Deprecated { id } => id.names(),
        Sentence::Provide { ids, api } => and(of(&[("api", api)]), ids),
        Sentence::OfPackage { ids, package } => and(of(&[("package", package)]), ids),
        Sentence::Conflicts { one, other } => and(Vec::new(), &[*one, *other]),
        Sentence::Cut | Sentence::Other => Vec::new(),
    };
    let mut unique: Vec<MessageName> = Vec::new();
    for name in found {
        if !name.name.is_empty() && !unique.contains(&name) {
            unique.push(name);
        }
    }
    unique
}

/// What the sentences mean together, and what helps first.
fn together(sentences: &[Sentence<'_>]) -> ExplainedMessage {
    let freestanding = sentences.iter().find_map(|one| match one {
        Sentence::Freestanding { csv } => Some(*csv),
        _ => None,
    });
    let wants = sentences.iter().find_map(|one| match one {
        Sentence::Requires { subscription, ids } => Some((*subscription, ids)),
        _ => None,
    });
    let of = |verdict: Option<Verdict>, meaning: String, first: &str, never: &str| ExplainedMessage {
        meaning: format!("OLM resolves nothing in the namespace; what runs goes on: {meaning}"),
        verdict,
        first: (!first.is_empty()).then(|| first.to_owned()),
        never: (!never.is_empty()).then(|| never.to_owned()),
        ..ExplainedMessage::default()
    };
    let wrong_field = sentences.iter().find_map(|one| match one {
        Sentence::NoCatalog { .. } => Some("correct `spec.source` and `spec.sourceNamespace`, or make the catalog available"),
        Sentence::NoPackage { .. } => Some(
            "correct `spec.name`, or `spec.source` if another catalog has the package; if both are right, its publisher has not released \
             it for this catalog, as after an update of OpenShift: what is installed goes on without updates until that happens",
        ),
        Sentence::NoChannel { .. } => Some("choose a channel that the package has"),
        Sentence::NoStartingCsv { .. } => Some(
            "set `spec.startingCSV` to the name of a CSV of that channel (a name, not a version); without it OLM installs the head",
        ),
        Sentence::NoMatch { .. } => Some("compare the fields of the Subscription with the catalog"),
        _ => None,
    });
    let depends = sentences.iter().find_map(|one| match one {
        Sentence::Depends { csv, on } => Some((*csv, dependency(on))),
        _ => None,
    });
    let shares = sentences.iter().any(|one| matches!(one, Sentence::Provide { .. } | Sentence::OfPackage { .. }));
    match (freestanding, wants) {
        (Some(old), Some((subscription, ids))) if shares => match ids.last().filter(|id| id.is_installed()) {
            Some(new) => of(
                None,
                format!(
                    "Subscription `{subscription}` has `{}`, and `{old}` is still there. In an update from `{old}` to \
                     `{}` this is normal and ends by itself",
                    new.csv, new.csv
                ),
                "look at the phases of both CSVs: while one is `Replacing` and the other one on its way to `Succeeded`, wait; \
                 if the new one is `Pending` or `Failed`, its reason says what helps",
                "do not delete a CSV or the Subscription while the update goes on",
            ),
            None => of(
                Some(Verdict::Stuck),
                format!(
                    "`{old}` is installed without a Subscription, and Subscription `{subscription}` would install a \
                     second one"
                ),
                "if the Subscription is to update it, set `status.currentCSV` and `status.installedCSV` of the Subscription to \
                 the name of the CSV, with `--subresource=status`",
                "do not set `startingCSV`: OLM would still install a second one",
            ),
        },
        _ if wrong_field.is_some() => of(
            Some(Verdict::Stuck),
            "a field of a Subscription is wrong, and nothing else".to_owned(),
            wrong_field.unwrap_or_default(),
            "",
        ),
        _ if depends.is_some() => {
            let (csv, on) = depends.unwrap_or_default();
            of(
                Some(Verdict::Stuck),
                format!("`{csv}` requires {on}, which no installed operator and no catalog of the namespace gives it"),
                "make the catalog of a provider visible to the namespace, or choose a version that does not require it; the \
                 message names the last unmet requirement only",
                "do not install the CustomResourceDefinition by hand: only bundles and CSVs count",
            )
        }
        (Some(csv), _) => of(
            Some(Verdict::Stuck),
            format!("`{csv}` is installed without a Subscription"),
            "find out whether a Subscription is to own it: compare `status.installedCSV` of the Subscriptions",
            "",
        ),
        _ if sentences.iter().any(|one| matches!(one, Sentence::Deprecated { .. })) => of(
            Some(Verdict::Stuck),
            "a Subscription leads to a bundle that OLM never selects".to_owned(),
            "choose another channel or another startingCSV",
            "",
        ),
        _ if sentences.contains(&Sentence::Cut) => of(
            Some(Verdict::Stuck),
            "the message is cut off before the sentence that decides".to_owned(),
            "get the whole message: `kubectl get subscriptions -A -o yaml`",
            "",
        ),
        _ => of(
            Some(Verdict::Stuck),
            "the Subscriptions cannot be met together".to_owned(),
            "let only one of them install what both would: choose another channel or namespace for the one that has nothing \
             installed, or do without it",
            "",
        ),
    }
}
