import type { OwnNames } from './engine/read-clauses.ts';

/** Longer texts rarely occur twice. */
const MOST_CHARACTERS = 1024;
const MOST_TEXTS = 4096;

interface Field {
  readonly text: string;
  /** True if it is a name of something, and inspected as one. */
  readonly isName: boolean;
}

/** The names that a definition counts as its own. */
type Owner = Pick<OwnNames, 'own'>;

/**
 * Caches the clean texts of one server's definitions, so that a parameter text of many tools is inspected once. A text's meaning may depend
 * on its owner, so a text with a name of the definition's own is inspected again.
 */
export class CleanTexts {
  readonly #names = new Map<string, readonly string[]>();
  readonly #texts = new Map<string, readonly string[]>();

  /** Tells whether a text is known to be clean for this owner too. */
  has({ text, isName }: Field, owner: Owner): boolean {
    const readings = (isName ? this.#names : this.#texts).get(text);
    return readings !== undefined && !namesAny(readings, owner);
  }

  /**
   * Notes a text without any finding, even one that does not count.
   *
   * @param readings all its readings, in lower case
   */
  note({ text, isName }: Field, readings: readonly string[], owner: Owner): void {
    const known = isName ? this.#names : this.#texts;
    if (text.length > MOST_CHARACTERS || known.size >= MOST_TEXTS || namesAny(readings, owner)) return;
    known.set(text, readings);
  }
}

/** Tells whether one of the words may be a name of the owner's. Apostrophes are compared as straight ones. */
function namesAny(readings: readonly string[], { own }: Owner): boolean {
  for (const name of own)
    for (const reading of readings) if (reading.includes(name) || (name.includes("'") && reading.includes('\u2019'))) return true;
  return false;
}
