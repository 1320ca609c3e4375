//! How long a comparison takes once both states are read, on the real catalogs below the folder that `OPSCOPE_CATALOGS` names:
//! with an edited copy of every tenth package, and all rows of all packages, under OLM v0 and under both versions of OLM; how
//! long OLM v1 takes to resolve all packages as extensions; and how the time grows with the length of a channel.

use std::path::Path;

use answers::ReportScope;
use criterion::{Criterion, criterion_group, criterion_main};
use session::{NewText, Workbench};
use views::{CatalogId, Compared, Runtime, SideKey};

/// Of so many packages one is edited.
const EDITED: usize = 10;

/// Below the folder, in the order of their paths.
fn collect(folder: &Path, texts: &mut Vec<(String, String)>) -> std::io::Result<()> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, texts)?;
        } else {
            texts.push((path.display().to_string(), std::fs::read_to_string(path)?));
        }
    }
    Ok(())
}

fn comparisons(criterion: &mut Criterion) {
    // As without real catalogs in the benches of the resolver.
    let Some(folder) = std::env::var_os("OPSCOPE_CATALOGS") else { return };
    let mut texts = Vec::new();
    collect(Path::new(&folder), &mut texts).expect("the folder can be read");
    let mut workbench = Workbench::new();
    let mut add = |is_edited: &dyn Fn(usize) -> bool| {
        let file = |(at, (path, text)): (usize, &(String, String))| {
            let text = if is_edited(at) { text.replace("image: ", "image: edited.") } else { text.clone() };
            NewText { path: path.clone(), content: Ok(text.into_bytes()) }
        };
        workbench.add_catalog("catalog", texts.iter().enumerate().map(file).collect(), &mut |_| {})
    };
    let ids = [add(&|_| false), add(&|at| at % EDITED == 0)];
    let [before, after] = ids.map(present);
    let mut group = criterion.benchmark_group("comparison");
    group.sample_size(10);
    group.bench_function("with an edited copy", |bencher| {
        bencher.iter(|| compare(&mut workbench, (before, after), Runtime::V0, false));
    });
    for (name, runtime) in
        [("all rows of all packages", Runtime::V0), ("the same under both versions of OLM", Runtime::Both)]
    {
        group.bench_function(name, |bencher| {
            bencher.iter(|| compare(&mut workbench, (before, before), runtime, true));
        });
    }
    let content = &workbench.catalog(ids[0]).expect("it was added").analysis.catalog;
    let object = cluster::ClusterCatalog::new("catalog".into());
    let state = [extension::CatalogState { object: &object, content: Some(content) }];
    let packages = content.packages.iter();
    let extensions: Vec<cluster::ClusterExtension> = packages
        .map(|package| cluster::ClusterExtension::new(package.name.as_str().into(), package.name.clone()))
        .collect();
    group.bench_function(format!("{} packages as extensions", extensions.len()), |bencher| {
        bencher.iter(|| extensions.iter().filter(|wanted| extension::resolve(wanted, &state).outcome.is_ok()).count());
    });
    let mut edited = Workbench::new();
    let at = texts[0].1.find("image: ").map_or(0, |at| at + "image: ".len()) as u32;
    let file = |(path, text): &(String, String)| NewText { path: path.clone(), content: Ok(text.clone().into_bytes()) };
    let id = edited.add_catalog("catalog", texts.iter().map(file).collect(), &mut |_| {});
    group.bench_function("an edit", |bencher| bencher.iter(|| edit(&mut edited, id, at)));
    group.bench_function("an edit to its effect", |bencher| {
        bencher.iter(|| {
            edit(&mut edited, id, at);
            compare(&mut edited, (SideKey { is_opened: true, ..present(id) }, present(id)), Runtime::V0, false)
        });
    });
    group.finish();
}

const fn present(catalog: CatalogId) -> SideKey {
    SideKey { catalog, is_opened: false }
}

/// Compares two states of which nothing is known yet. Returns the number of packages with a difference.
fn compare(workbench: &mut Workbench, (before, after): (SideKey, SideKey), runtime: Runtime, all_rows: bool) -> usize {
    let mut compared = Compared { runtime: Runtime::V1, ..Compared::between(after, before) };
    workbench.set_comparison(compared.clone());
    (compared.before, compared.after, compared.runtime) = (before, after, runtime);
    workbench.set_comparison(compared);
    let scope = ReportScope { has_all_rows: all_rows, ..ReportScope::default() };
    answers::compare_all(workbench, scope).expect("both catalogs are there").packages.len()
}

/// Types a letter.
fn edit(workbench: &mut Workbench, id: CatalogId, at: u32) {
    let key = workbench.catalog(id).expect("it was added").files[0].key;
    workbench.edit(key, at..at, "x");
}

/// A channel in which each entry from `first` on replaces the one before it.
fn chain(first: usize, count: usize) -> String {
    let mut text =
        "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries:\n"
            .to_owned();
    for at in first..count {
        let replaces = if at > first { format!(", replaces: p.v1.{}.0", at - 1) } else { String::new() };
        text += &format!("- {{name: p.v1.{at}.0{replaces}}}\n");
    }
    for at in first..count {
        text += &format!(
            "---\nschema: olm.bundle\npackage: p\nname: p.v1.{at}.0\nimage: i\nproperties:\n- {{type: olm.package, value: \
             {{packageName: p, version: 1.{at}.0}}}}\n"
        );
    }
    text
}

/// How the time grows with the length of a channel: with a new head, and without its older half.
fn growth(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("comparison of a chain");
    group.sample_size(10);
    for count in [500, 1000, 2000, 4000, 20_000] {
        let mut workbench = Workbench::new();
        let mut add = |text: String| {
            let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(text.into_bytes()) };
            workbench.add_catalog("catalog", vec![file], &mut |_| {})
        };
        let ids = [add(chain(0, count)), add(chain(0, count + 1)), add(chain(count / 2, count))];
        let [before, new_head, half] = ids.map(present);
        for (name, after) in [("a new head", new_head), ("the older half removed", half)] {
            group.bench_function(format!("{name}, {count} entries"), |bencher| {
                bencher.iter(|| compare(&mut workbench, (before, after), Runtime::Both, false));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, comparisons, growth);
criterion_main!(benches);
