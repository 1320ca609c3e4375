//! The two states that queries compare, with what is known of their packages.

use cluster::Manifests;
use compare::{Compared, Levels, Settings, SettingsFault, V1Cluster};
use std::cell::{OnceCell, RefCell, RefMut};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The states, and the levels of the user.
pub struct ComparisonInput {
    pub compared: views::Compared,
    /// The user's levels, and what is wrong with them. The first query reads the text, so that a program that loads its code in
    /// parts need not have the reader before.
    levels: OnceCell<(Levels, Vec<String>)>,
    known: RefCell<Known>,
    /// The part of a cluster of OLM v1, if its ClusterCatalogs count.
    of_v1: Option<ExchangedV1>,
}

/// Which ClusterCatalog of the manifests serves the compared catalog, if one does.
struct ExchangedV1(Option<String>);

/// What is wrong in the text of levels, a line each as `line:column: message`.
#[must_use]
pub fn level_faults(text: &str) -> Vec<String> {
    fault_lines(&Levels::parse(text).err().unwrap_or_default())
}

/// The user's settings.
///
/// # Errors
/// What is wrong in the text, a line each as `line:column: message`.
pub fn settings(text: &str) -> Result<Settings, Vec<String>> {
    Settings::parse(text).map_err(|faults| fault_lines(&faults))
}

fn fault_lines(faults: &[SettingsFault]) -> Vec<String> {
    faults.iter().map(|fault| format!("{}:{}: {}", fault.line, fault.column, fault.message)).collect()
}

/// What was found of packages.
#[derive(Default)]
struct Known {
    /// The changes of the catalogs that it was computed after.
    changes: u64,
    /// By name; `None` for a new package that harms nobody.
    packages: Packages,
}

type Packages = BTreeMap<String, Option<Rc<Compared>>>;

impl ComparisonInput {
    /// A comparison after another one. What is known of the packages depends on the states and the runtime, not on levels.
    pub(crate) fn after(before: Option<Self>, compared: views::Compared) -> Self {
        let states = |of: &views::Compared| (of.before, of.after, of.runtime);
        let known = before.filter(|before| states(&before.compared) == states(&compared)).map(|before| before.known);
        Self { compared, levels: OnceCell::new(), known: known.unwrap_or_default(), of_v1: None }
    }

    /// Lets the ClusterCatalogs count, of which `exchanged` serves the compared catalog.
    pub(crate) fn exchange_v1(&mut self, exchanged: Option<String>) {
        self.of_v1 = Some(ExchangedV1(exchanged));
    }

    /// The cluster of OLM v1, if its ClusterCatalogs count.
    pub fn v1_cluster<'c>(&'c self, manifests: &'c Manifests) -> Option<V1Cluster<'c>> {
        let ExchangedV1(exchanged) = self.of_v1.as_ref()?;
        Some(V1Cluster { manifests, exchanged: exchanged.as_deref() })
    }

    /// The levels of the user.
    pub fn levels(&self) -> &Levels {
        &self.read_levels().0
    }

    /// What is wrong with the levels.
    pub fn level_faults(&self) -> &[String] {
        &self.read_levels().1
    }

    fn read_levels(&self) -> &(Levels, Vec<String>) {
        self.levels.get_or_init(|| {
            let text = &self.compared.levels;
            (Levels::parse(text).unwrap_or_default().on(&self.compared.day), level_faults(text))
        })
    }

    /// What is known of the packages after so many changes of the catalogs.
    pub fn known(&self, changes: u64) -> RefMut<'_, Packages> {
        let mut known = self.known.borrow_mut();
        if known.changes != changes {
            *known = Known { changes, packages: Packages::new() };
        }
        RefMut::map(known, |known| &mut known.packages)
    }
}
