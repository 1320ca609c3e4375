//! Clusters from their manifests to the last step, under OLM v0 and v1.

mod both_runtimes;
mod controller;
mod manifests;
mod timelines;
