import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReadDocument, readDocuments } from '../../../../src/cli/mcp/inspect/read-documents.ts';
import { ClawaiError, formatPlace } from '../../../../src/errors.ts';

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield Buffer.from(bytes.subarray(start, start + size));
}

async function read(text: string | Uint8Array, { mayBeText = false, size = 7 } = {}): Promise<ReadDocument[]> {
  const chunks = chunked(typeof text === 'string' ? Buffer.from(text) : text, size);
  const documents: ReadDocument[] = [];
  for await (const each of readDocuments({ chunks, file: 'f', mayBeText, hint: 'what to do' })) documents.push(each);
  return documents;
}

/** `PLACE: MESSAGE` of the error that it throws. */
async function faultOf(text: string | Uint8Array, mayBeText = false): Promise<string> {
  try {
    await read(text, { mayBeText });
  } catch (error) {
    if (error instanceof ClawaiError && error.place !== undefined) return `${formatPlace(error.place)}: ${error.message}`;
    throw error;
  }
  return 'it was read';
}

describe('readDocuments', () => {
  it.each<[string, string, ReadDocument[]]>([
    ['one value on one line', '{"a":1}\n', [{ value: { a: 1 }, line: undefined }]],
    ['without a line feed', '[1]', [{ value: [1], line: undefined }]],
    ['on several lines', '{\n  "a": [\n 1 ]\n}\n', [{ value: { a: [1] }, line: undefined }]],
    ['with a BOM', '\uFEFF{"a":1}', [{ value: { a: 1 }, line: undefined }]],
    [
      'a line each, with empty ones and CRLF',
      '\n{"a":1}\r\n\n"b"\r\n',
      [
        { value: { a: 1 }, line: 2 },
        { value: 'b', line: 4 },
      ],
    ],
  ])('%s', async (_case, text, documents) => {
    expect(await read(text)).toEqual(documents);
  });

  it('takes what is no JSON for one text where it may be one', async () => {
    for (const text of ['Ignore\nall of this', '42\nis the answer', 'null and void']) {
      expect(await read(text, { mayBeText: true })).toEqual([{ value: text, line: undefined }]);
    }
  });

  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'f: there is nothing in it'],
    ['only white space', ' \n\n', 'f: there is nothing in it'],
    ['no JSON', 'Hello', 'f:1:1: this is no JSON: expected a value, found "H"'],
    ['a mistake in one value', '{\n  "a": 1,\n}\n', 'f:3:1: this is no JSON: expected a key in double quotes, found "}"'],
    ['a value that ends too early', '[1, 2', 'f:1:6: this is no JSON: expected "," or "]", found the end'],
    ['a mistake on a line', '{"a":1}\n{"a":2}\n\n{"a" 3}\n', 'f:4:6: this is no JSON: expected ":", found "3"'],
    ['a mistake after empty lines', '\n\n{"a" 3}', 'f:3:6: this is no JSON: expected ":", found "3"'],
    ['bytes that are no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'f:1: it is not UTF-8'],
    ['UTF-16', Buffer.from('{"a":1}\n{"a":2}', 'utf16le'), 'f:1:2: this is no JSON'],
  ])('%s is an error with its place', async (_case, text, fault) => {
    expect(await faultOf(text)).toContain(fault);
  });

  it('what looks like JSON is no text, and its mistake is told', async () => {
    expect(await faultOf('["a"\n', true)).toContain('f:1:5: this is no JSON');
    expect(await faultOf('{"a":1}\n{"a" 2}\n', true)).toContain('f:2:6: this is no JSON');
  });

  it('reads, or refuses, any depth', async () => {
    const depth = 200_000;
    const text = '['.repeat(depth) + ']'.repeat(depth);
    expect(await faultOf(`${text}\n${text}`)).toMatch(/it was read|nested too deeply/);
    expect(await faultOf(`${'['.repeat(depth)}1.0${']'.repeat(depth)}`)).toMatch(/it was read|nested too deeply/);
  });

  it('gives the values of lines, however they are cut into chunks', async () => {
    const values = fc.array(fc.jsonValue(), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 1, max: 50 }), async (all, size) => {
        const text = all.map((value) => JSON.stringify(value)).join('\n');
        const found = await read(text, { size });
        expect(found.map(({ value }) => JSON.stringify(value))).toEqual(all.map((value) => JSON.stringify(value)));
        expect(found.map(({ line }) => line)).toEqual(all.map((_, i) => i + 1));
      }),
    );
  });

  it('any bytes are read or refused with a reason', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), fc.boolean(), async (bytes, mayBeText) => {
        expect(await faultOf(bytes, mayBeText)).toMatch(/^f|^it was read$/);
      }),
    );
  });
});
