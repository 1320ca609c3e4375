//! Rules about templates that `opm` expands. Those for what it does not expand are checked where the expansion ends.

pub(crate) mod stranding_substitution;
