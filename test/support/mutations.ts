import * as fc from 'fast-check';

type Tree = string | number | bigint | boolean | null | readonly Tree[] | { readonly [key: string]: Tree };

/** What a value becomes that is of the wrong type, or out of the range of anything. */
const OTHERS: readonly Tree[] = [
  'x',
  '',
  ' ',
  'alert',
  'deny',
  '5s',
  '1 KiB',
  '/x',
  '~',
  'https://x.example/',
  'sha256:00',
  '*',
  0,
  1,
  7,
  -1,
  1.5,
  1_000_001,
  true,
  false,
  [],
  [[]],
  ['x'],
  ['x', 'x'],
  ['desktop'],
  [7],
  [{}],
  [true],
  {},
  { x: 1 },
  { equals: 'x' },
  { not: 'x' },
  { gt: 'x' },
  { gt: 1 },
  { exists: 'no' },
  { eq: 1 },
  { enabled: 7 },
  { '': 1 },
];

const NAMES = [
  'x',
  'acton',
  'equals',
  'gt',
  'eq',
  'not',
  '/a/b',
  '/a~',
  '**',
  'a*b',
  'tool',
  'prompt',
  'enabled',
  'steps',
  'at',
  'rpm',
];

/** A document out of some, with one to three things changed at any depth: keys dropped, renamed and added, values of other types. */
export function mutated(documents: readonly unknown[]): fc.Arbitrary<unknown> {
  const changes = fc.array(
    fc.record({
      where: fc.array(fc.nat(), { maxLength: 7 }),
      how: fc.constantFrom('drop', 'rename', 'add', 'retype', 'twist'),
      name: fc.constantFrom(...NAMES),
      value: fc.constantFrom(...OTHERS),
    }),
    { minLength: 1, maxLength: 3 },
  );
  return fc
    .tuple(fc.constantFrom(...documents), changes)
    .map(([document, each]) => each.reduce<Tree>((tree, change) => change1(tree, change, 0), document as Tree));
}

interface Change {
  readonly where: readonly number[];
  readonly how: string;
  readonly name: string;
  readonly value: Tree;
}

/** Goes down by the numbers in `where`, and makes the change where they end or there is nothing below. */
function change1(tree: Tree, change: Change, depth: number): Tree {
  const { where, how, name, value } = change;
  const turn = where[depth];
  if (Array.isArray(tree)) {
    const list = tree as readonly Tree[];
    if (turn === undefined || list.length === 0) return how === 'drop' ? [] : value;
    const at = turn % list.length;
    return list.map((item, index) => (index === at ? change1(item, change, depth + 1) : item));
  }
  if (typeof tree !== 'object' || tree === null) return how === 'twist' && typeof tree === 'string' ? `${tree}x` : value;
  const entries = Object.entries(tree);
  if (turn === undefined || entries.length === 0 || (how === 'add' && where.length === depth + 1)) {
    return how === 'retype' ? value : Object.fromEntries([...entries, [name, value]]);
  }
  const at = turn % entries.length;
  if (where.length === depth + 1 && how === 'drop') return Object.fromEntries(entries.filter((_, index) => index !== at));
  return Object.fromEntries(
    entries.map(([key, inner], index) => {
      if (index !== at) return [key, inner];
      if (where.length === depth + 1 && how === 'rename') return [name, inner];
      return [key, change1(inner, change, depth + 1)];
    }),
  );
}
