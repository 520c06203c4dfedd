import type { Row } from './row.ts';

const COLUMNS = ['', 'pipe', 'clawai', 'value', 'unit', 'budget', ''] as const;

/** The rows as one table in plain text, numbers to the right. */
export function formatTable(rows: readonly Row[]): string {
  const cells = [[...COLUMNS], ...rows.map(toCells)];
  const widths = COLUMNS.map((_, i) => Math.max(...cells.map((line) => line[i]?.length ?? 0)));
  const isText = (column: number): boolean => column === 0 || column >= 4;
  return cells
    .map((line) =>
      line
        .map((cell, i) => (isText(i) ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function toCells(row: Row): string[] {
  const verdict = row.ok === undefined ? '' : row.ok ? 'met' : 'MISSED';
  return [row.name, row.pipe ?? '', row.clawai ?? '', formatNumber(row.value), row.unit, row.budget ?? '', verdict];
}

function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
}
