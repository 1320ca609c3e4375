//! An entry as a box. Every mark shows in a second way than colour: a word, a dash or a hatch.

use super::glow;
use crate::store::{LitNode, Standing};
use views::{Mark, NodeView};
use yew::prelude::*;

/// The properties of [`node`] that do not come from the view.
pub(super) struct Look<'a> {
    /// Its index in the graph.
    pub(super) index: usize,
    /// Whether and why it stands out.
    pub(super) lit: Option<&'a LitNode>,
    /// Whether it is selected.
    pub(super) selected: bool,
    /// Whether the tabulator key stops here.
    pub(super) stop: bool,
    /// What the simulation says.
    pub(super) standing: &'a Standing,
    /// Its folded band, which shows while the entry is selected, pointed at or focused.
    pub(super) band: Option<Html>,
}

/// A box with its label, and the words for its marks above.
pub(super) fn node(node: &NodeView, look: &Look<'_>) -> Html {
    let standing = look.standing.of(&node.key);
    let (left, top) = (node.at.x - node.width / 2, node.at.y - node.height / 2);
    let class = classes!(
        "entry",
        node.marks.iter().map(|mark| class(*mark)).collect::<Vec<_>>(),
        look.standing.installed.contains(&node.key.name).then_some("installed"),
        standing.as_ref().filter(|text| text.contains("hop")).map(|_| "chosen"),
        look.selected.then_some("selected"),
        look.lit.map(|lit| glow(lit.glow)),
    );
    let told = look.lit.and_then(|lit| lit.word.as_deref());
    let words: Vec<&str> =
        node.marks.iter().filter_map(|mark| word(*mark)).chain(standing.as_deref()).chain(told).collect();
    let summary = standing.as_ref().map_or_else(|| node.summary.clone(), |text| format!("{}; {text}", node.summary));
    html! {
        <g key={look.index} {class} id={format!("entry-{}", look.index)} role="button"
            tabindex={if look.stop { "0" } else { "-1" }}
            aria-label={summary.clone()} aria-pressed={look.selected.to_string()}
            data-testid="graph-node" data-index={look.index.to_string()}
            data-name={node.key.name.clone()} data-channel={node.key.channel.clone()}>
            <title>{ summary }</title>
            { for look.band.clone() }
            <rect class="ring" x={(left - 4).to_string()} y={(top - 4).to_string()} rx="10"
                width={(node.width + 8).to_string()} height={(node.height + 8).to_string()} />
            <rect class="box" x={left.to_string()} y={top.to_string()} rx="7"
                width={node.width.to_string()} height={node.height.to_string()} />
            <rect class="hatched" x={left.to_string()} y={top.to_string()} rx="7"
                width={node.width.to_string()} height={node.height.to_string()} />
            <text x={node.at.x.to_string()} y={(node.at.y + 4).to_string()}>{ &node.label }</text>
            if !words.is_empty() {
                <text class="word" x={node.at.x.to_string()} y={(top - 6).to_string()}>{ words.join(" · ") }</text>
            }
        </g>
    }
}

/// The class of a mark in the style sheet.
const fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Head => "head",
        Mark::Skipped => "skipped",
        Mark::Pruned => "pruned",
        Mark::Ghost => "ghost",
        Mark::Stranded => "stranded",
        Mark::Deprecated => "deprecated",
        Mark::NoBundle => "no-bundle",
    }
}

/// The word above the box. Skipped, pruned and ghost entries have a dash or a hatch instead.
const fn word(mark: Mark) -> Option<&'static str> {
    match mark {
        Mark::Head => Some("head"),
        Mark::Stranded => Some("stranded"),
        Mark::Deprecated => Some("deprecated"),
        Mark::NoBundle => Some("no bundle"),
        Mark::Skipped | Mark::Pruned | Mark::Ghost => None,
    }
}
