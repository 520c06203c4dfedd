import type { DeniedCall } from '../denied-calls.ts';
import { type Edit, elementsOf, membersOf, stringOf, type TextSpan, wholeOf } from '../json-text.ts';
import { whyOf } from '../note.ts';

/** Where the results of a turn's calls belong. */
export interface ResultPlace {
  /** All messages. */
  readonly list: TextSpan;
  readonly elements: readonly TextSpan[];
  /** The message that comes after the turn; as many as there are where none does. */
  readonly at: number;
}

/**
 * The edit that says of calls that they were denied, where the API wants to be told: before all else in what the user says next, or in a
 * message of its own where the user says nothing there.
 */
export function placeResults(text: string, { list, elements, at }: ResultPlace, calls: readonly DeniedCall[]): Edit {
  const results = calls.map(formatResult).join(',');
  const alone = `{"role":"user","content":[${results}]}`;
  const next = elements[at];
  if (next === undefined) {
    const end = elements.at(-1)?.end;
    return end === undefined ? insert(list.start + 1, alone) : insert(end, `,${alone}`);
  }
  const members = membersOf(text, next);
  const content = members?.get('content');
  const before = insert(next.start, `${alone},`);
  if (stringOf(text, members?.get('role')) !== 'user' || content === undefined) return before;
  const words = stringOf(text, content);
  const blocks = elementsOf(text, content);
  // What goes back to a program of the model's may stand beside nothing else.
  const isApart = calls.some(({ text: call }) => isByProgram(call));
  if (blocks !== undefined) {
    if (isApart && !blocks.some((block) => isResult(text, block))) return before;
    return insert(content.start + 1, blocks.length === 0 ? results : `${results},`);
  }
  if (words === undefined || isApart) return before;
  const said = words.trim() === '' ? '' : `,{"type":"text","text":${text.slice(content.start, content.end)}}`;
  return { ...content, text: `[${results}${said}]` };
}

function formatResult({ id, note }: DeniedCall): string {
  return JSON.stringify({ type: 'tool_result', tool_use_id: id, is_error: true, content: whyOf(note) });
}

/** Was the call made by code that the provider runs for the model? */
function isByProgram(call: string): boolean {
  const caller = membersOf(call, wholeOf(call))?.get('caller');
  const type = caller === undefined ? undefined : stringOf(call, membersOf(call, caller)?.get('type'));
  return type !== undefined && type !== 'direct';
}

function isResult(text: string, block: TextSpan): boolean {
  return stringOf(text, membersOf(text, block)?.get('type')) === 'tool_result';
}

function insert(at: number, text: string): Edit {
  return { start: at, end: at, text };
}
