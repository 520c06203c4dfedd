import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { isLabelled, labelOf, nameOfNext } from './labels.ts';
import type { SecretFinder } from './find-secrets.ts';
import { redactedMark, redactText } from './redact-text.ts';
import { secretNameKind } from './secret-name.ts';

/** Most members of an object or list that are stored. */
export const MOST_MEMBERS = 256;

/** Bounds of a value that is stored, and of the text that is read for it: a long secret takes few characters. Texts in UTF-16 units. */
const MOST = {
  json: 32_768,
  read: 131_072,
  string: 2048,
  name: 256,
  number: 256,
  members: MOST_MEMBERS,
  depth: 16,
  values: 2000,
} as const;

/** Bounds that callers may set. */
export type RedactBounds = Readonly<Record<'json' | 'read' | 'string', number>>;

/** The reason why something was not stored in full; the rest was not searched for secrets. */
export type CutReason = 'too_long' | 'too_many_members' | 'too_many_values' | 'too_deep' | 'too_large';

export interface RedactedJson {
  /** JSON text. */
  readonly json: string;
  /** Each reason once. */
  readonly cuts: ReadonlySet<CutReason>;
}

/**
 * Redacts the secrets of a value and writes it as bounded JSON text: values under names that tell of secrets, and anything that looks like
 * a secret in strings and names, become `[redacted:KIND]`; content beyond the bounds is replaced by a note (`…(N more)`). Numbers keep
 * their spelling. Takes time in proportion to the result, not to the input, apart from listing an object's names.
 *
 * @param finder of a policy, for more kinds of secrets
 */
export function redactJson(value: JsonValue, bounds: RedactBounds = MOST, finder?: SecretFinder): RedactedJson {
  const writer = new Writer(bounds, finder);
  writer.write(value, 0);
  return { json: writer.json, cuts: writer.cuts };
}

class Writer {
  json = '';
  readonly cuts = new Set<CutReason>();
  readonly #bounds: RedactBounds;
  readonly #finder: SecretFinder | undefined;
  #values = 0;
  #read = 0;

  constructor(bounds: RedactBounds, finder: SecretFinder | undefined) {
    this.#bounds = bounds;
    this.#finder = finder;
  }

  write(value: JsonValue, depth: number): void {
    this.#values += 1;
    if (typeof value === 'string') this.#put(this.#text(value, this.#bounds.string));
    else if (typeof value === 'number') this.#put(this.#number(String(value)));
    else if (typeof value !== 'object' || value === null) this.#put(value === null ? 'null' : String(value));
    else if (value instanceof ExactNumber) this.#put(this.#number(value.source));
    else if (depth >= MOST.depth) this.#put(this.#cut('too_deep', '…'));
    else if (isJsonObject(value)) this.#object(value, depth + 1);
    else this.#list(value as readonly JsonValue[], depth + 1);
  }

  #list(list: readonly JsonValue[], depth: number): void {
    this.json += '[';
    for (let index = 0; index < list.length; index += 1) {
      if (index > 0) this.json += ',';
      const full = this.#whyFull(index);
      if (full !== undefined) {
        this.json += this.#cut(full, `…(${list.length - index} more)`);
        break;
      }
      const item = list[index] ?? null;
      const kind = index === 0 ? undefined : kindOf(nameOfNext(list[index - 1], list.length));
      if (kind === undefined) this.write(item, depth);
      else this.#secret(item, kind, depth);
    }
    this.json += ']';
  }

  #object(object: JsonObject, depth: number): void {
    const names = Object.keys(object);
    const labelled = kindOf(labelOf(object));
    const changed = new Set<string>();
    this.json += '{';
    for (const [index, name] of names.entries()) {
      if (index > 0) this.json += ',';
      const full = this.#whyFull(index);
      if (full !== undefined) {
        this.json += `${this.#cut(full, unusedName('…', object, changed))}:"${names.length - index} more"`;
        break;
      }
      this.json += `${this.#name(name, object, changed)}:`;
      const kind = (labelled !== undefined && isLabelled(name) ? labelled : secretNameKind(name)) ?? typedKind(object, name);
      const value = object[name] ?? null;
      if (kind === undefined || isCount(name, value)) this.write(value, depth);
      else this.#secret(value, kind, depth);
    }
    this.json += '}';
  }

  /** Redacts a value completely, unless it can't be a secret. */
  #secret(value: JsonValue, kind: string, depth: number): void {
    if (value === null || value === '' || typeof value === 'boolean') this.write(value, depth);
    else {
      this.#values += 1;
      this.#put(JSON.stringify(redactedMark(kind)));
    }
  }

  #name(name: string, object: JsonObject, changed: Set<string>): string {
    const text = this.#redacted(name, MOST.name);
    return JSON.stringify(text === name ? name : unusedName(text, object, changed));
  }

  #text(text: string, most: number): string {
    return JSON.stringify(this.#redacted(text, most));
  }

  #redacted(text: string, most: number): string {
    const redacted = redactText(text, most, this.#finder);
    this.#read += redacted.read;
    if (redacted.isCut) this.cuts.add('too_long');
    return redacted.text;
  }

  #number(source: string): string {
    const isSecret = this.#finder !== undefined && this.#finder.find(source).length > 0;
    return source.length <= MOST.number && !isSecret ? source : this.#text(source, MOST.number);
  }

  #cut(reason: CutReason, mark: string): string {
    this.cuts.add(reason);
    return JSON.stringify(mark);
  }

  /** Writes a single value, or its replacement if it would be too much. */
  #put(json: string): void {
    const isTooMuch = this.json.length + json.length > this.#bounds.json;
    this.json += isTooMuch ? this.#cut('too_large', '…') : json;
  }

  #whyFull(index: number): CutReason | undefined {
    if (index >= MOST.members) return 'too_many_members';
    if (this.#values >= MOST.values) return 'too_many_values';
    return this.json.length > this.#bounds.json - 256 || this.#read > this.#bounds.read ? 'too_large' : undefined;
  }
}

/** Makes a replaced name unique, since readers only see one of two members with the same name. */
function unusedName(text: string, object: JsonObject, used: Set<string>): string {
  let name = text;
  for (let count = 2; used.has(name) || Object.hasOwn(object, name); count += 1) name = `${text} (${count})`;
  used.add(name);
  return name;
}

/** Tells whether a value is a number of tokens for a language model, which is no secret. */
function isCount(name: string, value: JsonValue): boolean {
  return typeof value === 'number' && /tokens$/i.test(name);
}

/** The kind of `{"type": "api_key", "key": …}`, as an LLM provider gets access to data (Azure OpenAI, `data_sources`). */
function typedKind(object: JsonObject, name: string): string | undefined {
  const type = name === 'key' && Object.hasOwn(object, 'type') ? object['type'] : undefined;
  return typeof type === 'string' && type.length <= MOST.name ? secretNameKind(type) : undefined;
}

function kindOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : secretNameKind(name);
}
