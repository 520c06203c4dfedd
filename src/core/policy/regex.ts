import { RE2JS } from 're2js';

import type { Regex } from './types.ts';

const LOOK_AROUND = /\(\?<?[=!]/;
const BACKREFERENCE = /\\(?:[1-9]|k[<{'])/;

/**
 * Compiles a pattern in RE2 syntax; it matches anywhere in a text unless it is anchored with `^` and `$`. Matching takes time
 * linear in the text, which is why look-around and backreferences do not exist. Faults come back as values.
 */
export function compileRegex(pattern: string): Regex | { readonly message: string; readonly hint?: string } {
  try {
    const compiled = RE2JS.compile(pattern);
    const acrossLines = RE2JS.compile(pattern, RE2JS.DOTALL);
    return {
      source: pattern,
      matches: (text) => compiled.test(text),
      matchesAcrossLines: (text) => acrossLines.test(text),
    };
  } catch (error) {
    // The engine's only way to refuse a pattern; anything else than its own errors would be a bug in it, and is a fault of the
    // pattern to a user.
    const reason = error instanceof Error ? error.message : String(error);
    const message = `bad regex: ${reason}`;
    const unsupported = LOOK_AROUND.test(pattern) || BACKREFERENCE.test(pattern);
    if (!unsupported) return { message };
    return {
      message,
      hint: 'look-around and backreferences cannot be matched in linear time; exclude what should not match with "unless" or "not"',
    };
  }
}
