//! A session with the workbench: catalogs are added, edited and queried. Lines `=== …` are its commands:
//!
//! - `catalog NAME`: the text is a catalog of one file, or the first file of it;
//! - `file PATH`: a further file of that catalog;
//! - `edit FILE START END`: these bytes are replaced by the text;
//! - `describe CATALOG NAME NAMESPACE PRIORITY`, `remove CATALOG`, `beside`;
//! - `form PACKAGE CHANNEL`, `cluster NAMESPACE`: simulations.
//!
//! The text before the first command is a cluster's manifests.

use session::{NewText, Workbench};
use source::FileId;
use views::{
    CatalogId, ClusterForm, FileKey, FileTarget, FindingsFilter, FormChange, GraphLayout, GraphOptions, PackageKey,
    Place, SubscriptionForm, TextEdit,
};

use super::stream::LOOKED_THROUGH;
use super::text::text;
use crate::seeds::parts;
use crate::spans;

/// The most commands of a session, and the most packages, entries and findings that are queried.
const COMMANDS: usize = 12;
const QUERIED: usize = 6;

/// A file's path and bytes.
type NewFile = (String, Vec<u8>);

/// A cluster to ask about.
enum Cluster {
    Form(ClusterForm),
    Manifests(String),
}

impl Cluster {
    fn set(&self, workbench: &mut Workbench) {
        match self {
            Self::Form(form) => answers::set_form(workbench, form),
            Self::Manifests(text) => workbench.set_cluster(text),
        }
    }
}

/// The commands that a fresh workbench must repeat to give the same answers.
#[derive(Default)]
struct Session {
    workbench: Workbench,
    /// The catalogs with their files, as they were added.
    catalogs: Vec<(String, Vec<NewFile>)>,
    /// Each after the number of catalogs at that time, since the names of the next ones depend on it.
    described: Vec<(usize, (CatalogId, String, String, i64))>,
    /// Whether a fresh workbench can repeat them: it cannot after `remove` and `beside`.
    comparable: bool,
    /// Clusters, each with the namespace to resolve.
    clusters: Vec<(Cluster, String)>,
}

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let text = text(input);
    let (cluster, commands) = parts(&text);
    let mut session = Session { comparable: true, ..Session::default() };
    if !cluster.trim().is_empty() {
        session.clusters.push((Cluster::Manifests(cluster.to_owned()), String::new()));
    }
    let mut commands = commands.into_iter().take(COMMANDS).peekable();
    while let Some((head, text)) = commands.next() {
        let words: Vec<&str> = head.split(' ').collect();
        let is_catalog = words[0] == "catalog";
        if is_catalog {
            let mut files = vec![("catalog.yaml".to_owned(), text.as_bytes().to_vec())];
            while let Some((head, text)) = commands.next_if(|(head, _)| head.starts_with("file ")) {
                files.push((head["file ".len()..].to_owned(), text.as_bytes().to_vec()));
            }
            session.open(words.get(1).unwrap_or(&"c"), files);
        } else {
            session.act(&words, text);
        }
    }
    let is_short = text.len() <= LOOKED_THROUGH;
    let answers = ask(&mut session.workbench, &session.clusters, is_short);
    if session.comparable && is_short {
        let mut fresh = session.fresh();
        let expected = ask(&mut fresh, &session.clusters, true);
        for (answer, expected) in answers.iter().zip(&expected) {
            assert_eq!(answer, expected, "an edited catalog answers otherwise than a fresh one");
        }
    }
}

impl Session {
    fn open(&mut self, name: &str, files: Vec<NewFile>) {
        self.workbench.add_catalog(name, new_texts(&files), &mut |_| {});
        self.catalogs.push((name.to_owned(), files));
    }

    fn act(&mut self, words: &[&str], text: &str) {
        let number = |at: usize| words.get(at).and_then(|word| word.parse::<u32>().ok()).unwrap_or_default();
        let word = |at: usize| words.get(at).copied().unwrap_or_default().to_owned();
        match words[0] {
            "edit" => self.workbench.edit(FileKey(number(1)), number(2)..number(3), text),
            "describe" if self.workbench.catalog(CatalogId(number(1))).is_some() => {
                let priority = word(4).parse().unwrap_or_default();
                self.workbench.set_metadata(CatalogId(number(1)), &word(2), &word(3), priority);
                let described = (CatalogId(number(1)), word(2), word(3), priority);
                self.described.push((self.catalogs.len(), described));
            }
            "remove" => {
                self.workbench.remove(CatalogId(number(1)));
                self.comparable = false;
            }
            "beside" => {
                self.workbench.attach_bundle_files();
                self.comparable = false;
            }
            "form" => {
                let row =
                    SubscriptionForm { package: word(1), channel: word(2), installed: word(3), ..Default::default() };
                let form = ClusterForm { subscriptions: vec![row], ..ClusterForm::default() };
                self.clusters.push((Cluster::Form(form), String::new()));
            }
            "cluster" => self.clusters.push((Cluster::Manifests(text.to_owned()), word(1))),
            _ => {}
        }
    }

    /// A workbench that is given the current texts at once.
    fn fresh(&self) -> Workbench {
        let mut fresh = Workbench::new();
        let mut first = 0;
        for (count, (name, files)) in (1..).zip(&self.catalogs) {
            let current = (first..).zip(files).map(|(key, (path, bytes))| {
                let text = self.workbench.file(FileKey(key)).map(|(_, file)| file.text.as_str());
                let was_read = std::str::from_utf8(bytes).is_ok() && !bytes.contains(&0);
                let text = text.filter(|text| was_read || !text.is_empty());
                (path.clone(), text.map_or_else(|| bytes.clone(), |text| text.as_bytes().to_vec()))
            });
            let current: Vec<_> = current.collect();
            first += files.len() as u32;
            fresh.add_catalog(name, new_texts(&current), &mut |_| {});
            for (_, (id, name, namespace, priority)) in self.described.iter().filter(|(then, _)| *then == count) {
                fresh.set_metadata(*id, name, namespace, *priority);
            }
        }
        fresh
    }
}

fn new_texts(files: &[NewFile]) -> Vec<NewText> {
    files.iter().map(|(path, bytes)| NewText { path: path.clone(), content: Ok(bytes.clone()) }).collect()
}

/// The printed answers to every query of the page.
fn ask(workbench: &mut Workbench, clusters: &[(Cluster, String)], in_detail: bool) -> Vec<String> {
    let mut answers = Vec::new();
    let mut overview = answers::overview(workbench);
    // A fresh workbench has opened the texts that this one was edited to.
    overview.catalogs.iter_mut().flat_map(|catalog| &mut catalog.files).for_each(|file| file.edited = false);
    answers.push(format!("{overview:?}"));
    let findings = answers::findings(workbench, &FindingsFilter::default(), 300);
    let rows = || findings.groups.iter().flat_map(|group| &group.rows);
    rows().for_each(|row| is_in_its_file(workbench, row.place));
    answers.push(format!("{findings:?}"));
    for row in overview.packages.iter().take(QUERIED) {
        let filter =
            FindingsFilter { package: Some(row.key.clone()), text: "a".to_owned(), ..FindingsFilter::default() };
        answers.push(format!("{:?}", answers::findings(workbench, &filter, 9)));
        graph(workbench, &row.key, &mut answers);
    }
    for catalog in workbench.catalogs() {
        spans::check(&catalog.analysis.findings.iter().map(|found| &found.diagnostic).collect::<Vec<_>>(), |file| {
            text_of(workbench, file)
        });
    }
    answers.push(format!("{:?}", answers::icons(workbench).collect::<Vec<_>>()));
    for row in rows().take(QUERIED) {
        let Place { file, start, end, line, .. } = row.place;
        answers.push(format!("{:?}", answers::source(workbench, file, FileTarget::Bytes { start, end })));
        answers.push(format!("{:?}", answers::source(workbench, file, FileTarget::Line(line + 3))));
    }
    if in_detail {
        let derived = overview.packages.first().map(|row| (wish(&row.key.package), String::new()));
        for (cluster, namespace) in clusters.iter().take(2).chain(&derived) {
            cluster.set(workbench);
            let text = workbench.cluster_manifests().0.to_owned();
            let rows = answers::form(workbench, namespace).subscriptions.len();
            let added = FormChange::AddSubscription(Box::default());
            let edits = answers::form_edits(workbench, namespace, &added);
            let edited = TextEdit::applied(&edits, &text).expect("the edits fit");
            workbench.set_cluster(&edited);
            // A text with a fault may hide what comes behind it.
            assert!(answers::form(workbench, namespace).subscriptions.len() <= rows + 1, "{edited}");
            workbench.set_cluster(&text);
            answers.push(text);
            answers.push(format!("{:?}", answers::simulate(workbench, namespace)));
            answers.push(format!("{:?}", answers::timeline(workbench, namespace, 0, 2)));
        }
    }
    answers
}

fn graph(workbench: &Workbench, package: &PackageKey, answers: &mut Vec<String>) {
    let compact = GraphOptions { layout: Some(GraphLayout::Grid), ..GraphOptions::default() };
    answers.push(format!("{:?}", answers::graph(workbench, package, &compact)));
    let graph = answers::graph(workbench, package, &GraphOptions::default());
    for node in graph.iter().flat_map(|graph| &graph.nodes).take(QUERIED) {
        node.place.into_iter().for_each(|place| is_in_its_file(workbench, place));
        let entry = answers::entry(workbench, package, &node.key, "2026-11-25");
        assert!(entry.is_some(), "{:?} is drawn and unknown", node.key);
        answers.push(format!("{entry:?}"));
    }
    answers.push(format!("{graph:?}"));
}

fn wish(package: &str) -> Cluster {
    let row = SubscriptionForm { package: package.to_owned(), ..SubscriptionForm::default() };
    Cluster::Form(ClusterForm { subscriptions: vec![row], ..ClusterForm::default() })
}

fn text_of(workbench: &Workbench, file: FileId) -> Option<String> {
    workbench.file(FileKey(file.0)).map(|(_, file)| file.text.clone())
}

fn is_in_its_file(workbench: &Workbench, place: Place) {
    let Some(text) = text_of(workbench, FileId(place.file.0)) else { panic!("{place:?} is in no file") };
    assert!(text.get(place.start as usize..place.end as usize).is_some(), "{place:?} of {}", text.len());
    let before = &text[..place.start as usize];
    assert_eq!(place.line as usize, 1 + before.matches('\n').count(), "the line of {place:?}");
}
