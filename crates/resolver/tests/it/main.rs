//! Resolutions of small namespaces, and their explanations.

mod adversarial;
#[cfg(test)]
mod backtracking;
#[cfg(test)]
mod checker;
#[cfg(test)]
mod explain;
mod properties;
mod scenarios;
#[cfg(test)]
mod world;
