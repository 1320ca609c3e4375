//! Names of objects without a namespace that are made of names in namespaces.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A name for each pair of namespace and name: the name itself if no other pair has it, else with the namespace behind it.
pub(crate) fn unique_names(pairs: &BTreeSet<(Arc<str>, Arc<str>)>) -> BTreeMap<(Arc<str>, Arc<str>), String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    pairs.iter().for_each(|(_, name)| *counts.entry(name).or_default() += 1);
    let is_single = |name: &Arc<str>| counts.get(&**name) == Some(&1);
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut found = BTreeMap::new();
    // Single names first, so that no longer one takes them.
    let (single, shared): (Vec<_>, Vec<_>) = pairs.iter().partition(|(_, name)| is_single(name));
    for (namespace, name) in single.into_iter().chain(shared) {
        let plain = is_single(name).then(|| name.to_string());
        let long = format!("{name}-{namespace}");
        let numbered = (2..).map(|number| format!("{long}-{number}"));
        let mut names = plain.into_iter().chain([long.clone()]).chain(numbered);
        if let Some(free) = names.find(|name| !used.contains(name)) {
            used.insert(free.clone());
            found.insert((Arc::clone(namespace), Arc::clone(name)), free);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::unique_names;

    #[test]
    fn a_shared_name_gets_the_namespace() {
        let pairs = [("a", "etcd"), ("b", "etcd"), ("b", "etcd-a"), ("c", "own")];
        let pairs = pairs.iter().map(|(namespace, name)| ((*namespace).into(), (*name).into())).collect();
        let found: Vec<String> = unique_names(&pairs).into_values().collect();
        assert_eq!(found, ["etcd-a-2", "etcd-b", "etcd-a", "own"]);
    }
}
