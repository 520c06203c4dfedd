import { holdsCallWords, readArguments } from '../../calls.ts';
import type { ModelCall, NameVerdict } from '../../dialect.ts';
import { HeldText } from '../../held-text.ts';
import { isObject, type JsonObject } from '../../json-object.ts';

/** `legacy`: the call is in `function_call`, which can hold only one. */
type CallKind = 'function' | 'custom' | 'legacy';

/** The content of a call. */
export interface CallParts {
  readonly kind: CallKind;
  readonly id: string | undefined;
  readonly type: string | undefined;
  readonly name: string;
  /** The input of a custom tool, or the arguments. */
  readonly args: string;
  /** Its other members, outside and inside of `function` or `custom`. */
  readonly extras: JsonObject;
  readonly innerExtras: JsonObject;
}

/** Characters that a call counts for besides its content. */
const CALL_SIZE = 256;

/** Members of a piece that are handled separately. */
const OWN_KEYS = new Set(['index', 'id', 'type', 'function', 'custom']);
const OWN_INNER_KEYS = new Set(['name', 'arguments', 'input']);

/** Matches a tool that OpenAI's models make up, whose arguments are calls of other tools: some clients run those. */
export const WRAPPER = /^multi_tool_use\./;

/** Characters that may still be held, in all calls together. */
export interface HeldRoom {
  left: number;
}

/** An open call with its pieces so far. */
export class OpenCall {
  /** The verdict by name; undefined until the name is known. */
  mode: NameVerdict | undefined;
  /** Its index upstream; after all others if it has none. */
  readonly index: number;
  /** Its index among the client's calls, once known. */
  out: number | undefined;
  readonly #room: HeldRoom;
  readonly #isLegacy: boolean;
  readonly #answer: string | undefined;
  #kind: CallKind | undefined;
  #id = '';
  #name = '';
  #type: string | undefined;
  /** Other members of its pieces, outside and inside of `function` or `custom`. */
  readonly #extras: Record<string, unknown> = {};
  readonly #innerExtras: Record<string, unknown> = {};
  readonly #input = new HeldText();
  /** The arguments of the whole call, at its end. */
  #args = '';
  #size = 0;
  #hasParts = false;
  #isTooLong = false;
  #isUnreadable = false;
  /** The name beside `function` or `custom`, which some readers use. */
  #nameBeside: unknown;
  /** True if there were several such names, or arguments in such a place. */
  #isBesideUnclear = false;
  /** True if the name changed: some readers keep the first, or join the two. */
  #isRenamed = false;

  /** @param of `index`: as upstream counts, if it does; `answer`: the API's id of the answer */
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

  /** True if no piece of it has come. */
  get isNew(): boolean {
    return !this.#hasParts;
  }

  /** True if the client gets its pieces as they come. */
  get isLive(): boolean {
    return this.mode === 'allow';
  }

  /** True if readers may differ on which call it is. */
  get isUnclear(): boolean {
    return this.#isBesideUnclear || WRAPPER.test(this.#name) || (this.#nameBeside ?? this.#name) !== this.#name;
  }

  /** True if the client has the beginning of a call that continues as another one. */
  get isAstray(): boolean {
    return this.isLive && (this.#isRenamed || this.isUnclear);
  }

  /** True if it can pass as a whole. */
  get isReleasable(): boolean {
    return this.mode === 'hold' && !this.#isTooLong && !this.#isUnreadable;
  }

  /** Adds a piece: an element of `tool_calls`, or `function_call`. Of a repeated member the last counts; arguments are appended. */
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
      // If both occur, clients may take either.
      this.#isBesideUnclear ||= this.#kind !== kind;
      if (this.#kind !== kind || !isObject(inner)) this.#isUnreadable = true;
      else this.#addInner(inner, kind === 'custom' ? 'input' : 'arguments');
    }
  }

  /** Appends to its arguments. */
  addInput(text: string): void {
    if (text === '') return;
    this.#grow(text.length);
    if (!this.#isTooLong) this.#input.add(text);
  }

  /** Frees everything that is held of it. */
  clear(): void {
    this.#input.clear();
    this.#room.left += this.#size;
    this.#size = 0;
  }

  /** Formats the whole call as one piece, after `complete`. @param out its index */
  format(out: number): string {
    return formatCallPart(this.#parts(this.#args), out);
  }

  /** Returns the call with its name only. */
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

  /** Returns the call with its arguments, at its end; call it once. The input of a custom tool counts as the argument `input`. */
  complete(): ModelCall {
    if (this.#isTooLong) return { ...this.named(), problem: 'too_long' };
    this.#args = this.#input.take();
    if (this.isUnclear) return { ...this.named(), args: this.#args, problem: 'unclear' };
    if (this.#isUnreadable || this.#name === '') return { ...this.named(), args: this.#args, problem: 'invalid_json' };
    const read = readArguments(this.#kind === 'custom' ? JSON.stringify({ input: this.#args }) : this.#args);
    const call = { ...this.named(), ...read };
    // Servers parse a past call's arguments, and without an id it can't have a result.
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

  /** Adds to the members in place: a copy per piece would take quadratic time. */
  #keepOthers(part: JsonObject, own: ReadonlySet<string>, extras: Record<string, unknown>): void {
    const others = Object.entries(part).filter(([key]) => !own.has(key));
    if (others.length === 0) return;
    const rest = Object.fromEntries(others);
    // A call within a call: clients may take either.
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

/** Formats a call as one piece of a stream: an element of `tool_calls`, or `function_call`. @param index its index */
export function formatCallPart(call: CallParts, index: number): string {
  return format(call, call.kind === 'legacy' ? {} : { index, id: call.id, type: call.type });
}

/** Formats a call as in a message of a request. */
export function formatPastCall(call: CallParts): string {
  return format(call, call.kind === 'legacy' ? {} : { id: call.id, type: call.type ?? call.kind });
}

function format({ kind, name, args, extras, innerExtras }: CallParts, head: JsonObject): string {
  const inner = { name, [kind === 'custom' ? 'input' : 'arguments']: args, ...innerExtras };
  return JSON.stringify(kind === 'legacy' ? inner : { ...head, [kind]: inner, ...extras });
}
