/** Bits in the set of protocol keys that a message was seen to have. */
const JSONRPC = 1;
export const ID = 2;
export const METHOD = 4;
export const PARAMS = 8;
export const RESULT = 16;
export const ERROR = 32;
export const KEY_NAMES = new Map([
  ['jsonrpc', JSONRPC],
  ['id', ID],
  ['method', METHOD],
  ['params', PARAMS],
  ['result', RESULT],
  ['error', ERROR],
]);

interface KeyBytes {
  readonly bit: number;
  /** Quotes included. */
  readonly bytes: Buffer;
}

/** The protocol's keys by their first letter; each has another. */
const KEY_BYTES: readonly (KeyBytes | undefined)[] = byFirstLetter();

function byFirstLetter(): (KeyBytes | undefined)[] {
  const table = Array.from<KeyBytes | undefined>({ length: 256 });
  for (const [name, bit] of KEY_NAMES) table[name.charCodeAt(0)] = { bit, bytes: Buffer.from(`"${name}"`) };
  return table;
}

/** The protocol key that begins at `start`, quotes and all; undefined for any other. No string is made. */
export function protocolKey(bytes: Buffer, start: number, end: number): KeyBytes | undefined {
  if (start + 1 >= end) return undefined;
  const key = KEY_BYTES[bytes[start + 1] as number];
  if (key === undefined) return undefined;
  const { length } = key.bytes;
  if (start + length > end) return undefined;
  for (let i = 0; i < length; i++) if (bytes[start + i] !== key.bytes[i]) return undefined;
  return key;
}
