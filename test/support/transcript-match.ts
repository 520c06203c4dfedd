import { ExactNumber, isJsonObject, type JsonValue, parseJson } from '../../src/core/json.ts';
import type { Side, Step } from './transcript.ts';

/** Says how what one side got differs from what these steps, replayed together, should have given it; undefined where it does not. */
export function findDifference(steps: readonly Step[], side: Side, got: Buffer): string | undefined {
  const expected = steps.flatMap((step) => step.expected.filter(({ to }) => to === side).map((entry) => ({ step, entry })));
  const lines = splitLines(got);
  const forwarded = expected.filter(({ entry }) => entry.kind === 'forward').map(({ step }) => step.bytes.toString('latin1'));
  // Answers may overtake each other; what is forwarded keeps its order.
  for (const { step, entry } of expected) {
    if (entry.kind === 'forward') continue;
    const index = lines.findIndex((line) => !forwarded.includes(line) && matchesText(entry.value, line));
    if (index === -1) return `line ${step.at}: the ${side} should get ${show(entry.value)}; it got ${JSON.stringify(lines)}`;
    lines.splice(index, 1);
  }
  if (lines.join('') === forwarded.join('')) return undefined;
  const where = steps.map(({ at }) => at).join(', ');
  return `lines ${where}: the ${side} got ${JSON.stringify(lines)} where ${JSON.stringify(forwarded)} were to be forwarded`;
}

/** Latin-1, so that every byte is a character; each with its line feed. */
function splitLines(bytes: Buffer): string[] {
  return bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function matchesText(expected: JsonValue, line: string): boolean {
  try {
    return line.endsWith('\n') && matches(expected, parseJson(Buffer.from(line, 'latin1').toString()));
  } catch {
    return false; // not JSON, hence not what a message is expected to be
  }
}

/** Values are equal, numbers by their text. In a string `*` is any text; the string `*` is any value; the key `*` any other members. */
function matches(expected: JsonValue, actual: JsonValue | undefined): boolean {
  if (expected === '*') return actual !== undefined;
  if (typeof expected === 'string') return typeof actual === 'string' && toPattern(expected).test(actual);
  if (expected instanceof ExactNumber) return actual instanceof ExactNumber && actual.source === expected.source;
  if (Array.isArray(expected)) {
    return Array.isArray(actual) && actual.length === expected.length && expected.every((value, i) => matches(value, actual[i]));
  }
  if (!isJsonObject(expected)) return actual === expected;
  if (!isJsonObject(actual)) return false;
  const isOpen = Object.hasOwn(expected, '*');
  const keys = Object.keys(expected).filter((key) => key !== '*');
  if (!isOpen && keys.length !== Object.keys(actual).length) return false;
  return keys.every((key) => matches(expected[key] as JsonValue, actual[key]));
}

function toPattern(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 's');
}

function show(value: JsonValue): string {
  return JSON.stringify(value, (_key, part: unknown) => (part instanceof ExactNumber ? `(${part.source})` : part));
}
