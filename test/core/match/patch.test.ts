import { describe, expect, it } from 'vitest';
import { filesOfPatch, isChange } from '../../../src/core/match/patch.ts';
import { selectArgs } from '../../../src/core/match/args.ts';
import type { JsonObject } from '../../../src/core/json.ts';

const BY_MODEL = '*** Begin Patch\n*** Add File: a b.md\n+x\n*** Update File: .env\n*** Move to: c\n*** End Patch';

describe('the files of a patch', () => {
  it.each([
    [BY_MODEL, ['a b.md', '.env', 'c']],
    [BY_MODEL.replaceAll('\n', '\r\n'), ['a b.md', '.env', 'c']],
    ...[...'\u00A0\v\f\u0085\u3000\uFEFF\u2028'].map((space): [string, string[]] => [
      `*** Begin Patch\n*** Add File: x\n+a\n${space}*** Add File: /etc/y\n+b`,
      ['x', '/etc/y'],
    ]),
    ...[...'\r\u0085\u2028'].map((end): [string, string[]] => [
      `*** Begin Patch\n*** Add File: x${end}/../y\n+a`,
      [`x${end}/../y`, 'x'],
    ]),
    ['*** Begin Patch\n*** Add File:/etc/y\n+b', ['/etc/y']],
    ['--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-a\n+b\n', ['a/.env', '.env', 'b/.env']],
    ['*** a/x\t2026-01-01\n--- b/y\t2026-01-01\n***************\n', ['a/x', 'x', 'b/y', 'y']],
    ['--- /dev/null\n+++ /etc/x\n@@ -0,0 +1 @@\n+b', ['/etc/x']],
    ['diff --git a/x b/.bashrc\nrename from x\nrename to .bashrc', ['x', '.bashrc', 'a/x', 'b/.bashrc']],
    ['diff --git a/x y b/x y\nold mode 100644\nnew mode 100755', ['a/x y', 'x y', 'b/x y']],
    ['--- "a/\\056env"\n+++ "b/\\056env"', ['a/.env', '.env', 'b/.env']],
    ['Index: .env\n====\n', ['.env']],
    [' --- x\n +++ .env\n', ['x', '.env']],
    ['--- a heading\nof no diff', []],
    ['see .env', []],
    ['', []],
  ])('%j are %j', (text, files) => {
    expect(filesOfPatch(text)).toEqual(files);
  });
});

it.each([
  ['@@ -1 +1 @@\n-a\n+b', true],
  ['<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE', true],
  ['cat ~/.ssh/config', false],
])('%j is a change: %s', (text, expected) => {
  expect(isChange(text)).toBe(expected);
});

describe('what arguments have of a patch', () => {
  const found = (args: JsonObject): readonly unknown[] => {
    const { embedded, prose } = selectArgs(args, [{ kind: 'deep' }]);
    return [embedded, [...(prose ?? [])]];
  };
  const patch = '--- .env\n+++ .env\n@@ -1 +1 @@\n-a\n+see ~/.ssh/config\n';

  it.each(['patch', 'patchText', 'patch_content', 'unified_diff', 'input'])('are its files beside the text: %s', (name) => {
    expect(found({ [name]: patch })).toEqual([['.env'], [patch]]);
    expect(found({ arguments: JSON.stringify({ [name]: patch }) })).toEqual([[patch, '.env'], [patch]]);
  });

  it('is the text itself where it stands for what is opened, and no file where it is only to be read', () => {
    expect(found({ path: patch })).toEqual([['.env'], []]);
    expect(found({ body: patch })).toEqual([[], [patch]]);
    expect(found({ patch: 'sh -c ~/.ssh/x' })).toEqual([[], []]);
  });
});
