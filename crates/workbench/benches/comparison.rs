//! How long a comparison takes once both states are read, on the real catalogs below the folder that `OPSCOPE_CATALOGS` names:
//! with an edited copy of every tenth package, and all rows of all packages, under OLM v0 and under both versions of OLM; how
//! long OLM v1 takes to resolve all packages as extensions; and how the time grows with the length of a channel.

use std::path::Path;

use compare::Levels;
use criterion::{Criterion, criterion_group, criterion_main};
use views::CatalogId;
use workbench::comparison::{Comparison, Scope, Side};
use workbench::{NewText, Workbench};

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
    let [before, after] = ids.map(|id| Side::present(workbench.catalog(id).expect("it was added")));
    let levels = Levels::default();
    let mut group = criterion.benchmark_group("comparison");
    group.sample_size(10);
    group.bench_function("with an edited copy", |bencher| {
        bencher.iter(|| Comparison::of(before, after, &levels, Scope::default()).levels());
    });
    let all = || Scope { all_rows: true, ..Scope::default() };
    let rows: usize =
        Comparison::of(before, before, &levels, all()).packages.iter().map(|package| package.found.rows.len()).sum();
    group.bench_function(format!("all {rows} rows of {} packages", before.catalog().packages.len()), |bencher| {
        bencher.iter(|| Comparison::of(before, before, &levels, all()).packages.len());
    });
    let both = || Scope { runtime: compare::Runtime::Both, ..all() };
    group.bench_function("the same rows under OLM v0 and OLM v1", |bencher| {
        bencher.iter(|| Comparison::of(before, before, &levels, both()).packages.len());
    });
    let object = extension::ClusterCatalog::new("catalog".into());
    let state = [extension::CatalogState { object: &object, content: Some(before.catalog()) }];
    let packages = before.catalog().packages.iter();
    let extensions: Vec<extension::ClusterExtension> = packages
        .map(|package| extension::ClusterExtension::new(package.name.as_str().into(), package.name.clone()))
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
            let input = edited.catalog(id).expect("it was added");
            Comparison::of(Side::opened(input), Side::present(input), &levels, Scope::default()).levels()
        });
    });
    group.finish();
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
    let levels = Levels::default();
    let mut group = criterion.benchmark_group("comparison of a chain");
    group.sample_size(10);
    for count in [500, 1000, 2000, 4000, 20_000] {
        let mut workbench = Workbench::new();
        let mut add = |text: String| {
            let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(text.into_bytes()) };
            workbench.add_catalog("catalog", vec![file], &mut |_| {})
        };
        let ids = [add(chain(0, count)), add(chain(0, count + 1)), add(chain(count / 2, count))];
        let [before, new_head, half] = ids.map(|id| Side::present(workbench.catalog(id).expect("it was added")));
        let both = || Scope { runtime: compare::Runtime::Both, ..Scope::default() };
        for (name, after) in [("a new head", new_head), ("the older half removed", half)] {
            group.bench_function(format!("{name}, {count} entries"), |bencher| {
                bencher.iter(|| {
                    let comparison = Comparison::of(before, after, &levels, both());
                    let findings = comparison.packages.iter().map(|found| comparison.findings(found).len());
                    findings.sum::<usize>()
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, comparisons, growth);
criterion_main!(benches);
