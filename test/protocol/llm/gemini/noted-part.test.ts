import { expect, it } from 'vitest';
import { applyEdits } from '../../../../src/protocol/llm/json-text.ts';
import { toTextPart, withMember, withNoSignature, withoutMember } from '../../../../src/protocol/llm/gemini/noted-part.ts';

const PART = '{"thought":true, "functionCall" : {"name":"n"},"thought_signature":"s","partMetadata":{"a":1.0}}';
const edited = (edit: (text: string, span: { start: number; end: number }) => { start: number; end: number; text: string }) => {
  const text = `[${PART}]`;
  return applyEdits(text, [edit(text, { start: 1, end: text.length - 1 })]);
};

it('a text takes the place of a call, with what is not the call', () => {
  expect(edited((text, span) => toTextPart(text, span, 'a "\u2028'))).toBe(
    '[{"text":"a \\"\\u2028","thought_signature":"s","partMetadata":{"a":1.0}}]',
  );
});

it('a call can say that it has no signature', () => {
  const text = '{"functionCall":{}}';
  expect(JSON.parse(applyEdits(text, [withNoSignature({ start: 0, end: text.length })]))).toEqual({
    thoughtSignature: 'c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=',
    functionCall: {},
  });
});

it('a member can be taken out or changed', () => {
  expect(edited((text, span) => withoutMember(text, span, 'thoughtSignature'))).toBe(
    '[{"thought":true,"functionCall":{"name":"n"},"partMetadata":{"a":1.0}}]',
  );
  expect(withMember(PART, 'functionCall', '1')).toBe(PART.replace('{"name":"n"}', '1'));
  expect(withMember('{"a":1}', 'functionCall', '1')).toBe('{"a":1}');
});
