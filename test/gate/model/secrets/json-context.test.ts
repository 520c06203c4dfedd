import { describe, expect, it } from 'vitest';
import { escapedFor, JsonContext } from '../../../../src/gate/model/secrets/json-context.ts';

const VALUE = 'a"b\\c\nd';

function restored(text: string): string {
  const [before = '', after = ''] = text.split('TOKEN');
  const context = new JsonContext();
  for (const piece of before) context.push(piece);
  return before + escapedFor(VALUE, context.levels) + after;
}

describe('a value in JSON', () => {
  it.each<[unknown]>([
    [{ key: 'TOKEN' }],
    [['x', { a: 1, b: ['"', '\\', 'say TOKEN.'] }]],
    [{ text: JSON.stringify({ key: 'x\n', list: ['TOKEN'] }) }],
    [{ text: 'no "JSON": TOKEN' }],
  ])('leaves it JSON: %j', (value) => {
    const text = JSON.stringify(value, null, 1);
    const expected = JSON.stringify(
      value,
      (_, member: unknown) =>
        typeof member !== 'string'
          ? member
          : member.startsWith('{')
            ? member.replace('TOKEN', () => escapedFor(VALUE, 1))
            : member.replace('TOKEN', () => VALUE),
      1,
    );
    expect(restored(text)).toBe(expected);
    expect(restored(`Here:\n\`\`\`json\n${text}\n\`\`\`\n`)).toBe(`Here:\n\`\`\`json\n${expected}\n\`\`\`\n`);
    expect(restored(`{"first": "line"}\n${text}`)).toBe(`{"first": "line"}\n${expected}`);
  });

  it.each([
    'The key is "TOKEN".',
    '```sh\necho "TOKEN"\n```',
    '```json\n{"a": "b"}\n```\nand "TOKEN"',
    '[Note] it is "TOKEN"',
    '{"a": "b\nc TOKEN',
  ])('is as it is elsewhere: %j', (text) => {
    expect(restored(text)).toBe(text.replace('TOKEN', () => VALUE));
  });
});
