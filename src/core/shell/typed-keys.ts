const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
/** Keys that end a line, or give it up. */
const ENDS = /[\r\n\u0003]/;
const KEYS = /\u001b\[[0-9;]*[A-Za-z~]|\u001bO[A-Za-z]|\u001b.|[\s\S]/gu;

/** Keys of a terminal's line, by what they do. Other control keys add nothing that can be known here. */
const MOVES: Readonly<Record<string, (line: Line) => void>> = {
  '\b': (line) => line.cut(line.at - 1, line.at),
  '\u007f': (line) => line.cut(line.at - 1, line.at),
  '\u0017': (line) => line.cut(line.wordStart(), line.at),
  '\u0015': (line) => line.cut(0, line.at),
  '\u000b': (line) => line.cut(line.at, line.text.length),
  '\u001b[3~': (line) => line.cut(line.at, line.at + 1),
  '\u0019': (line) => line.add(line.killed),
  ...named('\u0001 \u001b[H \u001bOH \u001b[1~', (line) => line.move(0)),
  ...named('\u0005 \u001b[F \u001bOF \u001b[4~', (line) => line.move(line.text.length)),
  ...named('\u0002 \u001b[D \u001bOD', (line) => line.move(line.at - 1)),
  ...named('\u0006 \u001b[C \u001bOC', (line) => line.move(line.at + 1)),
};

function named(keys: string, does: (line: Line) => void): Readonly<Record<string, (line: Line) => void>> {
  return Object.fromEntries(keys.split(' ').map((key) => [key, does]));
}

/** The line that is being typed, with its cursor. */
class Line {
  readonly text: string[] = [];
  at = 0;
  killed: readonly string[] = [];

  add(keys: readonly string[]): void {
    this.text.splice(this.at, 0, ...keys);
    this.at += keys.length;
  }

  cut(from: number, to: number): void {
    const start = Math.max(from, 0);
    this.killed = this.text.splice(start, to - start);
    this.at = start;
  }

  /** Finds the beginning of the word before the cursor. */
  wordStart(): number {
    let at = this.at;
    while (at > 0 && /\s/.test(this.text[at - 1] ?? '')) at--;
    while (at > 0 && /\S/.test(this.text[at - 1] ?? '')) at--;
    return at;
  }

  move(to: number): void {
    this.at = Math.min(Math.max(to, 0), this.text.length);
  }
}

/** Removes the keys that may edit a line. */
export function withoutKeys(typed: string): string {
  return CONTROL.test(typed) ? [...typed.matchAll(KEYS)].flatMap(([key]) => (CONTROL.test(key) ? [] : [key])).join('') : typed;
}

/** The lines as they are when the keys for editing have done their work. */
export function editLine(typed: string): string {
  if (!CONTROL.test(typed)) return typed;
  let lines = '';
  let line = new Line();
  for (const [key] of typed.matchAll(KEYS)) {
    const does = MOVES[key];
    if (does !== undefined) does(line);
    else if (ENDS.test(key)) {
      lines += line.text.join('') + key;
      line = new Line();
    } else if (!CONTROL.test(key)) line.add([key]);
  }
  return lines + line.text.join('');
}

/** Keys whose work is the same in all programs that edit lines. Of others it depends on the program, or on lines that it remembers. */
const EXACT: ReadonlySet<string> = new Set(Object.keys(MOVES).filter((key) => key !== '\u0017' && key !== '\u0019'));

/** Tells whether all keys are known for what they do: none completes a word, finds an old line, moves letters, or begins a sequence. */
export function isFollowed(typed: string): boolean {
  if (!/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(typed)) return true;
  let line = new Line();
  for (const [key] of typed.matchAll(KEYS)) {
    if (ENDS.test(key)) line = new Line();
    else if (EXACT.has(key)) {
      // It takes the whole line in some programs.
      if (key === '\u0015' && line.at < line.text.length) return false;
      MOVES[key]?.(line);
    } else if (key === '\u0004' && line.text.length === 0) continue;
    else if (/[\u0000-\u001f\u007f-\u009f]/.test(key)) return false;
    else line.add([key]);
  }
  return true;
}

/** Tells whether the next key ends a line, if it is one that does: no key before has begun a sequence that takes it. */
export function hasEnded(line: string): boolean {
  return !/(?:\u001b(?:O|\[?[0-9;?<=>]*)|[\u0011\u0016\u0018])$/.test(line.slice(-64));
}
