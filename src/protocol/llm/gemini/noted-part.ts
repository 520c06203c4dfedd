import { applyEdits, type Edit, membersOf, sourceOf, type TextSpan, wholeOf } from '../json-text.ts';
import { isCallKey, toCamel } from './keys.ts';

/**
 * Replaces a required signature that belonged to a denied call: Google documents it for calls without one
 * (https://ai.google.dev/gemini-api/docs/thought-signatures). SDKs expect signatures as bytes, which are base64 in JSON.
 */
export const NO_SIGNATURE = Buffer.from('skip_thought_signature_validator').toString('base64');

/** Matches characters at which some readers end a line. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** Keys, besides calls, that define the kind of a part. A text is neither a call nor a thought. */
const OF_THE_CALL = new Set([
  'functionCall',
  'toolCall',
  'toolResponse',
  'executableCode',
  'codeExecutionResult',
  'text',
  'thought',
]);

/** Replaces a part's content by a text; its signature and other members stay. */
export function toTextPart(text: string, span: TextSpan, note: string): Edit {
  const kept = [...(membersOf(text, span) ?? [])].filter(([key]) => !isCallKey(key) && !OF_THE_CALL.has(toCamel(key)));
  const members = [
    `"text":${formatText(note)}`,
    ...kept.map(([key, value]) => `${JSON.stringify(key)}:${sourceOf(text, value) ?? ''}`),
  ];
  return { ...span, text: `{${members.join(',')}}` };
}

/** Adds a signature to a call that has none. @param span of the part, which has members */
export function withNoSignature(span: TextSpan): Edit {
  return { start: span.start + 1, end: span.start + 1, text: `"thoughtSignature":"${NO_SIGNATURE}",` };
}

/** Removes a member from a part. */
export function withoutMember(text: string, span: TextSpan, name: string): Edit {
  const kept = [...(membersOf(text, span) ?? [])].filter(([key]) => toCamel(key) !== name);
  return { ...span, text: `{${kept.map(([key, value]) => `${JSON.stringify(key)}:${sourceOf(text, value) ?? ''}`).join(',')}}` };
}

/** Replaces the value of a member in a part's text, if it has that member. */
export function withMember(part: string, name: string, value: string): string {
  const known = [...(membersOf(part, wholeOf(part)) ?? [])].find(([key]) => toCamel(key) === name);
  return known === undefined ? part : applyEdits(part, [{ ...known[1], text: value }]);
}

function formatText(text: string): string {
  return JSON.stringify(text).replaceAll(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
