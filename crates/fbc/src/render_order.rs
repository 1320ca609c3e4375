//! Which documents of a catalog `opm` writes, and in which order (`alpha/declcfg/write.go`).

/// The schemas whose documents `opm` drops if they have no package.
const KNOWN: [&str; 4] = ["olm.package", "olm.channel", "olm.bundle", "olm.deprecations"];

/// What the order of a document depends on.
#[derive(Clone, Copy, Debug)]
pub struct DocumentKey<'d> {
    pub schema: &'d str,
    /// `package`; empty when it has none.
    pub package: &'d str,
    /// `name`; empty when it has none.
    pub name: &'d str,
}

impl<'d> DocumentKey<'d> {
    fn is_written(self) -> bool {
        !self.package.is_empty() || !KNOWN.contains(&self.schema)
    }

    fn order(self) -> (bool, &'d str, usize, &'d str, &'d str) {
        let rank = match self.schema {
            "olm.package" => 0,
            "olm.channel" => 1,
            "olm.bundle" => 2,
            "olm.deprecations" => 4,
            _ => 3,
        };
        let (schema, name) = if rank == 3 { (self.schema, "") } else { ("", self.name) };
        (self.package.is_empty(), self.package, rank, schema, name)
    }
}

/// Keeps the documents that `opm` writes, in its order: by package, and in each the package, its channels, bundles, others and
/// deprecations; in the end what belongs to no package.
pub fn put_in_render_order<D>(documents: &mut Vec<D>, key: impl Fn(&D) -> DocumentKey<'_>) {
    documents.retain(|document| key(document).is_written());
    documents.sort_by(|one, other| key(one).order().cmp(&key(other).order()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_come_first_and_what_has_no_package_last() {
        let mut documents = vec![
            ("olm.csv.metadata", "", "x"),
            ("olm.deprecations", "b", ""),
            ("olm.bundle", "b", "b.v2"),
            ("olm.channel", "", "lost"),
            ("example.com/z", "b", "first"),
            ("olm.bundle", "b", "b.v1"),
            ("olm.channel", "b", "stable"),
            ("example.com/a", "b", "second"),
            ("olm.package", "b", "b"),
            ("olm.package", "a", "a"),
        ];
        put_in_render_order(&mut documents, |&(schema, package, name)| DocumentKey { schema, package, name });
        let names: Vec<&str> = documents.iter().map(|document| document.2).collect();
        assert_eq!(names, ["a", "b", "stable", "b.v1", "b.v2", "second", "first", "", "x"]);
    }
}
