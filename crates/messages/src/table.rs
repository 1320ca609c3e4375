//! Tables as `kubectl get` and `oc get` print them: what the columns tell of each object. What has no column is not known.

use super::pasted::Stated;
use source::ShellCommand;

/// A kind with the columns that tell it (`additionalPrinterColumns` of its CustomResourceDefinition; of pods and Jobs kubernetes
/// `pkg/printers/internalversion/printers.go`), and the command that shows the rest of an object.
struct Kind {
    name: &'static str,
    command: &'static str,
    columns: &'static [&'static str],
}

const KINDS: [Kind; 9] = [
    kind("ClusterServiceVersion", "kubectl get csv", &["DISPLAY", "VERSION", "PHASE"]),
    kind("InstallPlan", "kubectl get installplan", &["CSV", "APPROVAL", "APPROVED"]),
    kind("Subscription", "kubectl get subscription.operators.coreos.com", &["PACKAGE", "SOURCE", "CHANNEL"]),
    kind("CatalogSource", "kubectl get catalogsource", &["DISPLAY", "TYPE", "PUBLISHER"]),
    kind("ClusterExtension", "kubectl get clusterextension", &["INSTALLED", "PROGRESSING"]),
    kind("ClusterCatalog", "kubectl get clustercatalog", &["SERVING"]),
    kind("ClusterOperator", "kubectl get clusteroperator", &["AVAILABLE", "PROGRESSING", "DEGRADED"]),
    kind("Job", "kubectl get job", &["COMPLETIONS", "DURATION"]),
    kind("Pod", "kubectl get pod", &["READY", "STATUS", "RESTARTS"]),
];

const fn kind(name: &'static str, command: &'static str, columns: &'static [&'static str]) -> Kind {
    Kind { name, command, columns }
}

/// What the tables of a text state, alike objects together, each with the command that shows the first of them; and the lines around
/// the tables. Among objects a table that is indented is a part of one, such as a description.
pub(super) fn stated(text: &str) -> (Vec<(Stated, ShellCommand)>, String) {
    let has_objects = text.contains("apiVersion");
    let mut found: Vec<(Stated, ShellCommand, Vec<String>)> = Vec::new();
    let (mut table, mut of_command, mut rest): (Option<Table<'_>>, String, String) = Default::default();
    for line in cluster::unmarked_lines(text) {
        if line.contains(" get ") && ["oc ", "kubectl "].iter().any(|program| line.contains(program)) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let at = words.iter().position(|word| ["-n", "--namespace"].contains(word));
            of_command = at.and_then(|at| words.get(at + 1)).map_or_else(String::new, |word| (*word).to_owned());
            table = None;
            continue;
        }
        if let Some(header) = Table::of(line).filter(|_| !(has_objects && line.starts_with(' '))) {
            table = Some(header);
            continue;
        }
        let Some(row) = table.as_ref().and_then(|table| table.row(line)) else {
            table = None;
            rest += line;
            rest.push('\n');
            continue;
        };
        let namespace = row.namespace.unwrap_or(&of_command);
        let command = ShellCommand::new(row.kind.command).word(row.name);
        let command = if namespace.is_empty() { command } else { command.with("-n").word(namespace) };
        let slash = if namespace.is_empty() { "" } else { "/" };
        let name = format!("{namespace}{slash}{}", row.name);
        for (of, status, message) in row.states() {
            let one = Stated {
                object: row.kind.name.to_owned(),
                kind: of.to_owned(),
                status: status.to_owned(),
                message: message.to_owned(),
                ..Stated::default()
            };
            match found.iter_mut().find(|(known, ..)| *known == one) {
                Some((.., names)) => names.push(name.clone()),
                None => found.push((one, command.clone().with("-o yaml"), vec![name.clone()])),
            }
        }
    }
    let named = |(one, command, names): (Stated, ShellCommand, Vec<String>)| {
        let mut homes = names.iter().map(|name| name.split_once('/').map_or("", |(namespace, _)| namespace));
        let namespace = homes.next().filter(|first| homes.all(|home| home == *first)).unwrap_or_default().to_owned();
        let object = format!("{} {}", one.object, source::joined(names, 8, "and"));
        (Stated { object, namespace, ..one }, command)
    };
    (found.into_iter().map(named).collect(), rest)
}

/// The header of a table.
struct Table<'t> {
    kind: &'static Kind,
    /// Where each column begins, in characters, with its name.
    columns: Vec<(usize, &'t str)>,
}

struct Row<'t> {
    kind: &'static Kind,
    namespace: Option<&'t str>,
    name: &'t str,
    /// The name of each column, with what the row has there.
    cells: Vec<(&'t str, &'t str)>,
}

impl<'t> Table<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let is_name =
            |text: &str| text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || " -()".contains(c));
        let is_header = ["NAME ", "NAMESPACE "].iter().any(|first| line.trim_start().starts_with(first));
        if !is_header || !is_name(line.trim()) {
            return None;
        }
        // Names of two words have one blank between them, unless the table lost its blanks.
        let between = if line.trim().contains("  ") { "  " } else { " " };
        let mut columns = Vec::new();
        let mut at = 0;
        for part in line.split(between) {
            let name = part.trim();
            if !name.is_empty() {
                columns.push((at + part.len() - part.trim_start().len(), name));
            }
            at += part.len() + between.len();
        }
        let has = |column: &&str| columns.iter().any(|(_, name)| name == column);
        let kind = KINDS.iter().find(|kind| kind.columns.iter().all(has))?;
        Some(Self { kind, columns })
    }

    /// Reads a line as a row; `None` if it is no row of this table.
    fn row(&self, line: &'t str) -> Option<Row<'t>> {
        let starts: Vec<usize> = line.char_indices().map(|(at, _)| at).chain([line.len()]).collect();
        let byte = |at: usize| starts.get(at).copied().unwrap_or(line.len());
        let before = |at: &usize| {
            *at + 1 >= starts.len() || line[..byte(*at)].chars().next_back().is_none_or(char::is_whitespace)
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        // A row with a word for each column that ends before the last one lost its blanks.
        let is_short = self.columns.last().is_some_and(|(at, _)| *at + 1 >= starts.len());
        let is_aligned =
            !(is_short && words.len() == self.columns.len()) && self.columns.iter().all(|(at, _)| before(at));
        let ends = self.columns.iter().skip(1).map(|(at, _)| byte(*at)).chain([line.len()]);
        let cells = self.columns.iter().zip(ends).enumerate().map(|(number, ((start, name), end))| {
            let cell = match (is_aligned, *name) {
                (true, _) => line.get(byte(*start)..end).unwrap_or_default().trim(),
                // Before it are names of several words, and cells may be empty.
                (false, "PHASE") => words.last().copied().unwrap_or_default(),
                (false, _) => words.get(number).copied().unwrap_or_default(),
            };
            (*name, cell)
        });
        let cells: Vec<(&str, &str)> = cells.collect();
        let cell = |column: &str| cells.iter().find(|(name, _)| *name == column).map(|(_, cell)| *cell);
        let name = cell("NAME")?.rsplit('/').next()?;
        let is_name = |text: &str| {
            text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c)) && !text.is_empty()
        };
        let namespace = cell("NAMESPACE");
        (is_name(name) && namespace.is_none_or(is_name)).then_some(Row { kind: self.kind, namespace, name, cells })
    }
}

impl<'t> Row<'t> {
    fn cell(&self, column: &str) -> &'t str {
        self.cells.iter().find(|(name, _)| *name == column).map_or("", |(_, cell)| cell)
    }

    /// The conditions that the columns tell, or a phase without a type, each with its message.
    fn states(&self) -> Vec<(&'static str, &'t str, &'t str)> {
        let condition = |kind: &'static str, column: &str| (kind, self.cell(column), "");
        let mut states = match self.kind.name {
            "ClusterServiceVersion" if self.cell("PHASE").is_empty() => vec![("", "NoPhase", "")],
            "ClusterServiceVersion" => vec![condition("", "PHASE")],
            "InstallPlan" => match self.cell("APPROVED") {
                "false" => vec![("", "NotApproved", "")],
                "true" => vec![("", "Approved", "")],
                _ => Vec::new(),
            },
            "ClusterExtension" => vec![condition("Installed", "INSTALLED"), condition("Progressing", "PROGRESSING")],
            "ClusterCatalog" => vec![condition("Serving", "SERVING")],
            // Others are not about operators that OLM installs.
            "ClusterOperator" if !self.name.starts_with("operator-lifecycle-manager") && self.name != "olm" => {
                Vec::new()
            }
            "ClusterOperator" => {
                let states = [("Available", "False"), ("Degraded", "True"), ("Progressing", "True")];
                let is_it = |(kind, status): &(&str, &str)| self.cell(&kind.to_uppercase()) == *status;
                let worst = states.into_iter().find(is_it).map(|(kind, status)| (kind, status, self.cell("MESSAGE")));
                vec![worst.unwrap_or_else(|| condition("Available", "AVAILABLE"))]
            }
            "Job" if self.cell("STATUS").is_empty() => match self.cell("COMPLETIONS").split_once('/') {
                Some((done, all)) if done == all => vec![("", "Complete", "")],
                _ => vec![("", "Incomplete", "")],
            },
            "Pod" if self.cell("STATUS") == "Running" => match self.cell("READY").split_once('/') {
                Some((ready, all)) if ready != all => vec![("", "NotReady", "")],
                _ => vec![("", "Running", "")],
            },
            "Pod" | "Job" => vec![condition("", "STATUS")],
            _ => vec![("", "Listed", "")],
        };
        states.retain(|(_, status, _)| !status.is_empty());
        states
    }
}
