import { describe, expect, it } from 'vitest';
import { type UrlSink, UrlWalk } from '../../../src/core/paths/url-walk.ts';

/** Everything the sink is told, in one line. */
function walk(text: string, size = 1000): string {
  let told = '';
  const sink: UrlSink = {
    segment: (part) => void (told += part),
    endSegment: () => void (told += '|'),
    endPath: () => void (told += '$'),
    query: (part) => void (told += part),
    fragment: (part) => void (told += part),
  };
  const url = new UrlWalk(sink, text.trimEnd().length);
  for (let at = 0; at < text.length; at += size) url.push(text.slice(at, at + size));
  url.end();
  return `${url.origin} ${told}`;
}

describe('UrlWalk', () => {
  it.each([
    ['HTTP:\\\\Host:80/a\\b?c/d?e#f#g', 'http://Host:80 a|b|$?c/d?e#f#g'],
    [' \nhttp:h', 'http://h |$'],
    ['http:////u@h?q', 'http://u@h |$?q'],
    ['file:/a', 'file:// a|$'],
    ['file://c|/a', 'file:// c||a|$'],
    ['file:', 'file:// |$'],
    ['http://h/a\nb \n', 'http://h ab|$'],
  ])('%j is %j', (text, told) => {
    expect(walk(text)).toBe(told);
    expect(walk(text, 1)).toBe(told);
  });
});
