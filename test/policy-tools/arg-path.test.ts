import { expect, it } from 'vitest';
import { argField, argPath } from '../../src/policy-tools/arg-path.ts';
import type { ArgStep } from '../../src/core/policy/types.ts';

const name = (text: string): ArgStep => ({ kind: 'name', name: text });

it.each<[string, readonly ArgStep[], readonly string[], string]>([
  ['a name', [name('path')], ['args', 'path'], 'args.path'],
  ['names below each other', [name('options'), name('out')], ['args', 'options', 'out'], 'args.options.out'],
  ['any and all', [{ kind: 'any' }, { kind: 'deep' }], ['args', '*', '**'], 'args."*"."**"'],
  [
    'a JSON Pointer',
    [
      { kind: 'token', name: 'a.b/c' },
      { kind: 'token', name: '~' },
    ],
    ['args', '/a.b~1c/~0'],
    'args."/a.b~1c/~0"',
  ],
  ['all arguments', [], ['args'], 'args'],
])('%s', (_case, steps, path, field) => {
  expect([argPath(steps), argField(steps)]).toEqual([path, field]);
});
