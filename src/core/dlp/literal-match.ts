import type { Regex } from '../patterns/regex.ts';

/** Fewest letters of a match of which a pattern asks for just these. */
const LEAST_LETTERS = 2;

/**
 * Tells whether a pattern asks for the very letters of a text that it matches, as `EMP-[0-9]{6}` does and `[A-Z]{3}-[0-9]{6}` does not: then
 * chance hardly makes a match. It is tried with other letters in their places.
 */
export function isLiteralMatch(regex: Regex, match: string): boolean {
  const letters = match.match(/[A-Za-z]/g) ?? [];
  if (letters.length < LEAST_LETTERS) return false;
  const turned = [...letters.slice(1), ...letters.slice(0, 1)];
  let at = 0;
  const others = [match.replaceAll(/[A-Za-z]/g, nextLetter), match.replaceAll(/[A-Za-z]/g, () => turned[at++] ?? '')];
  return others.every((other) => other === match || !matchesWhole(regex, other));
}

function nextLetter(letter: string): string {
  return /z/i.test(letter) ? String.fromCharCode(letter.charCodeAt(0) - 25) : String.fromCharCode(letter.charCodeAt(0) + 1);
}

function matchesWhole(regex: Regex, text: string): boolean {
  for (const { start, end } of regex.places(text)) return start === 0 && end === text.length;
  return false;
}
