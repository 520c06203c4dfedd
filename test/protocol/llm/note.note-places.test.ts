import { expect, it } from 'vitest';
import { noteBehind, textBefore } from '../../../src/protocol/llm/note.ts';

it.each(['', 'a', 'a\n\n', '\n\n', '\n'])('what was said before a note is there again without it: %j', (said) => {
  const text = said + noteBehind('note', said !== '');
  expect(textBefore(text.slice(0, -'note'.length))).toBe(said);
});
