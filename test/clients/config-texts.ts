import fc from 'fast-check';
import type { JsonSyntax, Location, StdioShape } from '../../src/clients/client.ts';

/** A JSON value with the order of its keys, and any key. */
export type Json = string | number | boolean | null | readonly Json[] | Members;

export interface Members {
  readonly members: readonly (readonly [string, Json])[];
}

function object(...members: readonly (readonly [string, Json | undefined])[]): Members {
  return { members: members.filter((member): member is readonly [string, Json] => member[1] !== undefined) };
}

const word = fc.oneof(
  fc.constantFrom(
    'npx',
    '-y',
    '@scope/server',
    '${input:key}',
    '{env:HOME}',
    'C:\\Program Files\\node.exe',
    '',
    'a b',
    '"',
    "'",
    '// no comment',
    '/*',
    ',',
    '\t',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const key = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'github', 'my server', '*', 'a/b', '~', 'toString', 'command', 'args'),
  word,
);
const scalar: fc.Arbitrary<Json> = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null));
const anyValue: fc.Arbitrary<Json> = fc.oneof(
  { depthSize: 'small' },
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  membersOf(scalar),
);
const OTHER_KEYS = new Set(['cwd', 'timeout', 'alwaysAllow', 'x-note', 'headers']);

function membersOf(value: fc.Arbitrary<Json>, keys: fc.Arbitrary<string> = key, maxLength = 3): fc.Arbitrary<Members> {
  return fc.uniqueArray(fc.tuple(keys, value), { maxLength, selector: ([name]) => name }).map((members) => ({ members }));
}

const command = word.filter((text) => text !== '');
const args = fc.option(fc.array(word, { maxLength: 4 }), { nil: undefined });
const env = fc.option(membersOf(word), { nil: undefined });
const others = membersOf(anyValue, fc.constantFrom(...OTHER_KEYS));

/** A server that is started as a process, its keys in any order. */
function processEntry(shape: StdioShape, envKey: string): fc.Arbitrary<Members> {
  return fc.tuple(command, args, env, others, fc.boolean(), fc.nat()).map(([name, list, variables, rest, isNested, turn]) => {
    const plain = object(['command', name], ['args', list], [envKey, variables], ...rest.members);
    if (shape === 'argv')
      return rotated(object(['type', 'local'], ['command', [name, ...(list ?? [])]], [envKey, variables], ...rest.members), turn);
    if (shape === 'command-or-path' && isNested)
      return rotated(object(['command', object(['path', name], ['args', list])], ...rest.members), turn);
    if (shape === 'command-or-transport' && isNested) {
      return rotated(
        object(['transport', rotated(object(['type', 'stdio'], ['command', name], ['args', list]), turn)], ...rest.members),
        turn,
      );
    }
    return rotated(plain, turn);
  });
}

function rotated({ members }: Members, turn: number): Members {
  const at = members.length === 0 ? 0 : turn % members.length;
  return { members: [...members.slice(at), ...members.slice(0, at)] };
}

/** A config of a location: its tables among other things, with servers that can be wrapped and some that cannot. */
export function configOf({ tables, shape }: Pick<Location, 'tables' | 'shape'>): fc.Arbitrary<Members> {
  const remote = fc
    .tuple(fc.constantFrom('url', ...shape.urls), others)
    .map(([name, rest]) => object([name, 'https://a.example/mcp'], ...rest.members));
  const entry = fc.oneof({ weight: 5, arbitrary: processEntry(shape.stdio, shape.env) }, remote, anyValue);
  const [table = []] = tables;
  return table
    .toReversed()
    .reduce<fc.Arbitrary<Json>>(
      (inner, name) =>
        name === '*'
          ? membersOf(inner)
          : fc
              .tuple(
                membersOf(
                  anyValue,
                  word.filter((text) => text !== name),
                  2,
                ),
                inner,
                fc.nat(),
              )
              .map(([rest, value, turn]) => rotated({ members: [[name, value], ...rest.members] }, turn)),
      membersOf(entry, key, 5),
    )
    .map((value) => value as Members);
}

/** Numbers from a list, over and over, so that a text's looks shrink like everything else. */
function createDice(numbers: readonly number[]): (sides: number) => number {
  let at = 0;
  return (sides) => (numbers[at++ % numbers.length] ?? 0) % sides;
}

/** A value written as people and programs do: every kind of white space, line end, comment and escape that the syntax allows. */
export function writeConfig(value: Json, syntax: JsonSyntax, looks: readonly number[]): string {
  const dice = createDice([...looks, 1]);
  const line = ['\n', '\r\n'][dice(2)] ?? '\n';
  const unit = ['  ', '\t', '    ', ''][dice(4)] ?? '';
  const colon = [': ', ':', ' : ', `:${line}`][dice(4)] ?? ': ';
  const comments = ['', '', ' /* , " */ ', ` // { "x": [${line}`, `${line}// note${line}`];
  const note = (): string => (syntax.comments ? (comments[dice(comments.length)] ?? '') : '');
  const text = (string: string): string => (dice(6) === 0 ? `"${[...string].map(escaped).join('')}"` : JSON.stringify(string));
  const wrap = (brackets: string, parts: readonly string[], depth: number): string => {
    const isLined = dice(2) === 0;
    const indent = isLined ? `${line}${unit.repeat(depth + 1)}` : (['', ' '][dice(2)] ?? '');
    const close = isLined ? `${line}${unit.repeat(depth)}` : '';
    const body = parts.map((part, index) => `${note()}${indent}${part}${note()}${index < parts.length - 1 ? ',' : ''}`).join('');
    const trailing = parts.length > 0 && syntax.trailingCommas && dice(3) === 0 ? ',' : '';
    return `${brackets[0]}${body}${trailing}${note()}${close}${brackets[1]}`;
  };
  const write = (json: Json, depth: number): string => {
    if (typeof json === 'string') return text(json);
    if (json === null || typeof json !== 'object') return JSON.stringify(json);
    if (!('members' in json))
      return wrap(
        '[]',
        json.map((item) => write(item, depth + 1)),
        depth,
      );
    return wrap(
      '{}',
      json.members.map(([name, inner]) => `${text(name)}${colon}${write(inner, depth + 1)}`),
      depth,
    );
  };
  const mark = dice(4) === 0 ? '\uFEFF' : '';
  return `${mark}${note()}${write(value, 0)}${note()}${['', line, `${line}${line} `][dice(3)] ?? ''}`;
}

/** A character as another program may write it. */
function escaped(character: string): string {
  if (character === '/') return '\\/';
  if (!/[a-m]/.test(character)) return JSON.stringify(character).slice(1, -1);
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
