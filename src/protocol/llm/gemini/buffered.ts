import type { CallVerdict, ModelCall } from '../dialect.ts';
import { applyEdits } from '../json-text.ts';
import { type Answer, type PlacedPart, readAnswer } from './answer.ts';
import { SettledParts } from './open-call.ts';

/**
 * Finds the calls in a whole answer, of all candidates, in order, including those that the provider has run.
 *
 * @param text the body of the answer
 * @returns a description of the fault if readers may differ on the calls
 */
export function findAnswerCalls(text: string): readonly ModelCall[] | string {
  const answer = readWhole(text);
  if (typeof answer === 'string') return answer;
  return answer.parts.flatMap((placed) => toCall(text, placed, answer.id) ?? []);
}

/**
 * Replaces denied calls by notes; everything else stays byte for byte.
 *
 * @param text one in which `findAnswerCalls` found calls
 * @param verdicts one for each of them; a call without one is denied
 */
export function rewriteAnswer(text: string, verdicts: readonly CallVerdict[]): string {
  const answer = readWhole(text);
  if (typeof answer === 'string') throw new Error(`the answer cannot be rewritten: ${answer}`);
  const settled = new SettledParts();
  const open = [...verdicts];
  const edits = answer.parts.flatMap((placed) => {
    const call = toCall(text, placed, answer.id);
    const verdict = call === undefined ? undefined : open.shift();
    const note = verdict === undefined || verdict.isAllowed ? undefined : verdict.note;
    const of = call && { isAllowed: verdict?.isAllowed === true, note, name: call.name };
    return settled.edit(text, placed, of) ?? [];
  });
  return applyEdits(text, edits);
}

/** Converts a part to a call to ask about; undefined if it is not a call. */
export function toCall(text: string, { part, span }: PlacedPart, answer: string | undefined): ModelCall | undefined {
  if (part.kind === 'provider_call') return { ...part.call, answer };
  if (part.kind !== 'call') return undefined;
  return { ...part.call, answer, ...(part.isFunction ? { inHistory: () => text.slice(span.start, span.end) } : {}) };
}

function readWhole(text: string): Answer | string {
  const answer = readAnswer(text);
  if (typeof answer === 'string') return answer;
  if (answer.unknown !== undefined) return `it has ${answer.unknown}`;
  return answer.parts.some(({ part }) => part.kind === 'piece') ? 'it has a call that is not all there' : answer;
}
