/** Programs whose unfinished lines are remembered, and characters of one such line. */
const MOST_PROGRAMS = 256;
const MOST_CHARACTERS = 65_536;

/** The keys that end a line, and the one that gives it up. The end of a file (Ctrl-D) ends no line that has begun. */
const ENTER = /[\r\n]/;
const GIVES_UP = /\u0003/;

/**
 * The lines that were typed into running programs and are not finished yet. What a shell reads is the whole line, in however many pieces it
 * came.
 */
export class TypedInput {
  readonly #lines = new Map<string, string>();

  /**
   * The line that a program has if this is typed, from its first piece on, as the program reads it: without what was erased. Empty if
   * nothing is typed.
   */
  preview(program: string, typed: string): string {
    return typed === '' ? '' : edit(this.#join(program, typed));
  }

  /**
   * All that a program may read if this is typed: the line with its keys for editing, the same without these keys' work, since programs
   * differ on them, and what is typed now by itself, since the line before may have ended.
   */
  readings(program: string, typed: string): readonly string[] {
    if (typed === '') return [];
    const whole = (this.#lines.get(program) ?? '') + typed;
    return [...new Set([this.preview(program, typed), withoutKeys(whole), this.preview('', typed)])].filter(
      (line) => line !== '',
    );
  }

  /** Notes what was typed: only what is not finished counts from now on. */
  type(program: string, typed: string): void {
    const rest = unfinished(this.#join(program, typed));
    this.#lines.delete(program);
    if (rest !== '') this.#lines.set(program, rest);
    const [oldest] = this.#lines.keys();
    if (this.#lines.size > MOST_PROGRAMS && oldest !== undefined) this.#lines.delete(oldest);
  }

  #join(program: string, typed: string): string {
    // The end of such a line counts, since more of it may come.
    return ((this.#lines.get(program) ?? '') + typed).slice(-MOST_CHARACTERS);
  }
}

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
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
function withoutKeys(typed: string): string {
  return CONTROL.test(typed) ? [...typed.matchAll(KEYS)].flatMap(([key]) => (CONTROL.test(key) ? [] : [key])).join('') : typed;
}

/** The lines as they are when the keys for editing have done their work. */
function edit(typed: string): string {
  if (!CONTROL.test(typed)) return typed;
  let lines = '';
  let line = new Line();
  for (const [key] of typed.matchAll(KEYS)) {
    const does = MOVES[key];
    if (does !== undefined) does(line);
    else if (ENTER.test(key) || GIVES_UP.test(key)) {
      lines += line.text.join('') + key;
      line = new Line();
    } else if (!CONTROL.test(key)) line.add([key]);
  }
  return lines + line.text.join('');
}

/** The end of a text that a shell has not run yet: an open line, an open quote, a continued line, or an open here-document. */
function unfinished(text: string): string {
  const since = text.slice(Math.max(...[...text.matchAll(new RegExp(GIVES_UP, 'g'))].map(({ index }) => index + 1), 0));
  let start = 0;
  let quote = '';
  let ends: string[] = [];
  for (let at = 0; at < since.length; at++) {
    const key = since[at] ?? '';
    if (quote === '' && ends.length > 0 && at > 0 && ENTER.test(since[at - 1] ?? '')) {
      const line = /^[^\r\n]*/.exec(since.slice(at))?.[0] ?? '';
      const isOver = line.trim() === ends[0];
      const isWhole = at + line.length < since.length;
      if (isOver && isWhole) ends = ends.slice(1);
      at += line.length;
      if (isOver && isWhole && ends.length === 0) start = at + 1;
      continue;
    }
    if (key === '\\' && quote !== "'") at++;
    else if (key === quote) quote = '';
    else if (quote === '' && (key === '"' || key === "'" || key === '`')) quote = key;
    else if (quote === '' && ENTER.test(key)) {
      ends = hereDocuments(since.slice(start, at));
      if (ends.length === 0) start = at + 1;
    }
  }
  return since.slice(start);
}

function hereDocuments(line: string): string[] {
  return [...line.matchAll(/(?<!<)<<-?\s*(["']?)([\w.-]+)\1/g)].map(([, , word = '']) => word);
}
