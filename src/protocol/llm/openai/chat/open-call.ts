import { holdsCallWords, readArguments } from '../../calls.ts';
import type { ModelCall, NameVerdict } from '../../dialect.ts';
import { HeldText } from '../../held-text.ts';
import { isObject, type JsonObject } from '../../json-object.ts';

/** `legacy`: in the place that calls had before there could be many. */
type CallKind = 'function' | 'custom' | 'legacy';

/** All that a call says. */
export interface CallParts {
  readonly kind: CallKind;
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly name: string;
  /** Of a custom tool: what it is given. */
  readonly args: string;
  /** What it has besides, and what it has within `function` or `custom`. */
  readonly extras: JsonObject;
  readonly innerExtras: JsonObject;
}

/** Characters that a call counts for beside what it says. */
const CALL_SIZE = 256;

/** Members of a part that are told otherwise. */
const OWN_KEYS = new Set(['index', 'id', 'type', 'function', 'custom']);
const OWN_INNER_KEYS = new Set(['name', 'arguments', 'input']);

/** A tool that OpenAI's models make up, whose arguments are calls of other tools: some clients run those. */
const WRAPPER = /^multi_tool_use\./;

/** How many characters may be held, in all calls together. */
export interface HeldRoom {
  left: number;
}

/** A call that is being made: what has come of it so far. */
export class OpenCall {
  /** What its name settled; undefined as long as it has none. */
  mode: NameVerdict | undefined;
  /** Its place as upstream counts; behind all others where it has none. */
  readonly index: number;
  /** Its place among the calls that the client has, once that is known. */
  out: number | undefined;
  readonly #room: HeldRoom;
  readonly #isLegacy: boolean;
  readonly #answer: string | undefined;
  #kind: CallKind | undefined;
  #id = '';
  #name = '';
  #type: string | undefined;
  /** What else its parts had, beside and within `function` or `custom`. */
  readonly #extras: Record<string, unknown> = {};
  readonly #innerExtras: Record<string, unknown> = {};
  readonly #input = new HeldText();
  /** Of the whole call, at its end. */
  #args = '';
  #size = 0;
  #hasParts = false;
  #isTooLong = false;
  #isUnreadable = false;
  /** What some readers take for its name: the one beside its `function` or `custom`. */
  #nameBeside: unknown;
  /** There were others, or arguments in such a place. */
  #isBesideUnclear = false;
  /** It had another name before, which some readers keep, or put in front of the last one. */
  #isRenamed = false;

  /** @param of `index`: as upstream counts, if it does; `answer`: the API's id of the answer that it is part of */
  constructor(of: {
    readonly room: HeldRoom;
    readonly isLegacy: boolean;
    readonly index?: number | undefined;
    readonly answer: string | undefined;
  }) {
    this.index = of.index ?? Number.MAX_SAFE_INTEGER;
    this.#room = of.room;
    this.#isLegacy = of.isLegacy;
    this.#answer = of.answer;
    if (of.isLegacy) this.#kind = 'legacy';
    this.#grow(CALL_SIZE);
  }

  get id(): string {
    return this.#id;
  }

  get name(): string {
    return this.#name;
  }

  get isLegacy(): boolean {
    return this.#isLegacy;
  }

  /** Nothing has come of it yet. */
  get isNew(): boolean {
    return !this.#hasParts;
  }

  /** The client gets its parts as they come. */
  get isLive(): boolean {
    return this.mode === 'allow';
  }

  /** Readers may differ on which call it is. */
  get isUnclear(): boolean {
    return this.#isBesideUnclear || WRAPPER.test(this.#name) || (this.#nameBeside ?? this.#name) !== this.#name;
  }

  /** The client has the beginning of a call that goes on as another one. */
  get isAstray(): boolean {
    return this.isLive && (this.#isRenamed || this.isUnclear);
  }

  /** It can be let through as a whole. */
  get isReleasable(): boolean {
    return this.mode === 'hold' && !this.#isTooLong && !this.#isUnreadable;
  }

  /** Takes a part of it: an element of `tool_calls`, or `function_call`. Of what comes again the last counts; arguments add up. */
  add(part: JsonObject): void {
    this.#hasParts = true;
    if (this.#isLegacy) {
      this.#addInner(part, 'arguments');
      return;
    }
    const { id, type, function: fn = null, custom = null } = part;
    if (typeof id === 'string' && id !== '') this.#id = id;
    if (typeof type === 'string' && type !== '') this.#type = type;
    this.#keepOthers(part, OWN_KEYS, this.#extras);
    this.#noteBeside(part);
    for (const [kind, inner] of [
      ['function', fn],
      ['custom', custom],
    ] as const) {
      if (inner === null) continue;
      this.#kind ??= kind;
      // In both: who knows which one a client takes.
      this.#isBesideUnclear ||= this.#kind !== kind;
      if (this.#kind !== kind || !isObject(inner)) this.#isUnreadable = true;
      else this.#addInner(inner, kind === 'custom' ? 'input' : 'arguments');
    }
  }

  /** Takes more of its arguments. */
  addInput(text: string): void {
    if (text === '') return;
    this.#grow(text.length);
    if (!this.#isTooLong) this.#input.add(text);
  }

  /** Nothing is held of it any more. */
  clear(): void {
    this.#input.clear();
    this.#room.left += this.#size;
    this.#size = 0;
  }

  /** The whole call as one part, after `complete`. @param out its place */
  format(out: number): string {
    return formatCallPart(this.#parts(this.#args), out);
  }

  /** The call as far as its name tells. */
  named(): ModelCall {
    return {
      id: this.#id,
      name: this.#name,
      group: undefined,
      args: undefined,
      problem: undefined,
      runBy: 'client',
      server: undefined,
      answer: this.#answer,
    };
  }

  /** The call with its arguments, at its end; to be asked for once. What a custom tool is given counts as the argument `input`. */
  complete(): ModelCall {
    if (this.#isTooLong) return { ...this.named(), problem: 'too_long' };
    this.#args = this.#input.take();
    if (this.isUnclear) return { ...this.named(), args: this.#args, problem: 'unclear' };
    if (this.#isUnreadable || this.#name === '') return { ...this.named(), args: this.#args, problem: 'invalid_json' };
    const read = readArguments(this.#kind === 'custom' ? JSON.stringify({ input: this.#args }) : this.#args);
    const call = { ...this.named(), ...read };
    // Servers read what a past call has as arguments, and without an id no result can be told of it.
    if (read.problem !== undefined || (this.#id === '' && !this.#isLegacy)) return call;
    const past = this.#parts(this.#kind === 'custom' ? this.#args : read.args);
    return { ...call, inHistory: () => formatPastCall(past) };
  }

  incomplete(): ModelCall {
    return { ...this.named(), problem: 'incomplete' };
  }

  #noteBeside({ name = null, arguments: args = null, input = null }: JsonObject): void {
    if (args !== null || input !== null) this.#isBesideUnclear = true;
    if (name === null) return;
    this.#isBesideUnclear ||= (this.#nameBeside ?? name) !== name;
    this.#nameBeside = name;
  }

  #addInner(inner: JsonObject, inputKey: 'arguments' | 'input'): void {
    const { name = null, [inputKey]: input = null } = inner;
    if (typeof name === 'string') {
      this.#isRenamed ||= name !== '' && this.#name !== '' && name !== this.#name;
      if (name !== '') this.#name = name;
    } else if (name !== null) this.#isUnreadable = true;
    this.#keepOthers(inner, OWN_INNER_KEYS, this.#innerExtras);
    if (typeof input === 'string') this.addInput(input);
    else if (input !== null) this.#isUnreadable = true;
  }

  /** Adds to what is there: made anew for each part, it would take time that grows with the square of their number. */
  #keepOthers(part: JsonObject, own: ReadonlySet<string>, extras: Record<string, unknown>): void {
    const others = Object.entries(part).filter(([key]) => !own.has(key));
    if (others.length === 0) return;
    const rest = Object.fromEntries(others);
    // A call within a call: who knows which one a client takes.
    this.#isBesideUnclear ||= holdsCallWords(rest);
    this.#grow(JSON.stringify(rest).length);
    if (this.#isTooLong) return;
    for (const [key, value] of others) extras[key] = value;
  }

  #parts(args: string): CallParts {
    return {
      kind: this.#kind ?? 'function',
      id: this.#id === '' ? undefined : this.#id,
      type: this.#type,
      name: this.#name,
      args,
      extras: this.#extras,
      innerExtras: this.#innerExtras,
    };
  }

  #grow(by: number): void {
    if (this.#isTooLong) return;
    this.#size += by;
    this.#room.left -= by;
    if (this.#room.left >= 0) return;
    this.#isTooLong = true;
    this.clear();
  }
}

/** A call as one part of a stream: an element of `tool_calls`, or `function_call`. @param index its place */
export function formatCallPart(call: CallParts, index: number): string {
  return format(call, call.kind === 'legacy' ? {} : { index, id: call.id, type: call.type });
}

/** A call as a message of a request has it. */
export function formatPastCall(call: CallParts): string {
  return format(call, call.kind === 'legacy' ? {} : { id: call.id, type: call.type ?? call.kind });
}

function format({ kind, name, args, extras, innerExtras }: CallParts, head: JsonObject): string {
  const inner = { name, [kind === 'custom' ? 'input' : 'arguments']: args, ...innerExtras };
  return JSON.stringify(kind === 'legacy' ? inner : { ...head, [kind]: inner, ...extras });
}
