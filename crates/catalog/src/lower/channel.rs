//! `olm.channel` documents.

use super::{Lowering, channel_name, named};
use crate::rules::missing_field;
use crate::{BundleName, Channel, Entry, SkipRange};
use blang_semver::Range;
use fbc::raw::{RawChannel, RawEntry, Text};
use source::{Span, Spanned};

pub(super) fn lower(lowering: &mut Lowering, span: Span, raw: &RawChannel) {
    let Some(package) = named(raw.package.as_ref()) else {
        lowering.diagnostics.push(missing_field::channel_package(span, raw.name.as_ref()));
        return;
    };
    lowering.mentions(&package.value).channel(package, raw.name.as_ref());
    let Some(name) = named(raw.name.as_ref()) else {
        lowering.package_named(&package.value);
        lowering.diagnostics.push(missing_field::channel_name(span, &package.value));
        return;
    };
    let channel = Channel { name: channel_name(name), span, entries: raw.entries.iter().map(entry).collect() };
    lowering.package_named(&package.value).channels.push(channel);
}

fn entry(raw: &RawEntry) -> Entry {
    let unnamed = || Spanned::new(BundleName::from(""), raw.span);
    Entry {
        span: raw.span,
        name: raw.name.as_ref().map_or_else(unnamed, bundle_name),
        replaces: named(raw.replaces.as_ref()).map(bundle_name),
        skips: raw.skips.iter().map(bundle_name).collect(),
        skip_range: named(raw.skip_range.as_ref()).map(skip_range),
    }
}

fn bundle_name(text: &Text) -> Spanned<BundleName> {
    Spanned::new(BundleName::from(&*text.value), text.span)
}

fn skip_range(text: &Text) -> Spanned<SkipRange> {
    Spanned::new(SkipRange { text: text.value.clone(), range: Range::parse(&text.value) }, text.span)
}
