//! The conditions in what people paste: YAML or JSON of objects or of a part of them, and what `kubectl describe` prints.

use fbc::{Node, Value};
use source::FileId;

/// A condition, or a phase with its reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stated {
    /// The object around it, as kind and name; empty if it is not in the text.
    pub(super) object: String,
    /// What an entry of the object is about, such as a requirement of a CSV, as kind and name.
    pub(super) item: String,
    /// The namespace of the object; empty if it is not in the text.
    pub(super) namespace: String,
    /// When it changed last, as the text has it; for a condition without a time, when its object did.
    pub(super) since: String,
    /// The type of a condition.
    pub(super) kind: String,
    /// The status of a condition, or a phase.
    pub(super) status: String,
    pub(super) reason: String,
    pub(super) message: String,
}

impl Stated {
    pub(super) fn object_kind(&self) -> &str {
        self.object.split(' ').next().unwrap_or_default()
    }

    /// The kind of what the entry is about, else of the object.
    pub(super) fn item_kind(&self) -> &str {
        self.item.split(' ').next().filter(|kind| !kind.is_empty()).unwrap_or(self.object_kind())
    }

    /// Whether it may be a phase that OLM sets: those of Pods and namespaces have the same names.
    fn has_phase(&self) -> bool {
        matches!(self.object_kind(), "" | "ClusterServiceVersion" | "InstallPlan" | "CatalogSource" | "Namespace")
    }

    /// Whether it is to be explained: most conditions are about what is wrong.
    pub(super) fn holds(&self) -> bool {
        let of_both = ["Progressing", "Available", "Serving", "TemplatesHaveResolved", "ResolvedImage"];
        // A ClusterExtension says with `Progressing` why nothing is installed.
        let is_install = self.kind == "Installed" && !matches!(&*self.reason, "Failed" | "Absent");
        !matches!(&*self.status, "False" | "Present" | "Satisfied" | "DeploymentFound")
            || is_install
            || of_both.contains(&&*self.kind)
            || self.kind.ends_with("Upgradeable")
    }

    /// The field that `kubectl describe` shows under a key.
    fn field(&mut self, key: &str) -> Option<&mut String> {
        match key {
            "Message" => Some(&mut self.message),
            "Reason" => Some(&mut self.reason),
            "Type" => Some(&mut self.kind),
            "Status" | "Phase" | "Last Observed State" => Some(&mut self.status),
            _ => None,
        }
    }
}

/// The keys of the time of a change.
const TIMES: [&str; 4] = ["lastTransitionTime", "lastUpdateTime", "lastUpdated", "lastConnect"];

/// What a text states. Empty for a text that is neither YAML with conditions nor a description.
pub(super) fn stated(text: &str) -> Vec<Stated> {
    let found = of_objects(text);
    let found = if found.is_empty() { reindented(text).map_or(found, |text| of_objects(&text)) } else { found };
    if found.is_empty() { described(text) } else { found }
}

/// A text whose first line lost its indentation, as where somebody marked it from its first letter on.
fn reindented(text: &str) -> Option<String> {
    let lines = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let least = lines.map(indent).min().filter(|least| *least > 0 && !text.starts_with(' '))?;
    Some(" ".repeat(least) + text)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The states of Subscriptions, with the CSVs that they name. What such an object states otherwise says more.
pub(super) fn states(text: &str) -> Vec<Stated> {
    let mut found = Vec::new();
    for node in &cluster::manifest_values(FileId(0), text).0.nodes {
        collect_states(node, &mut found);
    }
    found
}

fn collect_states(node: &Node, found: &mut Vec<Stated>) {
    let fields = match &node.value {
        Value::Sequence(items) => return items.iter().for_each(|item| collect_states(item, found)),
        Value::Mapping(fields) => fields,
        _ => return,
    };
    let [state, current, installed] = ["state", "currentCSV", "installedCSV"].map(|key| text(node, key));
    if !state.is_empty() && !current.is_empty() {
        let message = format!("state: {state}, currentCSV: {current}, installedCSV: {installed}");
        found.push(Stated { status: state.to_owned(), message, ..Stated::default() });
    }
    fields.iter().for_each(|(_, value)| collect_states(value, found));
}

/// What objects in YAML or JSON state.
pub(super) fn of_objects(text: &str) -> Vec<Stated> {
    let mut found = Vec::new();
    for node in &cluster::manifest_values(FileId(0), text).0.nodes {
        collect(node, &Stated::default(), &mut found);
    }
    found
}

fn text<'n>(node: &'n Node, key: &str) -> &'n str {
    node.get(key).and_then(Node::as_str).unwrap_or_default()
}

/// `around` has what is known of the object around it.
fn collect(node: &Node, around: &Stated, found: &mut Vec<Stated>) {
    let fields = match &node.value {
        Value::Sequence(items) => return items.iter().for_each(|item| collect(item, around, found)),
        Value::Mapping(fields) => fields,
        _ => return,
    };
    let name = node.get("metadata").map(|metadata| text(metadata, "name")).unwrap_or_default();
    let kind = text(node, "kind");
    let mut own = around.clone();
    if !name.is_empty() {
        own.object = format!("{kind} {name}");
        own.namespace = node.get("metadata").map(|metadata| text(metadata, "namespace")).unwrap_or_default().to_owned();
    }
    if let Some(since) = TIMES.iter().map(|key| text(node, key)).find(|time| !time.is_empty()) {
        since.clone_into(&mut own.since);
    }
    let [of, status, reason, message] = ["type", "status", "reason", "message"].map(|key| text(node, key).to_owned());
    if !kind.is_empty() && !message.is_empty() {
        own.item = format!("{kind} {}", text(node, "name")).trim_end().to_owned();
    }
    let phase = ["phase", "lastObservedState"].map(|key| text(node, key)).into_iter().find(|phase| !phase.is_empty());
    if !status.is_empty() && (!of.is_empty() || !message.is_empty()) {
        found.push(Stated { kind: of, status, reason, message, ..own.clone() });
    } else if let Some(phase) = phase.filter(|_| own.has_phase()) {
        found.push(Stated { status: phase.to_owned(), reason, message, ..own.clone() });
    } else if !reason.is_empty() && !message.is_empty() {
        found.push(Stated { reason, message, ..own.clone() });
    }
    // The conditions of a CSV, whose phase has a reason, are what it was before.
    let is_csv = phase.is_some() && !text(node, "reason").is_empty();
    for (key, value) in fields {
        let is_history = &*key.value == "conditions" && is_csv;
        if !is_history {
            collect(value, &own, found);
        }
    }
}

/// The lines of `kubectl describe`: a key, a colon and two blanks or more before the value.
fn described(text: &str) -> Vec<Stated> {
    let mut found = Vec::new();
    let (mut now, mut object) = (Stated::default(), [String::new(), String::new()]);
    let (mut is_message, mut is_item) = (false, false);
    let outermost = text.lines().filter(|line| pair(line).is_some()).map(indent).min();
    for line in text.lines() {
        let Some((key, value)) = pair(line) else {
            is_message &= !line.trim().is_empty();
            if is_message {
                now.message += &format!(" {}", line.trim());
            }
            continue;
        };
        let (key, value) = (key.trim(), value.trim());
        is_message = key == "Message";
        if let Some(at) = ["Kind", "Name"].iter().position(|name| *name == key) {
            if is_item {
                now.item = format!("{} {value}", now.item).trim().to_owned();
            } else if object[at].is_empty() && outermost == Some(indent(line)) {
                value.clone_into(&mut object[at]);
            }
            continue;
        }
        // What stands in another part, such as the install modes of a CSV, is no condition.
        let begins_part = value.is_empty() && !line.starts_with(' ');
        // Each requirement of a CSV begins with its group.
        is_item = key == "Group" || is_item && !begins_part;
        if begins_part || key == "Group" || now.field(key).is_some_and(|field| !field.is_empty()) {
            found.push(std::mem::take(&mut now));
        }
        if let Some(field) = now.field(key) {
            value.clone_into(field);
        }
    }
    found.push(now);
    found.retain(|one| !one.message.is_empty() || !one.reason.is_empty() || one.status == "PresentNotSatisfied");
    let [kind, name] = object;
    found.iter_mut().for_each(|one| one.object = format!("{kind} {name}").trim().to_owned());
    found
}

/// The key and the value of a line of a description. Of a condition without times, the longest key is `Message`, with one blank
/// behind it.
fn pair(line: &str) -> Option<(&str, &str)> {
    line.split_once(':').filter(|(key, value)| {
        key.trim_start().starts_with(|c: char| c.is_ascii_uppercase())
            && key.trim().chars().all(|c| c.is_ascii_alphabetic() || c == ' ')
            && (value.trim().is_empty() || value.starts_with("  ") || key.trim() == "Message")
    })
}
