import type { OwnNames } from './engine/read-clauses.ts';

/** Longer ones are rarely said twice. */
const MOST_CHARACTERS = 1024;
const MOST_TEXTS = 4096;

interface Field {
  readonly text: string;
  /** It is a name of something, and looked at as one. */
  readonly isName: boolean;
}

/** What a definition calls its own. */
type Owner = Pick<OwnNames, 'own'>;

/**
 * Texts in which nothing was found, in the definitions of one server: what many of its tools say of a parameter is looked at once. What a text says
 * may depend on whose it is, so that one with a name of the definition's own in it is looked at again.
 */
export class CleanTexts {
  readonly #names = new Map<string, readonly string[]>();
  readonly #texts = new Map<string, readonly string[]>();

  /** Would nothing be found in this one either? */
  has({ text, isName }: Field, owner: Owner): boolean {
    const readings = (isName ? this.#names : this.#texts).get(text);
    return readings !== undefined && !namesAny(readings, owner);
  }

  /**
   * Notes that there is nothing in a text, not even what does not count.
   *
   * @param readings all that it was read as, in lower case
   */
  note({ text, isName }: Field, readings: readonly string[], owner: Owner): void {
    const known = isName ? this.#names : this.#texts;
    if (text.length > MOST_CHARACTERS || known.size >= MOST_TEXTS || namesAny(readings, owner)) return;
    known.set(text, readings);
  }
}

/** May one of the words be a name of the owner's? Words are read with straight apostrophes. */
function namesAny(readings: readonly string[], { own }: Owner): boolean {
  for (const name of own)
    for (const reading of readings) if (reading.includes(name) || (name.includes("'") && reading.includes('\u2019'))) return true;
  return false;
}
