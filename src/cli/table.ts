import { cutToWidth, displayWidth, padToWidth } from './display-width.ts';
import { printable } from './printable.ts';

export interface Column<Row> {
  readonly title: string;
  /** What stands in it; whatever is not printable is replaced. */
  cell(row: Row): string;
  /** Columns it keeps when the table has to become narrower; without it, it is never cut. */
  readonly least?: number;
  /** Colours the cell, which is padded already. */
  paint?(cell: string, row: Row): string;
}

export interface TableOptions {
  /** Columns of the terminal; undefined: nothing is cut. */
  readonly width: number | undefined;
  readonly colour: boolean;
}

const GAP = 2;
/** More accents than that on one letter only paint over other lines. */
const MOST_MARKS = /(\p{M}{4})\p{M}+/gu;

/**
 * A table that is printed in parts: each part gives its lines, the first one the titles too. Columns are as wide as what was printed
 * so far; a later part may widen them.
 */
export class Table<Row> {
  readonly #columns: readonly Column<Row>[];
  readonly #options: TableOptions;
  readonly #natural: number[];
  #isBegun = false;

  constructor(columns: readonly Column<Row>[], options: TableOptions) {
    this.#columns = columns;
    this.#options = options;
    this.#natural = columns.map(({ title }) => title.length);
  }

  /** The lines of these rows, each with its line feed. */
  format(rows: readonly Row[]): string {
    const cells = rows.map((row) => this.#columns.map((column) => printable(column.cell(row)).replaceAll(MOST_MARKS, '$1')));
    for (const line of cells) {
      for (const [i, cell] of line.entries()) this.#natural[i] = Math.max(this.#natural[i] ?? 0, displayWidth(cell));
    }
    const widths = this.#fit();
    const lines: string[] = [];
    if (!this.#isBegun)
      lines.push(
        formatLine(
          this.#columns.map(({ title }) => title),
          widths,
        ),
      );
    this.#isBegun = true;
    for (const [i, row] of rows.entries()) {
      const paint = (cell: string, column: number): string => this.#columns[column]?.paint?.(cell, row) ?? cell;
      lines.push(formatLine(cells[i] ?? [], widths, this.#options.colour ? paint : undefined));
    }
    return lines.map((line) => `${line}\n`).join('');
  }

  /** Takes from the widest column first until all fit, or nothing more may be taken. */
  #fit(): number[] {
    const widths = [...this.#natural];
    const { width } = this.#options;
    if (width === undefined) return widths;
    const least = this.#columns.map(({ least: kept, title }, i) =>
      kept === undefined ? (widths[i] ?? 0) : Math.max(kept, title.length),
    );
    let excess = widths.reduce((sum, each) => sum + each, GAP * (widths.length - 1)) - width;
    while (excess > 0) {
      let widest = -1;
      for (const [i, each] of widths.entries()) {
        if (each > (least[i] ?? 0) && each > (widths[widest] ?? -1)) widest = i;
      }
      if (widest === -1) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
      excess -= 1;
    }
    return widths;
  }
}

function formatLine(
  cells: readonly string[],
  widths: readonly number[],
  paint?: (cell: string, column: number) => string,
): string {
  const last = cells.length - 1;
  return cells
    .map((cell, i) => {
      const width = widths[i] ?? 0;
      const cut = cutToWidth(cell, width);
      const padded = i === last ? cut : padToWidth(cut, width);
      return paint === undefined ? padded : paint(padded, i);
    })
    .join(' '.repeat(GAP))
    .trimEnd();
}
