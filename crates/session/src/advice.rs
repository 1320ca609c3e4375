//! What a refusal advises: only what was tried on the same input and ends well.

use crate::Workbench;
use crate::authoring::{Authoring, ReleaseRequest};
use catalog::{BundleName, ChannelName};
use go_semver::blang::Version;
use release::{Advice, Policy, Refusal, Release, release};
use update_graph::version_in;
use views::{CatalogId, Deprecatee, FileEdit, Level};

impl Workbench {
    /// Whether an edit or a command may be advised: it is made in the model and taken back. It has to be written, and to leave
    /// nobody behind who is not left behind without it.
    pub fn may_be_advised(&mut self, id: CatalogId, what: &Authoring<'_>) -> bool {
        let (_, before) = self.effects_of_edits(id);
        let Ok(written) = self.write(id, what) else { return false };
        let (_, after) = self.effects_of_edits(id);
        let undo: Vec<FileEdit> = written.files.into_iter().map(|file| file.undo).collect();
        self.edit_files(&undo);
        after != Some(Level::Breaking) || before == after
    }

    /// A refusal with what may help, as far as it does.
    pub(crate) fn advised(&mut self, id: CatalogId, what: &Authoring<'_>, refusal: Refusal) -> Refusal {
        let mut policies = Vec::new();
        let mut ways = Vec::new();
        for advice in &refusal.advice {
            match (advice, what) {
                (Advice::Policy(policy), Authoring::Release(request)) => {
                    policies.extend(self.by_policy(id, request, refusal.channel.as_ref(), *policy));
                }
                (Advice::NoPolicy, Authoring::Release(request)) => {
                    let request = ReleaseRequest { policy: None, policies: &[], ..request.clone() };
                    let helps = self.may_be_advised(id, &Authoring::Release(request));
                    ways.extend(helps.then(|| "leave the policy out".to_owned()));
                }
                (Advice::NewHead, Authoring::Remove { package, version, .. }) => {
                    let helps = self.takes_new_head(id, package, version, refusal.channel.as_ref());
                    let way = "release a version above it with the policy `withdraw-head`";
                    ways.extend(helps.then(|| way.to_owned()));
                }
                (Advice::Deprecation, Authoring::Remove { package, version, .. }) => {
                    let what = Deprecatee::Bundle((*version).to_owned());
                    let deprecation = Authoring::Deprecate { package, what: &what, message: "use another version" };
                    ways.extend(self.may_be_advised(id, &deprecation).then(|| "deprecate it".to_owned()));
                }
                (Advice::Removal, Authoring::Remove { package, version, .. }) => {
                    let removal = Authoring::Remove { package, version, stays_listed: false };
                    ways.extend(self.may_be_advised(id, &removal).then(|| "remove the version".to_owned()));
                }
                _ => {}
            }
        }
        if !policies.is_empty() {
            ways.insert(0, format!("use {}", policies.join(" or ")));
        }
        let instead = match &ways[..] {
            [] => refusal.instead,
            ways => format!("{}, or {}", ways.join(", "), refusal.instead),
        };
        Refusal { instead, advice: Vec::new(), ..refusal }
    }

    /// How a release is made by another policy, in words, if it can be: by its own policy in this channel, if there are others.
    fn by_policy(
        &mut self,
        id: CatalogId,
        request: &ReleaseRequest<'_>,
        channel: Option<&ChannelName>,
        policy: Policy,
    ) -> Option<String> {
        let channel = channel.filter(|_| request.channels.len() > 1);
        let others = request.policies.iter().filter(|(name, _)| channel.is_some_and(|own| own.as_str() != name));
        let own = channel.map(|channel| (channel.to_string(), policy));
        let policies: Vec<(String, Policy)> = others.cloned().chain(own).collect();
        let of_all = if channel.is_some() { request.policy } else { Some(policy) };
        let changed = ReleaseRequest { policy: of_all, policies: &policies, ..request.clone() };
        let helps = self.may_be_advised(id, &Authoring::Release(changed));
        helps.then(|| match channel {
            Some(channel) => format!("`--channel {channel}={}`", policy.id()),
            None => format!("`{}`", policy.id()),
        })
    }

    /// Whether a version above the head of a channel can take its place.
    fn takes_new_head(&self, id: CatalogId, package: &str, head: &str, channel: Option<&ChannelName>) -> bool {
        let found = self.catalog(id).and_then(|catalog| catalog.analysis.catalog.package(package));
        let (Some(package), Some(channel)) = (found, channel) else { return false };
        let Some(known) = Version::parse(head).ok().or_else(|| version_in(head)) else { return false };
        let version = Version::new(known.major() + 1, 0, 0);
        let new = Release { name: BundleName::from(&*format!("{}.v{version}", package.name)), version, from: None };
        release(Policy::WithdrawHead, package, channel, &new).is_ok()
    }
}
