import { expect, it } from 'vitest';
import { readAnswer } from '../../../../src/protocol/llm/gemini/answer.ts';
import { NO_SIGNATURE } from '../../../../src/protocol/llm/gemini/noted-part.ts';
import { SettledParts } from '../../../../src/protocol/llm/gemini/open-call.ts';
import { applyEdits } from '../../../../src/protocol/llm/json-text.ts';
import { call, type GeminiPart } from '../../../support/gemini-events.ts';

/** The parts of candidates where calls of these names are denied. */
function settle(candidates: readonly (readonly GeminiPart[])[], ...denied: readonly string[]): unknown {
  const text = JSON.stringify({ candidates: candidates.map((parts) => ({ content: { parts } })) });
  const answer = readAnswer(text);
  if (typeof answer === 'string') throw new Error(answer);
  const settled = new SettledParts();
  const edits = answer.parts.flatMap((placed) => {
    const name = 'call' in placed.part ? (placed.part.call?.name ?? '') : '';
    const of =
      placed.part.kind === 'provider_result' ? undefined : { isAllowed: !denied.includes(name), note: `no ${name}`, name };
    return settled.edit(text, placed, of) ?? [];
  });
  const { candidates: made } = JSON.parse(applyEdits(text, edits)) as { candidates: { content: { parts: unknown } }[] };
  return made.map(({ content }) => content.parts);
}

it('candidates are settled apart', () => {
  const parts = [call('a', {}, { signature: 's' }), call('b', {})];
  const settled = [
    { text: 'no a', thoughtSignature: 's' },
    { ...call('b', {}), thoughtSignature: NO_SIGNATURE },
  ];
  expect(settle([parts, [call('b', {})]], 'a')).toEqual([settled, [call('b', {})]]);
});

it.each([
  ['codeExecution', true],
  ['urlContext', false],
])('a result without an id is that of the last call of its kind: %s', (denied, isWithheld) => {
  const code = { executableCode: { code: 'a' } };
  const [parts] = settle([[code, { toolCall: { toolType: 'URL_CONTEXT', id: '2' } }, { codeExecutionResult: {} }]], denied) as [
    unknown[],
  ];
  expect(JSON.stringify(parts[2]).includes('withheld')).toBe(isWithheld);
  expect(JSON.stringify(parts)).toContain(`no ${denied}`);
});

it.each([
  ['2', true],
  ['1', false],
])('a result with an id is that of the call: %s', (id, isWithheld) => {
  const parts = [{ toolCall: { toolType: 'URL_CONTEXT', id: '2' } }, { toolResponse: { id, response: {} } }];
  expect(JSON.stringify(settle([parts], 'urlContext')).includes('withheld')).toBe(isWithheld);
});

it('a part without a verdict is denied', () => {
  const text = JSON.stringify({ candidates: [{ content: { parts: [call('a', {})] } }] });
  const answer = readAnswer(text);
  const [placed] = typeof answer === 'string' ? [] : answer.parts;
  if (placed === undefined) throw new Error('no call was found');
  expect(new SettledParts().edit(text, placed, undefined)?.text).toContain('was left out');
});
