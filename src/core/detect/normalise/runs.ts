/** Characters of ASCII that a table tells of. */
const ASCII = 128;

/**
 * Finds runs of characters of one kind, so many at least, in a fraction of the time of a pattern: where no such run can be, it leaps.
 * In prose, it looks at one character of `least`.
 */
export class Runs {
  readonly #isMember: Uint8Array;
  readonly #member: RegExp;
  readonly #least: number;

  /**
   * @param member one character of the kind, which is one UTF-16 unit; not global
   * @param least how many of them a run has, 1 and more
   */
  constructor(member: RegExp, least: number) {
    this.#isMember = Uint8Array.from({ length: ASCII }, (_, unit) => (member.test(String.fromCharCode(unit)) ? 1 : 0));
    this.#member = member;
    this.#least = least;
  }

  /**
   * Where the first run begins that does so at `from` or later; the one that `from` lies in the middle of does not. Takes time linear in what
   * it goes past.
   *
   * @returns -1 where there is none
   */
  next(text: string, from: number): number {
    const { length } = text;
    const least = this.#least;
    // No run begins before this.
    let first = from;
    if (first > 0 && this.#has(text, first - 1)) first = this.end(text, first);
    let at = first + least - 1;
    while (at < length) {
      if (!this.#has(text, at)) {
        first = at + 1;
        at += least;
        continue;
      }
      let start = at;
      while (start > first && this.#has(text, start - 1)) start--;
      let end = at + 1;
      while (end < start + least && end < length && this.#has(text, end)) end++;
      if (end - start >= least) return start;
      first = end + 1;
      at = end + least;
    }
    return -1;
  }

  /** Where a run ends that goes on at `at`. */
  end(text: string, at: number): number {
    let end = at;
    while (end < text.length && this.#has(text, end)) end++;
    return end;
  }

  #has(text: string, at: number): boolean {
    const unit = text.charCodeAt(at);
    return unit < ASCII ? this.#isMember[unit] === 1 : this.#member.test(text.charAt(at));
  }
}

/** What a pattern finds in a part of a text. */
export interface FoundInRun {
  readonly found: string;
  /** In the whole text. */
  readonly index: number;
}

/**
 * All that a pattern finds in a text, where each thing that it may find lies within one run.
 *
 * @param pattern global
 * @param around how many characters before and behind the run the pattern looks at besides
 */
export function findInRuns(
  text: string,
  runs: Runs,
  pattern: RegExp,
  { before, behind }: { readonly before: number; readonly behind: number },
): readonly FoundInRun[] {
  const all: FoundInRun[] = [];
  let end = 0;
  for (let start = runs.next(text, 0); start !== -1; start = runs.next(text, end)) {
    end = runs.end(text, start);
    const from = Math.max(0, start - before);
    for (const { 0: found, index } of text.slice(from, end + behind).matchAll(pattern)) all.push({ found, index: from + index });
  }
  return all;
}
