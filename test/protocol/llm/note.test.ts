import { expect, it } from 'vitest';
import { formatEnd, formatNote, MARK_LENGTH, MARKED_NOTE, whyOf } from '../../../src/protocol/llm/note.ts';

const MARK = 'aB-_'.repeat(MARK_LENGTH / 4);

it('a note begins with whose it is, and with a mark where its call can be told again', () => {
  expect(formatNote('No.')).toBe('[clawai] No.');
  expect(formatNote('No.', MARK)).toBe(`${MARKED_NOTE}${MARK}] No.`);
});

it.each([
  ['No.', 'No.'],
  [formatNote('No.'), 'No.'],
  [formatNote('No.', MARK), 'No.'],
  [formatNote(formatNote('No.'), MARK), '[clawai] No.'],
  [`so ${formatNote('No.')}`, 'so [clawai] No.'],
])('%j says %j', (note, why) => {
  expect(whyOf(note)).toBe(why);
});

it('an answer that ends says whose doing that is', () => {
  expect(formatEnd('an event that is too long')).toBe('clawai ended this answer: it has an event that is too long.');
});
