import { isLabelled, labelOf, nameOfNext } from '../dlp/labels.ts';
import { ExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** Most characters of arguments that are read, and most levels. */
const MOST_READ = 1024 * 1024;
const MOST_DEPTH = 200;

/** One step to a value: a member's name, or an index. */
export type Step = string | number;

/** A text in arguments. */
export interface ArgumentText {
  readonly text: string;
  /** `value`: a string. `number`: as it was spelled. `key`: the name of a member, whose object `path` leads to. */
  readonly of: 'value' | 'number' | 'key';
  readonly path: readonly Step[];
  /** The name that tells about a value: that of the member, of the list, or of the label beside it; undefined for keys. */
  readonly name?: string | undefined;
}

/** The texts of arguments, in their order. */
export interface ArgumentTexts {
  readonly texts: readonly ArgumentText[];
  /** True if there were more than are read. */
  readonly isCut: boolean;
}

/** Collects the strings, the numbers and the names of members. */
export function argumentTexts(args: JsonObject): ArgumentTexts {
  const walk = new Walk();
  walk.visit(args, [], undefined);
  return walk;
}

class Walk implements ArgumentTexts {
  readonly texts: ArgumentText[] = [];
  isCut = false;
  #room = MOST_READ;

  visit(value: JsonValue, path: readonly Step[], name: string | undefined): void {
    if (typeof value === 'string') this.#add({ text: value, of: 'value', path, name });
    else if (typeof value === 'number') this.#add({ text: String(value), of: 'number', path, name });
    else if (value instanceof ExactNumber) this.#add({ text: value.source, of: 'number', path, name });
    else if (typeof value !== 'object' || value === null) return;
    else if (path.length >= MOST_DEPTH || this.isCut) this.isCut = true;
    else if (isJsonObject(value)) {
      const label = labelOf(value) ?? name;
      for (const [key, member] of Object.entries(value)) {
        this.#add({ text: key, of: 'key', path });
        this.visit(member, [...path, key], isLabelled(key) ? (label ?? key) : key);
      }
    } else {
      // A list has a name for its items, and a list in it has none.
      const own = typeof path.at(-1) === 'string' ? name : undefined;
      const list = value as readonly JsonValue[];
      for (const [index, item] of list.entries())
        this.visit(item, [...path, index], index === 0 ? own : nameOfNext(list[index - 1], list.length, own));
    }
  }

  #add(text: ArgumentText): void {
    // The beginning of what has no room is read, too: it may have what is only to be recorded.
    const read = text.text.slice(0, Math.max(0, this.#room));
    this.#room -= text.text.length + 1;
    this.isCut ||= read.length < text.text.length;
    if (read !== '') this.texts.push(read === text.text ? text : { ...text, text: read });
  }
}

/** Names that are repeated to people and models. */
const PLAIN_STEP = /^[\w$@-]{1,40}$/;

/** The place for people, such as `edits.0.path`. @param isSecret names that are not repeated */
export function describePath(path: readonly Step[], isSecret: (name: string) => boolean): string {
  return path
    .map((step) => (typeof step === 'number' ? String(step) : PLAIN_STEP.test(step) && !isSecret(step) ? step : '…'))
    .join('.');
}
