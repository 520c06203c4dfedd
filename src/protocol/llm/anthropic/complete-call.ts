import { readArguments } from '../call-arguments.ts';
import type { ModelCall } from '../dialect.ts';
import { applyEdits, wholeOf } from '../json-text.ts';
import { setMember } from '../set-member.ts';

/** The block that a call is. */
export interface CallBlock {
  readonly type: unknown;
  /** JSON text of it, with any arguments or none. To be called when it is needed. */
  readonly text: () => string;
}

/**
 * The call with its arguments, and with the way to tell it again where a client of the API could.
 *
 * @param input JSON text of the arguments as it came; empty where nothing came
 */
export function completeCall(call: ModelCall, input: string, { type, text }: CallBlock): ModelCall {
  const read = readArguments(input);
  // Of other blocks nobody knows what their results look like.
  if (read.problem !== undefined || type !== 'tool_use' || call.id === '') return { ...call, ...read };
  return { ...call, ...read, inHistory: () => withInput(text(), read.args) };
}

function withInput(block: string, args: string): string {
  return applyEdits(block, [setMember(block, wholeOf(block), 'input', args)]);
}
