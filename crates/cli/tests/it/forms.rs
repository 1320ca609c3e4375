//! Every command with every form of input: an answer, or which command has one. `forms.md` has the table; `UPDATE=1` writes it.

use crate::command::{Ended, folder, opscope, write};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use session::{NewText, SavedSession, SessionCatalog, Workbench, session_file};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use views::Opened;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/forms.md");

/// The forms, with what names them on the command line.
const FORMS: [(&str, &str); 17] = [
    ("one file", "catalog.yaml"),
    ("catalog folder", "catalog"),
    ("version folder", "tree/v4.18"),
    ("set tree", "tree"),
    ("`4.18=PATH`", "4.18=catalog"),
    ("community tree", "community"),
    ("bundle directory", "bundle"),
    ("`operators/NAME`", "community/operators/p"),
    ("template", "template.yaml"),
    ("manifests", "cluster.yaml"),
    ("must-gather", "gathered"),
    ("archive of a set tree", "tree.tar"),
    ("`git:REV:PATH`", "git:HEAD:tree"),
    ("ImageSetConfiguration", "image-set.yaml"),
    ("session", "page.opscope"),
    ("catalog and manifests", "both.yaml"),
    ("`-`", "-"),
];

/// The commands, with `FORM` for what is given.
const COMMANDS: [(&str, &str); 22] = [
    ("validate", "validate FORM"),
    ("set", "set FORM"),
    ("review", "review FORM --before catalog"),
    ("compare", "compare catalog FORM"),
    ("graph", "graph FORM"),
    ("path", "path p 1.0.0 1.1.0 --catalog FORM"),
    ("reach", "reach p --catalog FORM"),
    ("repair", "repair FORM"),
    ("release", "release new --into FORM --policy replace-head --image quay.io/p:1.2.0"),
    ("remove", "remove FORM 1.0.0"),
    ("deprecate", "deprecate FORM 1.0.0 --message m"),
    ("resolve", "resolve --subscribe p/c@1.0.0 --catalog FORM"),
    ("why", "why s --cluster cluster.yaml --catalog c=FORM"),
    ("migrate", "migrate --cluster cluster.yaml --catalog c=FORM"),
    ("plan", "plan --from 4.18 --to 4.19 --catalogs FORM"),
    ("render", "render FORM"),
    ("template", "template FORM"),
    ("cluster", "cluster --cluster FORM"),
    ("resolve --cluster", "resolve --cluster FORM --catalog c=catalog"),
    ("list", "list FORM"),
    ("explain-message", "explain-message --file FORM"),
    ("crd", "crd FORM FORM"),
];

const CLUSTER: &str = "apiVersion: operators.coreos.com/v1alpha1\nkind: CatalogSource\nmetadata: {name: c, namespace: olm}\n\
    ---\napiVersion: operators.coreos.com/v1\nkind: OperatorGroup\nmetadata: {name: g, namespace: ops}\n\
    ---\napiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {name: s, namespace: ops}\n\
    spec: {name: p, channel: c, source: c, sourceNamespace: olm}\nstatus: {installedCSV: p.v1.0.0, currentCSV: p.v1.0.0}\n\
    ---\napiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: p.v1.0.0, namespace: ops}\n\
    spec: {version: 1.0.0, installModes: [{type: AllNamespaces, supported: true}]}\nstatus: {phase: Succeeded}\n";

#[test]
fn every_command_knows_every_form() {
    let folder = forms();
    let mut rows: BTreeMap<(usize, usize), String> = BTreeMap::new();
    let mut without: Vec<String> = Vec::new();
    for (row, (_, form)) in FORMS.iter().enumerate() {
        for (column, (name, command)) in COMMANDS.iter().enumerate() {
            let given = command.replace("FORM", form);
            // Standard input is read once.
            let given = if *name == "crd" { given.replace("- -", "- crd.yaml") } else { given };
            let input = fs::read(folder.join("catalog.yaml")).expect("a file");
            let ended = opscope(given.split(' ')).within(&folder).input(input).ended();
            let cell = cell(&ended).unwrap_or_else(|| {
                without.push(format!("{given}: {ended:?}"));
                "?".to_owned()
            });
            rows.insert((row, column), cell);
        }
        rows.insert((row, COMMANDS.len()), on_the_page(&folder, form));
    }
    assert!(without.is_empty(), "neither an answer nor a command that has one:\n{}", without.join("\n"));
    let cells = |of: &dyn Fn(usize) -> String| (0..=COMMANDS.len()).map(of).collect::<Vec<_>>().join(" | ");
    let name = |column: usize| COMMANDS.get(column).map_or("page", |(name, _)| name).to_owned();
    let mut table = format!("| form | {} |\n|---|{}\n", cells(&name), "---|".repeat(COMMANDS.len() + 1));
    for (row, (form, _)) in FORMS.iter().enumerate() {
        table += &format!("| {form} | {} |\n", cells(&|column| rows[&(row, column)].clone()));
    }
    let text = fs::read_to_string(TABLE).expect("the table is there");
    let (intro, known) = text.split_at(text.find("| form").expect("it has a table"));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(TABLE, format!("{intro}{table}")).expect("the table can be written");
    } else {
        assert_eq!(table, known);
    }
}

/// What a command says: its exit code if it has an answer, of which a part may not be known (2), or the command that has one. `None`
/// if it says neither.
fn cell(Ended { out, errors, code }: &Ended) -> Option<String> {
    match code {
        _ if !out.is_empty() || errors.contains("error[") => Some(code.to_string()),
        2 => {
            let (_, instead) = errors.split_once("no answer: ")?.1.split_once("use `opscope ")?;
            Some(format!("→ {}", instead.split([' ', '`']).next()?))
        }
        _ => None,
    }
}

/// What the page opens: the texts of archives and revisions are those of their folders, and what is pasted is one file.
fn on_the_page(folder: &Path, form: &str) -> String {
    let path = match form {
        "-" => "catalog.yaml",
        other => other.trim_start_matches("4.18=").trim_start_matches("git:HEAD:").trim_end_matches(".tar"),
    };
    if path.ends_with(".opscope") {
        // Its bytes are compressed, which the browser undoes: a journey opens one.
        return "session".to_owned();
    }
    let root = folder.join(path);
    let mut files = Vec::new();
    add_files(&root, "", &mut files);
    let mut workbench = Workbench::expanding(session::Expand::Templates);
    let name = path.rsplit('/').next().expect("a path has a name");
    let opened = workbench.open_files(name, files, &mut Vec::new());
    let mut found: Vec<String> = opened
        .iter()
        .map(|opened| match opened {
            Opened::Set(_) => "set",
            Opened::Manifests { .. } => "manifests",
            Opened::MustGather { .. } => "must-gather",
            Opened::ImageSet { .. } => "image set",
            other => panic!("{form}: {other:?}"),
        })
        .map(str::to_owned)
        .collect();
    found.extend(workbench.catalogs().iter().map(|catalog| {
        let verdict = if catalog.is_accepted() { "valid" } else { "invalid" };
        format!("catalog, {verdict}")
    }));
    found.join("; ")
}

fn add_files(path: &Path, name: &str, files: &mut Vec<NewText>) {
    if path.is_file() {
        let name = if name.is_empty() {
            path.file_name().expect("a name").to_string_lossy().into_owned()
        } else {
            name.to_owned()
        };
        return files.push(NewText { path: name, content: Ok(fs::read(path).expect("a file")) });
    }
    let mut entries: Vec<PathBuf> =
        fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for entry in entries {
        let own = entry.file_name().expect("a name").to_string_lossy().into_owned();
        let below = if name.is_empty() { own } else { format!("{name}/{own}") };
        add_files(&entry, &below, files);
    }
}

fn forms() -> PathBuf {
    let folder = folder("forms");
    let catalog = fixture::yaml(
        "package p\nc: 1.0.0 <- 1.1.0 (property olm.csv.metadata {displayName: P, installModes: [{type: AllNamespaces, supported: true}]})",
    );
    let dockerfile = |version: &str| format!("FROM registry/opm:v{version}\nCOPY catalog/ /configs\n");
    let template = "schema: olm.template.basic\nentries:\n- {schema: olm.package, name: p, defaultChannel: c}\n\
                    - schema: olm.channel\n  package: p\n  name: c\n  entries:\n  - {name: p.v1.1.0, replaces: p.v1.0.0}\n  \
                    - {name: p.v1.0.0}\n- {schema: olm.bundle, image: 'example.com/p:1.1.0'}\n\
                    - {schema: olm.bundle, image: 'example.com/p:1.0.0'}\n";
    let bundle = |root: &str, version: &str, replaces: &str| {
        let prefix = "operators.operatorframework.io.bundle";
        let csv = format!(
            "kind: ClusterServiceVersion\nmetadata:\n  name: p.v{version}\nspec:\n  version: {version}\n  {replaces}\n"
        );
        let annotations = format!(
            "annotations:\n  {prefix}.package.v1: p\n  {prefix}.channels.v1: c\n  com.redhat.openshift.versions: v4.18\n"
        );
        [(format!("{root}/manifests/csv.yaml"), csv), (format!("{root}/metadata/annotations.yaml"), annotations)]
    };
    let image_set = "apiVersion: mirror.openshift.io/v2alpha1\nkind: ImageSetConfiguration\n\
                     mirror: {operators: [{catalog: c, packages: [{name: p}]}]}\n";
    let mut files = vec![
        ("catalog.yaml".to_owned(), catalog.clone()),
        ("catalog/p/catalog.yaml".to_owned(), catalog.clone()),
        ("both.yaml".to_owned(), format!("{catalog}---\n{CLUSTER}")),
        ("cluster.yaml".to_owned(), CLUSTER.to_owned()),
        ("template.yaml".to_owned(), template.to_owned()),
        ("image-set.yaml".to_owned(), image_set.to_owned()),
        ("crd.yaml".to_owned(), "kind: CustomResourceDefinition\n".to_owned()),
        ("community/operators/p/ci.yaml".to_owned(), "updateGraph: replaces-mode\n".to_owned()),
        ("community/README.md".to_owned(), "# A repository\n".to_owned()),
    ];
    for version in ["4.18", "4.19"] {
        files.push((format!("tree/v{version}/Containerfile.catalog"), dockerfile(version)));
        files.push((format!("tree/v{version}/README.md"), "# Not a part of the catalog\n".to_owned()));
        files.push((format!("tree/v{version}/catalog/p/catalog.yaml"), catalog.clone()));
        files.push((format!("community/catalogs/v{version}/p/catalog.yaml"), catalog.clone()));
    }
    files.extend(bundle("bundle", "1.1.0", "replaces: p.v1.0.0"));
    files.extend(bundle("new", "1.2.0", "replaces: p.v1.1.0"));
    files.extend(bundle("community/operators/p/1.0.0", "1.0.0", ""));
    files.extend(bundle("community/operators/p/1.1.0", "1.1.0", "replaces: p.v1.0.0"));
    for (at, document) in CLUSTER.split("---\n").enumerate() {
        let plural = ["catalogsources", "operatorgroups", "subscriptions", "clusterserviceversions"][at];
        files.push((format!("gathered/namespaces/ops/operators.coreos.com/{plural}/x.yaml"), document.to_owned()));
    }
    files.push(("gathered/version".to_owned(), "4.18\n".to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    write(&folder, &files);
    let run = |program: &str, arguments: &[&str]| {
        let ended = Command::new(program).args(arguments).current_dir(&folder).output().expect("it runs");
        assert!(ended.status.success(), "{ended:?}");
    };
    run("tar", &["-cf", "tree.tar", "-C", "tree", "."]);
    run("git", &["init", "-q"]);
    run("git", &["add", "."]);
    run("git", &["-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "-m", "forms"]);
    let of_session = SessionCatalog {
        name: "mine".into(),
        namespace: "olm".into(),
        priority: 0,
        files: vec![("catalog.yaml".into(), catalog.into())],
    };
    let session = SavedSession { catalogs: vec![of_session], ..SavedSession::default() };
    let mut compressed = DeflateEncoder::new(Vec::new(), Compression::default());
    compressed.write_all(&session.encode()).expect("memory");
    let bytes = session_file(session.format(), &compressed.finish().expect("memory"));
    fs::write(folder.join("page.opscope"), bytes).expect("a file");
    folder
}
