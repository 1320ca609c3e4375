//! Parts of tables: heads of columns that sort, filters, and the text of an empty table.

use crate::dom;
use crate::graph::sign;
use crate::kit::press;
use crate::store::TableFilter;
use views::Mark;
use yew::prelude::*;

/// The filter of a table, and what receives another one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableParts<'f, K, C> {
    /// Which rows are shown, and in which order.
    pub(crate) filter: &'f TableFilter<K, C>,
    /// Receives another filter.
    pub(crate) filtered: Callback<TableFilter<K, C>>,
}

impl<K: Copy + PartialEq + 'static, C: Clone + PartialEq + 'static> TableParts<'_, K, C> {
    /// The head of a column with a button that sorts the table.
    pub(crate) fn head(&self, column: C, name: &'static str) -> Html {
        let (sort, arrow) = self.sort_signs(&column);
        let next = self.filter.sorted_by(column);
        let onclick = press(&self.filtered, next);
        html! {
            <th scope="col" aria-sort={sort}>
                <button type="button" class="plain" {onclick}>{ name }{ arrow }</button>
            </th>
        }
    }

    /// How the table is sorted by a column, for screen readers and as an arrow after its name.
    pub(crate) fn sort_signs(&self, column: &C) -> (Option<&'static str>, &'static str) {
        match (self.filter.by.as_ref() == Some(column), self.filter.reversed) {
            (false, _) => (None, ""),
            (true, false) => (Some("ascending"), " ▴"),
            (true, true) => (Some("descending"), " ▾"),
        }
    }

    /// The field of a text of the filter.
    pub(crate) fn search(
        &self,
        (placeholder, label, testid): (&'static str, &'static str, &'static str),
        text: fn(&mut TableFilter<K, C>) -> &mut String,
    ) -> Html {
        let mut filter = self.filter.clone();
        let value = text(&mut filter).clone();
        let oninput = self.filtered.reform(move |event: InputEvent| {
            let mut filter = filter.clone();
            *text(&mut filter) = dom::input_text(&event);
            filter
        });
        html! { <input type="search" {placeholder} aria-label={label} data-testid={testid} {value} {oninput} /> }
    }

    /// A button that shows only the rows of a kind, or all again.
    pub(crate) fn kind_button(&self, kind: K, testid: &'static str, title: Option<&'static str>, name: Html) -> Html {
        let is_on = self.filter.kind == Some(kind);
        let next = TableFilter { kind: (!is_on).then_some(kind), ..self.filter.clone() };
        let onclick = press(&self.filtered, next);
        html! {
            <button type="button" aria-pressed={is_on.to_string()} data-testid={testid} {onclick} {title}>
                { name }
            </button>
        }
    }

    /// The text of a table without rows, with a button that shows all of them. The focus moves from there to the
    /// element with the test id `next`. The test ids begin with the name of the table.
    pub(crate) fn empty(
        &self,
        table: &'static str,
        text: &'static str,
        name: &'static str,
        next: &'static str,
    ) -> Html {
        let TableFilter { by, reversed, .. } = self.filter.clone();
        let all = TableFilter { by, reversed, ..TableFilter::default() };
        let onclick = self.filtered.reform(move |_: MouseEvent| {
            dom::focus(next);
            all.clone()
        });
        html! {
            <p class="mute waiting" role="status" data-testid={format!("{table}-none")}>
                { text }{ " " }
                <button type="button" class="link" data-testid={format!("{table}-all")} {onclick}>{ name }</button>
            </p>
        }
    }
}

// The signs of the drawing for marks that say what is wrong, in the tables.

/// The sign of a mark that says what is wrong; nothing for other marks.
pub(crate) fn mark_sign(mark: Mark) -> Html {
    let is_loud = matches!(
        mark,
        Mark::Stranded
            | Mark::Pruned
            | Mark::Deprecated
            | Mark::NoBundle
            | Mark::UnknownBundle
            | Mark::BadRange
            | Mark::RuntimesDiffer
    );
    html! { if is_loud { <svg class="mark-sign drawing" viewBox="0 0 20 20" aria-hidden="true">{ sign(mark) }</svg> } }
}

// Numbers that together are all there is, as one bar.

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
