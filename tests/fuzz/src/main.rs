//! `cargo run -p fuzz`: puts thought-up inputs to targets for some time.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use fuzz::{Campaign, TARGETS, Tally, Target, seeds, shrink, target};

const HELP: &str = "\
usage: fuzz [TARGET]... [--minutes N] [--random N]

Each target gets its share of the minutes (10). The same number for --random gives the same inputs.
An input that fails is made as small as possible and kept in `target/fuzzed/`; `fuzz TARGET FILE` tries it alone.";

/// What is asked for.
struct Wish {
    targets: Vec<&'static Target>,
    files: Vec<PathBuf>,
    minutes: f64,
    random: u64,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(wish) = wish(&args) else {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        say(&format!("{HELP}\nThe targets are {}.", names.join(", ")));
        return ExitCode::from(2);
    };
    // What a target says when it panics is told once, with the input.
    std::panic::set_hook(Box::new(|_| {}));
    // Not deeper than a worker's stack would let it.
    let work = std::thread::Builder::new().stack_size(2 << 20).spawn(move || run(&wish));
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(true))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            say(&format!("fuzz: {error}"));
            ExitCode::FAILURE
        }
        _ => ExitCode::FAILURE,
    }
}

fn wish(args: &[String]) -> Option<Wish> {
    let mut wish = Wish { targets: Vec::new(), files: Vec::new(), minutes: 10.0, random: 0 };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--minutes" => wish.minutes = args.next()?.parse().ok()?,
            "--random" => wish.random = args.next()?.parse().ok()?,
            name => match target(name) {
                Some(target) => wish.targets.push(target),
                None if wish.targets.is_empty() || !PathBuf::from(name).is_file() => return None,
                None => wish.files.push(name.into()),
            },
        }
    }
    if wish.targets.is_empty() {
        wish.targets = TARGETS.iter().collect();
    }
    Some(wish)
}

fn run(wish: &Wish) -> std::io::Result<bool> {
    let mut held = true;
    for target in &wish.targets {
        if wish.files.is_empty() {
            held &= hunt(target, wish)?;
        }
        for file in &wish.files {
            let result = fuzz::trial(target, &fs::read(file)?);
            held &= result.is_ok();
            match result {
                Ok(took) => say(&format!("{}: {} holds, {took:?}", target.name, file.display())),
                Err(fault) => say(&format!("{}: {}: {fault}", target.name, file.display())),
            }
        }
    }
    Ok(held)
}

/// Whether a target held for its share of the time.
fn hunt(target: &Target, wish: &Wish) -> std::io::Result<bool> {
    let folder = PathBuf::from(std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into())).join("fuzzed");
    fs::create_dir_all(&folder)?;
    let campaign = Campaign {
        target,
        seeds: seeds(target).into_iter().map(|(_, input)| input).collect(),
        random: wish.random,
        inputs: u64::MAX,
        time: Duration::from_secs_f64(wish.minutes * 60.0 / wish.targets.len() as f64),
        running: Some(folder.join(format!("{}-running", target.name))),
    };
    let Tally { tried, took, slowest, faults } = campaign.run()?;
    let (slow, input) = slowest;
    say(&format!(
        "{:<10} {tried:>9} inputs in {:.0} s; slowest {slow:.1?} ({} bytes)",
        target.name,
        took.as_secs_f64(),
        input.len()
    ));
    fs::write(folder.join(format!("{}-slowest", target.name)), &input)?;
    for (number, (fault, input)) in faults.iter().enumerate() {
        let path = folder.join(format!("{}-{}-{number}", target.name, wish.random));
        fs::write(&path, shrink(target, input))?;
        say(&format!("{}: {fault}\n  in {}", target.name, path.display()));
    }
    Ok(faults.is_empty())
}

#[expect(clippy::print_stdout, reason = "the terminal is where this tool answers")]
fn say(line: &str) {
    println!("{line}");
}
