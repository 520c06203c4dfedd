import { formatQuantity, parseQuantity, type Quantity, type Units } from '../core/quantity.ts';

/** Only powers of 1024: whoever writes `MB` may mean either. */
const SIZES: Units = {
  noun: 'size',
  worth: new Map(['B', 'KiB', 'MiB', 'GiB', 'TiB'].map((unit, power) => [unit, 1024 ** power])),
  example: '32 MiB',
  gap: ' ',
};

/** Reads a size like `32 MiB` or `1.5GiB`, in bytes. */
export function parseSize(text: string): Quantity {
  return parseQuantity(text, SIZES);
}

/** A number of bytes as it would be written: `32 MiB`. */
export function formatSize(bytes: number): string {
  return formatQuantity(bytes, SIZES);
}
