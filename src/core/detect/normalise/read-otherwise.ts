/** Characters on both sides of a replaced part that are read along with it: about as many as a rule looks at together. */
const AROUND = 600;

const SENTENCE_END = /[.!?]\s|\n/;

/** A part of a text and its replacement. */
export interface OtherReading {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Window {
  readonly start: number;
  end: number;
  readonly parts: OtherReading[];
}

/**
 * A text with some parts replaced. Of a long text, only the surroundings of these parts remain, with blank lines between: one word is no
 * reason to look at all of it twice.
 *
 * @param parts in order, none within another
 */
export function readOtherwise(text: string, parts: readonly OtherReading[]): string {
  const windows: Window[] = [];
  for (const part of parts) {
    const start = startOf(text, part.start);
    const end = endOf(text, part.end);
    const last = windows.at(-1);
    if (last === undefined || start > last.end) windows.push({ start, end, parts: [part] });
    else {
      last.end = Math.max(last.end, end);
      last.parts.push(part);
    }
  }
  return windows.map((window) => write(text, window)).join('\n\n');
}

/** The beginning of a sentence, so that no middle seems to begin one; otherwise that of a word. */
function startOf(text: string, at: number): number {
  const earliest = at - AROUND;
  if (earliest <= 0) return 0;
  const before = text.slice(earliest, at);
  const sentence = SENTENCE_END.exec(before);
  if (sentence !== null) return earliest + sentence.index + sentence[0].length;
  const word = before.search(/\s/);
  return word === -1 ? earliest : earliest + word + 1;
}

function endOf(text: string, at: number): number {
  const latest = at + AROUND;
  if (latest >= text.length) return text.length;
  const word = text.slice(at, latest).search(/\s\S*$/);
  return word === -1 ? latest : at + word;
}

function write(text: string, { start, end, parts }: Window): string {
  let written = '';
  let at = start;
  for (const part of parts) {
    written += text.slice(at, part.start) + part.text;
    at = part.end;
  }
  return written + text.slice(at, end);
}
