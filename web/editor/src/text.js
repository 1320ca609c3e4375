// Bytes to lines and lines to changes. A line ends at `\n`; a `\r` before it is the file's business, not the editor's:
// places are lines and columns, so whatever ends a line stays as it is in the file.

import { ChangeSet, Text } from "@codemirror/state";

/** So many bytes are decoded at a time. */
const SLICE = 1 << 16;
/** After so many milliseconds the page gets its turn. */
const TURN = 10;

const turn = () => new Promise((resolve) => setTimeout(resolve));

const shown = (line) => (line.charCodeAt(line.length - 1) === 13 ? line.slice(0, -1) : line);

/** The text of UTF-8 bytes, read a slice at a time; nothing once `alive` says no. */
export async function read(bytes, alive) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let [doc, rest, since] = [Text.empty, "", performance.now()];
  for (let at = 0; at < bytes.length; at += SLICE) {
    const stream = at + SLICE < bytes.length;
    const lines = (rest + decoder.decode(bytes.subarray(at, at + SLICE), { stream })).split("\n");
    rest = lines.pop();
    if (lines.length > 0) doc = doc.append(Text.of([...lines.map(shown), ""]));
    if (stream && performance.now() - since > TURN) {
      await turn();
      if (!alive()) return null;
      since = performance.now();
    }
  }
  return doc.append(Text.of([rest]));
}

/** Line and column, both from 1, of a position; a column counts UTF-16 units. */
export function placeOf(doc, position) {
  const line = doc.lineAt(position);
  return { line: line.number, column: position - line.from + 1 };
}

/** The position of a place, or the nearest there is. */
export function positionOf(doc, { line, column }) {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(found.from + Math.max(column, 1) - 1, found.to);
}

const splits = (doc, at) => {
  if (at <= 0 || at >= doc.length) return false;
  const pair = doc.sliceString(at - 1, at + 1);
  return pair.length === 2 && pair.codePointAt(0) > 0xffff;
};

/** A change set as ranges of the old text and what takes their place, in order. No range ends inside a character. */
export function rangesOf(changes, old) {
  const ranges = [];
  changes.iterChanges((from, to, _from, _to, inserted) => {
    let text = inserted.toString();
    if (splits(old, from)) text = old.sliceString(--from, from + 1) + text;
    if (splits(old, to)) text += old.sliceString(to, ++to);
    ranges.push({ range: { from: placeOf(old, from), to: placeOf(old, to) }, text });
  });
  return ranges;
}

/** How much of two texts is the same, from the start (1) or from the end (-1). */
function common(a, b, direction) {
  const [left, right] = [a.iter(direction).next(), b.iter(direction).next()];
  let same = 0;
  while (!left.done && !right.done && left.value === right.value) {
    same += left.value.length;
    left.next();
    right.next();
  }
  const [one, other] = [left.value, right.value];
  const at = (text, n) => text.charCodeAt(direction > 0 ? n : text.length - 1 - n);
  for (let n = 0; n < Math.min(one.length, other.length) && at(one, n) === at(other, n); n++) same++;
  return same;
}

/** The one change that makes `to` of `from`; nothing if they are the same. */
export function difference(from, to) {
  const head = common(from, to, 1);
  if (head === from.length && head === to.length) return null;
  const tail = Math.min(common(from, to, -1), Math.min(from.length, to.length) - head);
  const change = { from: head, to: from.length - tail, insert: to.slice(head, to.length - tail) };
  return ChangeSet.of(change, from.length);
}

/** A text with one change, a range of lines and columns and what takes its place. */
export function changed(doc, { range, text }) {
  const [from, to] = [positionOf(doc, range.from), positionOf(doc, range.to)];
  return ChangeSet.of({ from, to, insert: Text.of(text.split("\n")) }, doc.length).apply(doc);
}
