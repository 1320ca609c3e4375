//! The fuzz targets, each a test: they hold for every seed, and for some inputs that are made of seeds.
//!
//! `cargo xtask fuzz` runs them for longer; with `--coverage` under libFuzzer, which starts from the seeds and prefers
//! inputs that reach new code.

use std::sync::{Mutex, PoisonError};

use fuzz::{check, targets};

/// Memory is measured for the whole process, so one test runs at a time: what another one reads or makes would count.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Whether cargo-bolero builds this for an engine that is guided by coverage.
const IS_GUIDED: bool = option_env!("BOLERO_FUZZER").is_some();

/// `name(folders of seeds) inputs;` defines the test of a target: `inputs` are as many as a debug build checks in some
/// seconds.
macro_rules! tests {
    ($($name:ident($($folder:literal),+) $inputs:literal;)+) => {$(
        #[test]
        fn $name() {
            let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
            let test = bolero::check!();
            // libFuzzer has its own ways to change an input, so it gets the bytes.
            if IS_GUIDED {
                test.for_each(|input| check(targets::$name, input));
            } else {
                let seeds = fuzz::seeds(&[$($folder),+]);
                seeds.iter().for_each(|seed| check_seed(targets::$name, seed));
                let seeds = seeds.into_iter().map(|seed| seed.input).collect();
                test.with_iterations($inputs)
                    .with_generator(fuzz::EditedSeed::new(seeds))
                    .for_each(|input| check(targets::$name, &input.0));
            }
        }
    )+};
}

tests! {
    version("range") 4000;
    range("range") 4000;
    constraint("constraint") 4000;
    cel("cel") 2000;
    ignore("ignore") 2000;
    stream("stream") 600;
    trees("stream", "manifests") 600;
    graph("stream") 300;
    template("template") 300;
    archive("archive") 3000;
    bundle("bundle") 600;
    image_set("image-set") 300;
    manifests("manifests") 400;
    recognise("recognise") 300;
    resolution("resolution") 60;
    workbench("workbench", "resolution") 12;
    write("write", "template") 40;
}

/// Names the file of a seed before it is checked.
#[expect(clippy::print_stderr, reason = "libtest shows the output of a failed test")]
fn check_seed(target: fn(&[u8]), seed: &fuzz::Seed) {
    eprintln!("{}", seed.path);
    check(target, &seed.input);
}
