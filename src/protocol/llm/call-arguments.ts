import { withoutEscapes } from './call-words.ts';
import { findKeyProblem } from './json-text.ts';
import type { ModelCall } from './dialect.ts';

/**
 * Reads the arguments of a call as strictly as the strictest client: one JSON object in which no key occurs twice at any depth.
 * Clients differ on anything else: most take the last of two values, some repair broken JSON and run it.
 *
 * @param text the arguments as they came; empty where nothing came, which clients take for `{}`
 */
export function readArguments(text: string): { readonly args: string; readonly problem: ModelCall['problem'] } {
  const args = text === '' ? '{}' : text;
  return { args, problem: findArgumentsProblem(args) };
}

/** Characters from which on arguments are read once, by whoever decides about them: their value takes as much as they do. */
const BIG = 1024 * 1024;

function findArgumentsProblem(args: string): ModelCall['problem'] {
  // What can't be read is denied then.
  if (args.length > BIG) return namesPrototype(args) ? 'duplicate_key' : toProblem(findKeyProblem(args));
  let value: unknown;
  try {
    value = JSON.parse(args);
  } catch {
    // Whatever is wrong with it, there is no one way to read it.
    return 'invalid_json';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not_an_object';
  return namesPrototype(args) ? 'duplicate_key' : toProblem(findKeyProblem(args));
}

/** Has it a key by which programs in JavaScript that copy it may get other members than it shows? */
function namesPrototype(args: string): boolean {
  return (args.includes('__proto') || args.includes('\\u')) && PROTOTYPE.test(withoutEscapes(args));
}

/** As a key: what stands in a text has a backslash before its quotes. */
const PROTOTYPE = /"__proto__"\s*:/;

/** Nesting that no policy follows can't be decided, as little as what is too long. */
function toProblem(problem: ReturnType<typeof findKeyProblem>): ModelCall['problem'] {
  return problem === 'too_deep' ? 'too_long' : problem;
}
