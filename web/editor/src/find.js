// Finding and replacing. CodeMirror's own search goes through a file in one go, which takes seconds in one of twelve
// megabytes; this one goes line by line and gives the page its turn. What is found is marked by CodeMirror.

import {
  closeSearchPanel, getSearchQuery, gotoLine, highlightSelectionMatches, openSearchPanel, search, SearchQuery,
  setSearchQuery,
} from "@codemirror/search";
import { EditorView, keymap, runScopeHandlers } from "@codemirror/view";

/** After so many milliseconds the page gets its turn. */
const TURN = 8;
/** The count of what is found follows after so many milliseconds. */
const REST = 120;

/** The last scan of each editor: the text, the query and, later, what was found. */
const scans = new WeakMap();

/** All places where the query matches, as pairs of positions in order; nothing if another scan has begun. */
function matches(view, query) {
  const { doc } = view.state;
  const last = scans.get(view);
  if (last?.doc === doc && last.query.eq(query)) return last.found;
  const scan = { doc, query };
  scans.set(view, scan);
  scan.found = walk(doc, query, () => scans.get(view) === scan);
  return scan.found;
}

async function walk(doc, query, alive) {
  const literal = query.search.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(query.regexp ? query.search : literal, query.caseSensitive ? "gu" : "giu");
  const found = [];
  let [from, since] = [0, performance.now()];
  for (const line of doc.iterLines()) {
    for (const match of line.matchAll(pattern)) {
      if (match[0].length > 0) found.push([from + match.index, from + match.index + match[0].length]);
    }
    from += line.length + 1;
    if (performance.now() - since > TURN) {
      await new Promise((resolve) => setTimeout(resolve));
      if (!alive()) return null;
      since = performance.now();
    }
  }
  return found;
}

/** The index of the first match from a position on. */
function firstFrom(found, position) {
  let [low, high] = [0, found.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (found[middle][0] < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function select(view, found, index) {
  const at = (index + found.length) % found.length;
  const [anchor, head] = found[at];
  const said = EditorView.announce.of(`${at + 1} of ${found.length}`);
  const effects = [EditorView.scrollIntoView(anchor, { y: "center" }), said];
  view.dispatch({ selection: { anchor, head }, effects, userEvent: "select.search" });
}

const step = (pick) => (view) => {
  const query = getSearchQuery(view.state);
  if (!query.search || !query.valid) return openSearchPanel(view);
  matches(view, query).then((found) => {
    if (!found?.length || scans.get(view)?.doc !== view.state.doc) return;
    const { from, to } = view.state.selection.main;
    select(view, found, pick(found, from, to));
  });
  return true;
};
const next = step((found, from, to) => firstFrom(found, to > from ? from + 1 : from));
const previous = step((found, from) => firstFrom(found, from) - 1);

function replace(view) {
  const query = getSearchQuery(view.state);
  const { from, to } = view.state.selection.main;
  if (view.state.readOnly || !query.search || !query.valid) return true;
  matches(view, query).then((found) => {
    const here = found?.[firstFrom(found, from)];
    if (here?.[0] === from && here[1] === to) {
      const changes = { from, to, insert: query.replace };
      view.dispatch({ changes, selection: { anchor: from + query.replace.length }, userEvent: "input.replace" });
    }
    next(view);
  });
  return true;
}

function replaceAll(view) {
  const query = getSearchQuery(view.state);
  if (view.state.readOnly || !query.search || !query.valid) return true;
  matches(view, query).then((found) => {
    if (!found?.length || scans.get(view)?.doc !== view.state.doc) return;
    const changes = found.map(([from, to]) => ({ from, to, insert: query.replace }));
    const effects = EditorView.announce.of(`${found.length} replaced`);
    view.dispatch({ changes, effects, userEvent: "input.replace.all" });
  });
  return true;
}

function field(label, value) {
  const input = document.createElement("input");
  Object.assign(input, { type: "text", className: "cm-textfield", placeholder: label, ariaLabel: label, value });
  return input;
}

function button(text, run) {
  const element = document.createElement("button");
  Object.assign(element, { type: "button", className: "cm-button", textContent: text });
  element.addEventListener("click", run);
  return element;
}

function check(text, checked) {
  const label = document.createElement("label");
  const box = Object.assign(document.createElement("input"), { type: "checkbox", checked });
  label.append(box, text);
  return [label, box];
}

function panel(view) {
  const query = getSearchQuery(view.state);
  const [find, into] = [field("Find", query.search), field("Replace with", query.replace)];
  find.setAttribute("main-field", "true");
  const [caseLabel, caseBox] = check("Match case", query.caseSensitive);
  const [regexpLabel, regexpBox] = check("Regular expression", query.regexp);
  const count = Object.assign(document.createElement("span"), { className: "cm-count", role: "status" });
  const close = button("×", () => closeSearchPanel(view));
  Object.assign(close, { name: "close", ariaLabel: "Close", className: "" });
  const commit = () => {
    const query = new SearchQuery({
      search: find.value, replace: into.value, caseSensitive: caseBox.checked, regexp: regexpBox.checked, literal: true,
    });
    view.dispatch({ effects: setSearchQuery.of(query) });
  };
  const dom = Object.assign(document.createElement("div"), { className: "cm-panel cm-search" });
  dom.append(find, button("Previous", () => previous(view)), button("Next", () => next(view)));
  dom.append(count, caseLabel, regexpLabel);
  if (!view.state.readOnly) {
    dom.append(into, button("Replace", () => replace(view)), button("Replace all", () => replaceAll(view)));
  }
  dom.append(close);
  dom.addEventListener("input", commit);
  dom.addEventListener("keydown", (event) => {
    const runs = { [find.placeholder]: event.shiftKey ? previous : next, [into.placeholder]: replace };
    const run = runs[event.target.placeholder];
    if (runScopeHandlers(view, event, "search-panel")) event.preventDefault();
    else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && run) {
      event.preventDefault();
      run(view);
    }
  });
  return { dom, top: true, mount: () => find.select(), ...counting(view, count) };
}

/** Says how many there are, and which of them is selected, once typing rests. */
function counting(view, count) {
  let rest = 0;
  const tell = async () => {
    const query = getSearchQuery(view.state);
    if (!query.search) return count.replaceChildren();
    if (!query.valid) return count.replaceChildren("not a regular expression");
    const found = await matches(view, query);
    if (!found) return undefined;
    const { from, to } = view.state.selection.main;
    const at = firstFrom(found, from);
    const here = found[at]?.[0] === from && found[at][1] === to;
    return count.replaceChildren(here ? `${at + 1} of ${found.length}` : `${found.length || "none"} found`);
  };
  const later = () => {
    clearTimeout(rest);
    rest = setTimeout(tell, REST);
  };
  const searches = (transaction) => transaction.effects.some((effect) => effect.is(setSearchQuery));
  const asks = (update) => update.docChanged || update.selectionSet || update.transactions.some(searches);
  later();
  return { update: (update) => asks(update) && later(), destroy: () => clearTimeout(rest) };
}

const scope = "editor search-panel";

export const find = [
  search({ top: true, literal: true, createPanel: panel }),
  highlightSelectionMatches({ wholeWords: true, maxMatches: 200 }),
  keymap.of([
    { key: "Mod-f", run: openSearchPanel, scope },
    { key: "F3", run: next, shift: previous, scope, preventDefault: true },
    { key: "Mod-g", run: next, shift: previous, scope, preventDefault: true },
    { key: "Escape", run: closeSearchPanel, scope },
    { key: "Mod-Alt-g", run: gotoLine },
  ]),
];

export { openSearchPanel };
