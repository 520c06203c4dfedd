import { isSameAt, stringBytesEnd, stringBytesText } from '../../../sse/string-bytes.ts';
import { elementsOf, membersOf, type TextSpan, wholeOf } from '../../json-text.ts';
import { choiceSpans, type Chunk } from './chunk.ts';

/** `text`: something is said. `input`: a part of a call's arguments. */
export type PlainChunkKind = 'text' | 'input';

/** What chunks are made of that differ in one string alone, and in the string that hides their length. */
interface Form {
  readonly kind: PlainChunkKind;
  readonly choice: number;
  /** Place of the call, as upstream counts. */
  readonly call: number;
  /** What stands before, between and behind the strings, with their quotes. */
  readonly fixed: readonly Buffer[];
  /** Which of the strings is what is said. */
  readonly said: number;
}

/** Forms that are known at a time: choices and kinds by turns. */
const MOST_FORMS = 4;

/** A chunk that is longer than this is read each time. */
const MOST_FIXED = 4096;

/** What models say in pieces. */
const SAID = ['content', 'reasoning_content', 'reasoning'];

/**
 * Recognises chunks that most of a stream is made of by their exact bytes, so that they need not be parsed: those that differ from one that has been read
 * in what is said alone, strict JSON to the very end. No other key can hide in what is recognised.
 */
export class PlainChunk {
  #forms: Form[] = [];
  #form: Form | undefined;
  #start = 0;
  #end = 0;

  get kind(): PlainChunkKind {
    return this.#form?.kind ?? 'text';
  }

  get choice(): number {
    return this.#form?.choice ?? 0;
  }

  get call(): number {
    return this.#form?.call ?? 0;
  }

  /** Reads `bytes[start..end)`. False: it is something else, or nothing that may be taken for granted. */
  read(bytes: Buffer, start: number, end: number): boolean {
    const forms = this.#forms;
    for (let i = 0; i < forms.length; i++) {
      const form = forms[i] as Form;
      if (!this.#matches(form, bytes, start, end)) continue;
      if (i > 0) {
        forms.splice(i, 1);
        forms.unshift(form);
      }
      this.#form = form;
      return true;
    }
    return false;
  }

  /** What is said. @param bytes as they were read */
  text(bytes: Buffer): string {
    return stringBytesText(bytes, this.#start, this.#end);
  }

  /** Knows chunks like this one from now on. Of those that say more than they seem to, none is known. */
  learn(chunk: Chunk): void {
    const form = formOf(chunk);
    if (form === undefined) return;
    this.#forms = [form, ...this.#forms.slice(0, MOST_FORMS - 1)];
  }

  #matches({ fixed, said }: Form, bytes: Buffer, start: number, end: number): boolean {
    const last = fixed.length - 1;
    let at = start;
    for (let i = 0; i <= last; i++) {
      const part = fixed[i] as Buffer;
      const next = at + part.length;
      if (next > end || !isSameAt(part, bytes, at)) return false;
      at = next;
      if (i === last) break;
      const close = stringBytesEnd(bytes, at, end);
      if (close === -1) return false;
      if (i === said) {
        this.#start = at;
        this.#end = close;
      }
      at = close;
    }
    return at === end;
  }
}

function formOf(chunk: Chunk): Form | undefined {
  const { data, choices, payload, isPlain } = chunk;
  const [choice] = choices;
  if (!isPlain || choice === undefined || choices.length > 1 || choice.finish !== undefined) return undefined;
  const found = saidIn(chunk);
  if (found === undefined) return undefined;
  const hidden = typeof payload['obfuscation'] === 'string' ? memberAt(data, wholeOf(data), 'obfuscation') : undefined;
  const strings = [found.span, ...(hidden === undefined ? [] : [hidden])].toSorted((a, b) => a.start - b.start);
  const fixed: Buffer[] = [];
  let at = 0;
  for (const { start, end } of strings) {
    fixed.push(Buffer.from(data.slice(at, start + 1)));
    at = end - 1;
  }
  fixed.push(Buffer.from(data.slice(at)));
  if (fixed.reduce((sum, { length }) => sum + length, 0) > MOST_FIXED) return undefined;
  return { kind: found.kind, choice: choice.index, call: found.call, fixed, said: strings.indexOf(found.span) };
}

interface Said {
  readonly kind: PlainChunkKind;
  readonly call: number;
  readonly span: TextSpan;
}

/** Where the one string lies in which chunks like this one differ. */
function saidIn(chunk: Chunk): Said | undefined {
  const [choice] = chunk.choices;
  const [span] = choiceSpans(chunk);
  const delta = span === undefined ? undefined : memberAt(chunk.data, span, 'delta');
  if (choice === undefined || delta === undefined || choice.functionCall !== undefined) return undefined;
  if (choice.toolCalls.length > 0) return inputIn(chunk, delta);
  const key = SAID.find((each) => typeof choice.delta[each] === 'string' && choice.delta[each] !== '');
  const string = key === undefined ? undefined : memberAt(chunk.data, delta, key);
  return string === undefined ? undefined : { kind: 'text', call: 0, span: string };
}

/** Only of a part that has arguments and nothing else. */
function inputIn({ data, choices }: Chunk, delta: TextSpan): Said | undefined {
  const part = choices[0]?.toolCalls[0];
  const inner = part?.['function'];
  const keys = [choices[0]?.delta, part, inner].map((object) => Object.keys(object ?? {}).join());
  const call = part?.['index'];
  if (keys.join(';') !== 'tool_calls;index,function;arguments' || typeof call !== 'number') return undefined;
  if (choices[0]?.toolCalls.length !== 1) return undefined;
  const list = memberAt(data, delta, 'tool_calls');
  const [element] = elementsOf(data, list) ?? [];
  const named = element === undefined ? undefined : memberAt(data, element, 'function');
  const span = named === undefined ? undefined : memberAt(data, named, 'arguments');
  return span === undefined || data[span.start] !== '"' ? undefined : { kind: 'input', call, span };
}

function memberAt(text: string, span: TextSpan, name: string): TextSpan | undefined {
  return membersOf(text, span)?.get(name);
}
