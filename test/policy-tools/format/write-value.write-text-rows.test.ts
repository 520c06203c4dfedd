import { expect, it } from 'vitest';
import { EMPTY_ROW, renderRows, type Row } from '../../../src/policy-tools/format/write-value.ts';

const row = (text: string, comment?: string): Row => ({ text, comment });

it.each<[string, readonly Row[], string]>([
  ['no rows', [], ''],
  ['plain ones', [row('a'), EMPTY_ROW, row('b')], 'a\n\nb\n'],
  ['comments in one column', [row('a', '#1'), row('bbb', '#2')], 'a    #1\nbbb  #2\n'],
  ['a column for each block', [row('aaa', '#1'), row('b'), row('c', '#2')], 'aaa  #1\nb\nc  #2\n'],
  ['no column for what has several lines', [row('aaa', '#1'), row('[\n]', '#2'), row('c', '#3')], 'aaa  #1\n[\n]  #2\nc  #3\n'],
])('%s', (_, rows, text) => {
  expect(renderRows(rows, '\n')).toBe(text);
  expect(renderRows(rows.slice(0, 1), '\r\n').endsWith('\r\n')).toBe(rows.length > 0);
});
