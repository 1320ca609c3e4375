// Colours and shapes, all of them from the page's tokens, which reach into the shadow tree.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: "var(--hint)" },
  { tag: [tags.comment, tags.meta, tags.documentMeta], color: "var(--mute)" },
  { tag: [tags.typeName, tags.labelName], color: "var(--warning)" },
]);

const underline = (severity, style) => [
  `.cm-lintRange-${severity}`,
  {
    backgroundImage: "none",
    textDecoration: `underline ${style} var(--${severity})`,
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  },
];
const mark = (severity, shape) => [
  `.cm-lint-marker-${severity}`,
  { content: "none", width: "9px", height: "9px", margin: "0 auto", background: `var(--${severity})`, ...shape },
];
const told = (severity) => [
  `.cm-diagnostic-${severity}`,
  { borderLeft: `3px solid var(--${severity})`, background: `var(--${severity}-soft)` },
];

/** A sign in the gutter of changes: each kind has a shape and a colour. */
const sign = (kind, background) => [`.cm-gutter-changes .cm-${kind}`, { background }];
const field = {
  font: "inherit", color: "var(--ink)", background: "var(--panel)", border: "1px solid var(--control)",
  borderRadius: "7px",
};

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", background: "var(--panel)", fontSize: "12.5px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "var(--source-line)" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 12px 0 8px" },
  ".cm-gutters": { background: "var(--raised)", color: "var(--mute)", borderRight: "1px solid var(--line)" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 10px 0 6px", minWidth: "34px" },
  ".cm-activeLine": { background: "color-mix(in srgb, var(--raised) 70%, transparent)" },
  ".cm-activeLineGutter": { background: "var(--accent-soft)", color: "var(--accent)" },
  ".cm-target": { background: "color-mix(in srgb, var(--accent) 6%, transparent)" },
  ".cm-target-range": { background: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  ".cm-selectionMatch, .cm-searchMatch": { background: "var(--warning-soft)", outline: "1px solid var(--warning)" },
  ".cm-searchMatch.cm-searchMatch-selected": { background: "var(--accent-soft)", outline: "2px solid var(--accent)" },
  "&.cm-focused .cm-matchingBracket": { background: "none", outline: "1px solid var(--control)" },
  "&.cm-focused .cm-nonmatchingBracket": { background: "var(--error-soft)" },
  ".cm-specialChar": { color: "var(--error)" },
  ".cm-panels": { color: "var(--ink)", background: "var(--raised)", fontSize: "13px" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": {
    padding: "6px 34px 6px 12px", display: "flex", flexWrap: "wrap", gap: "6px 8px", alignItems: "center",
  },
  ".cm-panel.cm-search :is(input, button, label)": { margin: "0", fontSize: "13px" },
  ".cm-panel.cm-search label": { display: "flex", gap: "5px", alignItems: "center", color: "var(--mute)" },
  ".cm-count": { color: "var(--mute)", minWidth: "70px" },
  ".cm-panel.cm-search [name=close]": {
    border: "0", background: "none", position: "absolute", top: "4px", right: "6px", fontSize: "20px", lineHeight: "1",
    width: "28px", height: "28px", color: "var(--mute)", cursor: "pointer",
  },
  ".cm-textfield": { ...field, padding: "4px 8px" },
  ".cm-textfield::placeholder": { color: "var(--mute)", opacity: "1" },
  ".cm-button": {
    ...field, backgroundImage: "none", borderColor: "var(--line)", padding: "4px 10px", cursor: "pointer",
  },
  ".cm-button:hover": { background: "var(--raised)" },
  ".cm-panels :focus-visible, .cm-tooltip :focus-visible": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-tooltip": {
    color: "var(--ink)", background: "var(--panel)", border: "1px solid var(--line)", borderRadius: "8px",
    overflow: "hidden", boxShadow: "0 8px 30px rgb(0 0 0 / .2)", fontSize: "13px",
    maxWidth: "min(560px, calc(100vw - 32px))",
  },
  ".cm-gutter-lint": { width: "18px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "5px 0", display: "flex" },
  ".cm-gutter-changes": { width: "5px", cursor: "pointer" },
  ".cm-change": {
    padding: "2px 8px", borderTop: "1px solid var(--line)", background: "var(--raised)", fontFamily: "var(--sans)",
  },
  ".cm-change p": { margin: "0", color: "var(--mute)", display: "flex", gap: "10px", alignItems: "center" },
  ".cm-change button": { ...field, padding: "1px 10px", fontSize: "12px", cursor: "pointer" },
  ".cm-change button:focus-visible": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-change del": {
    display: "block", fontFamily: "var(--mono)", margin: "0 -8px", padding: "0 8px", background: "var(--error-soft)",
    textDecoration: "none", whiteSpace: "pre",
  },
  ".cm-inserted": { background: "color-mix(in srgb, var(--fine) 8%, var(--panel))" },
  ".cm-inserted ins": { textDecoration: "none", background: "color-mix(in srgb, var(--fine) 10%, transparent)" },
  ".cm-diagnostic": { padding: "7px 11px", marginLeft: "0", whiteSpace: "normal", overflowWrap: "anywhere" },
  ".cm-diagnostic :is(p, ul)": { margin: "2px 0" },
  ".cm-diagnostic code": { fontFamily: "var(--mono)", fontSize: "0.9em" },
  ".cm-fixes": { display: "flex", flexDirection: "column", padding: "4px" },
  ".cm-fixes button": {
    font: "inherit", textAlign: "left", border: "0", borderRadius: "6px", padding: "6px 10px", background: "none",
    color: "var(--ink)", cursor: "pointer",
  },
  ".cm-fixes button:is(:hover, :focus)": { background: "var(--raised)" },
  ".cm-diagnostic .cm-diagnosticAction": { margin: "4px 8px 2px 0" },
  ".cm-diagnostic button": {
    font: "inherit", fontFamily: "var(--mono)", fontSize: "12px", border: "0", padding: "0", background: "none",
    color: "var(--accent)", textDecoration: "underline", cursor: "pointer",
  },
  ".cm-lintRange": { paddingBottom: "0" },
  ".cm-lintRange-active": { background: "var(--accent-soft)" },
  ".cm-lintPoint:after": { borderBottomColor: "var(--control)" },
  ...Object.fromEntries([
    underline("error", "wavy"), underline("warning", "dashed"), underline("hint", "dotted"),
    mark("error", { rotate: "45deg", borderRadius: "1px" }), mark("warning", { borderRadius: "2px" }),
    mark("hint", { borderRadius: "50%" }),
    sign("added", "var(--fine)"),
    sign("changed", "repeating-linear-gradient(var(--hint) 0 4px, transparent 4px 6px)"),
    sign("deleted", "linear-gradient(var(--error) 4px, transparent 4px)"),
    told("error"), told("warning"), told("hint"),
  ]),
});

/** What a finding looks like belongs to the worst of them; the rest is here. */
export const look = [theme, syntaxHighlighting(highlight)];

/** The frame around the editor. */
export const frame = `
  :host { display: block; position: relative; min-height: 0; }
  :host(:focus-within) { outline: 2px solid var(--accent); outline-offset: -2px; }
  :host([data-follow]) .cm-content { cursor: pointer; }
  .paper { display: none; }
  @media print {
    .cm-editor.cm-editor.cm-editor { display: none !important; }
    :host(:focus-within) { outline: none; }
    .paper { display: block; font: 11px/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; }
    .paper ol { margin: 0; padding-left: 6ch; }
    .paper ::marker { color: var(--mute); }
  }
  .told { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
