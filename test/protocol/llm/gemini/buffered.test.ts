import { describe, expect, it } from 'vitest';
import type { CallVerdict } from '../../../../src/protocol/llm/dialect.ts';
import { findAnswerCalls, rewriteAnswer } from '../../../../src/protocol/llm/gemini/buffered.ts';
import { call, payload, pieces, text } from '../../../support/gemini-events.ts';

const NO: CallVerdict = { isAllowed: false, note: 'No.' };
const YES: CallVerdict = { isAllowed: true };
const READ = call('read', { path: '/a' }, { id: 'c1', signature: 'sig' });
const WRITE = call('write', {});
const WHOLE = JSON.stringify(payload([text('so'), READ, WRITE], { finishReason: 'STOP', index: 0 }), undefined, 2);

describe('a whole answer', () => {
  it('has its calls found', () => {
    const calls = findAnswerCalls(WHOLE);
    expect(calls).toMatchObject([
      { id: 'c1', name: 'read', problem: undefined, answer: 'r-1' },
      { id: '', name: 'write', args: '{}' },
    ]);
    expect(typeof calls === 'string' ? calls : JSON.parse(calls[0]?.inHistory?.() ?? '')).toEqual(READ);
  });

  it('hazard 28: is the same byte for byte but for what is denied', () => {
    const note = '{"text":"No.","thoughtSignature":"sig"}';
    const made = rewriteAnswer(WHOLE, [NO, YES]);
    const [before = '', after = ''] = made.split(note);
    expect(WHOLE.startsWith(before)).toBe(true);
    expect(JSON.parse(made)).toEqual(
      payload([text('so'), { text: 'No.', thoughtSignature: 'sig' }, { thoughtSignature: expect.any(String), ...WRITE }], {
        finishReason: 'STOP',
        index: 0,
      }),
    );
    expect(after.replace(/"thoughtSignature":"[^"]+",/, '')).toBe(
      WHOLE.slice(WHOLE.length - after.replace(/"thoughtSignature":"[^"]+",/, '').length),
    );
    expect(rewriteAnswer(WHOLE, [YES, YES])).toBe(WHOLE);
  });

  it('a call without a verdict is denied', () => {
    expect(rewriteAnswer(WHOLE, [YES])).toContain('The call of \\"write\\" was left out.');
  });

  it('what the provider has run is found, and denied with what it came to', () => {
    const code = { executableCode: { language: 'PYTHON', code: '1' } };
    const whole = JSON.stringify(payload([code, { codeExecutionResult: { outcome: 'OUTCOME_OK' } }]));
    expect(findAnswerCalls(whole)).toMatchObject([{ name: 'codeExecution', runBy: 'provider', answer: 'r-1' }]);
    expect(rewriteAnswer(whole, [NO])).toContain('[{"text":"No."},{"text":"[clawai] The result of this call is withheld."}]');
  });

  it('a call of a kind that is not known yet is denied, and not told again', () => {
    const whole = JSON.stringify(payload([{ shellCall: { command: 'ls' }, thoughtSignature: 's' }]));
    const calls = findAnswerCalls(whole);
    expect(calls).toMatchObject([{ name: 'shellCall', args: '{"command":"ls"}' }]);
    expect(typeof calls === 'string' ? calls : calls[0]).not.toHaveProperty('inHistory');
    expect(JSON.parse(rewriteAnswer(whole, [NO]))).toEqual(payload([{ text: 'No.', thoughtSignature: 's' }]));
  });

  it('an error has none', () => {
    expect(findAnswerCalls('{"error":{"code":400}}')).toEqual([]);
  });

  it('what readers differ on is told, and can not be rewritten', () => {
    const inPieces = JSON.stringify(payload(pieces('n', { id: 'p', path: '$.a', value: 'x' })));
    for (const odd of ['[]', 'x', inPieces, WHOLE.replace('"functionCall"', '"functioncall"'), `[${WHOLE}]`]) {
      expect(findAnswerCalls(odd)).toBeTypeOf('string');
      expect(() => rewriteAnswer(odd, [])).toThrow('cannot be rewritten');
    }
  });
});
