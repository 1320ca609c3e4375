//! How long one resolution takes in which every package is subscribed, what its explanation costs, and what the index
//! does, which is built once for a catalog: on a generated catalog with dense dependencies, and on the real one below
//! the folder that `OPSCOPE_CATALOGS` names. Also prints how many questions of each resolution each method answered.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use catalog::{Catalog, ParsedFile, lower};
use cluster::{CatalogKey, SubscriptionSpec};
use criterion::{Criterion, criterion_group, criterion_main};
use resolver::{Listing, Namespace, Outcome, Problem, Snapshot, conflicts, refusal, resolve};
use source::FileId;

mod dense;

fn read(texts: &[String]) -> Catalog {
    let parses: Vec<_> = (0..).map(FileId).zip(texts).map(|(id, text)| fbc::parse(id, text)).collect();
    let files: Vec<_> = texts.iter().zip(&parses).map(|(text, parse)| ParsedFile { text, parse }).collect();
    lower(&files).0
}

/// Below the folder, in the order of their paths.
fn collect(folder: &Path, texts: &mut Vec<String>) -> std::io::Result<()> {
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, texts)?;
        } else {
            texts.push(fs::read_to_string(path)?);
        }
    }
    Ok(())
}

fn everything(listing: &Arc<Listing>) -> Namespace {
    let key = CatalogKey::new("catalog", "olm");
    let mut packages: Vec<_> = listing.entries().iter().map(|entry| &entry.package).collect();
    packages.sort();
    packages.dedup();
    let subscription = |package: &catalog::predicate::PackageName| SubscriptionSpec {
        name: package.as_str().into(),
        package: package.clone(),
        channel: default_channel(listing, package),
        catalog: Some(key.clone()),
        starting_csv: None,
        installed_csv: None,
    };
    Namespace {
        name: "operators".into(),
        subscriptions: packages.into_iter().map(subscription).collect(),
        catalogs: vec![Arc::new(Snapshot { key, priority: 0, listing: Arc::clone(listing) })],
        ..Namespace::default()
    }
}

fn default_channel(listing: &Listing, package: &catalog::predicate::PackageName) -> Option<catalog::ChannelName> {
    let own = listing.entries().iter().filter(|entry| entry.package == *package);
    own.filter(|entry| entry.default_channel).map(|entry| entry.channel.clone()).next()
}

fn bench(criterion: &mut Criterion, name: &str, catalog: &Catalog) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20);
    group.bench_function("index", |bencher| bencher.iter(|| Listing::of(catalog)));
    let listing = Arc::new(Listing::of(catalog));
    let namespace = everything(&listing);
    group.bench_function("problem", |bencher| bencher.iter(|| Problem::new(namespace.clone())));
    let problem = Problem::new(namespace.clone());
    group.bench_function("resolution", |bencher| {
        bencher.iter(|| {
            let problem = Problem::new(namespace.clone());
            resolve(&problem, problem.anchors())
        });
    });
    let outcome = resolve(&problem, problem.anchors());
    print(&format!("{name}/resolution answered by: {}", problem.tally()));
    if let Outcome::Unsolvable(_) = outcome {
        group.bench_function("conflicts", |bencher| bencher.iter(|| conflicts(&problem)));
    }
    if let Outcome::Resolved(resolution) = outcome {
        group.bench_function("refusals", |bencher| {
            bencher.iter(|| {
                let picks = resolution.picks.iter().enumerate();
                let refused = picks.flat_map(|(at, pick)| (0..pick.refused.len()).map(move |which| (at, which)));
                refused.filter(|&(at, which)| refusal(&problem, &resolution.picks, at, which).is_ok()).count()
            });
        });
    }
}

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn print(line: &str) {
    println!("{line}");
}

fn benches(criterion: &mut Criterion) {
    for (name, rivals) in [("dense", false), ("dense, rivals", true)] {
        bench(criterion, name, &read(&[dense::text(rivals)]));
    }
    if let Some(folder) = std::env::var_os("OPSCOPE_CATALOGS") {
        let mut texts = Vec::new();
        collect(Path::new(&folder), &mut texts).expect("the folder of catalogs can be read");
        bench(criterion, "real", &read(&texts));
    }
}

criterion_group!(all, benches);
criterion_main!(all);
