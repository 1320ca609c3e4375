//! Tests of whole archives.

#[cfg(test)]
mod build;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod layers;
