//! Numbers that together are all there is, as one bar.

use yew::prelude::*;

/// A part of the bar: how many, the class of its colour in the style sheet, and what they are.
pub(crate) type TallyPart = (u32, &'static str, String);

/// Width of the bar in units of the picture, and of the gap between two parts.
const WIDTH: u32 = 1000;
const GAP: u32 = 3;

/// The bar with its numbers. Parts of which there are none are left out; with one part alone, the numbers say it.
pub(crate) fn tally(parts: &[TallyPart], testid: &'static str) -> Html {
    let parts: Vec<&TallyPart> = parts.iter().filter(|(count, ..)| *count > 0).collect();
    let total: u32 = parts.iter().map(|(count, ..)| count).sum();
    let mut before = 0;
    let mut rect = |(count, class, _): &&TallyPart| {
        let at = |count: u32| (u64::from(WIDTH) * u64::from(count) / u64::from(total.max(1))) as u32;
        let (from, to) = (at(before), at(before + count));
        before += count;
        let width = to.saturating_sub(from).saturating_sub(if before == total { 0 } else { GAP }).max(GAP);
        html! { <rect class={*class} x={from.to_string()} width={width.to_string()} height="6" rx="2" /> }
    };
    let bar: Vec<Html> = parts.iter().map(&mut rect).collect();
    html! { <div class="tally" data-testid={testid}>
        <svg viewBox={format!("0 0 {WIDTH} 6")} preserveAspectRatio="none" aria-hidden="true">{ for bar }</svg>
        <ul>{ for parts.iter().map(|(count, class, text)| html! {
            <li><i class={*class}></i><b>{ count }</b>{ " " }{ text }</li>
        }) }</ul>
    </div> }
}
