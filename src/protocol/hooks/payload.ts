import { readArguments } from '../llm/calls.ts';
import type { ModelCall } from '../llm/dialect.ts';
import { isObject } from '../llm/json-object.ts';
import { membersOf, sourceOf, stringOf, type TextSpan, wholeOf } from '../llm/json-text.ts';

/** Arguments as JSON text, and why they can't be trusted, if so. */
export type HookArguments = Pick<ModelCall, 'problem'> & { readonly args: string };

/** A JSON object that a client hands its hook. Its values keep the text in which they were sent. */
export class Payload {
  readonly #text: string;
  readonly #members: ReadonlyMap<string, TextSpan>;

  private constructor(text: string, members: ReadonlyMap<string, TextSpan>) {
    this.#text = text;
    this.#members = members;
  }

  /** Reads an object; undefined if the text is none. Of a duplicate key, the last value counts. */
  static read(text: string): Payload | undefined {
    try {
      if (!isObject(JSON.parse(text))) return undefined;
    } catch {
      // The caller denies what is no JSON.
      return undefined;
    }
    const members = membersOf(text, wholeOf(text));
    return members === undefined ? undefined : new Payload(text, members);
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  /** The text of a member; undefined if it is no text. */
  string(name: string): string | undefined {
    return stringOf(this.#text, this.#members.get(name));
  }

  /** The object of a member, also if it is given as JSON in a text; undefined if it is none. */
  object(name: string): Payload | undefined {
    return Payload.read(this.string(name) ?? sourceOf(this.#text, this.#members.get(name)) ?? '');
  }

  /** The first text of a list. */
  first(name: string): string | undefined {
    const list: unknown = JSON.parse(sourceOf(this.#text, this.#members.get(name)) ?? 'null');
    const [first] = Array.isArray(list) ? list : [];
    return typeof first === 'string' ? first : undefined;
  }

  /** The arguments in a member: an object, or one as JSON in a text. Missing ones are none at all. */
  arguments(name: string): HookArguments {
    return readArguments(this.string(name) ?? sourceOf(this.#text, this.#members.get(name)) ?? '');
  }

  /** Arguments made of some of this object's members, by other names. @param names new names by the members' own */
  renamed(names: Readonly<Record<string, string>>): HookArguments {
    const parts = Object.entries(names).flatMap(([from, to]) => {
      const source = sourceOf(this.#text, this.#members.get(from));
      return source === undefined ? [] : [`${JSON.stringify(to)}:${source}`];
    });
    return readArguments(`{${parts.join(',')}}`);
  }
}
