import { isSameAt, stringBytesEnd, stringBytesText } from '../../../sse/string-bytes.ts';
import { elementsOf, membersOf, type TextSpan, wholeOf } from '../../json-text.ts';
import { choiceSpans, type Chunk } from './chunk.ts';

/** `text`: a piece of text. `input`: a piece of a call's arguments. */
export type PlainChunkKind = 'text' | 'input';

/** The form of chunks that differ only in one string, and in the string that hides their length. */
interface Form {
  readonly kind: PlainChunkKind;
  readonly choice: number;
  /** Index of the call, as upstream counts. */
  readonly call: number;
  /** The constant parts before, between and after the strings, with their quotes. */
  readonly fixed: readonly Buffer[];
  /** The position of the content among the strings. */
  readonly variable: number;
}

/** Most forms known at a time, for interleaved choices and kinds. */
const MOST_FORMS = 4;

/** Most constant bytes of a form; longer chunks are always parsed. */
const MOST_FIXED = 4096;

/** The members that models stream in pieces. */
const SAID = ['content', 'reasoning_content', 'reasoning'];

/**
 * Recognises the usual chunks of a stream by their exact bytes, so that they need not be parsed: they differ from a parsed one only in
 * their content, and are strict JSON to the very end. No other key can hide in them.
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

  /** Reads `bytes[start..end)`. False if it is anything else, or not surely plain. */
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

  /** Returns the content. @param bytes as they were read */
  text(bytes: Buffer): string {
    return stringBytesText(bytes, this.#start, this.#end);
  }

  /** Learns the form of this chunk. Chunks with other content than one string are not learned. */
  learn(chunk: Chunk): void {
    const form = formOf(chunk);
    if (form === undefined) return;
    this.#forms = [form, ...this.#forms.slice(0, MOST_FORMS - 1)];
  }

  #matches({ fixed, variable }: Form, bytes: Buffer, start: number, end: number): boolean {
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
      if (i === variable) {
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
  const found = textIn(chunk);
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
  return { kind: found.kind, choice: choice.index, call: found.call, fixed, variable: strings.indexOf(found.span) };
}

interface Variable {
  readonly kind: PlainChunkKind;
  readonly call: number;
  readonly span: TextSpan;
}

/** Finds the string in which chunks like this one differ. */
function textIn(chunk: Chunk): Variable | undefined {
  const [choice] = chunk.choices;
  const [span] = choiceSpans(chunk);
  const delta = span === undefined ? undefined : memberAt(chunk.data, span, 'delta');
  if (choice === undefined || delta === undefined || choice.functionCall !== undefined) return undefined;
  if (choice.toolCalls.length > 0) return inputIn(chunk, delta);
  const key = SAID.find((each) => typeof choice.delta[each] === 'string' && choice.delta[each] !== '');
  const string = key === undefined ? undefined : memberAt(chunk.data, delta, key);
  return string === undefined ? undefined : { kind: 'text', call: 0, span: string };
}

/** Finds the arguments in a piece that has nothing else. */
function inputIn({ data, choices }: Chunk, delta: TextSpan): Variable | undefined {
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
