//! What a plan costs. The fields are compared one after the other: first what is not reached, then what is lost, then what
//! somebody has to do, then what merely happens.

/// The cost of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// How many levels it is short of the goal.
    pub missed: u32,
    /// Versions of OpenShift on which the namespace does not resolve when the cluster comes there or leaves.
    pub frozen: u32,
    /// Operators that are removed or installed again.
    pub reinstalls: u32,
    /// Steps that somebody has to make, without the updates of OpenShift.
    pub manual: u32,
    /// Versions of OpenShift that something installed does not fit, by its lifecycle data.
    pub incompatible: u32,
    /// Updates to a lower version or across a major version.
    pub risky: u32,
    /// Updates.
    pub hops: u32,
    /// The versions of OpenShift before each manual step, added up: what can be done now is done now, because the catalogs of
    /// today are known best.
    pub delay: u32,
}

impl Cost {
    pub(crate) const fn with_missed(self, missed: u32) -> Self {
        Self { missed, ..self }
    }
}

impl std::ops::Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            missed: self.missed + other.missed,
            frozen: self.frozen + other.frozen,
            reinstalls: self.reinstalls + other.reinstalls,
            manual: self.manual + other.manual,
            incompatible: self.incompatible + other.incompatible,
            risky: self.risky + other.risky,
            hops: self.hops + other.hops,
            delay: self.delay + other.delay,
        }
    }
}
