import type { OwnNames, ToolNames } from './engine/read-clauses.ts';

/** Longer ones are rarely said twice. */
const MOST_CHARACTERS = 1024;
const MOST_TEXTS = 4096;

interface Field {
  readonly text: string;
  /** It is a name of something, and looked at as one. */
  readonly isName: boolean;
}

/**
 * Texts in which nothing was found, in the definitions of one server: what many of its tools say of a parameter is looked at once. What a text says
 * may depend on whose it is, so that one with a name of the definition's own in it is looked at again.
 */
export class CleanTexts {
  /** By the text, the words of it that could have been names. */
  readonly #asked = new Map<string, ReadonlySet<string>>();

  /** Would nothing be found in this one either? */
  has(field: Field, names: OwnNames): boolean {
    const asked = this.#asked.get(keyOf(field));
    return asked !== undefined && names.own.isDisjointFrom(asked);
  }

  /**
   * @param look looks at the text with the names that it is given, and tells whether there is nothing in it, not even what does not count
   */
  note(field: Field, names: OwnNames, look: (names: ToolNames) => boolean): void {
    if (field.text.length > MOST_CHARACTERS || this.#asked.size >= MOST_TEXTS) {
      look(names);
      return;
    }
    const asked = new Set<string>();
    const isClean = look({
      get(word) {
        asked.add(word);
        return names.get(word);
      },
    });
    if (isClean && names.own.isDisjointFrom(asked)) this.#asked.set(keyOf(field), asked);
  }
}

function keyOf({ text, isName }: Field): string {
  return `${isName ? 'name' : 'text'} ${text}`;
}
