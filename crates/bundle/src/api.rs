//! APIs, the keys of the sets that `opm` compares (`pkg/registry/types.go`, `APIKey`).

use std::collections::BTreeSet;
use std::fmt;

/// An API. The order of the fields is that in which Go prints the keys of a map.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Api {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) plural: String,
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{} ({})", self.group, self.version, self.kind, self.plural)
    }
}

/// A set of APIs as Go prints it.
pub(crate) fn printed(apis: &BTreeSet<Api>) -> String {
    let entries: Vec<String> = apis.iter().map(|api| format!("{api}:{{}}")).collect();
    format!("map[{}]", entries.join(" "))
}
