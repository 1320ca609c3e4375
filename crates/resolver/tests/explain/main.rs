//! Explanations of small namespaces, as short texts made from their data.

#[cfg(test)]
mod choices;
#[cfg(test)]
mod conflicts;
#[cfg(test)]
mod fixes;
#[cfg(test)]
mod funnels;
#[cfg(test)]
mod messages;
#[cfg(test)]
mod properties;
#[cfg(test)]
#[path = "../world/mod.rs"]
mod world;

use resolver::Problem;

fn problem(namespace: &str) -> Problem {
    Problem::new(world::namespace(namespace))
}
