/** Where things are in a JSON text, as 0-based offsets; or the first offset at which it stops being JSON, and what could stand there. */
export type JsonPlaces =
  | {
      readonly ok: true;
      /** Offset of each value down to 64 levels by JSON Pointer (RFC 6901), e.g. `/0/params/name`; `''` is the whole text. */
      readonly values: ReadonlyMap<string, number>;
      /** Offset of each object key, by the pointer of its value. */
      readonly keys: ReadonlyMap<string, number>;
      /** The first key that its object has had before. */
      readonly twice?: { readonly key: string; readonly offset: number };
    }
  | { readonly ok: false; readonly offset: number; readonly expected: string };

type Expected =
  | 'a value'
  | 'a value or "]"'
  | 'a key in double quotes'
  | 'a key in double quotes or "}"'
  | '":"'
  | '"," or "]"'
  | '"," or "}"'
  | 'the end of the file';

interface Frame {
  readonly kind: 'object' | 'array';
  readonly pointer: string;
  /** The current key, escaped for a pointer, or the current index. */
  key: string | number;
}

/** Nothing deeper is ever pointed at, and pointers as long as a text is deep would take its length squared. */
const DEEPEST = 64;

const SPACE = /[ \t\n\r]*/y;
/** RFC 8259 §6, §7: punctuation, string, number, literal. */
const TOKEN =
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Scans a JSON text for positions, which JSON.parse gives for some mistakes only and never for values.
 * Accepts exactly what JSON.parse accepts. Never throws, and never recurses.
 */
export function findJsonPlaces(text: string): JsonPlaces {
  const values = new Map<string, number>();
  const keys = new Map<string, number>();
  const stack: Frame[] = [];
  let twice: { readonly key: string; readonly offset: number } | undefined;
  let expected: Expected = 'a value';
  let offset = 0;

  const pointerHere = (): string => {
    const frame = stack.at(-1);
    return frame === undefined || stack.length > DEEPEST ? '' : `${frame.pointer}/${frame.key}`;
  };
  const afterValue = (): Expected => {
    const frame = stack.at(-1);
    if (frame === undefined) return 'the end of the file';
    return frame.kind === 'object' ? '"," or "}"' : '"," or "]"';
  };
  /** What may follow `token`, or undefined where the token itself may not stand. */
  const step = (token: string, frame: Frame | undefined): Expected | undefined => {
    switch (expected) {
      case 'a value or "]"':
      case 'a value': {
        if (token === ']' && expected === 'a value or "]"') {
          stack.pop();
          return afterValue();
        }
        if ('}],:'.includes(token)) return undefined;
        const pointer = pointerHere();
        if (stack.length <= DEEPEST) values.set(pointer, offset);
        if (token === '{') {
          stack.push({ kind: 'object', pointer, key: '' });
          return 'a key in double quotes or "}"';
        }
        if (token === '[') {
          stack.push({ kind: 'array', pointer, key: 0 });
          return 'a value or "]"';
        }
        return afterValue();
      }
      case 'a key in double quotes or "}"':
      case 'a key in double quotes': {
        if (token === '}' && expected === 'a key in double quotes or "}"') {
          stack.pop();
          return afterValue();
        }
        if (!token.startsWith('"') || frame === undefined) return undefined;
        frame.key = escapePointer(String(JSON.parse(token)));
        if (stack.length <= DEEPEST) {
          if (keys.has(pointerHere())) twice ??= { key: token, offset };
          keys.set(pointerHere(), offset);
        }
        return '":"';
      }
      case '":"':
        return token === ':' ? 'a value' : undefined;
      case '"," or "]"':
      case '"," or "}"': {
        if (frame === undefined) return undefined;
        if (token === (frame.kind === 'object' ? '}' : ']')) {
          stack.pop();
          return afterValue();
        }
        if (token !== ',') return undefined;
        if (typeof frame.key === 'string') return 'a key in double quotes';
        frame.key += 1;
        return 'a value';
      }
      case 'the end of the file':
        return undefined;
    }
  };

  for (;;) {
    offset += match(SPACE, text, offset)?.length ?? 0;
    if (offset === text.length && expected === 'the end of the file')
      return { ok: true, values, keys, ...(twice !== undefined && { twice }) };
    const token = match(TOKEN, text, offset);
    const next = token === undefined ? undefined : step(token, stack.at(-1));
    if (token === undefined || next === undefined) return { ok: false, offset, expected };
    expected = next;
    offset += token.length;
  }
}

/** Line and column (both from 1, in UTF-16 units as editors count) of an offset. */
export function toLineColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** A key as it stands in a JSON Pointer. */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function match(sticky: RegExp, text: string, offset: number): string | undefined {
  sticky.lastIndex = offset;
  return sticky.exec(text)?.[0];
}
