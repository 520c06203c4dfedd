import { expect, it } from 'vitest';
import { isClearPage, ListReader, type ReadPage } from '../../../src/gate/definitions/list-pages.ts';

const TOOL = { kind: 'tool' } as const;
const bytes = (text: string): Buffer => Buffer.from(text);
const A = bytes('{"tools":[{"name":"a"}],"nextCursor":"2"}');

it('what is in a list, and the answer itself', () => {
  const page = new ListReader().read(TOOL, 'digest of a', A);
  expect(page?.listing.definitions.map(({ name }) => name)).toEqual(['a']);
  expect(page?.listing.nextCursor).toBe('2');
  expect(page?.result['nextCursor']).toBe('2');
});

it('the same list is read once, until it has gone on', () => {
  const lists = new ListReader();
  const first = lists.read(TOOL, 'digest of a', A);
  expect(lists.read(TOOL, 'digest of a', A)).toBe(first);
  lists.forget();
  expect(lists.read(TOOL, 'digest of a', A)).not.toBe(first);
});

it('another list, or the same bytes as a list of something else, is another one', () => {
  const lists = new ListReader();
  const names = (kind: 'tool' | 'prompt', digest: string, text: string): readonly string[] | undefined =>
    lists.read({ kind }, digest, bytes(text))?.listing.definitions.map(({ name }) => name);
  expect(names('tool', '1', '{"tools":[{"name":"a"}],"prompts":[{"name":"p"}]}')).toEqual(['a']);
  expect(names('prompt', '1', '{"tools":[{"name":"a"}],"prompts":[{"name":"p"}]}')).toEqual(['p']);
  expect(names('tool', '2', '{"tools":[{"name":"b"}]}')).toEqual(['b']);
});

it.each(['[1]', '{', '"tools"', ''])('%j is no answer', (text) => {
  const lists = new ListReader();
  expect(lists.read(TOOL, text, bytes(text))).toBeUndefined();
  expect(lists.read(TOOL, text, bytes(text))).toBeUndefined();
});

it.each<[text: string, keys: number, isClear: boolean]>([
  ['{"tools":[{"name":"a"}]}', 2, true],
  ['{"tools":[{"name":"a","name":"b"}]}', 3, false],
  ['{"tools":[{"name":"a"', 2, false],
])('%s with %i keys is clear: %s', (text, keys, isClear) => {
  const read = (): ReadPage | undefined => new ListReader().read(TOOL, text, bytes(text));
  expect(isClearPage({ size: text.length, read }, keys)).toBe(isClear);
});

it('what is too long to be read first is not', () => {
  const read = (): never => expect.fail('it was read');
  expect(isClearPage({ size: 3 * 1024 * 1024, read }, 2)).toBe(false);
});
