//! Catalogs for several versions of OpenShift among the inputs. Their members are no catalogs of the cluster until they are opened
//! as such.

use crate::input::Workbench;
use crate::set_input::SetInput;
use openshift::sets::{CatalogSet, Loading};
use source::OpmVersion;
use std::cell::OnceCell;
use views::{OpenShift, SetId, SetRow};

impl Workbench {
    /// Adds a set, or puts it in the place of one.
    pub(crate) fn put_set(
        &mut self,
        known: Option<SetId>,
        name: &str,
        set: CatalogSet,
        waiting: Vec<OpenShift>,
    ) -> SetId {
        let id = known.unwrap_or_else(|| {
            self.next_set += 1;
            SetId(self.next_set - 1)
        });
        let before = self.sets.iter().find(|known| known.id == id);
        let is_baseline = before.is_some_and(|before| before.is_baseline);
        let mut input = SetInput { id, name: name.to_owned(), set, waiting, is_baseline, findings: OnceCell::new() };
        if self.opm() != OpmVersion::NEWEST {
            input.judge(self.opm());
        }
        match self.sets.iter_mut().find(|known| known.id == id) {
            Some(known) => *known = input,
            None => self.sets.push(input),
        }
        id
    }

    /// Shows the members that are complete while a set is read, if several are and have a package in common. `coming` are the paths of
    /// the files that are not added yet; `known` is the id that it has from the last time.
    pub fn preview_set(
        &mut self,
        known: Option<SetId>,
        name: &str,
        loading: &mut Loading,
        coming: &[&str],
    ) -> Option<SetId> {
        if !loading.has_several_catalogs() {
            return known;
        }
        let set = loading.preview(coming);
        let is_known = |version: &OpenShift| {
            set.member(*version).is_some() || set.holes.iter().any(|hole| hole.version == *version)
        };
        let waiting = loading.versions().into_iter().filter(|version| !is_known(version)).collect();
        if set.is_set() { Some(self.put_set(known, name, set, waiting)) } else { known }
    }

    /// Removes a set.
    pub fn remove_set(&mut self, id: SetId) {
        self.sets.retain(|input| input.id != id);
    }

    /// The sets, in the order they were added.
    #[must_use]
    pub fn sets(&self) -> &[SetInput] {
        &self.sets
    }

    /// The sets as rows of a list.
    pub fn set_rows(&self) -> Vec<SetRow> {
        let row = |input: &SetInput| SetRow {
            id: input.id,
            name: input.name.clone(),
            versions: input.set.members.iter().map(|member| member.version).collect(),
            packages: input.set.packages().len() as u32,
            is_baseline: input.is_baseline,
        };
        self.sets.iter().map(row).collect()
    }

    /// Makes a set the one that others are compared with, or one of its own again.
    pub fn set_baseline_set(&mut self, id: SetId, is_baseline: bool) {
        for input in &mut self.sets {
            input.is_baseline = if input.id == id { is_baseline } else { input.is_baseline && !is_baseline };
        }
    }
}
