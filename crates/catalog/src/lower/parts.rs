//! Parts of raw documents as parts of the model.

use crate::model::{BundleName, ChannelName, Deprecation, DeprecationTarget, Entry, Icon, SkipRange};
use fbc::raw::{RawDeprecation, RawEntry, RawIcon, Text};
use go_semver::blang::Range;
use source::Spanned;

/// The text unless it is empty: Go's decoder does not distinguish an empty text from a missing one.
pub(super) fn named(text: Option<&Text>) -> Option<&Text> {
    text.filter(|text| !text.value.is_empty())
}

pub(super) fn channel_name(text: &Text) -> Spanned<ChannelName> {
    Spanned::new(ChannelName::from(&*text.value), text.span)
}

pub(super) fn entry(raw: &RawEntry) -> Entry {
    let unnamed = || Spanned::new(BundleName::from(""), raw.span);
    Entry {
        span: raw.span,
        name: raw.name.as_ref().map_or_else(unnamed, bundle_name),
        replaces: named(raw.replaces.as_ref()).map(bundle_name),
        skips: raw.skips.iter().map(bundle_name).collect(),
        skip_range: named(raw.skip_range.as_ref()).map(skip_range),
    }
}

pub(super) fn bundle_name(text: &Text) -> Spanned<BundleName> {
    Spanned::new(BundleName::from(&*text.value), text.span)
}

pub(super) fn skip_range(text: &Text) -> Spanned<SkipRange> {
    Spanned::new(SkipRange { text: text.value.clone(), range: Range::parse(&text.value) }, text.span)
}

pub(super) fn icon(raw: &RawIcon) -> Option<Icon> {
    let media_type = raw.mediatype.as_ref().map(|text| text.value.clone()).unwrap_or_default();
    Some(Icon { base64data: raw.base64data?, media_type })
}

pub(super) fn deprecation(raw: &RawDeprecation) -> Option<Deprecation> {
    let name = raw.name.as_ref().map_or("", |name| &name.value);
    let target = match &*raw.schema.as_ref()?.value {
        "olm.package" => DeprecationTarget::Package,
        "olm.channel" => DeprecationTarget::Channel(name.into()),
        "olm.bundle" => DeprecationTarget::Bundle(name.into()),
        _ => return None,
    };
    let message = raw.message.as_ref().map(|text| text.value.clone()).unwrap_or_default();
    let place = raw.name.as_ref().map_or(raw.span, |name| name.span);
    Some(Deprecation { span: raw.span, place, target, message })
}
