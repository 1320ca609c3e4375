// Findings of the worker as underlines, gutter marks and what is said of them.

import {
  forEachDiagnostic, lintGutter, lintKeymap, nextDiagnostic, previousDiagnostic, setDiagnostics,
} from "@codemirror/lint";
import { StateEffect, StateField } from "@codemirror/state";
import { keymap, showTooltip } from "@codemirror/view";
import { revertActions } from "./changes.js";
import { positionOf } from "./text.js";

/** Opens the menu of quick fixes with these actions at a position, or closes it. */
const setMenu = StateEffect.define();
const menu = StateField.define({
  create: () => null,
  update(open, transaction) {
    const set = transaction.effects.find((effect) => effect.is(setMenu));
    if (set) return set.value;
    return transaction.docChanged || transaction.selection ? null : open;
  },
  provide: (field) => showTooltip.from(field, (open) => open && { pos: open.at, create: (view) => menuAt(view, open) }),
});

const menuAt = (view, { actions }) => ({ dom: menuOf(view, actions), mount: focusFirst });

function menuOf(view, actions) {
  const dom = document.createElement("div");
  dom.className = "cm-fixes";
  dom.setAttribute("role", "menu");
  dom.setAttribute("aria-label", "Quick fixes");
  for (const { name, apply } of actions) {
    const item = Object.assign(document.createElement("button"), { type: "button", textContent: name });
    item.setAttribute("role", "menuitem");
    item.addEventListener("click", () => {
      view.focus();
      view.dispatch({ effects: setMenu.of(null) });
      apply(view);
    });
    dom.append(item);
  }
  dom.addEventListener("keydown", (event) => {
    const items = [...dom.children];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) items[(items.indexOf(dom.getRootNode().activeElement) + step + items.length) % items.length].focus();
    else if (event.key === "Escape") {
      view.dispatch({ effects: setMenu.of(null) });
      view.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return dom;
}

function focusFirst(view) {
  view.dom.getRootNode().querySelector(".cm-fixes button")?.focus();
}

/** Opens the quick fixes of the findings in the line of the cursor, and with them the way back if the line was
 * changed. */
function openFixes(view) {
  const line = view.state.doc.lineAt(view.state.selection.main.head);
  const actions = [];
  forEachDiagnostic(view.state, (diagnostic, from, to) => {
    if (from <= line.to && to >= line.from) actions.push(...(diagnostic.actions ?? []));
  });
  actions.push(...revertActions(view.state, line));
  if (actions.length > 0) view.dispatch({ effects: setMenu.of({ at: view.state.selection.main.head, actions }) });
  return true;
}

export const findings = [
  lintGutter(),
  menu,
  keymap.of([
    { key: "Mod-.", run: openFixes, preventDefault: true },
    { key: "F8", run: nextDiagnostic, preventDefault: true },
    { key: "Shift-F8", run: previousDiagnostic, preventDefault: true },
    ...lintKeymap.filter(({ key }) => key !== "F8"),
  ]),
];

export { nextDiagnostic, previousDiagnostic };

/** Text nodes, with what stands between backticks as code. */
function prose(tag, before, text) {
  const element = document.createElement(tag);
  element.append(before);
  text.split("`").forEach((part, index) => {
    if (index % 2 === 0) return element.append(part);
    const code = document.createElement("code");
    code.textContent = part;
    return element.append(code);
  });
  return element;
}

function told({ message, help, rule }, onRule) {
  const box = document.createElement("div");
  const link = document.createElement("button");
  link.type = "button";
  link.textContent = rule;
  link.title = `What is said about ${rule}`;
  link.addEventListener("click", () => onRule(rule));
  box.append(prose("p", "", message));
  if (help) box.append(prose("p", "What to do: ", help));
  box.append(link);
  return box;
}

/** The effect that shows findings, whose places are those of `sent`; `pending` is what was typed since. */
export function show(state, marks, sent, pending, onRule) {
  const at = (place, side) => {
    const position = positionOf(sent, place);
    return pending ? pending.mapPos(position, side) : position;
  };
  // The places of a quick fix are right in this text alone; findings about the next one follow every edit.
  const action = ({ title, changes }) => ({
    name: title.replaceAll("`", ""),
    apply: (view) => {
      if (view.state.doc !== state.doc || view.state.readOnly) return;
      const edits = changes.map(({ range, text }) => ({ from: at(range.from, 1), to: at(range.to, -1), insert: text }));
      view.dispatch({ changes: edits, userEvent: "input.fix" });
    },
  });
  const diagnostics = marks.map((mark) => {
    const from = at(mark.range.from, 1);
    return {
      from,
      to: Math.max(from, at(mark.range.to, -1)),
      severity: mark.severity.toLowerCase(),
      message: mark.help ? `${mark.message}. What to do: ${mark.help}` : mark.message,
      renderMessage: () => told(mark, onRule),
      actions: mark.fixes.map(action),
    };
  });
  return setDiagnostics(state, diagnostics);
}
