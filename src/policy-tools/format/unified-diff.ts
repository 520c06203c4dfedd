/** Unchanged lines around a change. */
const CONTEXT = 3;

/** Edits beyond which the differing middle is shown as replaced as a whole. */
const MOST_EDITS = 2000;

interface Run {
  readonly kind: ' ' | '-' | '+';
  readonly line: string;
}

/**
 * Formats the change between two texts as a unified diff with three lines of context; empty if there is none. Line ends are kept, even a CR
 * before the LF; a last line without an end is marked as usual.
 */
export function unifiedDiff(file: string, before: string, after: string): string {
  if (before === after) return '';
  const [left, right] = [splitLines(before), splitLines(after)];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  const most = Math.min(left.length, right.length) - start;
  while (end < most && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  const from = Math.max(0, start - CONTEXT);
  const tail = Math.max(0, end - CONTEXT);
  const runs = [
    ...left.slice(from, start).map(unchanged),
    ...compare(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...left.slice(left.length - end, left.length - tail).map(unchanged),
  ];
  return `--- ${file}\n+++ ${file}\n${formatHunks(runs, from)}`;
}

function unchanged(line: string): Run {
  return { kind: ' ', line };
}

/** Splits a text into lines with their ends. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}

/** Finds Myers' shortest edit script; `trace` keeps the state for each number of edits: how far each diagonal was reached. */
function compare(left: readonly string[], right: readonly string[]): Run[] {
  const most = Math.min(MOST_EDITS, left.length + right.length);
  const trace: Int32Array[] = [];
  // Diagonal `k` is at `k + most + 1`, so that those beside the outermost ones are there too.
  const reached = new Int32Array(2 * most + 3);
  for (let edits = 0; edits <= most; edits++) {
    // The diagonals from -edits - 1 to edits + 1.
    trace.push(reached.slice(most - edits, most + edits + 3));
    for (let k = -edits; k <= edits; k += 2) {
      const at = k + most + 1;
      let x = isDown(reached, { k, at, edits }) ? (reached[at + 1] ?? 0) : (reached[at - 1] ?? 0) + 1;
      while (x < left.length && x - k < right.length && left[x] === right[x - k]) x++;
      reached[at] = x;
      if (x >= left.length && x - k >= right.length) return walkBack(trace, left, right);
    }
  }
  return [...left.map((line): Run => ({ kind: '-', line })), ...right.map((line): Run => ({ kind: '+', line }))];
}

/** Tells whether the best way to diagonal `k` comes from the one above it, which adds a line. */
function isDown(
  reached: Int32Array,
  { k, at, edits }: { readonly k: number; readonly at: number; readonly edits: number },
): boolean {
  return k === -edits || (k !== edits && (reached[at - 1] ?? 0) < (reached[at + 1] ?? 0));
}

function walkBack(trace: readonly Int32Array[], left: readonly string[], right: readonly string[]): Run[] {
  const runs: Run[] = [];
  let x = left.length;
  let y = right.length;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reached = trace[edits] ?? new Int32Array();
    const k = x - y;
    const at = k + edits + 1;
    const down = isDown(reached, { k, at, edits });
    const lastX = edits === 0 ? 0 : (reached[down ? at + 1 : at - 1] ?? 0);
    const lastY = edits === 0 ? 0 : lastX - (down ? k + 1 : k - 1);
    while (x > lastX && y > lastY) {
      runs.push(unchanged(left[--x] ?? ''));
      y--;
    }
    if (edits === 0) break;
    if (down) runs.push({ kind: '+', line: right[--y] ?? '' });
    else runs.push({ kind: '-', line: left[--x] ?? '' });
  }
  return runs.toReversed();
}

function formatHunks(runs: readonly Run[], from: number): string {
  let text = '';
  let oldLine = from;
  let newLine = from;
  let i = 0;
  while (i < runs.length) {
    const change = runs.findIndex(({ kind }, at) => at >= i && kind !== ' ');
    if (change === -1) break;
    const start = Math.max(i, change - CONTEXT);
    oldLine += start - i;
    newLine += start - i;
    const end = endOfHunk(runs, change);
    const hunk = runs.slice(start, end);
    const oldCount = hunk.filter(({ kind }) => kind !== '+').length;
    const newCount = hunk.filter(({ kind }) => kind !== '-').length;
    text += `@@ -${range(oldLine, oldCount)} +${range(newLine, newCount)} @@\n${hunk.map(formatRun).join('')}`;
    oldLine += oldCount;
    newLine += newCount;
    i = end;
  }
  return text;
}

/** Finds the end of the hunk with this change: changes with at most twice the context between them share a hunk. */
function endOfHunk(runs: readonly Run[], change: number): number {
  let last = change;
  for (let i = change; i < runs.length && i - last <= 2 * CONTEXT; i++) if (runs[i]?.kind !== ' ') last = i;
  return Math.min(runs.length, last + 1 + CONTEXT);
}

/** Formats the first line, 1-based, and the count; for an empty range, the line before it. */
function range(before: number, count: number): string {
  const first = count === 0 ? before : before + 1;
  return count === 1 ? `${first}` : `${first},${count}`;
}

function formatRun({ kind, line }: Run): string {
  return line.endsWith('\n') ? `${kind}${line}` : `${kind}${line}\n\\ No newline at end of file\n`;
}
