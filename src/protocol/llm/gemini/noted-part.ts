import { applyEdits, type Edit, membersOf, sourceOf, type TextSpan, wholeOf } from '../json-text.ts';
import { isCallKey, toCamel } from './keys.ts';

/**
 * Stands for a signature where the one that the API asks for is with a call that was denied: what Google documents for calls that have
 * none (https://ai.google.dev/gemini-api/docs/thought-signatures), as the bytes that signatures are to SDKs, which is base64 in JSON.
 */
export const NO_SIGNATURE = Buffer.from('skip_thought_signature_validator').toString('base64');

/** Some readers end a line at these. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** What says, besides a call, what kind of a part it is. A text is neither a call nor a thought. */
const OF_THE_CALL = new Set([
  'functionCall',
  'toolCall',
  'toolResponse',
  'executableCode',
  'codeExecutionResult',
  'text',
  'thought',
]);

/** A part with a text instead of what it was; a signature, and what else it has, stays. */
export function toTextPart(text: string, span: TextSpan, note: string): Edit {
  const kept = [...(membersOf(text, span) ?? [])].filter(([key]) => !isCallKey(key) && !OF_THE_CALL.has(toCamel(key)));
  const members = [
    `"text":${formatText(note)}`,
    ...kept.map(([key, value]) => `${JSON.stringify(key)}:${sourceOf(text, value) ?? ''}`),
  ];
  return { ...span, text: `{${members.join(',')}}` };
}

/** A call with a signature that says that there is none. @param span of the part, which has members */
export function withNoSignature(span: TextSpan): Edit {
  return { start: span.start + 1, end: span.start + 1, text: `"thoughtSignature":"${NO_SIGNATURE}",` };
}

/** A part without a member. */
export function withoutMember(text: string, span: TextSpan, name: string): Edit {
  const kept = [...(membersOf(text, span) ?? [])].filter(([key]) => toCamel(key) !== name);
  return { ...span, text: `{${kept.map(([key, value]) => `${JSON.stringify(key)}:${sourceOf(text, value) ?? ''}`).join(',')}}` };
}

/** A part's text with another value of a member that it has. */
export function withMember(part: string, name: string, value: string): string {
  const known = [...(membersOf(part, wholeOf(part)) ?? [])].find(([key]) => toCamel(key) === name);
  return known === undefined ? part : applyEdits(part, [{ ...known[1], text: value }]);
}

function formatText(text: string): string {
  return JSON.stringify(text).replaceAll(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
