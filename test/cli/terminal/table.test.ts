import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/cli/terminal/text.ts';
import { type Column, Table } from '../../../src/cli/terminal/table.ts';

type Row = readonly [string, string, string];

const COLUMNS: readonly Column<Row>[] = [
  { title: 'FIXED', cell: ([cell]) => cell },
  { title: 'NAME', least: 6, cell: ([, cell]) => cell, paint: (cell) => `<${cell}>` },
  { title: 'WHY', least: 3, cell: ([, , cell]) => cell },
];

function table(width = Infinity, colour = false): Table<Row> {
  return new Table(COLUMNS, { width, colour });
}

describe('a table', () => {
  it('is aligned, and as wide as what stands in it', () => {
    expect(
      table().format([
        ['1', 'long name', 'x'],
        ['12', '日本', 'y'],
      ]),
    ).toBe(['FIXED  NAME       WHY', '1      long name  x', '12     日本       y', ''].join('\n'));
  });

  it('is cut where the terminal is narrower, at the widest column first', () => {
    const [titles, line] = table(24)
      .format([['1', 'a very long name', 'because']])
      .split('\n');
    expect([titles, line]).toEqual(['FIXED  NAME      WHY', '1      a very …  because']);
  });

  it('keeps what may not be cut', () => {
    expect(table(21).format([['12345678901234567890123', 'abcdefgh', 'because']])).toBe(
      ['FIXED', '  NAME      WHY', '12345678901234567890123', '  abcdefgh  because', ''].join('\n'),
    );
  });

  it('has several lines for a row where the terminal is too narrow for all columns, and none for what is empty', () => {
    expect(
      table(16, true).format([
        ['1', 'abcdefghijkl', 'because'],
        ['2', 'b', ''],
      ]),
    ).toBe(['FIXED  NAME', '  WHY', '1      <abcdefgh…>', '  because', '2      <b>', ''].join('\n'));
  });

  it('has its titles once, and grows with its later parts', () => {
    const parts = table();
    expect(parts.format([['1', 'a', 'b']])).toBe('FIXED  NAME  WHY\n1      a     b\n');
    expect(parts.format([['1', 'abcdefg', 'b']])).toBe('1      abcdefg  b\n');
    expect(parts.format([['1', 'a', 'b']])).toBe('1      a        b\n');
  });

  it('is coloured only when told to, behind the alignment', () => {
    expect(table(undefined, true).format([['1', 'a', 'b']])).toBe('FIXED  NAME  WHY\n1      <a   >  b\n');
  });

  it('shows nothing of a hostile name that steers the terminal, and piles no accents up', () => {
    const text = table().format([['\u001b[2J\r\n', 'a\u202eb', `e${'\u0301'.repeat(500)}`]]);
    expect(text).toBe(`FIXED   NAME  WHY\n\uFFFD[2J\uFFFD\uFFFD  a\uFFFDb   e${'\u0301'.repeat(4)}\n`);
  });

  it('never is wider than the terminal where each column fits by itself', () => {
    const cells = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constant('12345'), cells, cells), { maxLength: 5 }),
        fc.integer({ min: 10, max: 60 }),
        (rows, width) => {
          for (const line of table(width).format(rows).split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
