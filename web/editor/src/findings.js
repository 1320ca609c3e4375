// Findings of the worker as underlines, gutter marks and what is said of them.

import { lintGutter, lintKeymap, nextDiagnostic, previousDiagnostic, setDiagnostics } from "@codemirror/lint";
import { keymap } from "@codemirror/view";
import { positionOf } from "./text.js";

export const findings = [
  lintGutter(),
  keymap.of([
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
  const diagnostics = marks.map((mark) => {
    const from = at(mark.range.from, 1);
    return {
      from,
      to: Math.max(from, at(mark.range.to, -1)),
      severity: mark.severity.toLowerCase(),
      message: mark.help ? `${mark.message}. What to do: ${mark.help}` : mark.message,
      renderMessage: () => told(mark, onRule),
    };
  });
  return setDiagnostics(state, diagnostics);
}
