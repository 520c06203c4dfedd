import { isRedacted } from '../dlp/plausible-secret.ts';
import { isToken } from '../dlp/tokens.ts';
import { measureRandomness } from '../flow/values/randomness.ts';

/** Matches what stands for a secret and is none: a reference, a template, a sample. */
const PLACEHOLDER =
  /^(?:\$\{?[\w.]+\}?|\$\{\{.*\}\}|\{\{?.*\}\}?|<.*>|%\w+%|[*x•.…-]+|(?:env|op|vault|secret|ref|arn|keychain|ssm|file|process\.env)[:./].*|\[redacted:[\w -]{1,64}\]|null|none|undefined|true|false|string|default|optional)$/i;

/** Kinds whose values may be words, as people choose them. */
const CHOSEN: ReadonlySet<string> = new Set(['password']);
const SHORTEST_CHOSEN = 4;
const SHORTEST = 8;
const LONGEST = 16 * 1024;

/** Least bits of a character in a value that nobody made up. */
const RANDOM_BITS = 2.4;

/** Tells whether a value may be a secret, if its name says that it is one: words and references are not. */
export function looksSecret(value: string, kind: string): boolean {
  const text = value.trim();
  if (text.length > LONGEST || PLACEHOLDER.test(text)) return false;
  if (CHOSEN.has(kind)) return text.length >= SHORTEST_CHOSEN && !/\s\S+\s/.test(text);
  if (text.length < SHORTEST) return false;
  const [scheme, credentials] = text.split(/\s+/, 2);
  if (credentials === undefined) return isRandom(text);
  // `Bearer x`, `session=x; other=y`.
  return /^(?:bearer|basic|token|digest|apikey|bot|key)$/i.test(scheme ?? '') || kind === 'cookie' ? isRandom(text) : false;
}

/** Tells whether a text is as random as a key: words, names and numbers in order are not. */
export function isRandom(text: string): boolean {
  const sample = text.slice(0, 256);
  const bits = new Float32Array(sample.length);
  let sum = 0;
  let letters = 0;
  for (const { 0: token, index } of sample.matchAll(/[A-Za-z\d+/_-]+/g)) {
    measureRandomness(sample, { start: index, end: index + token.length }, bits);
    for (let at = 0; at < token.length; at += 1) sum += bits[at] ?? 0;
    letters += token.length;
  }
  return letters >= SHORTEST && sum / letters >= RANDOM_BITS;
}

/** True for a mark in place of a secret, and for a token: neither tells anything. */
export function standsForSecret(text: string): boolean {
  return isRedacted(text) || isToken(text);
}

/** True for a text with a number that has as many digits as cards have. */
export function mayHaveCard(text: string): boolean {
  return /(?<!\d)\d{14,19}(?!\d)/.test(text);
}

/** True for a text that has as many digits as cards have, with other signs between them or without. */
export function mayHaveDigitsOfCard(text: string): boolean {
  return /\d(?:\D{0,3}\d){13}/.test(text);
}
