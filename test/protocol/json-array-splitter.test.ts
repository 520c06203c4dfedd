import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonArraySplitter } from '../../src/protocol/json-array-splitter.ts';
import { everySplit } from '../support/drive-model-stream.ts';

interface Split {
  /** Elements. */
  readonly data: string[];
  /** All visited bytes. */
  readonly bytes: string;
  readonly isWhole: boolean;
  readonly isMalformed: boolean;
}

function split(chunks: readonly Buffer[], maxFrame = 1 << 20): Split {
  const splitter = new JsonArraySplitter({ maxFrame });
  const data: string[] = [];
  let bytes = '';
  let isWhole = true;
  for (const chunk of chunks) {
    // A copy that is overwritten afterwards: nothing may be kept of it.
    const copy = Buffer.from(chunk);
    isWhole = splitter.push(copy, (event) => {
      expect(event).toMatchObject({ event: undefined, id: undefined, retry: undefined, isPlain: true });
      bytes += event.bytes.toString('latin1', event.start, event.end);
      if (event.data !== undefined) data.push(event.data.toString('utf8', event.dataStart, event.dataEnd));
    });
    copy.fill(0x21);
  }
  return { data, bytes: Buffer.from(bytes, 'latin1').toString(), isWhole, isMalformed: splitter.isMalformed };
}

describe('a JSON array of objects', () => {
  it.each<[string, readonly string[]]>([
    ['[]', []],
    [' [ \r\n ] ', []],
    ['[{}]', ['{}']],
    ['[{"a":"]}\\"é🏔\\\\"}\r\n,\r\n{"b":[{"c":[]}]}\r\n]\r\n', ['{"a":"]}\\"é🏔\\\\"}', '{"b":[{"c":[]}]}']],
    ['\t[\n{\n "a": {} },{"b":"\\\\"} , {"c":1}]', ['{\n "a": {} }', '{"b":"\\\\"}', '{"c":1}']],
  ])('%j is cut at every byte in the same way', (source, elements) => {
    for (const chunks of [[Buffer.from(source)], ...everySplit(source)]) {
      expect(split(chunks)).toEqual({ data: elements, bytes: source.trimEnd(), isWhole: true, isMalformed: false });
    }
  });

  it.each([
    '{}',
    'x',
    '"a"',
    '[1]',
    '["a"]',
    '[[]]',
    '[{}{}]',
    '[{},]',
    '[,{}]',
    '[{} x',
    '[{}]x',
    '[]{}',
    '[{}],',
    '\ufeff[]',
    'null',
  ])('%j is none, at every byte', (source) => {
    const whole = split([Buffer.from(source)]);
    expect(whole).toMatchObject({ isWhole: false, isMalformed: true });
    for (const chunks of everySplit(source)) expect(split(chunks)).toEqual(whole);
  });

  it('nothing is visited once it is over', () => {
    const splitter = new JsonArraySplitter({ maxFrame: 100 });
    expect(splitter.push(Buffer.from('x'), () => {})).toBe(false);
    expect(splitter.push(Buffer.from('[{}]'), () => expect.unreachable())).toBe(false);
  });

  it.each([
    ['an element', `[{"a":"${'x'.repeat(90)}"}]`, '['],
    ['white space', `[{}${' '.repeat(120)},{}]`, '[{}'],
    ['white space in front', `${' '.repeat(120)}[]`, ''],
  ])('%s that is too long ends it, however it comes', (_what, source, visited) => {
    for (const chunks of everySplit(source)) {
      expect(split(chunks, 60)).toMatchObject({ isWhole: false, isMalformed: false, bytes: visited });
    }
    expect(split([Buffer.from(source)], 60)).toMatchObject({ isWhole: false, isMalformed: false });
  });

  it('an element may be as long as is allowed', () => {
    const element = `{"a":"${'x'.repeat(92)}"}`;
    expect(split([Buffer.from(`[${element}]`)], 100)).toMatchObject({ data: [element], isWhole: true });
    expect(split(everySplit(`[${element}]`)[0] ?? [], 100)).toMatchObject({ data: [element], isWhole: true });
    expect(split([Buffer.from(`[${element}]`)], 99)).toMatchObject({ data: [], isWhole: false });
  });

  it('says which elements it joined: their memory is used again', () => {
    const splitter = new JsonArraySplitter({ maxFrame: 1000 });
    const seen: boolean[] = [];
    for (const text of ['[{"a":1}', ',{"b"', ':2}', ',{"c":3}]']) {
      splitter.push(Buffer.from(text), ({ isJoined, data }) => {
        if (data !== undefined) seen.push(isJoined);
      });
    }
    expect(seen).toEqual([false, true, false]);
  });

  it('has the elements that were put into it, whatever they are and however they come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 }),
        fc.constantFrom(0, 2),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        (elements, indent, lengths) => {
          const source = Buffer.from(JSON.stringify(elements, undefined, indent));
          const chunks: Buffer[] = [];
          for (let at = 0, turn = 0; at < source.length; turn++) {
            const length = lengths[turn % lengths.length] as number;
            chunks.push(source.subarray(at, at + length));
            at += length;
          }
          const { data, bytes, isWhole } = split(chunks);
          expect(data.map((one) => JSON.parse(one) as unknown)).toEqual(JSON.parse(source.toString()));
          expect(bytes).toBe(source.toString());
          expect(isWhole).toBe(true);
        },
      ),
    );
  });
});
