import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { parseJson } from '../../src/core/json.ts';
import { readValue } from '../../src/gate/messages/read-value.ts';
import { damaged } from './wire-text.ts';

/** Long JSON is read in another way than short JSON, and must come out the same. */

const STRING = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    '"\\ud83d\\ude00"',
    '"\\ud83d"',
    '"\\ude00\\ud83d"',
    '"\\u00e9é\\/\\b"',
    '"__proto__"',
    '"\\u0041"',
    '"😀\\n"',
    '"\\x"',
    '"\\u12g4"',
  ),
);
const LONG_STRING = fc.tuple(fc.array(STRING, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1000, max: 9000 })).map(
  ([parts, times]) =>
    `"${parts
      .map((part) => part.slice(1, -1))
      .join('')
      .repeat(times)
      .slice(0, 40_000)}"`,
);
const VALUE = fc.oneof(
  { weight: 3, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 2, arbitrary: STRING },
  { weight: 2, arbitrary: LONG_STRING },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '1.0',
      '-0',
      '9007199254740993',
      '1e999',
      '[[[]]]',
      '{"__proto__":1,"__proto__":{}}',
      ' [ 1 , 2 ] ',
    ),
  },
);

/** Too long for `readValue` to make a text of it. */
const FILLER = `"${'f'.repeat(300_000)}"`;

/** JSON texts that are read piece by piece, and some that are damaged. */
export const LONG_JSON: fc.Arbitrary<Buffer> = fc
  .tuple(
    damaged(
      fc.array(fc.tuple(STRING, VALUE), { maxLength: 4 }).map((all) => all.map(([key, value]) => `${key}:${value}`).join(',')),
    ),
    fc.boolean(),
  )
  .map(([members, isFirst]) => {
    const filler = Buffer.from(`"filler":${FILLER}`);
    const parts = isFirst ? [filler, Buffer.from(','), members] : [members, Buffer.from(','), filler];
    return Buffer.concat([Buffer.from('{'), ...(members.length === 0 ? [filler] : parts), Buffer.from('}')]);
  });

/** Compares what is read out of the bytes with what is read out of their text. Throws where they differ. */
export function checkLongJson(bytes: Buffer): void {
  const long = attempt(() => readValue(bytes, 0, bytes.length));
  const short = attempt(() => parseJson(bytes.toString()));
  // The scanner takes no carriage return for white space.
  if (long === undefined && (short === undefined || bytes.includes(0x0d))) return;
  if (long === undefined) throw new Error('a long text is refused that a short one would not be');
  if (short === undefined) throw new Error('a long text is taken that is no JSON');
  if (!isDeepStrictEqual(long.value, short.value)) throw new Error('a long text is read as something else');
}

function attempt<T>(read: () => T): { readonly value: T } | undefined {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
