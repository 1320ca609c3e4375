//! The user's settings, `.opscope.yaml`: who judges, levels of rules, findings that are not wanted, and differences that are accepted.

use crate::rule::{Levels, rule_ids};
use catalog::parse_day;
use fbc::{Node, Value};
use go_semver::blang::{Range, Version};
use source::{FileId, Level, LineIndex, OpenShift, OpmVersion, Rule, Span, joined, nearest};
use std::collections::BTreeMap;
use std::str::FromStr;

/// The level that switches a rule off.
const OFF: &str = "off";
/// What a line looks like.
pub(crate) const EXAMPLE: &str = "expected lines such as `v0-next-changed: breaking`";
/// What a file of settings may have.
const KEYS: [&str; 6] = ["opm", "openshift", "levels", "ignore", "accept", "templates"];
/// What the list of templates looks like.
const RENDERED: &str = "expected a list such as `[{template: templates/v4.18.yaml, catalog: catalogs/v4.18/kettle}]`";
/// What an accepted difference may have.
const ACCEPTED: [&str; 6] = ["rule", "package", "channel", "versions", "reason", "until"];

/// Findings about sets of catalogs that may be accepted: what updates of OpenShift do to installed versions.
const OF_SETS: [Rule; 5] =
    [Rule::SetPackageEnds, Rule::SetChannelEnds, Rule::SetInstalledLost, Rule::SetInstalledAhead, Rule::SetMovesLower];

/// The user's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The release of `opm` that judges.
    pub opm: Option<OpmVersion>,
    /// The version of OpenShift whose catalog is meant, of several.
    pub openshift: Option<OpenShift>,
    pub levels: Levels,
    /// The rules whose findings are not wanted.
    pub ignored: Vec<Rule>,
    /// The catalogs that are rendered from templates in another folder.
    pub rendered: Vec<Rendered>,
}

/// A catalog that is rendered from a template; both are paths in the folder of the settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    pub template: String,
    /// A file, or a folder with it.
    pub catalog: String,
}

/// What is wrong in a text of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsFault {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// What is wrong, and what is expected.
    pub message: String,
}

/// Reads settings, and notes all that is wrong.
struct Reader<'t> {
    text: &'t str,
    faults: Vec<(Span, String)>,
}

impl Settings {
    /// Reads settings, or levels alone such as `v0-next-changed: breaking`, a line for each rule. An empty text changes nothing.
    ///
    /// # Errors
    /// When the text is no mapping, or has unknown keys, rules, levels or releases, or a key twice: all of those, by line.
    pub fn parse(text: &str) -> Result<Self, Vec<SettingsFault>> {
        let mut reader = Reader { text, faults: Vec::new() };
        let settings = reader.settings();
        if reader.faults.is_empty() {
            return Ok(settings);
        }
        let lines = LineIndex::new(text);
        let fault = |(at, message): (Span, String)| {
            let at = lines.position(text, at.start);
            SettingsFault { line: at.line, column: at.column, message }
        };
        let mut faults: Vec<SettingsFault> = reader.faults.into_iter().map(fault).collect();
        faults.sort_by_key(|fault| (fault.line, fault.column));
        Err(faults)
    }
}

impl Settings {
    /// What these settings say that others did not: texts without a full stop.
    #[must_use]
    pub fn added_to(&self, before: &Self) -> Vec<String> {
        let judge = self.opm.filter(|_| self.opm != before.opm).map(|opm| format!("`opm: {opm}`"));
        let openshift = self.openshift.filter(|_| self.openshift != before.openshift);
        let openshift = openshift.map(|version| format!("`openshift: {version}`"));
        let levels = self.levels.chosen.iter().filter(|(id, level)| before.levels.chosen.get(*id) != Some(level));
        let levels = levels.map(|(id, level)| format!("`{id}: {}`", level.map_or(OFF, Level::as_str)));
        let ignored = self.ignored.iter().filter(|rule| !before.ignored.contains(rule));
        let ignored = ignored.map(|rule| format!("ignores `{rule}`"));
        let accepted = self.levels.accepted.iter().filter(|accepted| !before.levels.accepted.contains(accepted));
        let accepted = accepted.map(Accepted::in_words);
        judge.into_iter().chain(openshift).chain(levels).chain(ignored).chain(accepted).collect()
    }
}

impl Reader<'_> {
    fn settings(&mut self) -> Settings {
        let mut settings = Settings::default();
        let document = match fbc::yaml_document(FileId(0), self.text) {
            Ok(document) => document,
            Err(error) => {
                self.fault(error.span, format!("{}; {EXAMPLE}", error.message));
                return settings;
            }
        };
        let rest = &self.text[document.end as usize..];
        if rest
            .lines()
            .any(|line| !line.trim_start().starts_with('#') && !line.trim_matches(['-', '.', ' ']).is_empty())
        {
            let place = Span::new(FileId(0), document.end, document.end);
            self.fault(place, "settings are one document: put all of them in the first one".to_owned());
        }
        let rows = match document.node.value {
            Value::Null => Vec::new(),
            Value::Mapping(rows) => rows,
            _ => {
                self.fault(document.node.span, EXAMPLE.to_owned());
                return settings;
            }
        };
        // Of equal keys the reader keeps one and reports the others.
        self.faults.extend(document.diagnostics.into_iter().map(|found| (found.span, found.message)));
        let is_of_settings = rows.iter().any(|(key, _)| KEYS.contains(&&*key.value));
        let (mut chosen, mut accepted) = (BTreeMap::new(), Vec::new());
        for (key, node) in rows {
            match &*key.value {
                "opm" => settings.opm = self.parsed(&node),
                "openshift" => settings.openshift = self.parsed(&node),
                "levels" => match node.value {
                    Value::Mapping(rows) => {
                        for (id, level) in rows {
                            self.level(id.span, &id.value, &level, &mut chosen);
                        }
                    }
                    Value::Null => {}
                    _ => self.fault(node.span, EXAMPLE.to_owned()),
                },
                "ignore" => {
                    let rules = self.list(&node, "expected a list of rules, such as `[downgrade]`");
                    settings.ignored = rules.iter().filter_map(|rule| self.ignored(rule)).collect();
                }
                "accept" => {
                    let entries =
                        self.list(&node, "expected a list of differences, each with `rule`, `package` and `reason`");
                    accepted = entries.iter().filter_map(|entry| self.accepted(entry)).collect();
                }
                "templates" => {
                    let entries = self.list(&node, RENDERED);
                    settings.rendered = entries.iter().filter_map(|entry| self.rendered(entry)).collect();
                }
                name if is_of_settings => self.unknown(key.span, "setting", name, &KEYS),
                id => self.level(key.span, id, &node, &mut chosen),
            }
        }
        settings.levels = Levels::new(chosen, accepted);
        settings
    }

    fn level(&mut self, at: Span, id: &str, node: &Node, chosen: &mut BTreeMap<String, Option<Level>>) {
        if id.parse::<Rule>().is_err() {
            self.rule(at, id);
        }
        let level = match &node.value {
            // YAML takes `off` for `false`.
            Value::Bool(false) => Some(None),
            _ => node.as_str().and_then(level_of),
        };
        match level {
            Some(level) => drop(chosen.insert(id.to_owned(), level)),
            None => self.fault(node.span, format!("`{id}` needs a level: breaking, risky, neutral, good or {OFF}")),
        }
    }

    fn rendered(&mut self, entry: &Node) -> Option<Rendered> {
        let rows = if let Value::Mapping(rows) = &entry.value { &rows[..] } else { &[] };
        let path = |name: &str| {
            let (_, node) = rows.iter().find(|(key, _)| &*key.value == name)?;
            self.scalar(node).map(|path| path.trim_start_matches("./").trim_end_matches('/').to_owned())
        };
        let found = path("template").zip(path("catalog")).filter(|_| rows.len() == 2);
        if found.is_none() {
            self.fault(entry.span, RENDERED.to_owned());
        }
        found.map(|(template, catalog)| Rendered { template, catalog })
    }

    fn accepted(&mut self, entry: &Node) -> Option<Accepted> {
        let Value::Mapping(rows) = &entry.value else {
            self.fault(entry.span, "expected a difference with `rule`, `package` and `reason`".to_owned());
            return None;
        };
        let mut texts: BTreeMap<&str, String> = BTreeMap::new();
        let mut versions = Vec::new();
        for (key, node) in rows {
            let name = &*key.value;
            if !ACCEPTED.contains(&name) {
                self.unknown(key.span, "field", name, &ACCEPTED);
            } else if name == "versions" {
                let one = std::slice::from_ref(node);
                let list = if let Value::Sequence(list) = &node.value { list } else { one };
                if list.is_empty() {
                    self.fault(
                        node.span,
                        "without a version it accepts nothing; leave `versions` out to accept all".to_owned(),
                    );
                }
                for node in list {
                    let read = self
                        .scalar(node)
                        .map_or_else(|| Err("expected versions or a range".to_owned()), |text| Versions::parse(&text));
                    match read {
                        Ok(read) => versions.push(read),
                        Err(reason) => self.fault(node.span, reason),
                    }
                }
            } else if let Some(text) = self.scalar(node).filter(|text| !text.is_empty()) {
                match name {
                    "rule" if OF_SETS.iter().any(|rule| rule.id() == text) => {}
                    "rule" => self.rule(node.span, &text),
                    "until" if parse_day(&text).is_none() => {
                        self.fault(node.span, "expected a day such as `2027-01-31`".to_owned());
                    }
                    _ => {}
                }
                texts.insert(name, text);
            } else {
                self.fault(node.span, format!("`{name}` needs a text"));
            }
        }
        let missing = ["rule", "package", "reason"].into_iter().find(|name| !texts.contains_key(name));
        if let Some(missing) = missing {
            self.fault(entry.span, format!("an accepted difference needs `{missing}`"));
            return None;
        }
        let mut take = |name: &str| texts.remove(name);
        Some(Accepted {
            rule: take("rule")?,
            package: take("package")?,
            channel: take("channel"),
            versions,
            reason: take("reason")?,
            until: take("until"),
        })
    }

    /// A value of which Opscope knows how it is written.
    fn parsed<T: FromStr<Err: ToString>>(&mut self, node: &Node) -> Option<T> {
        let text = self.scalar(node).unwrap_or_default();
        text.parse().map_err(|error: T::Err| self.fault(node.span, error.to_string())).ok()
    }

    fn list(&mut self, node: &Node, expected: &str) -> Vec<Node> {
        match &node.value {
            Value::Sequence(list) => list.clone(),
            Value::Null => Vec::new(),
            _ => {
                self.fault(node.span, expected.to_owned());
                Vec::new()
            }
        }
    }

    /// The text of a scalar as it is written: a version such as `4.18` is a number for YAML.
    fn scalar(&self, node: &Node) -> Option<String> {
        match &node.value {
            Value::String(text) => Some(text.to_string()),
            Value::Number(_) | Value::Bool(_) => Some(node.span.slice(self.text).to_owned()),
            Value::Null | Value::Sequence(_) | Value::Mapping(_) | Value::Unopened => None,
        }
    }

    /// The rule of findings that is named.
    fn ignored(&mut self, node: &Node) -> Option<Rule> {
        let id = self.scalar(node).unwrap_or_default();
        let rule = id.parse().ok();
        if rule.is_none() {
            self.unknown(node.span, "rule", &id, &Rule::ALL.iter().map(|rule| rule.id()).collect::<Vec<_>>());
        }
        rule
    }

    /// Notes it if there is no rule of comparisons with this id.
    fn rule(&mut self, at: Span, id: &str) {
        if !rule_ids().any(|known| known == id) {
            self.unknown(at, "rule", id, &rule_ids().collect::<Vec<_>>());
        }
    }

    fn unknown(&mut self, at: Span, what: &str, name: &str, known: &[&str]) {
        let near = proposed(name, known.iter().copied()).into_iter().map(|near| format!("`{near}`"));
        let help = match joined(near, usize::MAX, "or") {
            near if !near.is_empty() => format!("did you mean {near}?"),
            _ if what == "rule" => "`opscope explain` lists them".to_owned(),
            _ => format!("the {what}s are {}", known.join(", ")),
        };
        let message = format!("there is no {what} `{name}`; {help}");
        self.fault(at, message);
    }

    fn fault(&mut self, at: Span, message: String) {
        self.faults.push((at, message));
    }
}

/// At most three names that may be meant by a word: the nearest ones, then those that have it in them.
pub fn proposed<'n>(word: &str, names: impl Iterator<Item = &'n str> + Clone) -> Vec<&'n str> {
    const MOST: usize = 3;
    let mut near = nearest(word, names.clone());
    let known = near.clone();
    near.extend(names.filter(|name| word.len() > 2 && name.contains(word) && !known.contains(name)));
    near.truncate(MOST);
    near
}

fn level_of(name: &str) -> Option<Option<Level>> {
    if name == OFF {
        return Some(None);
    }
    let levels = [Level::Breaking, Level::Risky, Level::Neutral, Level::Good];
    levels.into_iter().find(|level| level.as_str() == name).map(Some)
}

// Differences that the user accepts: a breaking change may be wanted, for a while.

/// A difference that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    /// The id of its rule.
    pub(crate) rule: String,
    pub(crate) package: String,
    /// The channel of the versions; any without one.
    pub(crate) channel: Option<String>,
    /// The installed versions; all if there are none.
    pub(crate) versions: Vec<Versions>,
    pub(crate) reason: String,
    /// The last day on which it is accepted, `YYYY-MM-DD`; no end without one.
    pub(crate) until: Option<String>,
}

/// Installed versions, as the user names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Versions {
    /// A version, or the name of a CSV.
    One(String),
    Range(Range),
}

impl Versions {
    /// Reads a version, the name of a CSV, or a range such as `<1.2.0`.
    ///
    /// # Errors
    /// What is wrong in a range.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.contains(['<', '>', '=', '!', ' ']) {
            return Range::parse(text).map(Self::Range).map_err(|error| error.to_string());
        }
        if !text.chars().all(|c| c.is_ascii_alphanumeric() || ".-+_".contains(c)) {
            return Err("expected a version, the name of a CSV, or a range such as `<1.2.0`".to_owned());
        }
        Ok(Self::One(text.to_owned()))
    }

    fn has(&self, name: &str, version: Option<&Version>) -> bool {
        match self {
            Self::One(text) => *text == name || version.is_some_and(|version| version.to_string() == *text),
            Self::Range(range) => version.is_some_and(|version| range.matches(version) == Ok(true)),
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Difference<'d> {
    /// The id of its rule.
    pub(crate) rule: &'d str,
    pub(crate) package: &'d str,
    pub(crate) channel: Option<&'d str>,
    pub(crate) bundle: Option<(&'d str, Option<&'d Version>)>,
}

impl Accepted {
    pub(crate) fn is_about(&self, of: Difference<'_>) -> bool {
        let is_channel = self.channel.is_none() || self.channel.as_deref() == of.channel;
        let named = |(name, version)| self.versions.iter().any(|versions| versions.has(name, version));
        let is_bundle = self.versions.is_empty() || of.bundle.is_some_and(named);
        self.rule == of.rule && self.package == of.package && is_channel && is_bundle
    }

    /// Whether it still holds on a day, `YYYY-MM-DD`; without a day it does.
    pub(crate) fn holds_on(&self, day: &str) -> bool {
        let ended = || Some(parse_day(self.until.as_deref()?)? < parse_day(day)?);
        ended() != Some(true)
    }

    /// What is accepted, and why, wherever it is.
    fn in_words(&self) -> String {
        let Self { rule, package, channel, reason, .. } = self;
        let channel = channel.as_ref().map(|channel| format!(", channel `{channel}`")).unwrap_or_default();
        format!("accepts `{rule}` in package `{package}`{channel}: {reason}")
    }

    /// What is accepted, and why.
    pub(crate) fn sentence(&self, count: usize, day: &str) -> String {
        let Self { rule, package, channel, reason, until, .. } = self;
        let channel = channel.as_ref().map(|channel| format!(", channel `{channel}`")).unwrap_or_default();
        let many = if count == 1 { String::new() } else { format!(", {count} times") };
        let until = match until {
            Some(until) if !self.holds_on(day) => format!("Accepted until {until}, and no longer"),
            Some(until) => format!("Accepted until {until}"),
            None => "Accepted".to_owned(),
        };
        format!("{until}: {rule} in package `{package}`{channel}{many}: {reason}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "opm: v1.57.0\nopenshift: 4.18\nlevels:\n  head-changed: off\nignore: [downgrade]\naccept:\n\
                        - {rule: v0-stranded, package: p, channel: stable, versions: [1.0.0, '<0.9.0'], reason: moved, until: 2027-01-31}\n\
                        - {rule: entry-removed, package: p, reason: never released}\n";

    fn faults(text: &str) -> Vec<String> {
        let faults = Settings::parse(text).unwrap_err();
        faults.iter().map(|fault| format!("{}:{} {}", fault.line, fault.column, fault.message)).collect()
    }

    #[test]
    fn settings_are_read() {
        let settings = Settings::parse(TEXT).unwrap();
        assert_eq!(settings.opm, Some(OpmVersion(1, 57, 0)));
        assert_eq!(settings.openshift, Some(OpenShift { major: 4, minor: 18 }));
        assert_eq!(settings.ignored, ["downgrade".parse().unwrap()]);
        assert_eq!(settings.levels.of("head-changed", Level::Neutral), None);
    }

    #[test]
    fn what_a_change_adds_is_told() {
        let (old, new) = (Settings::parse("ignore: [downgrade]\n").unwrap(), Settings::parse(TEXT).unwrap());
        let added = new.added_to(&old);
        assert_eq!(added[..3], ["`opm: v1.57.0`", "`openshift: 4.18`", "`head-changed: off`"]);
        assert_eq!(added[3], "accepts `v0-stranded` in package `p`, channel `stable`: moved");
        assert_eq!((added.len(), old.added_to(&new).len()), (5, 0));
    }

    #[test]
    fn a_second_document_is_refused() {
        let found = faults("levels: {v0-loop: off}\n---\nlevels: {}\n");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(Settings::parse("# ours\n---\nlevels: {v0-loop: off}\n...\n# end\n").is_ok());
    }

    #[test]
    fn a_difference_is_accepted_until_its_last_day() {
        let levels = Settings::parse(TEXT).unwrap().levels;
        let version = |text: &str| go_semver::blang::Version::parse(text).unwrap();
        let (wanted, older, other) = (version("1.0.0"), version("0.8.9"), version("1.0.1"));
        let of = |channel, version| Difference {
            rule: "v0-stranded",
            package: "p",
            channel: Some(channel),
            bundle: Some(("p.v1", Some(version))),
        };
        let on = |day: &str| {
            let levels = levels.clone().on(day);
            [of("stable", &wanted), of("stable", &older), of("stable", &other), of("fast", &wanted)]
                .map(|of| levels.accepts(of))
        };
        assert_eq!(on("2027-01-31"), [true, true, false, false]);
        assert_eq!(on("2027-02-01"), [false; 4]);
        assert_eq!(on(""), [true, true, false, false]);
        let ended = levels.clone().on("2027-02-01").accepted_texts([of("stable", &wanted)].into_iter());
        assert_eq!(
            ended,
            ["Accepted until 2027-01-31, and no longer: v0-stranded in package `p`, channel `stable`: moved"]
        );
    }

    #[test]
    fn every_fault_has_its_place() {
        let text = "opm: 1\nlevls: {}\nignore: [x]\naccept:\n- {rule: v0-strandd, package: p, until: soon, reason: r}\n- {package: p, why: x}\n- {rule: v0-loop, package: p, reason: r, versions: '<1.x.y.z'}\n- {rule: v0-loop, package: p, reason: r, versions: []}\n- {rule: v0-loop, package: p, reason: r, versions: ['(']}\n";
        let found = faults(text);
        let expected = [
            "1:6 ",
            "2:1 there is no setting `levls`; did you mean `levels`?",
            "3:10 there is no rule `x`; `opscope explain` lists them",
            "5:10 there is no rule `v0-strandd`; did you mean `v0-stranded`?",
            "5:41 expected a day",
            "6:3 an accepted difference needs `rule`",
            "6:16 there is no field `why`",
            "7:52 Could not parse Range",
            "8:52 without a version it accepts nothing",
            "9:53 expected a version, the name of a CSV, or a range",
        ];
        assert_eq!(found.len(), expected.len(), "{found:?}");
        assert!(found.iter().zip(expected).all(|(found, expected)| found.starts_with(expected)), "{found:?}");
    }
}
