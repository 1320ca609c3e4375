//! The channel map: the channels, the newest head first, with an arrow for each switch between them that OLM follows to
//! the head of the other channel.

use super::canvas::layouts;
use crate::kit::{plural, press};
use crate::parts::mark_sign;
use crate::store::{Action, ExploreAction, Shared};
use views::{ChannelMapView, ChannelSwitch, EntryKey, MapChannel, Mark, Subject};
use yew::prelude::*;

/// Height of a channel, CSS pixels, as in the style sheet.
const ROW: i32 = 48;
/// How far an arrow to the next channel bulges, how much further for each channel that it passes, and the most.
const BULGE: (i32, i32, i32) = (26, 14, 220);
/// Arrows leave a channel and arrive at it this far from its middle.
const APART: i32 = 7;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The map, once it has arrived.
    pub(crate) map: Option<Shared<ChannelMapView>>,
    pub(crate) subject: Option<Subject>,
    pub(crate) send: Callback<Action>,
}

#[component]
pub(crate) fn ChannelMap(props: &Props) -> Html {
    let pointed = use_state_eq(|| None::<u32>);
    let content = match props.map.as_deref() {
        None => html! { <p class="mute waiting" role="status">{ "Computing the switches between channels…" }</p> },
        Some(map) => {
            let selected = selected(map, props.subject.as_ref());
            html! {
                <div class="scroll channel-map" data-testid="channel-map">
                    <p class="mute about">{ about(map) }</p>
                    <div class={classes!("map", (*pointed).or(selected).map(|_| "dims"))}>
                        <div>
                            { channels(props, map, selected, &pointed) }{ arrows(props, map, (*pointed).or(selected)) }
                        </div>
                        { for selected.map(|at| switches(props, map, at)) }
                    </div>
                </div>
            }
        }
    };
    html! { <div class="canvas" role="tabpanel" aria-label="Channel map">
        { content }
        <div class="foot"><div class="zoom" role="group" aria-label="View">{ layouts(None, &props.send) }</div></div>
    </div> }
}

/// The channel that is selected, an index.
fn selected(map: &ChannelMapView, subject: Option<&Subject>) -> Option<u32> {
    let Some(Subject::Channel { channel }) = subject else { return None };
    map.channels.iter().zip(0..).find(|(row, _)| row.channel == *channel).map(|(_, at)| at)
}

fn about(map: &ChannelMapView) -> String {
    let text = if map.channels.len() > 1 {
        "Each arrow is a switch that works: a Subscription at the head of one channel switches to the other, and OLM \
         updates it to the head there. Where an arrow is faint, smaller steps work too. Select a channel to see its \
         switches."
    } else {
        "This package has one channel."
    };
    match map.omitted {
        0 => text.to_owned(),
        omitted => {
            format!("{text} {omitted} channel{} with older heads: see Reach.", plural(omitted as usize))
        }
    }
}

/// The channels as buttons.
fn channels(props: &Props, map: &ChannelMapView, selected: Option<u32>, pointed: &UseStateHandle<Option<u32>>) -> Html {
    let row = |(channel, at): (&MapChannel, u32)| {
        let set = |value: Option<u32>| {
            let pointed = pointed.setter();
            move || pointed.set(value)
        };
        let (enter, leave, focus, blur) = (set(Some(at)), set(None), set(Some(at)), set(None));
        let subject = Subject::Channel { channel: channel.channel.clone() };
        let onclick = press(&props.send, ExploreAction::SubjectSelected(subject));
        html! {
            <li>
                <button type="button" data-testid="map-channel" data-channel={channel.channel.clone()}
                    aria-pressed={(selected == Some(at)).to_string()}
                    class={classes!(channel.dead_end.then_some("dead-end"), channel.problem.as_ref().map(|_| "broken"))}
                    title={channel.problem.clone()} {onclick} onpointerenter={move |_: PointerEvent| enter()}
                    onpointerleave={move |_: PointerEvent| leave()} onfocus={move |_: FocusEvent| focus()}
                    onblur={move |_: FocusEvent| blur()}>
                    <b>{ &channel.channel }</b><small>{ state(map, channel, at) }</small>
                </button>
            </li>
        }
    };
    html! { <ol>{ for map.channels.iter().zip(0..).map(row) }</ol> }
}

/// What is below the name of a channel.
fn state(map: &ChannelMapView, channel: &MapChannel, at: u32) -> Html {
    let Some(head) = &channel.head else { return html! { <>{ mark_sign(Mark::Stranded) }{ "broken channel" }</> } };
    let before = map.channels[..at as usize].iter();
    let same = before.rev().take_while(|other| other.head.as_ref() == Some(head)).last();
    let same = same.map(|other| format!("same head as {}", other.channel));
    let words = [
        Some(same.unwrap_or_else(|| format!("head {}", head.label))),
        channel.default.then(|| "default".to_owned()),
        channel.deprecated.then(|| "deprecated".to_owned()),
    ];
    let words: Vec<String> = words.into_iter().flatten().collect();
    html! { <>
        { words.join(" · ") }
        if channel.dead_end { { " · " }{ mark_sign(Mark::Stranded) }{ "no switch to a newer head" } }
    </> }
}

/// The switches that need an update. Between channels with the same head there is nothing to follow.
fn updates(map: &ChannelMapView) -> impl Iterator<Item = &ChannelSwitch> {
    map.switches.iter().filter(|switch| switch.hops > 0)
}

/// The arrows beside the channels. They are repeated as a list of the selected channel, for keyboards and screen
/// readers.
fn arrows(props: &Props, map: &ChannelMapView, active: Option<u32>) -> Html {
    let height = ROW * map.channels.len() as i32;
    let width = updates(map).map(bulge).max().unwrap_or(0) + 24;
    // Faint ones first, so that the others are drawn above them.
    let rank = |switch: &&ChannelSwitch| (Some(switch.from) == active || Some(switch.to) == active, switch.direct);
    let mut sorted: Vec<&ChannelSwitch> = updates(map).collect();
    sorted.sort_by_key(rank);
    let arrow = |switch: &ChannelSwitch| {
        let class = classes!(
            "arrow",
            (!switch.direct).then_some("indirect"),
            (Some(switch.from) == active).then_some("out"),
            (Some(switch.to) == active).then_some("in"),
        );
        let (line, tip) = shape(switch);
        let onclick = shows_path(props, map, switch);
        html! {
            <g {class} {onclick}>
                <title>{ sentence(map, switch) }</title>
                <path class="hit" d={line.clone()} />
                <path class="line" d={line} />
                <path class="tip" d={tip} />
            </g>
        }
    };
    // A narrow page squeezes it.
    html! {
        <svg class="arrows" aria-hidden="true" viewBox={format!("0 0 {width} {height}")} preserveAspectRatio="none"
            width={width.to_string()} height={height.to_string()}>
            { for sorted.into_iter().map(arrow) }
        </svg>
    }
}

fn bulge(switch: &ChannelSwitch) -> i32 {
    let passed = i32::try_from(switch.from.abs_diff(switch.to)).unwrap_or(i32::MAX).saturating_sub(1);
    BULGE.1.saturating_mul(passed).saturating_add(BULGE.0).min(BULGE.2)
}

/// The line of an arrow, and its tip.
fn shape(switch: &ChannelSwitch) -> (String, String) {
    let middle = |at: u32| ROW * i32::try_from(at).unwrap_or(0) + ROW / 2;
    let up = if switch.to < switch.from { -APART } else { APART };
    let (start, end, bulge) = (middle(switch.from) + up, middle(switch.to) - up, 4 * bulge(switch) / 3);
    (format!("M0 {start}C{bulge} {start} {bulge} {end} 9 {end}"), format!("M1 {end}l8 -4v8z"))
}

fn sentence(map: &ChannelMapView, switch: &ChannelSwitch) -> String {
    let name = |at: u32| map.channels.get(at as usize).map_or("", |channel| channel.channel.as_str());
    format!("{} → {}: {} update{}", name(switch.from), name(switch.to), switch.hops, plural(switch.hops as usize))
}

/// Shows the updates of a switch in the graph.
fn shows_path(props: &Props, map: &ChannelMapView, switch: &ChannelSwitch) -> Option<Callback<MouseEvent>> {
    let (from, to) = (map.channels.get(switch.from as usize)?, map.channels.get(switch.to as usize)?);
    let from = from.head.as_ref()?.name.clone();
    let to = EntryKey { channel: Some(to.channel.clone()), name: to.head.as_ref()?.name.clone() };
    Some(press(&props.send, ExploreAction::ReachCellChosen { from, to }))
}

/// The switches from and to the selected channel.
fn switches(props: &Props, map: &ChannelMapView, at: u32) -> Html {
    let Some(channel) = map.channels.get(at as usize) else { return Html::default() };
    let item = |switch: &ChannelSwitch, other: u32| {
        let other = map.channels.get(other as usize)?;
        let onclick = shows_path(props, map, switch);
        let updates = format!(" {} update{}", switch.hops, plural(switch.hops as usize));
        Some(html! {
            <li>
                <button type="button" class="link" title="Show the updates in the graph" {onclick}>
                    { &other.channel }
                </button>
                <small class="mute">{ updates }</small>
            </li>
        })
    };
    let out = updates(map).filter(|switch| switch.from == at).filter_map(|switch| item(switch, switch.to));
    let come = updates(map).filter(|switch| switch.to == at).filter_map(|switch| item(switch, switch.from));
    let list = |title: String, items: Vec<Html>| {
        let none = items.is_empty();
        html! { <><h3>{ title }</h3><ul>{ for items }if none { <li class="mute">{ "none" }</li> }</ul></> }
    };
    html! { <section class="switches" aria-label="Switches of the selected channel" data-testid="map-switches">
        { list(format!("From the head of {} to", channel.channel), out.collect()) }
        { list(format!("To {} from the head of", channel.channel), come.collect()) }
    </section> }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switch(from: u32, to: u32) -> ChannelSwitch {
        ChannelSwitch { from, to, hops: 1, direct: true }
    }

    #[test]
    fn arrows_end_at_the_other_channel() {
        assert_eq!(shape(&switch(1, 0)), ("M0 65C34 65 34 31 9 31".to_owned(), "M1 31l8 -4v8z".to_owned()));
        assert_eq!(shape(&switch(0, 2)).0, "M0 31C53 31 53 113 9 113");
    }

    #[test]
    fn arrows_over_many_channels_bulge_within_bounds() {
        assert_eq!((bulge(&switch(5, 4)), bulge(&switch(5, 3)), bulge(&switch(59, 0))), (26, 40, 220));
        assert_eq!(bulge(&switch(u32::MAX, 0)), 220);
    }
}
