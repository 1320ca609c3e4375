//! Checks and their results.

/// The result of a check, with the text of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub name: &'static str,
    /// How it ends.
    pub outcome: CheckOutcome,
    /// The text of the tool; why it is not known, if it is not.
    pub message: String,
}

/// How a check ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckOutcome {
    Passed,
    /// It fails, and an acknowledgment lets it pass.
    Overridden,
    Failed,
    /// The manifests and catalogs do not tell.
    NotKnown,
}

impl Check {
    pub(super) fn passed(name: &'static str, message: impl Into<String>) -> Self {
        Self { name, outcome: CheckOutcome::Passed, message: message.into() }
    }

    pub(super) fn failed(name: &'static str, message: impl Into<String>) -> Self {
        Self { name, outcome: CheckOutcome::Failed, message: message.into() }
    }

    pub(super) fn not_known(name: &'static str, message: impl Into<String>) -> Self {
        Self { name, outcome: CheckOutcome::NotKnown, message: message.into() }
    }

    /// A check that fails with one text, unless it is acknowledged, and then passes with another.
    pub(super) fn soft(name: &'static str, is_acknowledged: bool, failed: String, overridden: String) -> Self {
        match is_acknowledged {
            true => Self { name, outcome: CheckOutcome::Overridden, message: overridden },
            false => Self::failed(name, failed),
        }
    }
}

/// What the user of the tool acknowledges: flags of `convert`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Acknowledgments {
    /// `--acknowledge-watch-scope-change`: the operator watches all namespaces afterwards.
    pub watch_scope_change: bool,
    /// `--acknowledge-operator-condition`: the operator uses OperatorConditions, which OLM v1 does not have.
    pub operator_condition: bool,
    /// `--acknowledge-olmv0-api-access`: the operator reads objects of OLM v0.
    pub olmv0_api_access: bool,
    /// `--acknowledge-scoped-serviceaccount`: the operator gets the rights of OLM v1 instead of those of the OperatorGroup.
    pub scoped_serviceaccount: bool,
    /// `--acknowledge-not-steady-state`: the operator does not run, or is being updated.
    pub not_steady_state: bool,
    /// `--acknowledge-namespace-delete`: the tool deletes the namespace of the Subscription when the operator runs in another one.
    pub namespace_delete: bool,
}

impl Acknowledgments {
    /// The flags that are set, without `--acknowledge-`.
    #[must_use]
    pub fn flags(&self) -> Vec<&'static str> {
        let all = [
            (self.watch_scope_change, "watch-scope-change"),
            (self.operator_condition, "operator-condition"),
            (self.olmv0_api_access, "olmv0-api-access"),
            (self.scoped_serviceaccount, "scoped-serviceaccount"),
            (self.not_steady_state, "not-steady-state"),
            (self.namespace_delete, "namespace-delete"),
        ];
        all.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).collect()
    }
}
