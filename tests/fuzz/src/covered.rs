//! A target under libFuzzer, which is guided by coverage; its name stands in `FUZZ_TARGET`. Of two inputs one is made as
//! libFuzzer does, the other as the engine here.
#![no_main]

use std::sync::LazyLock;

use fastrand::Rng;
use fuzz::{Target, mutate, seeds, target};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").expect("FUZZ_TARGET names a target");
    target(&name).expect("FUZZ_TARGET names a target")
});

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| seeds(*TARGET).into_iter().map(|(_, input)| input).collect());

fuzz_target!(|input: &[u8]| (TARGET.check)(input));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut rng = Rng::with_seed(seed.into());
    if SEEDS.is_empty() || rng.bool() {
        return fuzzer_mutate(data, size, max_size);
    }
    let other = &SEEDS[rng.usize(..SEEDS.len())];
    let mut made = mutate(&data[..size], other, TARGET.words, &mut rng);
    made.truncate(max_size);
    data[..made.len()].copy_from_slice(&made);
    made.len()
});
