import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type JsonValue, parseJson } from '../../src/core/json.ts';

/**
 * A wire transcript: what both sides of a connection send, and what each then gets. See `test/transcripts/README.md` for the format.
 */
export interface Scene {
  /** File and title, for people. */
  readonly name: string;
  /** TOML. */
  readonly policy: string;
  readonly steps: readonly Step[];
}

export type Side = 'client' | 'server';

export interface Step {
  /** `person`: somebody answers the oldest question of the policy. */
  readonly from: Side | 'person';
  /** 1-based line in the file. */
  readonly at: number;
  /** What goes over the wire, line feed included; for a person the answer. */
  readonly bytes: Buffer;
  /** The sender's stream ends behind these bytes. */
  readonly isLast: boolean;
  /** In order per receiver. Empty: it is dropped. */
  readonly expected: readonly Expected[];
}

/** Lines that a side gets: the sender's very bytes, or a message with these values. */
export type Expected = { readonly to: Side } & (
  | { readonly kind: 'forward' }
  | { readonly kind: 'message'; readonly value: JsonValue }
);

const POLICIES: Readonly<Record<string, string>> = {
  'allow-all': '[defaults]\naction = "allow"\n',
  'default-deny': '',
};
const SIDES: Readonly<Record<string, Side>> = { C: 'client', S: 'server' };

export function readTranscript(file: string): Scene[] {
  return parseTranscript(readFileSync(file, 'utf8'), basename(file, '.txt'));
}

/** Throws an Error with the line where the text is no transcript. */
export function parseTranscript(text: string, name: string): Scene[] {
  const parser = new Parser(name);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) parser.read(line);
  return parser.finish();
}

interface OpenStep extends Step {
  readonly expected: Expected[];
  isDropped: boolean;
}

class Parser {
  readonly #name: string;
  readonly #scenes: { name: string; policy: string; steps: OpenStep[] }[] = [];
  #policy: string | undefined;
  #isInPolicy = false;
  #at = 0;

  constructor(name: string) {
    this.#name = name;
  }

  read(line: string): void {
    this.#at++;
    if (line === '' || line.startsWith('#')) return;
    if (/^\|( |$)/.test(line) && this.#isInPolicy) {
      this.#policy = `${this.#policy ?? ''}${line.slice(2)}\n`;
      return;
    }
    this.#isInPolicy = false;
    if (line.startsWith('== ')) this.#startScene(line.slice(3));
    else if (line === 'policy') this.#startPolicy();
    else if (line.startsWith('policy ')) this.#policy = POLICIES[line.slice(7)] ?? this.#fail('no such policy');
    else this.#readStep(line);
  }

  finish(): Scene[] {
    this.#closeStep();
    if (this.#scenes.length === 0) this.#fail('no scenes');
    return this.#scenes;
  }

  #startPolicy(): void {
    this.#policy = '';
    this.#isInPolicy = true;
  }

  #startScene(title: string): void {
    this.#closeStep();
    const policy = this.#policy ?? this.#fail('no policy yet');
    this.#scenes.push({ name: `${this.#name}: ${title}`, policy, steps: [] });
  }

  #readStep(line: string): void {
    const [, who = '', arrow, rest = ''] = /^([CSA])([<>])(?: (.+))?$/.exec(line) ?? this.#fail('not a line of a transcript');
    const side = SIDES[who];
    if (arrow === '<') this.#expect(side ?? this.#fail('nobody gets that'), rest);
    else if (side === undefined) this.#addStep({ from: 'person', bytes: Buffer.from(rest), isLast: false });
    else {
      const isLast = rest.endsWith('\\end');
      const bytes = unescapeBytes(isLast ? rest.slice(0, -4) : `${rest}\n`);
      this.#addStep({ from: side, bytes, isLast });
    }
  }

  #addStep(step: Pick<Step, 'from' | 'bytes' | 'isLast'>): void {
    this.#closeStep();
    const scene = this.#scenes.at(-1) ?? this.#fail('no scene yet');
    scene.steps.push({ ...step, at: this.#at, expected: [], isDropped: false });
  }

  #expect(to: Side, what: string): void {
    const step = this.#scenes.at(-1)?.steps.at(-1) ?? this.#fail('nothing was sent yet');
    if (step.isDropped) this.#fail('it was dropped');
    const isOnward = step.from !== to;
    if (what === 'drop') {
      if (!isOnward || step.expected.length > 0) this.#fail('"drop" stands alone, for the other side');
      step.isDropped = true;
    } else if (what === 'forward') {
      if (!isOnward) this.#fail('"forward" is for the other side');
      step.expected.push({ to, kind: 'forward' });
    } else step.expected.push({ to, kind: 'message', value: parseJson(what) });
  }

  #closeStep(): void {
    const step = this.#scenes.at(-1)?.steps.at(-1);
    if (step !== undefined && !step.isDropped && step.expected.length === 0) {
      throw new Error(`${this.#name}:${step.at}: what becomes of this is not said`);
    }
  }

  #fail(why: string): never {
    throw new Error(`${this.#name}:${this.#at}: ${why}`);
  }
}

/** `\xNN` is a byte and `\*N(text)` is the text N times; JSON has neither escape, so all others stay as they are. */
function unescapeBytes(text: string): Buffer {
  const parts = text.split(/(\\x[0-9a-f]{2}|\\\*\d+\([^)]*\))/);
  return Buffer.concat(
    parts.map((part) => {
      if (/^\\x[0-9a-f]{2}$/.test(part)) return Buffer.of(Number.parseInt(part.slice(2), 16));
      const repeated = /^\\\*(\d+)\(([^)]*)\)$/.exec(part);
      return repeated === null ? Buffer.from(part) : Buffer.from((repeated[2] ?? '').repeat(Number(repeated[1])));
    }),
  );
}
