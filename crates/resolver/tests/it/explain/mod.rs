//! Explanations of small namespaces, as short texts made from their data.

mod choices;
mod conflicts;
mod fixes;
mod funnels;
mod messages;
mod properties;

use resolver::Problem;

use crate::world;

fn problem(namespace: &str) -> Problem {
    Problem::new(world::namespace(namespace))
}
