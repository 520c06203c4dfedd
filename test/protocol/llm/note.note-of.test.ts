import { describe, expect, it } from 'vitest';
import { noteOf } from '../../../src/protocol/llm/note.ts';

describe('a note', () => {
  it('is what it is, and never empty', () => {
    expect(noteOf(' no ', { name: 'n' })).toBe(' no ');
    for (const none of [undefined, '', ' \n']) expect(noteOf(none, { name: 'n' })).toBe('[clawai] The call of "n" was left out.');
  });
});
