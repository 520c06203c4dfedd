import { holdsCallWords } from '../calls.ts';
import type { CallVerdict, ModelCall } from '../dialect.ts';
import { hasVariantKey, isObject } from '../json-object.ts';
import {
  applyEdits,
  type Edit,
  elementsOf,
  findKeyProblem,
  membersOf,
  sourceOf,
  stringOf,
  type TextSpan,
  wholeOf,
} from '../json-text.ts';
import { formatUnknown, noteOf, WITHHELD_RESULT } from '../note.ts';
import { CallTally, completeCall, formatTextElement, readCallBlock, resultOf } from './call-block.ts';
import { BLOCK_KEYS } from './frame.ts';
import { hasCallBeside, hasCallWithin, isKnownBlock } from './known-types.ts';

/** A block of a message, with the parts that matter here. */
interface Block {
  readonly span: TextSpan;
  readonly call: ModelCall | undefined;
  /** The id of the call whose result it is. */
  readonly resultOf: string | undefined;
}

interface ReadMessage {
  readonly blocks: readonly Block[];
  readonly stopReason: TextSpan | undefined;
}

const ELSEWHERE = 'a call is where none is expected';

const NO_MESSAGE: ReadMessage = { blocks: [], stopReason: undefined };

/**
 * Finds the calls in a whole message, with their arguments, in order, including those that the provider has run. A body without `content`,
 * such as an error, has none.
 *
 * @param text the body of the answer
 * @param path to the message in it; if it leads nowhere, there are no calls
 * @returns a description of the fault if readers may differ on the calls
 */
export function findMessageCalls(text: string, path: readonly string[] = []): readonly ModelCall[] | string {
  const message = readMessage(text, path);
  return typeof message === 'string' ? message : message.blocks.flatMap(({ call }) => call ?? []);
}

/**
 * Replaces denied calls by notes; everything else stays byte for byte.
 *
 * @param text one in which `findMessageCalls` found calls, with the same path
 * @param verdicts one for each of them; a call without one is denied
 */
export function rewriteMessage(text: string, verdicts: readonly CallVerdict[], path: readonly string[] = []): string {
  const message = readMessage(text, path);
  if (typeof message === 'string') throw new Error(`the message cannot be rewritten: ${message}`);
  const tally = new CallTally();
  const edits: Edit[] = [];
  const open = [...verdicts];
  for (const { span, call } of message.blocks) {
    if (call === undefined) continue;
    const verdict = open.shift();
    tally.add(call, verdict?.isAllowed === true);
    if (verdict?.isAllowed !== true) edits.push({ ...span, text: formatTextElement(noteOf(verdict?.note, call)) });
  }
  for (const block of message.blocks) {
    if (block.call === undefined && tally.isWithheld(block.resultOf))
      edits.push({ ...block.span, text: formatTextElement(WITHHELD_RESULT) });
  }
  if (tally.isNothingLeft && message.stopReason !== undefined && stringOf(text, message.stopReason) === 'tool_use')
    edits.push({ ...message.stopReason, text: '"end_turn"' });
  return applyEdits(text, edits);
}

function readMessage(text: string, path: readonly string[]): ReadMessage | string {
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (!isObject(whole)) return 'it is no object';
  let span: TextSpan = wholeOf(text);
  let message: unknown = whole;
  for (const key of path) {
    if (isObject(message) && hasCallBeside(message, key)) return ELSEWHERE;
    message = isObject(message) ? message[key] : undefined;
    const inner = membersOf(text, span)?.get(key);
    if (inner === undefined) return isEveryKeyClear(text, []) ? NO_MESSAGE : 'a key occurs twice in it';
    span = inner;
  }
  const members = membersOf(text, span);
  const content = members?.get('content');
  const answer = stringOf(text, members?.get('id'));
  const blocks: Block[] = [];
  const inputs: TextSpan[] = [];
  if (isObject(message) && hasVariantKey(message, BLOCK_KEYS)) return 'it has a key that some readers take for another';
  const elements = content === undefined ? undefined : elementsOf(text, content);
  if (elements === undefined ? holdsCallWords(message) : isObject(message) && hasCallBeside(message, 'content')) return ELSEWHERE;
  for (const element of elements ?? []) {
    const block: unknown = JSON.parse(text.slice(element.start, element.end));
    if (!isObject(block)) return 'a block is no object';
    if (!isKnownBlock(block['type'])) return formatUnknown('it has a block', String(block['type']));
    if (hasCallWithin(block)) return ELSEWHERE;
    if (hasVariantKey(block, BLOCK_KEYS)) return 'it has a key that some readers take for another';
    const call = readCallBlock(block, answer);
    if (call === 'unreadable') return 'a call cannot be read';
    const input = call === undefined ? undefined : membersOf(text, element)?.get('input');
    if (input !== undefined) inputs.push(input);
    const source = { type: block['type'], text: () => text.slice(element.start, element.end) };
    const complete = call === undefined ? undefined : completeCall(call, sourceOf(text, input) ?? '', source);
    blocks.push({ span: element, call: complete, resultOf: resultOf(block) });
  }
  if (!isEveryKeyClear(text, inputs)) return 'a key occurs twice in it, or it is nested too deeply';
  return { blocks, stopReason: members?.get('stop_reason') };
}

/** Tells whether there is no duplicate key. @param apart values whose keys are checked separately */
function isEveryKeyClear(text: string, apart: readonly TextSpan[]): boolean {
  const rest = applyEdits(
    text,
    apart.map((span) => ({ ...span, text: '0' })),
  );
  return findKeyProblem(rest) === undefined;
}
