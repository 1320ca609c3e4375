//! What the messages and conditions mean that OLM writes, without a cluster or a catalog.

mod age;
mod entry;
mod known;
mod log;
mod pasted;
mod states;
mod table;
mod unsolvable;

pub use entry::{Entry, RUN_AGAIN};
pub use states::state;

use known::{Known, MESSAGES, REASONS};
use pasted::Stated;
use regex_lite::Match;
use source::{ShellCommand, StateId, Verdict};
use views::{ExplainedMessage, MessageName, MessagesView};

/// No condition is longer: etcd refuses larger objects.
const MOST_BYTES: usize = 1 << 20;

/// What the messages in a text mean: as OLM prints them, one or several, lines of its logs, the YAML or JSON of objects or of a part
/// of them, what `kubectl describe` prints, or tables of `kubectl get`; also quoted or between fences, as in an issue. What stands
/// behind the first MiB is not read.
///
/// ```
/// let text = "constraints not satisfiable: no operators found in package etcd in the catalog referenced by subscription e";
/// let view = messages::explain_messages(text);
/// assert_eq!(view.messages[0].sentences[0].names[1].name, "etcd");
/// ```
#[must_use]
pub fn explain_messages(text: &str) -> MessagesView {
    let end = (0..=MOST_BYTES.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    let (rows, rest) = table::stated(&text[..end]);
    let text = if rows.is_empty() { &text[..end] } else { &*rest };
    let stated = pasted::stated(text);
    let mut messages: Vec<ExplainedMessage> = if stated.is_empty() {
        let found = log::of_lines(cluster::unmarked_lines(text));
        if found.is_empty() { of_reason(&one_line(text)).into_iter().collect() } else { found }
    } else {
        with_entries(of_all(&stated, Stated::holds), text)
    };
    if messages.is_empty() {
        messages = of_all(&pasted::states(text), |_| true);
    }
    if messages.is_empty() {
        messages = of_all(&stated, |_| true);
        messages.retain(|one| matches!(one.verdict, None | Some(Verdict::Acts)));
    }
    // Entries of a log and events have their order.
    if !stated.is_empty() || !log::has_entries(text) {
        let bare: Vec<ExplainedMessage> = messages.iter().filter(|one| is_bare(one, &messages)).cloned().collect();
        messages.retain(|one| !bare.contains(one));
        // What an event says of an image comes before the reason for which its container waits.
        let is_vague = |one: &ExplainedMessage| is_general(one) || is_of(one, &["ImagePullBackOff", "ErrImagePull"]);
        messages.sort_by_key(|one| (one.verdict == Some(Verdict::Acts), is_vague(one)));
    }
    let mut tables = of_tables(&rows);
    tables.retain(|(one, _)| !is_bare(one, &messages));
    let commands = lacking(&tables);
    messages.extend(tables.into_iter().map(|(one, _)| one));
    if !rows.is_empty() {
        messages.sort_by_key(|one| (attention(one), is_general(one)));
    }
    let mut unique: Vec<ExplainedMessage> = Vec::new();
    messages.retain(|message| {
        let is_new = !unique.iter().any(|known| known == message || is_repeated(known, message));
        unique.push(message.clone());
        is_new
    });
    let more = more(&messages).into_iter().chain(commands).collect();
    MessagesView { messages, more }
}

/// What a state of a namespace means, whatever its objects are called.
#[must_use]
pub fn explain_state(id: StateId) -> ExplainedMessage {
    let entry = state(id);
    let [meaning, first, never] = entry.in_general();
    let [first, never] = [first, never].map(|text| Some(text).filter(|text| !text.is_empty()));
    ExplainedMessage {
        about: id.to_string(),
        state: Some(id),
        verdict: entry.verdict,
        meaning,
        first,
        never,
        ..ExplainedMessage::default()
    }
}

/// What a message means, or else the condition or phase with its reason.
#[must_use]
pub fn explained(condition: &str, message: &str) -> Option<ExplainedMessage> {
    of_text(&one_line(message)).into_iter().next().or_else(|| of_reason(condition))
}

/// What the objects of manifests say themselves, in the order of the text, and what tables between them say.
#[must_use]
pub fn reported(manifests: &str) -> Vec<ExplainedMessage> {
    // That a namespace is being deleted is the state of all in it, and an answer of its own.
    let is_reported = |one: &Stated| one.holds() && !(one.object_kind() == "Namespace" && one.kind.is_empty());
    let mut found = of_all(&pasted::of_objects(manifests), is_reported);
    found.extend(of_tables(&table::stated(manifests).0).into_iter().map(|(one, _)| one));
    found
}

/// Adds what logs and events beside objects say is wrong, unless an operator runs by now.
fn with_entries(mut messages: Vec<ExplainedMessage>, text: &str) -> Vec<ExplainedMessage> {
    if messages.iter().any(|one| one.meaning == "the operator runs") {
        return messages;
    }
    for one in log::of_entries(text) {
        let is_new = !messages.iter().any(|known| known.meaning == one.meaning);
        if one.verdict == Some(Verdict::Stuck) && is_new {
            messages.push(one);
        }
    }
    messages
}

/// What some of these mean, with their ages.
fn of_all(stated: &[Stated], is_said: impl Fn(&Stated) -> bool) -> Vec<ExplainedMessage> {
    let newest = age::newest(stated.iter().map(|one| &*one.since));
    let of = |one: &Stated| {
        let (namespace, age) = (one.namespace.clone(), age::age(&one.since, newest));
        let found = of_stated(one).into_iter();
        found.map(move |message| ExplainedMessage { namespace: namespace.clone(), age: age.clone(), ..message })
    };
    stated.iter().filter(|one| is_said(one)).flat_map(of).collect()
}

/// Whether two conditions of one object mean the same.
fn is_repeated(one: &ExplainedMessage, other: &ExplainedMessage) -> bool {
    let object = |one: &ExplainedMessage| one.about.rsplit_once(' ').map(|(object, _)| object.to_owned());
    let said = |one: &ExplainedMessage| (one.namespace.clone(), one.meaning.clone(), one.first.clone());
    !one.about.is_empty() && !other.about.is_empty() && object(one) == object(other) && said(one) == said(other)
}

/// How messages begin that say only that something is wrong.
const GENERAL: [&str; 6] = [
    "error waiting for CSV",
    "CSV \"",
    "CrashLoopBackOff",
    "Back-off restarting",
    "Waiting for Deployment",
    "APIServices not installed",
];

/// Whether a message, phase or reason says that something is wrong, and not what.
fn is_general(message: &ExplainedMessage) -> bool {
    is_of(message, &["Failed"])
        || GENERAL.iter().any(|begin| message.text.starts_with(begin))
        || matches!(message.state, Some(StateId::CsvFailed | StateId::CsvRequirements))
}

/// Whether it is one of these phases or reasons, without a message.
fn is_of(message: &ExplainedMessage, reasons: &[&str]) -> bool {
    message.text.is_empty() && message.about.rsplit(' ').next().is_some_and(|reason| reasons.contains(&reason))
}

/// Whether a phase or reason says nothing beside what is exactly known of the same object.
fn is_bare(message: &ExplainedMessage, all: &[ExplainedMessage]) -> bool {
    let named = message.about.rsplit_once(' ').map_or("", |(object, _)| object);
    let object = named.rsplit(['/', ' ']).next().unwrap_or_default();
    let is_exact = |one: &ExplainedMessage| one.verdict == Some(Verdict::Stuck) && !is_general(one);
    let is_of_it = |one: &ExplainedMessage| object.is_empty() || one.about.split([' ', '/']).any(|word| word == object);
    is_general(message) && all.iter().any(|one| is_exact(one) && is_of_it(one))
}

/// What needs attention first.
fn attention(message: &ExplainedMessage) -> usize {
    message.verdict.unwrap_or(Verdict::Unknown).attention()
}

/// What the rows of tables mean, each with the command that shows what it lacks.
fn of_tables(rows: &[(Stated, ShellCommand)]) -> Vec<(ExplainedMessage, String)> {
    let of = |(row, command): &(Stated, ShellCommand)| {
        let command = format!("`{command}`");
        of_all(std::slice::from_ref(row), Stated::holds).into_iter().map(move |one| (one, command.clone()))
    };
    let mut found: Vec<(ExplainedMessage, String)> = rows.iter().flat_map(of).collect();
    found.sort_by_key(|(one, _)| attention(one));
    found
}

/// How to see what rows of tables lack.
fn lacking(rows: &[(ExplainedMessage, String)]) -> Option<String> {
    let mut commands: Vec<&String> = Vec::new();
    for (one, command) in rows {
        if one.verdict != Some(Verdict::Acts) && !commands.contains(&command) {
            commands.push(command);
        }
    }
    let named = source::joined(&commands, 4, "and");
    let shown = format!("a table has no column for reasons, messages and most of the status: {named}");
    Some(shown).filter(|_| !commands.is_empty())
}

/// A text without the line breaks of YAML and of descriptions. Those that CEL makes point to a place in the line above.
fn one_line(text: &str) -> String {
    if text.contains("\n | ") {
        return text.trim().to_owned();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn of_stated(stated: &Stated) -> Vec<ExplainedMessage> {
    let Stated { object, item, kind, status, reason, message, .. } = stated;
    let condition = match (kind.is_empty(), reason.is_empty()) {
        (true, true) => status.clone(),
        (true, false) if status.is_empty() => reason.clone(),
        (true, false) => format!("{status}/{reason}"),
        (false, true) => format!("{kind}={status}"),
        (false, false) => format!("{kind}={status}/{reason}"),
    };
    let about = [object, item, &condition].into_iter().filter(|part| !part.is_empty()).map(|part| &**part);
    let about = about.collect::<Vec<_>>().join(" ");
    let text = one_line(message);
    let mut found = of_text(&text);
    if found.is_empty() {
        // Phases of several kinds have the same names.
        let of_kind = of_reason(&format!("{} {condition}", stated.item_kind())).filter(|_| reason.is_empty());
        found = of_kind
            .or_else(|| of_reason(&condition))
            .into_iter()
            .map(|one| ExplainedMessage { text: text.clone(), ..one })
            .collect();
    }
    found.iter_mut().for_each(|one| one.about.clone_from(&about));
    found
}

fn of_text(text: &str) -> Vec<ExplainedMessage> {
    let mut found = Vec::new();
    let mut at = 0;
    // Where each form is found next.
    let mut next: Vec<Option<Match<'_>>> = MESSAGES.iter().map(|known| known.pattern.find(text)).collect();
    while at < text.len() {
        let unsolvable = unsolvable(&text[at..]);
        for (known, next) in MESSAGES.iter().zip(&mut next) {
            if next.is_some_and(|found| found.start() < at) {
                *next = known.pattern.find_at(text, at);
            }
        }
        let form = MESSAGES.iter().zip(&next).filter_map(|(known, next)| Some(((*next)?, known)));
        let form = form.min_by_key(|(next, _)| next.start());
        let (message, end) = match (unsolvable, form) {
            (Some((_, message, end)), None) => (message, at + end),
            (Some((start, message, end)), Some((next, _))) if at + start <= next.start() => (message, at + end),
            (_, Some((next, known))) => (of_form(known, &text[next.start()..]), next.end()),
            (None, None) => break,
        };
        found.push(message);
        at = end.max(at + 1);
        while !text.is_char_boundary(at) {
            at += 1;
        }
    }
    found
}

/// Where the first sentences of `constraints not satisfiable` begin, what they mean, and where they end.
fn unsolvable(text: &str) -> Option<(usize, ExplainedMessage, usize)> {
    let start = text.find(unsolvable::START);
    let first = start.map_or(0, |start| start + unsolvable::START.len());
    let first = first + text[first..].len() - text[first..].trim_start_matches([':', ' ']).len();
    let (message, length) = unsolvable::explained(&text[first..])?;
    let start = start.unwrap_or_default();
    let end = first + length;
    Some((start, ExplainedMessage { text: text[start..end].to_owned(), ..message }, end))
}

/// The condition or phase that a text names.
fn of_reason(text: &str) -> Option<ExplainedMessage> {
    REASONS.iter().find(|known| known.pattern.is_match(text)).map(|known| of_form(known, text))
}

fn of_form(known: &Known, text: &str) -> ExplainedMessage {
    let Some(captures) = known.pattern.captures(text) else { return ExplainedMessage::default() };
    let entry = known.form.entry();
    let value = |group: &str| {
        let found = captures.name(group)?.as_str();
        Some(match group {
            "text" => found.to_owned(),
            "fields" => fields(found),
            _ => format!("`{found}`"),
        })
    };
    let found = known.pattern.capture_names().flatten();
    let found = found
        .filter(|kind| !matches!(*kind, "text" | "fields"))
        .filter_map(|kind| Some((kind, captures.name(kind)?.as_str())));
    ExplainedMessage {
        state: entry.state,
        text: captures.get(0).map_or_else(String::new, |whole| whole.as_str().to_owned()),
        meaning: entry.meaning(value),
        verdict: entry.verdict,
        first: entry.first(value),
        never: entry.never(value),
        runs_again: entry.runs_again,
        names: names(found),
        ..ExplainedMessage::default()
    }
}

/// The fields of an error of Kubernetes about several, as `[[].spec.a: Required value, [].spec.b: Required value]`.
fn fields(text: &str) -> String {
    let paths =
        text.split(", ").filter_map(|field| Some(field.trim_start_matches(['[', ']', '.']).split_once(": ")?.0));
    source::joined(paths.map(|path| format!("`{path}`")), 8, "and")
}

fn name(kind: &str, name: &str) -> MessageName {
    MessageName { kind: kind.to_owned(), name: name.to_owned() }
}

fn names<'t>(pairs: impl IntoIterator<Item = (&'t str, &'t str)>) -> Vec<MessageName> {
    pairs.into_iter().map(|(kind, found)| name(kind, found)).collect()
}

/// What would tell more about these messages.
fn more(messages: &[ExplainedMessage]) -> Vec<String> {
    let is_about_csvs = messages
        .iter()
        .any(|one| one.sentences.iter().any(|sentence| sentence.text.starts_with("clusterserviceversion ")));
    let depends = messages.iter().any(|one| one.sentences.iter().any(|sentence| sentence.text.starts_with("bundle ")));
    let mut more = Vec::new();
    if is_about_csvs {
        more.push(
            "the CSVs, InstallPlans and Subscriptions of the namespace tell whether an update goes on: `kubectl get \
             subscriptions,csv,installplans,operatorgroups -o yaml`, with the namespace"
                .to_owned(),
        );
    }
    let catalogs = messages.iter().flat_map(|one| one.sentences.iter().flat_map(|sentence| &sentence.names));
    let mut catalogs: Vec<&str> = catalogs.filter(|name| name.kind == "catalog").map(|name| &*name.name).collect();
    catalogs.sort_unstable();
    catalogs.dedup();
    if depends || !catalogs.is_empty() && !is_about_csvs {
        let named = source::joined(catalogs.iter().map(|name| format!("`{name}`")), 4, "and");
        let of = if named.is_empty() { String::new() } else { format!(" {named}") };
        more.push(format!("the catalog{of} tells which versions, channels and requirements there are"));
    }
    more
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> ExplainedMessage {
        let mut messages = explain_messages(text).messages;
        assert_eq!(messages.len(), 1, "{messages:?}");
        messages.remove(0)
    }

    /// A message whose meaning has this text, with its verdict.
    #[track_caller]
    fn check(text: &str, verdict: impl Into<Option<Verdict>>, meaning: &str) -> ExplainedMessage {
        let message = only(text);
        assert!(message.meaning.contains(meaning), "{}", message.meaning);
        assert_eq!(message.verdict, verdict.into());
        message
    }

    const UPDATE: &str = "constraints not satisfiable: @existing/ns//p.v1.0.0 and @existing/ns//p.v2.0.0 provide P (g.io/v1), \
        clusterserviceversion p.v1.0.0 exists and is not referenced by a subscription, subscription s exists, \
        subscription s requires at least one of c/olm/stable/p.v3.0.0 or @existing/ns//p.v2.0.0";
    const SECOND: &str = "constraints not satisfiable: subscription s requires c/olm/stable/p.v1.0.0, subscription s exists, \
        clusterserviceversion p.v1.0.0 exists and is not referenced by a subscription, \
        @existing/ns//p.v1.0.0 and c/olm/stable/p.v1.0.0 originate from package p";

    #[test]
    fn an_update_in_progress_is_told_from_a_csv_without_a_subscription() {
        let update =
            check(UPDATE, None, "In an update from `p.v1.0.0` to `p.v2.0.0` this is normal and ends by itself");
        assert!(update.never.is_some());
        let second = check(SECOND, Verdict::Stuck, "Subscription `s` would install a second one");
        assert!(second.first.is_some_and(|first| first.contains("status.installedCSV")));
        check(
            "constraints not satisfiable: clusterserviceversion p.v1.0.0 exists and is not referenced by a subscription",
            Verdict::Stuck,
            "`p.v1.0.0` is installed without a Subscription",
        );
    }

    #[test]
    fn each_sentence_is_decoded_with_what_it_names() {
        let sentences = only(SECOND).sentences;
        let names: Vec<(&str, &str)> =
            sentences.iter().flat_map(|one| &one.names).map(|name| (&*name.kind, &*name.name)).collect();
        let expected = [
            ("subscription", "s"),
            ("csv", "p.v1.0.0"),
            ("channel", "stable"),
            ("catalog", "olm/c"),
            ("subscription", "s"),
            ("csv", "p.v1.0.0"),
            ("package", "p"),
            ("csv", "p.v1.0.0"),
            ("namespace", "ns"),
            ("channel", "stable"),
            ("catalog", "olm/c"),
        ];
        assert_eq!(names, expected);
        assert!(only(UPDATE).sentences[0].names.contains(&name("api", "P (g.io/v1)")));
    }

    #[test]
    fn a_wrong_field_of_a_subscription_is_all_there_is() {
        let of = |sentence: &str| format!("constraints not satisfiable: {sentence}, subscription s exists");
        let catalog = of("no operators found from catalog c in namespace olm referenced by subscription s");
        assert!(
            check(&catalog, Verdict::Stuck, "a field of a Subscription")
                .first
                .is_some_and(|first| first.contains("spec.source"))
        );
        let channel = of("no operators found in channel x of package p in the catalog referenced by subscription s");
        assert!(check(&channel, Verdict::Stuck, "a field").sentences[0].names.contains(&name("channel", "x")));
        let start = of(
            "no operators found with name 2.0.3 in channel  of package p in the catalog referenced by subscription s",
        );
        let start = check(&start, Verdict::Stuck, "a field");
        assert!(start.first.is_some_and(|first| first.contains("a name, not a version")));
        assert_eq!(
            start.sentences[0].meaning,
            "package `p` does not list `2.0.3`, the startingCSV of Subscription `s`"
        );
    }

    #[test]
    fn subscriptions_that_cannot_be_met_together_get_a_next_step() {
        let text = "constraints not satisfiable: subscription a requires @existing/ns//a.v1, subscription a exists, subscription b \
                    exists, subscription b requires c/olm/stable/b.v1, @existing/ns//a.v1 and c/olm/stable/b.v1 provide K (g.io/v1)";
        let first = check(text, Verdict::Stuck, "cannot be met together").first.unwrap();
        assert!(first.contains("the one that has nothing installed"), "{first}");
    }

    #[test]
    fn a_requirement_ends_where_the_next_sentence_begins() {
        let text = "constraints not satisfiable: bundle a.v1 requires an operator providing an API with group: g.io, version: v1, \
            kind: K, subscription a exists, subscription a requires c/olm/stable/a.v1";
        let message = check(text, Verdict::Stuck, "requires an operator that provides the API `K (g.io/v1)`");
        assert_eq!(message.sentences.len(), 3);
        let range = text.replace(
            "providing an API with group: g.io, version: v1, kind: K",
            "with package: q and with version in range: >=1.0.0, <2.0.0",
        );
        check(&range, Verdict::Stuck, "requires package `q` in range `>=1.0.0, <2.0.0`");
    }

    #[test]
    fn a_message_that_is_cut_off_says_so() {
        let until = |word: &str| only(&SECOND[..SECOND.find(word).unwrap() + word.len()]);
        // What decides is there, or not.
        let decided = until("@existing/ns//p.v1");
        assert!(decided.meaning.contains("`p.v1.0.0` is installed without a Subscription"), "{}", decided.meaning);
        for word in ["p.v1.0.0, subscription", "clusterserviceversion p.v1.0.0 exi"] {
            let message = until(word);
            assert!(message.meaning.ends_with("cut off before the sentence that decides"), "{}", message.meaning);
            let last = message.sentences.last().unwrap();
            assert!(last.meaning.starts_with("the text ends in the middle"), "{}", last.meaning);
        }
    }

    #[test]
    fn a_line_of_a_log_ends_the_message() {
        let line = format!(
            "level=debug msg=\"resolution failed\" error=\"{SECOND}\" id=jJ namespace=ns\nI1109 event.go:282: {SECOND}"
        );
        let about = |namespace: &str| ExplainedMessage {
            about: format!("Namespace {namespace}"),
            namespace: namespace.to_owned(),
            ..only(SECOND)
        };
        assert_eq!(explain_messages(&line).messages, [about("ns"), only(SECOND)]);
    }

    #[test]
    fn each_line_of_a_log_has_its_message_with_the_namespace_of_its_sync() {
        let of = |text: &str| {
            let messages = explain_messages(text).messages.into_iter();
            messages.map(|one| (one.namespace, one.text)).collect::<Vec<_>>()
        };
        let count = 400;
        let text = "found 0 operatorGroups, expected 1";
        let lines: String = (0..count)
            .map(|at| format!("E0502 08:00:03.1 1 q.go:3] \"Unhandled Error\" err=\"sync {{\\\"update\\\" \\\"t{at}\\\"}} failed: {text}\"\n"))
            .collect();
        let expected: Vec<_> = (0..count).map(|at| (format!("t{at}"), text.to_owned())).collect();
        assert_eq!(of(&lines), expected);
        // Lines that belong together, and messages below each other.
        assert_eq!(of("found 0\noperatorGroups, expected 1"), [(String::new(), text.to_owned())]);
        let two = of(&format!("- {text}\n- ServiceAccount sa not found"));
        assert_eq!(two.iter().map(|(_, text)| &**text).collect::<Vec<_>>(), [text, "ServiceAccount sa not found"]);
    }

    #[test]
    fn a_sentence_of_another_kind_stays_as_it_is() {
        let sentences = only(&format!("{SECOND}, a rule of somebody else, subscription t exists")).sentences;
        let last: Vec<&str> = sentences[4..].iter().map(|one| &*one.text).collect();
        assert_eq!(last, ["a rule of somebody else", "subscription t exists"]);
    }

    #[test]
    fn an_error_of_cel_keeps_its_lines() {
        let lines = "convert olm.constraint to resolver predicate: ERROR: <input>:1:1: undeclared reference to 'f' (in \
                     container '')\n | f(a)\n | ^";
        let meaning =
            "resolves nothing in the namespace: ERROR: <input>:1:1: undeclared reference to 'f' (in container '')";
        let message = check(lines, Verdict::Stuck, meaning);
        assert!(message.text == lines && message.meaning.ends_with(meaning), "{message:?}");
        let json =
            serde_json::json!({"conditions": [{"type": "ResolutionFailed", "status": "True", "message": lines}]});
        assert_eq!(only(&json.to_string()).text, lines);
        // Another message of several lines is folded.
        assert_eq!(only(&UPDATE.replace(", ", ",\n  ")).text, UPDATE);
    }

    #[test]
    fn conditions_are_read_from_yaml_json_and_descriptions() {
        let folded = UPDATE.replace(", ", ",\n      ");
        let yaml = format!(
            "kind: Subscription\nmetadata: {{name: s}}\nstatus:\n  conditions:\n  - message: all available catalogsources are healthy\n    \
             reason: AllCatalogSourcesHealthy\n    status: 'False'\n    type: CatalogSourcesUnhealthy\n  - message: '{folded}'\n    \
             reason: ConstraintsNotSatisfiable\n    status: 'True'\n    type: ResolutionFailed\n"
        );
        let expected = only(UPDATE);
        let about = "Subscription s ResolutionFailed=True/ConstraintsNotSatisfiable";
        assert_eq!(only(&yaml), ExplainedMessage { about: about.to_owned(), ..expected.clone() });
        let timed = yaml
            .replace("{name: s}", "{name: s, namespace: ns}")
            .replace("status:\n", "status:\n  lastUpdated: '2024-01-01T10:30:00Z'\n");
        let timed = timed.replace("type: Cat", "lastTransitionTime: '2024-01-01T11:00:00Z'\n    type: Cat");
        let found = only(&timed);
        assert_eq!((&*found.namespace, &*found.age), ("ns", "30 minutes older than the newest entry"));
        let part = &yaml[yaml.find("  conditions").unwrap()..];
        assert_eq!(only(part).sentences, expected.sentences);
        let described = format!(
            "Name:         s\nNamespace:    ns\nKind:         Subscription\nStatus:\n  Conditions:\n    \
             Last Transition Time:  2024-01-01T00:00:00Z\n    Message:               all available catalogsources are healthy\n    \
             Reason:                AllCatalogSourcesHealthy\n    Status:                False\n    Type:                  \
             CatalogSourcesUnhealthy\n    Message:               {UPDATE}\n    Reason:                ConstraintsNotSatisfiable\n    \
             Status:                True\n    Type:                  ResolutionFailed\n"
        );
        assert_eq!(only(&described), ExplainedMessage { about: about.to_owned(), ..expected });
    }

    #[test]
    fn a_condition_without_a_message_is_explained_by_its_reason() {
        let condition =
            |kind: &str, reason: &str| format!("conditions:\n- type: {kind}\n  status: 'True'\n  reason: {reason}\n");
        check(
            &condition("InstallPlanPending", "RequiresApproval"),
            Verdict::Waits,
            "an InstallPlan waits for approval",
        );
        check(&condition("BundleUnpacking", "UnpackingInProgress"), Verdict::Passes, "OLM unpacks bundles");
        check(&condition("InstallPlanMissing", "ReferencedInstallPlanNotFound"), Verdict::Acts, "harmless");
    }

    #[test]
    fn a_reason_alone_is_explained() {
        check("OperatorConditionNotUpgradeable", Verdict::Waits, "it must not be updated");
        check("RequiresApproval", Verdict::Waits, "an InstallPlan waits for approval");
        check("NoOperatorGroup", Verdict::Stuck, "the namespace has no OperatorGroup");
        check("TooManyOperatorGroups", Verdict::Stuck, "several OperatorGroups");
        check("InterOperatorGroupOwnerConflict", Verdict::Stuck, "provides the same API");
        check("UnsupportedOperatorGroup", Verdict::Stuck, "the CSV does not fit its OperatorGroup");
    }

    #[test]
    fn a_message_leads_to_the_state_of_its_namespace() {
        let state = |text: &str| only(text).state;
        assert_eq!(state("csv in namespace with no operatorgroups"), Some(StateId::NoOperatorGroup));
        assert_eq!(state("RequiresApproval"), Some(StateId::PlanWaits));
        assert_eq!(state("install timeout"), None);
    }

    #[test]
    fn the_phase_of_a_csv_counts_and_not_what_it_was_before() {
        let csv = "kind: ClusterServiceVersion\nmetadata: {name: p.v1}\nstatus:\n  phase: Pending\n  reason: RequirementsNotMet\n  \
            message: one or more requirements couldn't be found\n  conditions:\n  - {phase: Failed, reason: InstallCheckFailed, \
            message: install timeout}\n  requirementStatus:\n  - {kind: ServiceAccount, name: sa, status: NotPresent, message: \
            Service account does not exist}\n";
        let meanings: Vec<String> = explain_messages(csv).messages.into_iter().map(|one| one.meaning).collect();
        assert!(meanings.len() == 1 && meanings[0].starts_with("a ServiceAccount"), "{meanings:?}");
    }

    #[test]
    fn messages_of_plans_sources_groups_and_extensions_are_known() {
        let crd = "risk of data loss updating \"ps.g.io\": new CRD removes version v1alpha1 that is listed as a stored version on \
            the existing CRD";
        let crd = check(crd, Verdict::Stuck, "cannot update the CustomResourceDefinition `ps.g.io`");
        assert!(crd.never.is_some() && crd.names.contains(&name("version", "v1alpha1")));
        check(
            "error using catalogsource olm/c: failed to list bundles: rpc error: code = Unavailable desc = connection error",
            Verdict::Stuck,
            "the CatalogSource `olm/c` does not answer",
        );
        check("Multiple OperatorGroup found in the same namespace", Verdict::Stuck, "several OperatorGroups");
        check(
            "bundle unpacking failed. Reason: DeadlineExceeded, and Message: Job was active",
            Verdict::Stuck,
            "could not unpack",
        );
        check("Bundle image pull failed. Common causes: auth failure", Verdict::Stuck, "cannot be pulled");
        check(
            "error for resolved bundle \"p.v2\" with version \"2.0.0\": validating upgrade for CRD \"ps.g.io\": v1: ^.spec: enum",
            Verdict::Stuck,
            "OLM v1 chooses `p.v2` and refuses it",
        );
        check(
            "operator is not upgradeable: the operator is not upgradeable: busy",
            Verdict::Waits,
            "must not be updated: busy",
        );
        check("constraints not satisfiable", Verdict::Stuck, "no choice of bundles fits");
    }

    #[test]
    fn a_text_about_something_else_has_no_message() {
        for text in ["", "hello", "kind: Pod\nstatus: {phase: Running}\n", "a: [", "é"] {
            assert_eq!(explain_messages(text), MessagesView::default(), "{text}");
        }
    }

    #[test]
    fn what_a_message_alone_does_not_tell_is_named() {
        assert!(explain_messages(UPDATE).more[0].contains("CSVs"));
        let package = "no operators found in package p in the catalog referenced by subscription s";
        assert_eq!(explain_messages(package).more, [""; 0]);
        let needs = "constraints not satisfiable: bundle a.v1 requires an operator with label: l, subscription a exists, \
            subscription a requires c/olm/stable/a.v1";
        assert_eq!(
            explain_messages(needs).more,
            ["the catalog `olm/c` tells which versions, channels and requirements there are"]
        );
    }
}
