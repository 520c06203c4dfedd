import type { Look } from './colour.ts';
import { cutToWidth, displayWidth, padToWidth, printable } from './text.ts';

export interface Column<Row> {
  readonly title: string;
  /** The text of the cell; unprintable characters are replaced. */
  cell(row: Row): string;
  /** Columns it keeps when the table has to become narrower; without it, it is never cut. */
  readonly least?: number;
  /** Colours the cell, which is padded already. */
  paint?(cell: string, row: Row): string;
}

const GAP = 2;
/** Spaces before what goes on in a further line of a row. */
const INDENT = 2;
/** More accents than that on one letter only paint over other lines. */
const MOST_MARKS = /(\p{M}{4})\p{M}+/gu;

/** A column as it is printed: which one, and how wide. */
interface Placed {
  readonly at: number;
  width: number;
}

/**
 * A table that is printed in parts: each part gives its lines, the first one the titles too. Columns are as wide as what was printed
 * so far; a later part may widen them. Where a terminal is too narrow for all of them, each row has several lines.
 */
export class Table<Row> {
  readonly #columns: readonly Column<Row>[];
  readonly #look: Look;
  readonly #natural: number[];
  #isBegun = false;

  constructor(columns: readonly Column<Row>[], look: Look) {
    this.#columns = columns;
    this.#look = look;
    this.#natural = columns.map(({ title }) => title.length);
  }

  /** The lines of these rows, each with its line feed. */
  format(rows: readonly Row[]): string {
    const cells = rows.map((row) => this.#columns.map((column) => printable(column.cell(row)).replaceAll(MOST_MARKS, '$1')));
    for (const line of cells) {
      for (const [i, cell] of line.entries()) this.#natural[i] = Math.max(this.#natural[i] ?? 0, displayWidth(cell));
    }
    const layout = this.#layOut();
    const lines: string[] = [];
    const titles = this.#columns.map(({ title }) => title);
    if (!this.#isBegun) lines.push(...layout.map((line, i) => formatLine(titles, line, i)));
    this.#isBegun = true;
    for (const [i, row] of rows.entries()) {
      const paint = (cell: string, column: number): string => this.#columns[column]?.paint?.(cell, row) ?? cell;
      const painted = this.#look.colour ? paint : undefined;
      const texts = cells[i] ?? [];
      // A further line in which nothing would stand is none.
      const shown = layout.filter((line, number) => number === 0 || line.some(({ at }) => texts[at] !== ''));
      lines.push(...shown.map((line) => formatLine(texts, line, layout.indexOf(line), painted)));
    }
    return lines.map((line) => `${line}\n`).join('');
  }

  /** The columns by the lines that they stand in: as many in each as fit when they are cut as far as they may be. */
  #layOut(): readonly Placed[][] {
    const lines: Placed[][] = [[]];
    const room = this.#look.width;
    let used = 0;
    for (const [at, natural] of this.#natural.entries()) {
      const least = Math.min(natural, this.#leastOf(at));
      if (used > 0 && used + GAP + least > room) {
        lines.push([]);
        used = INDENT;
      } else if (at > 0) used += GAP;
      used += least;
      lines.at(-1)?.push({ at, width: natural });
    }
    for (const [i, line] of lines.entries()) this.#fit(line, room - (i === 0 ? 0 : INDENT));
    return lines;
  }

  /** Takes from the widest column of a line first until all fit, or nothing more may be taken. */
  #fit(line: readonly Placed[], room: number): void {
    let excess = line.reduce((sum, { width }) => sum + width, GAP * (line.length - 1)) - room;
    for (; excess > 0; excess -= 1) {
      const cuttable = line.filter(({ at, width }) => width > this.#leastOf(at));
      const widest = cuttable.find(({ width }) => cuttable.every((other) => other.width <= width));
      if (widest === undefined) break;
      widest.width -= 1;
    }
  }

  #leastOf(at: number): number {
    const column = this.#columns[at];
    return column?.least === undefined ? (this.#natural[at] ?? 0) : Math.max(column.least, column.title.length);
  }
}

function formatLine(
  cells: readonly string[],
  line: readonly Placed[],
  number: number,
  paint?: (cell: string, column: number) => string,
): string {
  const text = line
    .map(({ at, width }, i) => {
      const cut = cutToWidth(cells[at] ?? '', width);
      const padded = i === line.length - 1 ? cut : padToWidth(cut, width);
      return paint === undefined ? padded : paint(padded, at);
    })
    .join(' '.repeat(GAP));
  return `${number === 0 ? '' : ' '.repeat(INDENT)}${text}`.trimEnd();
}
