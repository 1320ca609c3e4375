//! Whole archives.

#[cfg(test)]
mod build;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod layers;
