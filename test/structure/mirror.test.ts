import { posix } from 'node:path';
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
  'train',
  'docs',
];

/** Runs in a browser: test/e2e/dashboard.test.ts is about all of it. */
const IN_BROWSER = 'src/page/browser/';

const sources = listFiles('src', '.ts').filter((file) => !file.startsWith(IN_BROWSER));
const sourceFolders = new Set(sources.map((file) => posix.dirname(file)));
const tests = listFiles('test', '.test.ts').filter((test) => !NOT_MIRRORED.includes(test.split('/')[1] ?? ''));

/** The folder of sources that a test is about. */
function sourceFolderOf(test: string): string {
  return posix.dirname(test).replace(/^test/, 'src');
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
  it.each([...new Set(tests.map(sourceFolderOf))])('%s, which tests are about, exists', (folder) => {
    expect(sourceFolders).toContain(folder);
  });

  const tested = new Set(tests.map(sourceFolderOf));
  const withCode = sources.filter((file) => hasCode(readSource(file)));
  it.each([...new Set(withCode.map((file) => posix.dirname(file)))])('%s has a test', (folder) => {
    expect(tested).toContain(folder);
  });
});

describe('the checks themselves', () => {
  it.each([
    ['test/core/patterns/glob.property.test.ts', 'src/core/patterns'],
    ['test/errors.test.ts', 'src'],
  ])('%s is about %s', (test, folder) => {
    expect(sourceFolderOf(test)).toBe(folder);
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
