import type { CallVerdict, ModelCall } from '../dialect.ts';
import { isObject } from '../json-object.ts';
import { applyEdits, membersOf, removeElements, sourceOf } from '../json-text.ts';
import { noteOf } from '../note.ts';
import { completeCall, readCallBlock, resultOf } from './call-block.ts';
import type { Frame } from '../typed-frame.ts';
import { messageId, prefilledBlocks } from './frame.ts';

/** The blocks with which a message begins: programmatic tool calling puts calls there, and some clients run them. */
export interface Prefilled {
  /** The number of blocks. */
  readonly count: number;
  /** The calls among them, with their arguments. */
  readonly calls: readonly PrefilledCall[];
}

interface PrefilledCall {
  readonly at: number;
  readonly call: ModelCall;
}

/** @returns undefined if one of them can't be read */
export function readPrefilled(frame: Frame): Prefilled | undefined {
  const spans = prefilledBlocks(frame);
  const answer = messageId(frame);
  const calls: PrefilledCall[] = [];
  for (const [at, span] of spans.entries()) {
    const block: unknown = JSON.parse(frame.data.slice(span.start, span.end));
    if (!isObject(block)) return undefined;
    const call = readCallBlock(block, answer);
    if (call === 'unreadable') return undefined;
    if (call === undefined) continue;
    const given = sourceOf(frame.data, membersOf(frame.data, span)?.get('input')) ?? '';
    const source = { type: block['type'], text: () => frame.data.slice(span.start, span.end) };
    calls.push({ at, call: completeCall(call, given, source) });
  }
  return { count: spans.length, calls };
}

/** The outcome of these calls: clients' schemas allow nothing but calls there, so notes can't replace them. */
export interface PrefilledOutcome {
  /** The payload without denied calls. */
  readonly data: string;
  /** The number of blocks that are left. */
  readonly kept: number;
  readonly notes: readonly string[];
}

/** @param verdicts one for each of the calls */
export function applyPrefilled(frame: Frame, { calls }: Prefilled, verdicts: readonly CallVerdict[]): PrefilledOutcome {
  const spans = prefilledBlocks(frame);
  const removed = new Set<number>();
  const deniedIds = new Set<string>();
  const notes: string[] = [];
  for (const [i, { at, call }] of calls.entries()) {
    const verdict = verdicts[i];
    if (verdict?.isAllowed === true) continue;
    removed.add(at);
    if (call.id !== '') deniedIds.add(call.id);
    notes.push(noteOf(verdict?.note, call));
  }
  for (const [at, span] of spans.entries()) {
    const block: unknown = JSON.parse(frame.data.slice(span.start, span.end));
    if (isObject(block) && deniedIds.has(resultOf(block) ?? '')) removed.add(at);
  }
  const edits = removeElements(spans, (at) => removed.has(at));
  return { data: applyEdits(frame.data, edits), kept: spans.length - removed.size, notes };
}
