/** Only powers of 1024, since people write `MB` for either. */
const SIZES: Units = {
  noun: 'size',
  worth: new Map(['B', 'KiB', 'MiB', 'GiB', 'TiB'].map((unit, power) => [unit, 1024 ** power])),
  example: '32 MiB',
  gap: ' ',
};

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

/** The result of parsing a number with a unit, or a message for a person. */
type Quantity =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly message: string; readonly hint: string };

/** One kind of quantity. */
interface Units {
  /** Its name in messages. */
  readonly noun: string;
  /** Value of each unit in the first one, from small to big. */
  readonly worth: ReadonlyMap<string, number>;
  readonly example: string;
  /** Separator between number and unit. */
  readonly gap: '' | ' ';
}

const FORM = /^(\d{1,15}(?:\.\d{1,15})?) ?([A-Za-z]+)$/;

/**
 * Reads a number and its unit, with at most one space between: `90d`, `1.5 GiB`. The result is a safe integer in the smallest unit. A unit
 * is never guessed, not even from another case: a thousand times too much or too little would surprise.
 */
function parseQuantity(text: string, { noun, worth, example }: Units): Quantity {
  const [, digits = '', unit = ''] = FORM.exec(text) ?? [];
  const factor = worth.get(unit);
  if (factor === undefined) {
    const near = [...worth.keys()].find((known) => known.toLowerCase() === unit.toLowerCase());
    const hint = near === undefined ? `units: ${[...worth.keys()].join(', ')}, as in "${example}"` : `did you mean "${near}"?`;
    const message = unit === '' ? `${JSON.stringify(text)} is no ${noun}` : `unknown unit "${unit}" of a ${noun}`;
    return { ok: false, message, hint };
  }
  const value = Number(digits) * factor;
  if (Number.isSafeInteger(value)) return { ok: true, value };
  const [smallest] = worth.keys();
  return { ok: false, message: `${JSON.stringify(text)} is no whole number of ${smallest}`, hint: 'write it in a smaller unit' };
}

/** Formats a quantity in the biggest unit in which it is a whole number. */
function formatQuantity(value: number, { worth, gap }: Units): string {
  const [unit = '', factor = 1] = [...worth].findLast(([, each]) => value % each === 0) ?? [];
  return `${value / factor}${gap}${unit}`;
}

/** Reads a duration like `90d`, `1.5h` or `250 ms`, in milliseconds. */
export function parseDuration(text: string): Quantity {
  return parseQuantity(text, DURATIONS);
}

/** Formats a number of milliseconds: `90d`. */
export function formatDuration(milliseconds: number): string {
  return formatQuantity(milliseconds, DURATIONS);
}

/** Reads a size like `32 MiB` or `1.5GiB`, in bytes. */
export function parseSize(text: string): Quantity {
  return parseQuantity(text, SIZES);
}

/** Formats a number of bytes: `32 MiB`. */
export function formatSize(bytes: number): string {
  return formatQuantity(bytes, SIZES);
}
