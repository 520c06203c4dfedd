import { describe, expect, it } from 'vitest';
import { asNode, listFiles, parseSource, readSource, type SyntaxNode } from './source.ts';

/** Folders whose tests are about more than one source file. */
const NOT_MIRRORED = [
  'e2e',
  'conformance',
  'structure',
  'bench',
  'bin',
  'advisories',
  'policies',
  'transcripts',
  'fuzz',
  'score',
];

/** Layers in which every file with code has a test of its own. */
const FULLY_TESTED = ['core', 'protocol', 'gate'];

const sources = new Set(listFiles('src', '.ts'));
const tests = new Set(listFiles('test', '.test.ts'));

/** The source file that a test is named after; the test may name one aspect: `glob.property.test.ts` is about `glob.ts`. */
function sourceOf(test: string): string {
  return test.replace(/^test\//, 'src/').replace(/(\.[a-z0-9-]+)?\.test\.ts$/, '.ts');
}

/** True where a file does something at run time: types, imports and re-exports alone do not. */
function hasCode(text: string): boolean {
  const statements = parseSource(text)['body'] as SyntaxNode[];
  return statements.some((statement) => {
    if (statement.type === 'ImportDeclaration' || statement.type === 'ExportAllDeclaration') return false;
    const declaration = statement.type === 'ExportNamedDeclaration' ? asNode(statement['declaration']) : statement;
    return declaration !== undefined && !['TSInterfaceDeclaration', 'TSTypeAliasDeclaration'].includes(declaration.type);
  });
}

describe('tests mirror the source', () => {
  it.each([...tests].filter((test) => !NOT_MIRRORED.includes(test.split('/')[1] ?? '')))(
    '%s is about an existing file',
    (test) => {
      expect(sources).toContain(sourceOf(test));
    },
  );

  const tested = new Set([...tests].map(sourceOf));
  it.each([...sources].filter((file) => FULLY_TESTED.includes(file.split('/')[1] ?? '') && hasCode(readSource(file))))(
    '%s has a test',
    (file) => {
      expect(tested).toContain(file);
    },
  );
});

describe('the checks themselves', () => {
  it.each([
    ['test/core/policy/glob.test.ts', 'src/core/policy/glob.ts'],
    ['test/core/policy/glob.property.test.ts', 'src/core/policy/glob.ts'],
    ['test/errors.test.ts', 'src/errors.ts'],
  ])('%s is about %s', (test, source) => {
    expect(sourceOf(test)).toBe(source);
  });

  it.each([
    ['export const a = 1;', true],
    ['function a() {}', true],
    ["import './x.ts'; a();", true],
    ['export interface A { b: string }', false],
    ["import type { B } from './b.ts'; type A = B; export type { A };", false],
    ["export * from './b.ts'; export { c } from './c.ts';", false],
  ])('code: %s', (text, expected) => {
    expect(hasCode(text)).toBe(expected);
  });
});
