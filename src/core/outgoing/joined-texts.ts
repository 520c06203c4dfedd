import { redactedMark } from '../dlp/redact-text.ts';
import type { SecretSpan } from '../dlp/secret-forms.ts';
import type { ArgumentText, Step } from './argument-texts.ts';

/** All strings and names, one a line. */
export function joined(texts: readonly ArgumentText[]): string {
  return texts.map(({ text, of }) => (of === 'number' ? '' : text)).join('\n');
}

/** Stands for a secret that was found. */
const GAP = redactedMark('secret');

/** A text without its secrets; empty if all of it is one. */
export function masked(text: string, spans: readonly SecretSpan[] | undefined): string {
  if (spans === undefined) return '';
  let rest = '';
  let at = 0;
  for (const { start, end } of spans) {
    rest += text.slice(at, start) + GAP;
    at = end;
  }
  return rest + text.slice(at);
}

/** Longest word at an end of a text that may be a part of a split secret. */
const LONGEST_EDGE = 4096;

/** The words with which a text begins and ends: a split secret has no blanks. */
export function edgesOf(text: string): string {
  if (text.length <= LONGEST_EDGE && !/\s/.test(text)) return text;
  const head = text.slice(0, LONGEST_EDGE).search(/\s/);
  let tail = text.length;
  while (text.length - tail < LONGEST_EDGE && tail > 0 && !/\s/.test(text.charAt(tail - 1))) tail -= 1;
  const isWord = text.length - tail < LONGEST_EDGE;
  return `${head === -1 ? '' : text.slice(0, head)}\n${isWord ? text.slice(tail) : ''}`;
}

/** The argument in which a split secret begins. */
export function placeOf(values: readonly ArgumentText[], start: number): readonly Step[] {
  let at = 0;
  for (const { text, path } of values) {
    at += edgesOf(text).length;
    if (at > start) return path;
  }
  return [];
}
