import fc from 'fast-check';

/** Text of JSON and of what is nearly JSON, with the spellings on which parsers differ. */

/** A string literal: plain mostly, or with one character spelt as an escape, broken, or with more behind it. */
export function literal(value: string): fc.Arbitrary<string> {
  const plain = fc.constant(JSON.stringify(value));
  const escaped = fc.nat({ max: Math.max(0, value.length - 1) }).map((at) => {
    const code = (value.codePointAt(at) ?? 0x61).toString(16).padStart(4, '0');
    return (
      JSON.stringify(value.slice(0, at)).slice(0, -1) + `\\u${code.slice(-4)}` + JSON.stringify(value.slice(at + 1)).slice(1)
    );
  });
  const variants = [
    value.toUpperCase(),
    value.charAt(0).toUpperCase() + value.slice(1),
    `${value}\0`,
    `${value}\0x`,
    `${value} `,
    value.replace('s', '\u017f'),
    value.replace('k', '\u212a'),
    value.replace('i', '\u0130'),
  ].map((text) => JSON.stringify(text));
  const broken = [
    `"${value}\\x"`,
    `"${value}\0"`,
    `"${value}\r"`,
    `'${value}'`,
    `"${value}\ud800"`,
    `"${value}\\ud800"`,
    `"\\udc00${value}"`,
  ];
  return fc.oneof(
    { weight: 24, arbitrary: plain },
    { weight: 2, arbitrary: escaped },
    { weight: 2, arbitrary: fc.constantFrom(...variants) },
    { weight: 1, arbitrary: fc.constantFrom(...broken) },
  );
}

const SPACES = fc.oneof(
  { weight: 12, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(' ', '\t', '\r', '/**/') },
);

export type Members = readonly (readonly [string, fc.Arbitrary<string>])[];

/** An object with these members, now and then in another order, twice, or under another spelling. */
export function object(members: Members): fc.Arbitrary<string> {
  const member = ([key, value]: Members[number]): fc.Arbitrary<string> =>
    fc.tuple(literal(key), SPACES, value, SPACES).map(([name, before, text, after]) => `${name}:${before}${text}${after}`);
  const all = fc.tuple(...members.map(member));
  const again = fc.oneof(
    { weight: 12, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.tuple(fc.oneof(...members.map(member))) },
  );
  const order = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 5 }) });
  return fc.tuple(all, again, order).map(([texts, more, turn]) => {
    const turned = [...texts.slice(turn), ...texts.slice(0, turn), ...more];
    return `{${turned.join(',')}}`;
  });
}

const JUNK = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\\u0000',
  '\r',
  '\ufeff',
  '0',
  'NaN',
  '//',
  '"id":1,',
  '"method":"tools/call",',
  '}{',
  '[[[[',
  '\u2028',
];

/** The same bytes, or with something put in, taken out, or cut off. */
export function damaged(source: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const damage = fc.record({
    at: fc.double({ min: 0, max: 0.999, noNaN: true }),
    kind: fc.nat({ max: 4 }),
    junk: fc.constantFrom(...JUNK),
  });
  const damages = fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(damage, { minLength: 1, maxLength: 3 }) },
  );
  return fc.tuple(source, damages).map(([clean, list]) => {
    let bytes: Buffer = Buffer.from(clean);
    for (const { at, kind, junk } of list) bytes = damageAt(bytes, Math.floor(at * bytes.length), { kind, junk });
    // What is one line has no line feed.
    return Buffer.from(bytes.filter((byte) => byte !== 0x0a));
  });
}

function damageAt(bytes: Buffer, at: number, { kind, junk }: { kind: number; junk: string }): Buffer {
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  if (kind === 0) return Buffer.concat([before, Buffer.from(junk), after]);
  if (kind === 1) return Buffer.concat([before, after.subarray(1)]);
  if (kind === 2) return Buffer.from(before);
  if (kind === 3) return Buffer.concat([before, Buffer.of(0xff), after]);
  return Buffer.concat([before, Buffer.from(junk), after.subarray(1)]);
}
