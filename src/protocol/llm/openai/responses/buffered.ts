import type { CallVerdict, ModelCall } from '../../dialect.ts';
import { isObject, type JsonObject } from '../../json-object.ts';
import { applyEdits, findKeyProblem, type TextSpan } from '../../json-text.ts';
import { noteOf } from '../../note.ts';
import { findUnknownInResponse, hasDoubtfulPart, idOf } from './events.ts';
import { noteItem } from './note-item.ts';
import { type NewCall, outputIn, SettledCalls } from './settled.ts';

/** A whole answer with the parts that matter here. */
interface ReadAnswer {
  readonly list: TextSpan | undefined;
  readonly items: readonly JsonObject[];
  readonly calls: readonly NewCall[];
  readonly id: string | undefined;
}

const NO_ANSWER: ReadAnswer = { list: undefined, items: [], calls: [], id: undefined };

/**
 * Finds the calls in a whole answer, with their arguments, in order, including those that the provider has run. A body without `output`,
 * such as an error, has none.
 *
 * @param text JSON of one value, perhaps with white space around
 * @param path to the answer in it; if it leads nowhere, there are no calls
 * @returns a description of the fault if readers may differ on the calls
 */
export function findResponseCalls(text: string, path: readonly string[] = []): readonly ModelCall[] | string {
  const answer = readAnswer(text, path);
  return typeof answer === 'string' ? answer : answer.calls.map(({ call }) => call);
}

/**
 * Replaces denied calls by messages with notes; everything else stays byte for byte.
 *
 * @param text one in which `findResponseCalls` found calls, with the same path
 * @param verdicts one for each of them; a call without one is denied
 */
export function rewriteResponse(text: string, verdicts: readonly CallVerdict[], path: readonly string[] = []): string {
  const answer = readAnswer(text, path);
  if (typeof answer === 'string') throw new Error(`the answer cannot be rewritten: ${answer}`);
  const { calls, items, list, id } = answer;
  const settled = new SettledCalls();
  for (const [n, { at, call }] of calls.entries()) {
    const verdict = verdicts[n];
    const item = items[at] ?? {};
    if (verdict?.isAllowed === true) settled.allow(at, item, JSON.stringify(item));
    else settled.deny(at, item, { call, note: noteItem(noteOf(verdict?.note, call), `${id} ${at}`) });
  }
  return applyEdits(text, settled.edits(text, { list, parsed: items }, 'keep'));
}

function readAnswer(text: string, path: readonly string[]): ReadAnswer | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (findKeyProblem(text) !== undefined) return 'a key occurs twice in it, or it is nested too deeply';
  for (const key of path) value = isObject(value) ? value[key] : undefined;
  if (!isObject(value)) return path.length > 0 ? NO_ANSWER : 'it is no object';
  if (hasDoubtfulPart(value)) return 'it has a key that some readers take for another';
  const unknown = findUnknownInResponse(value);
  if (unknown !== undefined) return `it has ${unknown}`;
  const { output = null } = value;
  const list = outputIn(text, path);
  const id = idOf(value);
  const calls = new SettledCalls().newCalls(text, { list, parsed: output, answer: id });
  if (calls === undefined) return 'a call in it cannot be read';
  return { list, items: (output ?? []) as readonly JsonObject[], calls, id };
}
