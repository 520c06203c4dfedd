import { describe, expect, it } from 'vitest';
import { wholeOf } from '../../../../src/protocol/llm/json-text.ts';
import { isOpaque, UNKNOWN } from '../../../../src/protocol/llm/texts/opaque-names.ts';
import { visitTexts } from '../../../../src/protocol/llm/texts/shape.ts';

const OPAQUE = [
  'id',
  'tool_use_id',
  'callId',
  'file_ids',
  'image_url',
  'fileUri',
  'thoughtSignature',
  'encrypted_content',
  'model',
];
const WORDS = [
  'text',
  'transcript',
  'reasoning_content',
  'document_title',
  'stop',
  'valid',
  'paid',
  'avoid',
  'curl',
  'annotation',
];

describe('isOpaque', () => {
  it.each(OPAQUE)('%s has no words', (name) => expect(isOpaque(name)).toBe(true));
  it.each(WORDS)('%s may have some', (name) => expect(isOpaque(name)).toBe(false));
});

function wordsIn(value: unknown): string[] {
  const text = JSON.stringify(value);
  const found: string[] = [];
  visitTexts(
    text,
    wholeOf(text),
    { all: UNKNOWN },
    { unit: () => false, place: ({ start, end, isKey }) => isKey === true || found.push(text.slice(start + 1, end - 1)) },
  );
  return found;
}

describe('members that a shape does not know', () => {
  it('have words, but for what is within an opaque one', () => {
    const value = {
      a: 'x1',
      id: 'o',
      b: ['x2', { c: 'x3', url: 'o', data: { d: ['o', { e: 'o' }] }, f: 'x4' }],
      g: { source: { id: 'o', h: 'x5' } },
    };
    expect(wordsIn(value)).toEqual(['x1', 'x2', 'x3', 'x4', 'x5']);
  });

  it('are visited once, however deep they are', () => {
    const deep = (levels: number): string => `{"a":${'{"b":'.repeat(levels)}"x"${'}'.repeat(levels)}}`;
    const text = deep(200_000);
    let count = 0;
    visitTexts(
      text,
      wholeOf(text),
      { all: UNKNOWN },
      { unit: () => false, place: ({ isKey }) => (count += isKey === true ? 0 : 1) },
    );
    expect(count).toBe(1);
  });
});
