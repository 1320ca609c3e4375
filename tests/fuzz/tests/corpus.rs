//! Every input that is kept holds, and so do some thousand made of them: the same in every run.

use std::time::Duration;

use fuzz::{Campaign, TARGETS, seeds, shrink};

#[test]
fn what_is_kept_holds_and_what_is_made_of_it() {
    for target in TARGETS {
        let kept = seeds(target);
        assert!(kept.len() >= 3, "{} has only {} seeds", target.name, kept.len());
        let campaign = Campaign {
            target,
            seeds: kept.into_iter().map(|(_, input)| input).collect(),
            random: 1,
            inputs: target.short,
            time: Duration::from_secs(60),
            running: None,
        };
        let tally = campaign.run().unwrap();
        if let Some((fault, input)) = tally.faults.into_iter().next() {
            let least = shrink(target, &input);
            panic!("{}: {fault}\n{}", target.name, String::from_utf8_lossy(&least));
        }
    }
}

#[test]
fn the_same_number_gives_the_same_inputs() {
    let made = |random| {
        let mut rng = fastrand::Rng::with_seed(random);
        (0..50).map(|_| fuzz::mutate(b"a: 1\n---\nb: 2\n", b"c: d\n", &[&["x", "y"]], &mut rng)).collect::<Vec<_>>()
    };
    assert_eq!(made(3), made(3));
    assert_ne!(made(3), made(4));
}
