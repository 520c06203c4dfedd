import { hash } from 'node:crypto';

const NOT_WORD = /[^A-Za-z0-9_]/gu;
const NOT_WORD_OR_HYPHEN = /[^A-Za-z0-9_-]/g;

/** `_` for each code point that is none of `A-Za-z0-9_`, as programs in Rust count. */
export function toWord(text: string): string {
  return text.replace(NOT_WORD, '_');
}

/** `_` for each UTF-16 unit that is none of `A-Za-z0-9_-`, as programs in JavaScript count. */
export function toHyphenated(text: string): string {
  return text.replace(NOT_WORD_OR_HYPHEN, '_');
}

/** Itself: names that are used as they are. */
export function asIs(text: string): string {
  return text;
}

/** The first hex digits of a text's SHA-1. Names only, nothing is secured by it: it is what clients take. */
export function shortHash(text: string, digits: number): string {
  return hash('sha1', text).slice(0, digits);
}

/** A name that is longer than `most` as its beginning, `middle` and its end; others as they are. */
export function cutMiddle(
  name: string,
  most: number,
  { head, middle, tail }: { head: number; middle: string; tail: number },
): string {
  return name.length <= most ? name : name.slice(0, head) + middle + name.slice(-tail);
}

/** Names with white space between them. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
