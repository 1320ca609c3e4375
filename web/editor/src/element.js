// `<source-editor>`: CodeMirror as an element of the page. It holds one file, tells what is typed as changes of lines
// and columns, and shows what it is told. It decides nothing, and it never puts text into the page as markup.
//
// It lives in a shadow tree: only there does CodeMirror use constructed style sheets, which the page's policy allows.

import { defaultKeymap, history, historyKeymap, indentWithTab, insertNewlineKeepIndent } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
import {
  Decoration, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from "@codemirror/view";
import { changedLines, changes, compare, nextChange, previousChange, revertAll, showChanges } from "./changes.js";
import { find, openSearchPanel } from "./find.js";
import { findings, nextDiagnostic, previousDiagnostic, show } from "./findings.js";
import { frame, look } from "./look.js";
import { changed, difference, placeOf, positionOf, rangesOf, read } from "./text.js";

/** The cursor rests after so many milliseconds. */
const REST = 150;
/** Of so many files the history is kept, and of none above so many characters. */
const [KEPT, KEPT_LENGTH] = [8, 2_000_000];
/** So many lines and characters are printed at most. */
const [PRINTED, PRINTED_LENGTH] = [2_000, 150_000];
const HELP = "Tab leaves the editor until something is typed. Then it indents; Escape followed by Tab leaves.";

/** What was gone to: its first line, and the range itself if it is one. */
const setTarget = StateEffect.define();
const target = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setTarget));
    if (set) return targetMarks(transaction.state.doc, set.value);
    return transaction.docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function targetMarks(doc, { from, to }) {
  const line = Decoration.line({ class: "cm-target" }).range(doc.lineAt(from).from);
  const range = to > from ? [Decoration.mark({ class: "cm-target-range" }).range(from, to)] : [];
  return Decoration.set([line, ...range], true);
}

/** Ctrl-Enter is the page's. */
const keys = defaultKeymap.filter(({ key }) => key !== "Mod-Enter" && key !== "Enter");

/** What came from the worker, not from the user. */
const told = Transaction.remote.of(true);

class SourceEditor extends HTMLElement {
  #view;
  #help;
  /** The text that the page's worker has. */
  #sent;
  /** What was typed since, if anything was. */
  #pending = null;
  #kept = new Map();
  #key = null;
  /** Counts what was opened; what is being read for an older number is let go. */
  #opened = 0;
  /** What is to be done once the file is there. */
  #after = [];
  #loading = false;
  #rest = 0;
  /** Whether changes are shown in the text, and how many lines the page was told of. */
  #showsChanges = false;
  #changedLines = 0;
  #scroll = null;
  #pointer = false;
  /** What is printed in place of the editor, which has the lines in sight alone. */
  #paper = Object.assign(document.createElement("div"), { className: "paper" });
  #printing = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(frame);
    root.adoptedStyleSheets = [sheet];
    this.#help = Object.assign(document.createElement("p"), { id: "help", className: "told", textContent: HELP });
    root.append(this.#help, this.#paper);
    this.#view = new EditorView({ root, parent: root, state: this.#state("", "", null) });
    this.#sent = this.#view.state.doc;
    this.addEventListener("keydown", (event) => this.#follow(event));
    this.addEventListener("keyup", (event) => this.#follow(event));
    this.addEventListener("blur", () => this.removeAttribute("data-follow"), true);
  }

  connectedCallback() {
    if (this.#scroll) this.#view.dispatch({ effects: this.#scroll });
    this.#view.requestMeasure();
    this.#printing = new AbortController();
    const { signal } = this.#printing;
    addEventListener("beforeprint", () => this.#print(), { signal });
    addEventListener("afterprint", () => this.#paper.replaceChildren(), { signal });
  }

  disconnectedCallback() {
    this.#printing.abort();
    this.#paper.replaceChildren();
  }

  /** The whole text. Of a large file that is a large string. */
  get value() {
    return this.#view.state.doc.toString();
  }

  get selectedText() {
    const { from, to } = this.#view.state.selection.main;
    return this.#view.state.sliceDoc(from, to);
  }

  /** Shows a file from its UTF-8 bytes. `readOnly` says why it cannot be changed, if so; `opened` is the change that
   * leads back to the text as it was opened, if it was changed since. */
  async open(key, label, readOnly, bytes, opened) {
    this.#keep();
    this.#after = [];
    this.#pending = null;
    this.#scroll = null;
    const doc = await this.#read(bytes, ++this.#opened);
    if (doc === null) return;
    const kept = this.#kept.get(key);
    this.#key = key;
    this.#sent = doc;
    this.#view.setState(kept && kept.doc.eq(doc) ? kept : this.#state(doc, label, readOnly));
    this.#sent = this.#view.state.doc;
    if (readOnly === null) compare(this.#view, opened ? changed(this.#sent, opened) : this.#sent);
    this.showChanges(this.#showsChanges);
    this.#view.setTabFocusMode(true);
    this.#settle();
  }

  /** Keeps what is shown, whatever the worker has: what differs counts as typed. */
  async reconcile(bytes) {
    const doc = await this.#read(bytes, this.#opened);
    if (doc === null) return;
    this.#sent = doc;
    this.#pending = difference(doc, this.#view.state.doc);
    this.#settle();
    if (this.#pending) this.#tell("typed");
  }

  /** Takes the text that the worker has, as one change that can be undone, and the change that makes it as it was opened. */
  async renew(bytes, opened) {
    const doc = await this.#read(bytes, this.#opened);
    if (doc === null) return;
    // What was typed in the meantime is typed into a text that is no more; it stays, and counts as typed.
    const changes = this.#pending ? null : difference(this.#view.state.doc, doc);
    if (changes) this.#view.dispatch({ changes, annotations: told });
    this.#sent = doc;
    if (!this.#view.state.readOnly) compare(this.#view, opened ? changed(doc, opened) : doc);
    this.#pending = difference(doc, this.#view.state.doc);
    this.#settle();
    if (this.#pending) this.#tell("typed");
  }

  /** Whether the worker's text has as many UTF-16 units as the one that it was sent; `\r\n` counts as one. */
  agrees(units) {
    return this.#loading || this.#sent.length === units;
  }

  /** What was typed since the last time, as ranges of the text before and what takes their place. */
  takeChanges() {
    if (this.#loading || !this.#pending) return [];
    const ranges = rangesOf(this.#pending, this.#sent);
    this.#pending = null;
    this.#sent = this.#view.state.doc;
    return ranges;
  }

  showFindings(marks) {
    this.#whenThere(() => {
      const onRule = (rule) => this.#tell("rule", rule);
      this.#view.dispatch(show(this.#view.state, marks, this.#sent, this.#pending, onRule));
    });
  }

  /** The text that was gone to. */
  get targetText() {
    const { state } = this.#view;
    let text = "";
    state.field(target).between(0, state.doc.length, (from, to) => {
      text += state.sliceDoc(from, to);
    });
    return text;
  }

  /** Marks a range of the worker's text and brings it into view. The cursor goes before it and selects nothing: the
   * next key may be meant for the page. */
  reveal(range, focus) {
    this.#whenThere(() => {
      const sent = (place) => positionOf(this.#sent, place);
      const at = (place) => (this.#pending ? this.#pending.mapPos(sent(place)) : sent(place));
      const [from, to] = [at(range.from), at(range.to)];
      const effects = [EditorView.scrollIntoView(from, { y: "center" }), setTarget.of({ from, to })];
      this.#view.dispatch({ selection: { anchor: from }, effects });
      if (focus) this.focus();
    });
  }

  /** Gives the focus to the text; until something is typed, Tab goes on to what comes next. */
  focus() {
    this.#view.focus();
  }

  find() {
    openSearchPanel(this.#view);
  }

  /** Shows in the text how it differs from what was opened, or hides it. */
  showChanges(shown) {
    this.#showsChanges = shown;
    showChanges(this.#view, shown);
  }

  nextChange() {
    this.#view.focus();
    nextChange(this.#view);
  }

  previousChange() {
    this.#view.focus();
    previousChange(this.#view);
  }

  /** Makes the text as it was opened. */
  revertAll() {
    this.#view.focus();
    revertAll(this.#view);
  }

  nextFinding() {
    this.#view.focus();
    nextDiagnostic(this.#view);
  }

  previousFinding() {
    this.#view.focus();
    previousDiagnostic(this.#view);
  }

  #state(doc, label, readOnly) {
    const language = label.endsWith(".json") ? json() : yaml();
    return EditorState.create({
      doc,
      extensions: [
        lineNumbers(), findings, readOnly === null ? changes(() => this.#tell("toggle")) : [],
        highlightActiveLine(), highlightActiveLineGutter(), highlightSpecialChars(),
        history(), bracketMatching(), find, target, look, language,
        indentUnit.of("  "),
        EditorState.readOnly.of(readOnly !== null),
        EditorView.contentAttributes.of({
          "aria-label": `Text of ${label}`, "aria-describedby": "help",
          spellcheck: "false", autocapitalize: "off", tabindex: "0",
        }),
        EditorView.clickAddsSelectionRange.of((event) => event.altKey),
        EditorView.updateListener.of((update) => this.#updated(update)),
        EditorView.domEventHandlers(this.#handlers()),
        keymap.of([
          { key: "F12", run: (view) => this.#define(view.state.selection.main.head), preventDefault: true },
          { key: "Enter", run: insertNewlineKeepIndent },
          ...historyKeymap, ...keys, indentWithTab,
        ]),
      ],
    });
  }

  #handlers() {
    return {
      // Whoever comes by Tab goes on by Tab; a click says that the text is what one came for.
      mousedown: (event, view) => {
        this.#pointer = true;
        if (!(event.ctrlKey || event.metaKey) || event.button !== 0) return false;
        const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (position === null) return false;
        view.dispatch({ selection: { anchor: position } });
        return this.#define(position);
      },
      // Where a selection goes, browsers join what is left in elements with styles of their own, which the page's
      // policy refuses; so they are told what becomes of it.
      beforeinput: (event, view) => {
        const typed = event.inputType === "insertText";
        const replaces = typed || event.inputType.startsWith("deleteContent");
        if (!replaces || !event.cancelable || event.isComposing || view.state.selection.main.empty) return false;
        const userEvent = typed ? "input.type" : "delete.selection";
        const replaced = () => view.state.replaceSelection(event.data ?? "");
        if (!view.state.readOnly) view.dispatch(replaced(), { userEvent, scrollIntoView: true });
        return true;
      },
      focus: (_, view) => {
        view.setTabFocusMode(!this.#pointer);
        this.#pointer = false;
      },
      scroll: (_, view) => {
        this.#scroll = view.scrollSnapshot();
      },
    };
  }

  #updated(update) {
    const isOwn = (transaction) => transaction.docChanged && !transaction.annotation(Transaction.remote);
    const own = update.transactions.filter(isOwn);
    for (const { changes } of own) this.#pending = this.#pending ? this.#pending.compose(changes) : changes;
    if (own.length > 0) {
      this.#tell("typed");
      update.view.setTabFocusMode(false);
    }
    if (update.selectionSet || update.docChanged) this.#rested();
    const lines = changedLines(update.state);
    if (lines !== this.#changedLines) this.#tell("changed", (this.#changedLines = lines));
  }

  #rested() {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      const { doc, selection } = this.#view.state;
      if (!this.#loading) this.#tell("rested", placeOf(doc, selection.main.head));
    }, REST);
  }

  #define(position) {
    this.#tell("define", placeOf(this.#view.state.doc, position));
    return true;
  }

  /** Reads bytes for what was opened under a number; nothing if something else is opened in the meantime. */
  async #read(bytes, number) {
    this.#loading = true;
    const doc = await read(bytes, () => number === this.#opened);
    return number === this.#opened ? doc : null;
  }

  /** Puts on paper all lines or, of too many, those from the first in sight on. */
  #print() {
    const { doc } = this.#view.state;
    const top = doc.lineAt(this.#view.lineBlockAtHeight(this.#view.scrollDOM.scrollTop).from).number;
    const start = doc.lines > PRINTED ? Math.min(top, doc.lines - PRINTED + 1) : 1;
    const list = Object.assign(document.createElement("ol"), { start });
    let [line, room] = [start, PRINTED_LENGTH];
    for (; line <= doc.lines && line < start + PRINTED && room > 0; line++) {
      const { text } = doc.line(line);
      list.append(Object.assign(document.createElement("li"), { textContent: text.slice(0, room) }));
      room -= text.length;
    }
    const said = document.createElement("p");
    said.textContent = `Lines ${start} to ${line - 1} of ${doc.lines}.`;
    this.#paper.replaceChildren(...(list.childElementCount < doc.lines || room < 0 ? [said, list] : [list]));
  }

  #follow(event) {
    this.toggleAttribute("data-follow", event.ctrlKey || event.metaKey);
  }

  #keep() {
    if (this.#key === null || this.#view.state.doc.length > KEPT_LENGTH) return;
    this.#kept.delete(this.#key);
    this.#kept.set(this.#key, this.#view.state);
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value);
  }

  #whenThere(run) {
    if (this.#loading) this.#after.push(run);
    else run();
  }

  #settle() {
    this.#loading = false;
    this.#after.splice(0).forEach((run) => run());
    this.#rested();
    this.#tell("opened");
  }

  #tell(what, detail = null) {
    this.dispatchEvent(new CustomEvent(`source-${what}`, { detail }));
  }
}

customElements.define("source-editor", SourceEditor);
