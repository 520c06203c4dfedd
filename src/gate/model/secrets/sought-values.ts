/** Most values that one search looks for. */
export const MOST_SOUGHT = 10_000;

/** Fewest characters of a value that is looked for without what tells that it is a secret. */
export const LEAST_SOUGHT = 6;

/** So few values are looked for one by one. */
const FEW = 32;

/** A value that stands in a text. */
export interface SoughtPlace {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly value: string;
}

/** Values to find wherever they stand. The search takes time linear in the text, however many they are. */
export class SoughtValues {
  readonly #others: SoughtValues | undefined;
  readonly #values = new Map<string, { readonly kind: string; readonly rank: number }>();
  /** The lengths of the values by their first characters. */
  readonly #lengths = new Map<string, number[]>();

  /** @param others found too */
  constructor(others?: SoughtValues) {
    this.#others = others;
  }

  get size(): number {
    return this.#values.size + (this.#others?.size ?? 0);
  }

  has(value: string): boolean {
    return this.#values.has(value) || this.#others?.has(value) === true;
  }

  /** @returns false if it is known, too short, or one too many */
  add(value: string, kind: string): boolean {
    if (value.length < LEAST_SOUGHT || this.#values.size >= MOST_SOUGHT || this.has(value)) return false;
    this.#values.set(value, { kind, rank: this.#values.size });
    const first = value.slice(0, LEAST_SOUGHT);
    const lengths = this.#lengths.get(first);
    if (lengths === undefined) this.#lengths.set(first, [value.length]);
    else if (!lengths.includes(value.length)) lengths.push(value.length);
    return true;
  }

  /** Finds the values in a text, older ones first. They may overlap. */
  places(text: string): readonly SoughtPlace[] {
    const others = this.#others?.places(text) ?? [];
    if (this.#values.size === 0) return others;
    const own = this.#values.size <= FEW ? this.#eachIn(text) : this.#allIn(text);
    return others.length === 0 ? own : [...others, ...own];
  }

  #eachIn(text: string): readonly SoughtPlace[] {
    const found: SoughtPlace[] = [];
    for (const [value, { kind }] of this.#values)
      for (let start = text.indexOf(value); start !== -1; start = text.indexOf(value, start + value.length))
        found.push({ start, end: start + value.length, kind, value });
    return found;
  }

  #allIn(text: string): readonly SoughtPlace[] {
    const found: (SoughtPlace & { readonly rank: number })[] = [];
    for (let start = 0; start <= text.length - LEAST_SOUGHT; start++) {
      for (const length of this.#lengths.get(text.slice(start, start + LEAST_SOUGHT)) ?? []) {
        const value = text.slice(start, start + length);
        const known = this.#values.get(value);
        if (known !== undefined) found.push({ start, end: start + length, value, ...known });
      }
    }
    return found.toSorted((a, b) => a.rank - b.rank);
  }
}
