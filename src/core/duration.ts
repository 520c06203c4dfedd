import { formatQuantity, parseQuantity, type Quantity, type Units } from './quantity.ts';

const SECOND = 1000;

const DURATIONS: Units = {
  noun: 'duration',
  worth: new Map([
    ['ms', 1],
    ['s', SECOND],
    ['m', 60 * SECOND],
    ['h', 3600 * SECOND],
    ['d', 24 * 3600 * SECOND],
    ['w', 7 * 24 * 3600 * SECOND],
  ]),
  example: '90d',
  gap: '',
};

/** Reads a duration like `90d`, `1.5h` or `250 ms`, in milliseconds. */
export function parseDuration(text: string): Quantity {
  return parseQuantity(text, DURATIONS);
}

/** A number of milliseconds as it would be written: `90d`. */
export function formatDuration(milliseconds: number): string {
  return formatQuantity(milliseconds, DURATIONS);
}
