import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BytesTemplate, MOST_TEMPLATE, type TemplateValue, type ValueKind } from '../../../src/protocol/sse/bytes-template.ts';

/** A template of a text in which values stand between `<` and `>`, each behind the first letter of its kind, and the mark is a `|`. */
function templateOf(source: string): BytesTemplate {
  const kinds: Readonly<Record<string, ValueKind>> = { s: 'string', d: 'digits', p: 'printable' };
  const values: TemplateValue[] = [];
  let text = '';
  let mark = 0;
  for (const [part] of source.matchAll(/<.[^>]*>|\||[^<|]+/g)) {
    if (part === '|') mark = text.length;
    else if (!part.startsWith('<')) text += part;
    else {
      const value = part.slice(2, -1);
      values.push({ kind: kinds[part[1] ?? ''] ?? 'string', start: 1 + text.length, end: 1 + text.length + value.length });
      text += value;
    }
  }
  const template = new BytesTemplate();
  const bytes = Buffer.from(`x${text}x`);
  template.learn(bytes, { start: 1, end: bytes.length - 1, mark: mark + 1 }, values);
  bytes.fill(0);
  return template;
}

const KNOWN = 'id: <p7>\ndata: {|"n":<d1>,"t":<s"a">}\n\n';

it.each([
  ['id: 7\ndata: {"n":1,"t":"a"}\n\n', 13],
  ['id: s_8\ndata: {"n":0,"t":""}\n\n', 15],
  ['id: 7\ndata: {"n":1234567890123,"t":"\\"\\u00e9é\\\\"}\n\nmore', 13],
])('knows again what differs in its values alone, and finds its mark: %j', (source, mark) => {
  const template = templateOf(KNOWN);
  const bytes = Buffer.from(`12${source}`);
  const end = Buffer.byteLength(source.replace('more', ''));
  expect(template.match(bytes, 2, bytes.length)).toBe(2 + end);
  expect(template.mark).toBe(2 + mark);
  expect(template.match(bytes, 2, 1 + end)).toBe(-1);
  expect(template.match(bytes, 1, bytes.length)).toBe(-1);
});

it.each([
  'id: 7\ndata: {"n":01,"t":"a"}\n\n',
  'id: 7\ndata: {"n":1.5,"t":"a"}\n\n',
  'id: 7\ndata: {"n":-1,"t":"a"}\n\n',
  'id: 7\ndata: {"n":,"t":"a"}\n\n',
  'id: 7\ndata: {"n":1,"t":a}\n\n',
  'id: 7\ndata: {"n":1,"t":"a}\n\n',
  'id: 7\ndata: {"n":1,"t":"\\x"}\n\n',
  'id: 7\ndata: {"n":1,"t":"\\u12"}\n\n',
  'id: 7\ndata: {"n":1,"t":"\n"}\n\n',
  'id: 7\ndata: {"n":1,"t":"\u2028"}\n\n',
  'id: 7\ndata: {"n":1,"t":"a","u":1}\n\n',
  'id: 7\ndata: {"n":1,"u":"a"}\n\n',
  'id: \ndata: {"n":1,"t":"a"}\n\n',
  'id: é\ndata: {"n":1,"t":"a"}\n\n',
  'id: 7\r\ndata: {"n":1,"t":"a"}\n\n',
  'id: 7\ndata: {"n":1,"t":"a"}\n',
  '',
])('and nothing else: %j', (source) => {
  const bytes = Buffer.from(source);
  expect(templateOf(KNOWN).match(bytes, 0, bytes.length)).toBe(-1);
});

it('knows nothing before it has learned, nothing long, and nothing once it has forgotten', () => {
  const template = new BytesTemplate();
  expect(template.match(Buffer.from(''), 0, 0)).toBe(-1);
  const long = Buffer.alloc(MOST_TEMPLATE + 1, 0x61);
  template.learn(long, { start: 0, end: MOST_TEMPLATE }, []);
  expect(template.match(long, 0, long.length)).toBe(MOST_TEMPLATE);
  template.learn(long, { start: 0, end: MOST_TEMPLATE + 1 }, []);
  expect(template.match(long, 0, long.length)).toBe(-1);
  template.learn(long, { start: 0, end: 1 }, []);
  template.forget();
  expect(template.match(long, 0, long.length)).toBe(-1);
});

it('knows an object again whatever its strings say, and says where it ends', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 6 }), fc.nat(), (texts, count) => {
      const source = texts.map((text) => `${JSON.stringify(text)}`).join(',');
      const template = templateOf(`[${texts.map(() => '<s"">').join(',')},<d0>]`);
      const bytes = Buffer.from(`[${source},${count}]]`);
      const isDoubtful = /[\u0085\u2028\u2029\ufeff]/.test(source);
      expect(template.match(bytes, 0, bytes.length)).toBe(isDoubtful ? -1 : bytes.length - 1);
    }),
  );
});
