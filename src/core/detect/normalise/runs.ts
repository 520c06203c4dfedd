/** ASCII characters, which a table covers. */
const ASCII = 128;

/**
 * Finds runs of at least so many characters of one kind, in a fraction of a pattern's time: it skips text where no such run can be. In
 * prose, it looks at one character of `least`.
 */
export class Runs {
  readonly #isMember: Uint8Array;
  readonly #member: RegExp;
  readonly #least: number;

  /**
   * @param member matches one character of the kind, which is one UTF-16 unit; not global
   * @param least minimum length of a run, 1 and more
   */
  constructor(member: RegExp, least: number) {
    this.#isMember = Uint8Array.from({ length: ASCII }, (_, unit) => (member.test(String.fromCharCode(unit)) ? 1 : 0));
    this.#member = member;
    this.#least = least;
  }

  /**
   * The beginning of the first run that begins at `from` or later; a run around `from` does not count. Takes time linear in the skipped
   * text.
   *
   * @returns -1 if there is none
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

  /** The end of a run that continues at `at`. */
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

/** A match in a part of a text. */
export interface FoundInRun {
  readonly found: string;
  /** Index in the whole text. */
  readonly index: number;
}

/**
 * All matches of a pattern, if each possible match lies within one run.
 *
 * @param pattern global
 * @param around number of characters before and behind the run that the pattern also looks at
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
