import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addMeta, addParams, findMember, replaceSpan } from '../../../src/protocol/eras/splice.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';
import type { Message } from '../../../src/protocol/message.ts';

const scanner = new JsonScanner();

/** Keys that no reader takes for another one, or for the one that is added. */
const key = fc.string({ maxLength: 6 }).filter((text) => !['_meta', 'added', '__proto__'].includes(text) && !text.includes('\0'));
/** Values as JSON has them: -0 becomes 0. */
const object = fc
  .dictionary(key, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
  .map((value) => JSON.parse(JSON.stringify(value)) as object);
const params = fc.option(
  fc.tuple(object, fc.option(object)).map(([rest, meta]) => (meta === null ? rest : { ...rest, _meta: meta })),
  {
    nil: undefined,
  },
);

function request(given: object | undefined, indent: string): Message {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'm', ...(given && { params: given }) }, undefined, indent);
  const line = Buffer.from(text.replaceAll('\n', ' '));
  return { ...readMessage(scanner, line, 0, line.length) };
}

const parse = (bytes: Buffer): unknown => JSON.parse(bytes.toString());

it('adds members, and leaves everything else', () => {
  fc.assert(
    fc.property(params, fc.constantFrom('', '\t'), (given, indent) => {
      const rest: { readonly _meta?: object } = given ?? {};
      const { _meta: meta } = rest;
      const message = request(given, indent);
      const whole = parse(message.bytes) as object;
      expect(parse(addParams(scanner, message, '"added":1.5'))).toEqual({ ...whole, params: { ...rest, added: 1.5 } });
      expect(parse(addMeta(scanner, message, '"added":[]'))).toEqual({
        ...whole,
        params: { ...rest, _meta: { ...meta, added: [] } },
      });
    }),
  );
});

it('finds a member, and replaces it', () => {
  fc.assert(
    fc.property(object, fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('', ' '), (rest, value, indent) => {
      const { bytes, params: span } = request({ ...rest, added: value }, indent);
      if (span === undefined) throw new Error('it has params');
      expect(findMember(scanner, bytes, span, '_meta')).toBeUndefined();
      const found = findMember(scanner, bytes, span, 'added');
      if (found === undefined) throw new Error('it was not found');
      expect(parse(bytes.subarray(found.start, found.end))).toEqual(parse(Buffer.from(JSON.stringify(value))));
      expect(parse(replaceSpan(bytes, found, '7'))).toMatchObject({ params: { ...rest, added: 7 } });
    }),
  );
});
