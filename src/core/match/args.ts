import { isJsonObject, type JsonObject, type JsonValue, parseContainer } from '../json.ts';
import { isWordsName, joinBeside, joinWords, mayBeLine } from '../shell/command-line.ts';
import { quoteWord } from '../shell/quote-word.ts';
import { addKey, addValue, type Distinct } from './distinct-values.ts';
import { filesOfPatch, isChange } from './patch.ts';
import { type ArgumentKind, isReadOnlyText, isTextual, kindOfArgument, kindOfMember } from './text-argument.ts';
import type { ArgStep } from '../policy/types.ts';

/** The values that an argument path selects in one call. */
export interface Selection {
  /** The values at the end of the path, each once; arrays there are replaced by their elements, nested ones too. */
  readonly values: readonly JsonValue[];
  /**
   * Further readings of what lies at the end of the path. Inside of texts that are JSON objects or arrays: servers parse those where they
   * expected no text (Python's MCP SDK does, since models send them). A list of words that is a command line, as that line. Scalars only.
   */
  readonly embedded: readonly JsonValue[];
  /** Keys of every object, if the path ends in `**`; and the whole line of a program at its end whose arguments stand beside it. */
  readonly keys: readonly string[];
  /**
   * The texts above that are only read, as the body of an issue is: found by a wildcard under a name that says so, and no path by
   * themselves; and patches, whose files stand in `embedded`. Undefined if there are none. They are no paths, unless the tool runs
   * commands.
   */
  readonly prose: ReadonlySet<string> | undefined;
  /**
   * The texts above whose names say that they are run, each with the line that it is, in which the words of a list are quoted. The files that
   * they name are more readings of them. Undefined if there are none.
   */
  readonly commands: ReadonlyMap<string, string> | undefined;
  /** True if some branch under a wildcard or array ended early. Branches that `**` merely looked through do not count. */
  readonly incomplete: boolean;
  /** True if something lies deeper than we look. */
  readonly tooDeep: boolean;
}

/** Nesting that is followed; JSON deeper than this is nobody's honest argument. */
const MAX_DEPTH = 128;

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

interface Walk extends Distinct {
  readonly steps: readonly ArgStep[];
  /** The path ends in `**`: every scalar is an end, objects and arrays are only looked through. */
  readonly endsDeep: boolean;
  readonly embedded: JsonValue[];
  prose: Set<string> | undefined;
  commands: Map<string, string> | undefined;
  /** Texts that were found elsewhere too, from the first of `prose` on. */
  others: Set<string>;
  /** Reads a text that is JSON; undefined inside of one. */
  readonly container: typeof parseContainer | undefined;
  incomplete: boolean;
  tooDeep: boolean;
}

/**
 * Follows a path into a call's arguments, in one walk that is linear in the arguments: the steps that a node is at are bits of a
 * word, so no node is visited twice however many `**` there are. Only own properties count, whatever they are called.
 */
export function selectArgs(args: JsonObject | undefined, steps: readonly ArgStep[], container = parseContainer): Selection {
  const walk = createWalk(steps, container);
  // A path without steps is about all arguments; servers take none for empty ones.
  if (args !== undefined || steps.length === 0) visit(walk, args ?? {}, { at: 1, depth: 0, kind: 'other' });
  const { prose } = walk;
  if (prose === undefined) return walk;
  for (const text of walk.others) prose.delete(text);
  if (prose.size === 0) walk.prose = undefined;
  return walk;
}

/** An empty set that is never written to: without prose nothing is noted. */
const NOTHING = new Set<string>();

function createWalk(steps: readonly ArgStep[], container: Walk['container']): Walk {
  return {
    steps,
    endsDeep: steps.at(-1)?.kind === 'deep',
    values: [],
    embedded: [],
    keys: [],
    prose: undefined,
    commands: undefined,
    others: NOTHING,
    seen: undefined,
    seenKeys: undefined,
    container,
    incomplete: false,
    tooDeep: false,
  };
}

interface Position {
  /** Bit `i` is set when step `i` is next; bit `steps.length` when the path ends here. */
  readonly at: number;
  readonly depth: number;
  /** The kind of the node by the last name that tells it, if a wildcard led through that name. */
  readonly kind: ArgumentKind;
}

function visit(walk: Walk, node: JsonValue, { at: entered, depth, kind }: Position): void {
  if (depth > MAX_DEPTH) {
    walk.tooDeep = true;
    return;
  }
  const { steps } = walk;
  const at = throughDeep(entered, steps);
  const end = 1 << steps.length;
  const isEnd = (at & end) !== 0;
  if (Array.isArray(node)) return visitArray(walk, node, { at, depth, kind });
  if (isEnd && !(walk.endsDeep && isJsonObject(node))) {
    if (typeof node === 'string') noteRead(walk, node, kind);
    addValue(walk, node);
  }
  if (typeof node === 'string' && depth > 0) visitText(walk, node, { at: entered, depth, kind });
  const pending = at & ~end;
  if (isJsonObject(node)) visitObject(walk, node, { at: pending, depth, kind });
  else if (!isEnd || !walk.endsDeep) markIncomplete(walk, pending);
}

/** Tells what is only to be read from all else; a text that is found as both counts as the latter. Called before the text is added. */
function noteText(walk: Walk, text: string, isProse: boolean): void {
  if (!isProse) {
    if (walk.prose !== undefined) walk.others.add(text);
    return;
  }
  if (walk.prose === undefined) {
    walk.prose = new Set();
    const { values, embedded, keys } = walk;
    walk.others = new Set([...values, ...embedded, ...keys].filter((each) => typeof each === 'string'));
  }
  walk.prose.add(text);
}

/** Notes a text at the end of the path, and the files of the patch that it is. Called before the text is added. */
function noteRead(walk: Walk, text: string, kind: ArgumentKind): void {
  if (kind === 'command') noteCommand(walk, text);
  const files = isTextual(kind) ? [] : filesOfPatch(text);
  noteText(walk, text, isTextual(kind) ? isReadOnlyText(text, kind) : kind === 'patch' && (files.length > 0 || isChange(text)));
  for (const path of files) {
    noteText(walk, path, false);
    walk.embedded.push(path);
  }
}

function noteCommand(walk: Walk, text: string, line = text): void {
  (walk.commands ??= new Map()).set(text, line);
}

/** Follows the path into a text that is a JSON object or array; what is no such text has nothing in it. */
function visitText(walk: Walk, text: string, position: Position): void {
  const isText = isTextual(position.kind);
  const value = walk.container?.(text);
  if (value === undefined) return;
  const inner = createWalk(walk.steps, undefined);
  visit(inner, value, position);
  for (const found of [...inner.values, ...inner.embedded]) {
    if (isJsonObject(found)) continue;
    if (typeof found === 'string')
      noteText(walk, found, isText || (inner.prose?.has(found) === true && !inner.others.has(found)));
    walk.embedded.push(found);
  }
  for (const [command, line] of inner.commands ?? []) noteCommand(walk, command, line);
  for (const key of inner.keys) {
    noteText(walk, key, isText);
    addKey(walk, key);
  }
  walk.tooDeep ||= inner.tooDeep;
}

function visitObject(walk: Walk, node: JsonObject, { at, depth, kind }: Position): void {
  const { steps, endsDeep } = walk;
  let everyChild = 0;
  let named = false;
  for (let index = 0; index < steps.length; index++) {
    if ((at & (1 << index)) === 0) continue;
    const step = steps[index] as ArgStep;
    if (step.kind === 'deep') everyChild |= 1 << index;
    else if (step.kind === 'any') everyChild |= 1 << (index + 1);
    else named = true;
  }
  if (everyChild === 0) {
    for (let index = 0; index < steps.length; index++) {
      const step = steps[index] as ArgStep;
      if ((at & (1 << index)) === 0 || step.kind === 'deep' || step.kind === 'any') continue;
      const next = { at: 1 << (index + 1), depth: depth + 1, kind: namedKind(step.name, node) };
      const child = ownValue(node, step.name);
      if (child === undefined) markIncomplete(walk, 1 << index);
      else visit(walk, child, next);
      if (child !== undefined && mayBeLine(step.name)) addLines(walk, node, { key: step.name, at: next.at });
      for (const key in node) if (isVariant(key, step.name)) visit(walk, ownValue(node, key) ?? null, next);
    }
    return;
  }
  const keys = Object.keys(node);
  if (endsDeep && (at & (1 << (steps.length - 1))) !== 0) {
    for (const key of keys) {
      noteText(walk, key, false);
      addKey(walk, key);
    }
  }
  let missing = at;
  // A member with a name of its own is no command.
  const inherited = kind === 'command' ? 'other' : kind;
  for (const key of keys) {
    const child = ownValue(node, key);
    if (child === undefined) continue;
    let next = everyChild;
    let isNamed = false;
    if (named) {
      for (const [index, step] of steps.entries()) {
        if ((at & (1 << index)) === 0 || step.kind === 'deep' || step.kind === 'any') continue;
        if (step.name === key) missing &= ~(1 << index);
        else if (!isVariant(key, step.name)) continue;
        next |= 1 << (index + 1);
        isNamed = true;
      }
    }
    const own = isNamed ? namedKind(key, node) : kindOfMember(key, child);
    visit(walk, child, { at: next, depth: depth + 1, kind: own === 'other' ? inherited : isWords(key, child) ? 'other' : own });
    if (mayBeLine(key)) addLines(walk, node, { key, at: next });
  }
  for (let index = 0; index < steps.length; index++) {
    const step = steps[index] as ArgStep;
    if (step.kind === 'deep' || (step.kind === 'any' && keys.length > 0)) missing &= ~(1 << index);
  }
  markIncomplete(walk, missing);
}

/** The kind of a member that the path names: its texts are no prose to the rule. */
function namedKind(name: string, node: JsonObject): ArgumentKind {
  return kindOfArgument(name) === 'command' && !isWords(name, node[name] ?? null) ? 'command' : 'place';
}

/** Tells whether a member is one line as a list, whose words by themselves are no lines. */
function isWords(name: string, value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 1 && isWordsName(name);
}

/** Adds the command line that a member is, or that it begins with what stands beside it, if the path ends at it. */
function addLines(walk: Walk, node: JsonObject, { key, at }: { readonly key: string; readonly at: number }): void {
  const { steps } = walk;
  if ((throughDeep(at, steps) & (1 << steps.length)) === 0) return;
  if (isWordsName(key)) {
    const given = node[key];
    const list = typeof given === 'string' ? walk.container?.(given) : given;
    const line = Array.isArray(list) ? joinWords(list as readonly JsonValue[]) : undefined;
    if (line !== undefined) {
      noteText(walk, line, false);
      noteCommand(walk, line, joinWords(list as readonly JsonValue[], quoteWord));
      walk.embedded.push(line);
    }
  }
  const whole = joinBeside(node, key);
  if (whole === undefined) return;
  noteText(walk, whole, false);
  noteCommand(walk, whole, joinBeside(node, key, quoteWord));
  addKey(walk, whole);
}

function visitArray(walk: Walk, node: readonly JsonValue[], { at, depth, kind }: Position): void {
  const { steps, endsDeep } = walk;
  const end = 1 << steps.length;
  // A path that ends at an array means its elements; with `**` at the end that step is handed on below.
  let everyElement = endsDeep ? 0 : at & end;
  let lost = node.length === 0 ? at & ~end : 0;
  if (!endsDeep && (at & end) !== 0 && node.length === 0) walk.incomplete = true;
  for (const [index, step] of steps.entries()) {
    const bit = 1 << index;
    if ((at & bit) === 0) continue;
    if (step.kind === 'deep') {
      everyElement |= bit;
      lost &= ~bit;
    } else if (step.kind === 'any') everyElement |= bit << 1;
    else if (INDEX.test(step.name) || step.kind === 'token') {
      if (!visitIndex(walk, node, { step: index, depth })) lost |= bit;
    } else everyElement |= bit;
  }
  markIncomplete(walk, lost);
  if (everyElement === 0) return;
  for (const element of node) visit(walk, element, { at: everyElement, depth: depth + 1, kind });
}

/** A number names the element; in a plain path it may also be a name inside the elements, as any other name is. */
function visitIndex(walk: Walk, node: readonly JsonValue[], { step: index, depth }: { step: number; depth: number }): boolean {
  const step = walk.steps[index];
  if (step === undefined || step.kind === 'any' || step.kind === 'deep') return false;
  let found = false;
  const position = { at: 1 << (index + 1), depth: depth + 1, kind: 'place' as const };
  const element = INDEX.test(step.name) ? node[Number(step.name)] : undefined;
  if (element !== undefined) {
    found = true;
    visit(walk, element, position);
  }
  if (step.kind === 'token') return found;
  for (const other of node) {
    const child = isJsonObject(other) ? ownValue(other, step.name) : undefined;
    if (child === undefined) continue;
    found = true;
    visit(walk, child, { ...position, depth: depth + 2 });
  }
  return found;
}

function ownValue(node: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(node, name) ? node[name] : undefined;
}

/** Adds the step behind each `**` that is active: it may stand for no segment at all. */
function throughDeep(at: number, steps: readonly ArgStep[]): number {
  let all = at;
  for (let index = 0; index < steps.length; index += 1) {
    if ((all & (1 << index)) !== 0 && steps[index]?.kind === 'deep') all |= 1 << (index + 1);
  }
  return all;
}

function markIncomplete(walk: Walk, pending: number): void {
  if (pending === 0 || walk.incomplete) return;
  for (const [index, step] of walk.steps.entries()) {
    if ((pending & (1 << index)) === 0 || step.kind === 'deep' || walk.steps[index - 1]?.kind === 'deep') continue;
    walk.incomplete = true;
    return;
  }
}

/**
 * Tells whether a server may take this key for that name, although it is another. Go, C# and others compare names without their case and C
 * cuts them at a NUL. Such a key is looked at too; that the name itself is there, it does not prove.
 */
export function isVariant(key: string, name: string): boolean {
  if (key === name || (key.length !== name.length && !key.includes('\0'))) return false;
  return foldName(key) === foldName(name);
}

/** Letter case folded as in Go and Java, which know more than one spelling of `i`, `k` and `s`; cut at the first NUL. */
function foldName(name: string): string {
  const nul = name.indexOf('\0');
  const text = nul === -1 ? name : name.slice(0, nul);
  return text.replaceAll('\u0130', 'i').toUpperCase().toLowerCase();
}
