// What was changed since the file was opened: marks in the gutter and, if they are asked for, the lines as they were,
// each change with a button that reverts it. A revert is an edit like any other.

import { Chunk } from "@codemirror/merge";
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, WidgetType, gutter, keymap } from "@codemirror/view";
import { difference } from "./text.js";

/** Where texts differ by more than this, or comparing takes more milliseconds, whole stretches count as changed. */
const EXACT = { scanLimit: 500, timeout: 100 };
/** So many deleted lines are shown of one change. */
const SHOWN = 200;

const setOriginal = StateEffect.define();
const setShown = StateEffect.define();

/** The text as it was opened, how the present one differs, and whether that is shown in the text. */
const field = StateField.define({
  create: ({ doc }) => ({ original: doc, chunks: [], shown: false, marks: Decoration.none }),
  update(value, { state, docChanged, changes, effects }) {
    let { original, chunks, shown } = value;
    if (docChanged) chunks = Chunk.updateB(chunks, original, state.doc, changes, EXACT);
    for (const effect of effects) {
      if (effect.is(setShown)) shown = effect.value;
      if (effect.is(setOriginal)) [original, chunks] = [effect.value, chunksOf(effect.value, state.doc)];
    }
    if (chunks === value.chunks && shown === value.shown) return value;
    return { original, chunks, shown, marks: shown ? marksOf(original, chunks, state.doc) : Decoration.none };
  },
  provide: (field) => EditorView.decorations.from(field, ({ marks }) => marks),
});

function chunksOf(original, doc) {
  const changes = difference(original, doc);
  return changes ? Chunk.updateB([], original, doc, changes, EXACT) : [];
}

/** How many lines a range has that ends behind a line. */
const linesOf = (doc, from, to) =>
  from === to ? 0 : doc.lineAt(Math.max(from, to - 1)).number - doc.lineAt(from).number + 1;
const linesBefore = (original, { fromA, toA }) => linesOf(original, fromA, toA);
const linesNow = (doc, { fromB, toB }) => linesOf(doc, fromB, toB);

const kindOf = ({ fromA, toA, fromB, toB }) => (fromA === toA ? "added" : fromB === toB ? "deleted" : "changed");

function wordsOf(original, doc, chunk) {
  const lines = Math.max(linesBefore(original, chunk), linesNow(doc, chunk));
  return `${lines} line${lines === 1 ? "" : "s"} ${kindOf(chunk)}`;
}

/** The deleted lines of a change, below what it is and its button. */
class Before extends WidgetType {
  constructor(words, text, more) {
    super();
    Object.assign(this, { words, text, more });
  }

  eq(other) {
    return other.words === this.words && other.text === this.text;
  }

  toDOM(view) {
    const dom = Object.assign(document.createElement("div"), { className: "cm-change" });
    const bar = Object.assign(document.createElement("p"), { textContent: this.words });
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Revert" });
    button.setAttribute("aria-label", `Revert: ${this.words}`);
    button.addEventListener("click", () => {
      revertAt(view, view.posAtDOM(dom));
      view.focus();
    });
    bar.append(button);
    dom.append(bar);
    if (this.text !== null) dom.append(Object.assign(document.createElement("del"), { textContent: this.text }));
    if (this.more > 0) dom.append(Object.assign(document.createElement("p"), { textContent: `… ${this.more} more` }));
    return dom;
  }
}

const newLine = Decoration.line({ class: "cm-inserted" });
const newText = Decoration.mark({ tagName: "ins" });

function marksOf(original, chunks, doc) {
  const marks = [];
  for (const chunk of chunks) {
    const lines = linesBefore(original, chunk);
    const last = lines > SHOWN ? original.line(original.lineAt(chunk.fromA).number + SHOWN - 1).to : chunk.endA;
    const text = lines > 0 ? original.sliceString(chunk.fromA, last) : null;
    const widget = new Before(wordsOf(original, doc, chunk), text, lines - SHOWN);
    marks.push(Decoration.widget({ widget, block: true, side: -1 }).range(chunk.fromB));
    const first = doc.lineAt(chunk.fromB).number;
    for (let line = 0; line < linesNow(doc, chunk); line++) marks.push(newLine.range(doc.line(first + line).from));
    for (const { fromB, toB } of chunk.changes) {
      const [from, to] = [chunk.fromB + fromB, Math.min(chunk.fromB + toB, doc.length)];
      if (from < to) marks.push(newText.range(from, to));
    }
  }
  return Decoration.set(marks, true);
}

const signs = Object.fromEntries(
  ["added", "changed", "deleted"].map((kind) => {
    const sign = new (class extends GutterMarker {
      elementClass = `cm-${kind}`;
    })();
    return [kind, sign];
  }),
);

/** The signs of the lines in sight. */
function signsOf({ state, viewport }) {
  const found = [];
  for (const chunk of state.field(field).chunks) {
    if (chunk.toB < viewport.from || chunk.fromB > viewport.to) continue;
    let line = state.doc.lineAt(Math.max(chunk.fromB, viewport.from));
    do {
      found.push(signs[kindOf(chunk)].range(line.from));
      line = line.to < state.doc.length ? state.doc.line(line.number + 1) : null;
    } while (line && line.from < chunk.toB && line.from <= viewport.to);
  }
  return RangeSet.of(found);
}

/** What makes the lines of a change as they were. */
function revertOf({ original }, { fromA, toA, fromB, toB }, doc) {
  return { from: fromB, to: Math.min(toB, doc.length), insert: original.slice(fromA, Math.min(toA, original.length)) };
}

function revert(view, chunks) {
  const { state } = view;
  const changes = chunks.map((chunk) => revertOf(state.field(field), chunk, state.doc));
  view.dispatch({ changes, userEvent: "revert" });
}

/** The change in the line that begins at a position. */
const chunkAt = (state, at) => state.field(field, false)?.chunks.find(({ fromB, endB }) => fromB <= at && at <= endB);

function revertAt(view, at) {
  const chunk = chunkAt(view.state, at);
  if (chunk) revert(view, [chunk]);
}

function go(view, direction) {
  const { doc, selection } = view.state;
  const { original, chunks } = view.state.field(field);
  const { from } = doc.lineAt(selection.main.head);
  const next = direction > 0 ? chunks.find(({ fromB }) => fromB > from) : chunks.findLast(({ fromB }) => fromB < from);
  const chunk = next ?? chunks.at(direction > 0 ? 0 : -1);
  if (!chunk) return false;
  const words = `${wordsOf(original, doc, chunk)}, line ${doc.lineAt(chunk.fromB).number}`;
  const effects = [EditorView.scrollIntoView(chunk.fromB, { y: "center" }), EditorView.announce.of(words)];
  view.dispatch({ selection: { anchor: chunk.fromB }, effects });
  return true;
}

export const nextChange = (view) => go(view, 1);
export const previousChange = (view) => go(view, -1);

/** Marks what was changed in a file; a click on a mark calls `onClick`. */
export const changes = (onClick) => [
  field,
  gutter({ class: "cm-gutter-changes", markers: signsOf, domEventHandlers: { click: onClick } }),
  keymap.of([{ key: "Alt-F5", run: nextChange, shift: previousChange, preventDefault: true }]),
];

/** Compares with this text from now on. */
export function compare(view, original) {
  view.dispatch({ effects: setOriginal.of(original) });
}

/** Shows the differences in the text or not. */
export function showChanges(view, shown) {
  view.dispatch({ effects: setShown.of(shown) });
}

/** How many lines were changed. */
export function changedLines(state) {
  const found = state.field(field, false);
  if (!found) return 0;
  const lines = (chunk) => Math.max(linesBefore(found.original, chunk), linesNow(state.doc, chunk));
  return found.chunks.reduce((sum, chunk) => sum + lines(chunk), 0);
}

/** Makes the text as it was opened, in one step of the history. */
export function revertAll(view) {
  revert(view, view.state.field(field).chunks);
}

/** The action of the menu of quick fixes that reverts the change in a line, if there is one. */
export function revertActions(state, line) {
  const chunk = chunkAt(state, line.from);
  return chunk ? [{ name: "Revert this change", apply: (view) => revert(view, [chunk]) }] : [];
}
