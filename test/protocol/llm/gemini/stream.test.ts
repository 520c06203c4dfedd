import { describe, expect, it } from 'vitest';
import type { CallVerdict, ModelCall } from '../../../../src/protocol/llm/dialect.ts';
import { NO_SIGNATURE } from '../../../../src/protocol/llm/gemini/noted-part.ts';
import { createGeminiStream } from '../../../../src/protocol/llm/gemini/stream.ts';
import { driveModelStream, type Driving, everySplit } from '../../../support/drive-model-stream.ts';
import { accumulateArray, accumulateSse } from '../../../support/gemini-accumulator.ts';
import { call, finish, jsonArray, payload, pieces, sse, text, USAGE } from '../../../support/gemini-events.ts';

const create = createGeminiStream;
const NO: CallVerdict = { isAllowed: false, note: '[clawai] No.' };
const NOTE = { text: '[clawai] No.' };
const READ = call('read', { path: '/a' }, { id: 'c1', signature: 'U0lH' });
const WRITE = call('write', { to: '/b' }, { id: 'c2' });

const drive = (source: string, driving: Partial<Driving> = {}) => driveModelStream([Buffer.from(source)], { create, ...driving });
const hold: Partial<Driving> = { nameVerdict: () => 'hold' };
const deny: Partial<Driving> = { nameVerdict: () => 'hold', verdict: () => NO };
const denying = (...names: readonly string[]): Partial<Driving> => ({
  nameVerdict: () => 'hold',
  verdict: ({ name }) => (names.includes(name) ? NO : { isAllowed: true }),
});
const partsOf = (stream: string, candidate = 0) => accumulateSse(stream).candidates[candidate];

describe('events without calls', () => {
  it('go on as the bytes that they came in', () => {
    const source = sse([payload([text('func\u003ctionCall"\\ é🏔')]), payload([{ text: 'x', thought: true }]), finish()]);
    expect(drive(source, deny)).toMatchObject({ text: source, asked: [], fault: undefined });
  });

  it('that are written in an unusual way are read, and go on as they came', () => {
    const source = `data:{"candidates" : [ ] , "x":[1.5e3,-0,true,null], "promptFeedback":{"blockReason":"SAFETY"}}\n\ndata: {}\n\n: so\n\n\n\n`;
    expect(drive(source, deny)).toMatchObject({ text: source, fault: undefined });
  });

  it('hazard 27: with a name, an id, a comment or several lines of data are written anew: some clients see nothing in them', () => {
    const data = JSON.stringify(payload([WRITE]));
    for (const odd of [
      `event: message\ndata: ${data}\n\n`,
      `id: 1\ndata: ${data}\n\n`,
      `: so\ndata: ${data}\n\n`,
      `\ufeffdata: ${data}\r\r`,
      `data: ${data.slice(0, 1)}\ndata: ${data.slice(1)}\n\n`,
    ]) {
      expect(partsOf(drive(odd, hold).text)).toEqual([WRITE]);
      expect(partsOf(drive(odd, deny).text)).toEqual([NOTE]);
    }
  });
});

describe('a call', () => {
  it('that is allowed goes on as it came', () => {
    const source = sse([payload([text('so')]), payload([READ, WRITE]), finish()]);
    for (const answers of ['at once', 'next chunk', 'after the end'] as const) {
      expect(drive(source, { ...hold, answers })).toMatchObject({ text: source, fault: undefined });
    }
  });

  it('that is denied is a text at its place, and nothing else changes', () => {
    const source = sse([payload([text('so'), WRITE, text('then')], { safetyRatings: [] }), finish()]);
    const { text: made, asked } = drive(source, deny);
    expect(made).toBe(source.replace(JSON.stringify(WRITE), JSON.stringify(NOTE)).replace('\r\n\r\n', '\n\n'));
    expect(asked).toEqual([
      {
        id: 'c2',
        name: 'write',
        group: undefined,
        args: '{"to":"/b"}',
        problem: undefined,
        runBy: 'client',
        server: undefined,
        answer: 'r-1',
        inHistory: expect.any(Function),
      },
    ]);
    expect(asked[0]?.inHistory?.()).toBe(JSON.stringify(WRITE));
  });

  it('is in the history with its signature', () => {
    const { asked } = drive(sse([payload([READ])]), deny);
    expect(asked[0]?.inHistory?.()).toBe(JSON.stringify(READ));
  });

  it('hazard 25: is decided whatever the answer stopped for', () => {
    for (const reason of ['STOP', 'MAX_TOKENS', 'SAFETY', 'MALFORMED_FUNCTION_CALL']) {
      const made = accumulateSse(drive(sse([payload([WRITE]), finish(reason)]), deny).text);
      expect(made.candidates[0]).toEqual([NOTE]);
      expect(made.finishReasons).toEqual([reason]);
    }
  });

  it('hazard 26: is decided in the event with the reason for the end, after that, and in any candidate', () => {
    expect(partsOf(drive(sse([payload([WRITE], { finishReason: 'STOP' })]), deny).text)).toEqual([NOTE]);
    expect(partsOf(drive(sse([finish(), payload([WRITE])]), deny).text)).toEqual([NOTE]);
    const two = {
      candidates: [
        { index: 1, content: { parts: [text('b')] } },
        { index: 0, content: { parts: [READ] } },
      ],
    };
    const made = drive(sse([two]), deny).text;
    expect(partsOf(made, 0)).toEqual([{ ...NOTE, thoughtSignature: 'U0lH' }]);
    expect(partsOf(made, 1)).toEqual([text('b')]);
  });

  it('hazard 26: behind the mark that ends streams of other APIs does not go on', () => {
    const { text: made, asked } = drive(`${sse([payload([text('a')])])}data: [DONE]\n\n${sse([payload([WRITE])])}`, hold);
    expect(made).toMatch(/"a".*\r\n\r\ndata: \[DONE\]\n\n$/s);
    expect(asked).toEqual([]);
  });

  it('hazard 28: takes nothing else of its event with it', () => {
    const source = sse([payload([{ ...READ, partMetadata: { a: 1 } }], { citationMetadata: {}, tokenCount: 3 })]);
    const { rest, candidates } = accumulateSse(drive(source, deny).text);
    expect(rest).toEqual([{ usageMetadata: USAGE, modelVersion: 'gemini-3-pro', responseId: 'r-1' }]);
    expect(candidates[0]).toEqual([{ ...NOTE, thoughtSignature: 'U0lH', partMetadata: { a: 1 } }]);
  });

  it('hazard 29: is denied alone, and not its namesakes', () => {
    const calls = ['1', '2', '3'].map((id) => call('read', { id }, { id }));
    const verdict = ({ id }: ModelCall): CallVerdict => (id === '2' ? NO : { isAllowed: true });
    expect(partsOf(drive(sse([payload(calls)]), { ...hold, verdict }).text)).toEqual([calls[0], NOTE, calls[2]]);
    const same = [call('read', {}), call('read', {})];
    let count = 0;
    const second = (): CallVerdict => (++count === 2 ? NO : { isAllowed: true });
    expect(partsOf(drive(sse([payload(same)]), { ...hold, verdict: second }).text)).toEqual([same[0], NOTE]);
  });

  it('hazard 32: is asked about by the name that the model says', () => {
    const { named, asked } = drive(sse([payload([call('mcp_github_create-issue', {})])]), hold);
    expect([...named, ...asked].map(({ name }) => name)).toEqual(['mcp_github_create-issue', 'mcp_github_create-issue']);
    expect(named[0]).toMatchObject({ args: undefined, problem: undefined });
  });

  it('that its name denies is denied whatever the verdict is', () => {
    expect(partsOf(drive(sse([payload([WRITE])]), { nameVerdict: () => 'deny' }).text)).toEqual([
      text('[clawai] The call of "write" was left out.'),
    ]);
  });

  it('hazard 30: is never an empty text, which some models refuse for good', () => {
    for (const note of ['', ' \n']) {
      const verdict = (): CallVerdict => ({ isAllowed: false, note });
      expect(partsOf(drive(sse([payload([WRITE])]), { ...hold, verdict }).text)).toEqual([
        text('[clawai] The call of "write" was left out.'),
      ]);
    }
  });

  it('that its name allows is denied all the same where that is the verdict', () => {
    expect(partsOf(drive(sse([payload([WRITE])]), { verdict: () => NO }).text)).toEqual([NOTE]);
  });

  it.each<[string, object, ModelCall['problem'], string | undefined]>([
    ['no arguments', { name: 'n' }, undefined, '{}'],
    ['null for arguments', { name: 'n', args: null }, undefined, '{}'],
    ['a text for arguments', { name: 'n', args: '{"a":1}' }, 'not_an_object', '"{\\"a\\":1}"'],
    ['an id of null', { id: null, name: 'n', args: {} }, undefined, '{}'],
  ])('with %s', (_what, functionCall, problem, args) => {
    const { asked } = drive(sse([payload([{ functionCall }])]), hold);
    expect(asked).toMatchObject([{ name: 'n', problem, args }]);
  });

  it('with a key twice in its arguments has them undecided', () => {
    const source = sse([payload([WRITE])]).replace('{"to":"/b"}', '{"to":"/ok","to":"/b"}');
    expect(drive(source, hold).asked).toMatchObject([{ problem: 'duplicate_key' }]);
  });

  it('with snake case for keys is one, too', () => {
    const odd = { function_call: { name: 'write', args: { to: '/b' } }, thought_signature: 'U0lH' };
    expect(drive(sse([payload([odd])]), hold).text).toBe(sse([payload([odd])]));
    expect(partsOf(drive(sse([payload([odd])]), deny).text)).toEqual([{ ...NOTE, thought_signature: 'U0lH' }]);
  });

  it('that is longer than may be held is too long', () => {
    const { asked, text: made } = drive(sse([payload([call('n', { a: 'x'.repeat(99) })])]), { ...hold, maxHeld: 50 });
    expect(asked).toMatchObject([{ problem: 'too_long', args: undefined }]);
    expect(partsOf(made)).toEqual([text('[clawai] The call of "n" was left out.')]);
  });
});

describe('what readers differ on ends the stream', () => {
  it.each([
    ['both spellings', '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a"},"function_call":{"name":"b"}}]}}]}'],
    ['another case', '{"candidates":[{"content":{"parts":[{"functioncall":{"name":"a"}}]}}]}'],
    ['a call beside the candidates', '{"response":{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a"}}]}}]}}'],
    ['a call beside the parts', '{"candidates":[{"content":{"functionCall":{"name":"a"}}}]}'],
    ['a call beside the content', '{"candidates":[{"delta":{"parts":[{"functionCall":{"name":"a"}}]}}]}'],
    ['parts that are no list', '{"candidates":[{"content":{"parts":{"functionCall":{"name":"a"}}}}]}'],
    ['candidates that are no list', '{"candidates":{"content":{"parts":[{"functionCall":{"name":"a"}}]}}}'],
    ['a key twice', '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a"}}]}}],"candidates":[]}'],
    ['two calls in a part', '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a"},"toolCall":{"toolType":"X"}}]}}]}'],
    ['a call without a name', '{"candidates":[{"content":{"parts":[{"functionCall":{"args":{}}}]}}]}'],
    ['a call with an empty name', '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"","args":{}}}]}}]}'],
    ['a call that is a text', '{"candidates":[{"content":{"parts":[{"functionCall":"a"}]}}]}'],
    [
      'whole arguments and pieces',
      '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a","args":{},"willContinue":true}}]}}]}',
    ],
    [
      'a piece of nothing',
      '{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"b"}]}}]}}]}',
    ],
    ['no JSON', '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a"}}]}}'],
    ['a list', '[{"functionCall":{"name":"a"}}]'],
  ])('%s', (_what, data) => {
    const { text: made, fault, asked } = drive(`data: ${data}\n\n${sse([payload([WRITE])])}`, hold);
    expect(fault).toBeTypeOf('string');
    expect(asked).toEqual([]);
    expect(accumulateSse(made)).toMatchObject({ candidates: [], error: { code: 500, status: 'INTERNAL' } });
  });
});

describe('signatures', () => {
  const note = { ...NOTE, thoughtSignature: 'U0lH' };

  it('of a denied call stays at its place, and the first call that is left says that it has none', () => {
    const other = call('write', {}, { id: 'c3' });
    const { text: made } = drive(sse([payload([READ, WRITE]), payload([other])]), denying('read'));
    expect(partsOf(made)).toEqual([note, { ...WRITE, thoughtSignature: NO_SIGNATURE }, other]);
    expect(Buffer.from(NO_SIGNATURE, 'base64').toString()).toBe('skip_thought_signature_validator');
  });

  it('over several events, and not where a call is left before, or has one of its own', () => {
    const signed = call('write', {}, { signature: 'own' });
    expect(partsOf(drive(sse([payload([READ]), payload([WRITE])]), denying('read')).text)).toEqual([
      note,
      { ...WRITE, thoughtSignature: NO_SIGNATURE },
    ]);
    expect(partsOf(drive(sse([payload([READ, signed, WRITE])]), denying('read')).text)).toEqual([note, signed, WRITE]);
    expect(partsOf(drive(sse([payload([WRITE, READ, WRITE])]), denying('read')).text)).toEqual([WRITE, note, WRITE]);
    expect(partsOf(drive(sse([payload([WRITE, READ])]), denying('write')).text)).toEqual([NOTE, READ]);
  });
});

describe('calls of the provider', () => {
  const code = { executableCode: { language: 'PYTHON', code: 'print(1)' } };
  const ran = { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } };
  const search = { toolCall: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['q'] } }, thoughtSignature: 'x' };
  const found = { toolResponse: { id: 's', toolType: 'GOOGLE_SEARCH_WEB', response: { a: 1 } } };

  it('are asked about as what has been run', () => {
    const source = sse([payload([code]), payload([ran]), payload([search, found])]);
    const { asked, text: made } = drive(source, hold);
    expect(made).toBe(source);
    expect(asked).toMatchObject([
      { name: 'codeExecution', runBy: 'provider', args: '{"language":"PYTHON","code":"print(1)"}' },
      { id: 's', name: 'googleSearch', runBy: 'provider', args: '{"queries":["q"]}' },
    ]);
  });

  it('are denied with what they came to', () => {
    const other = { toolResponse: { id: 't', response: {} } };
    const { text: made } = drive(sse([payload([code]), payload([ran, search]), payload([other, found])]), deny);
    const withheld = text('[clawai] The result of this call is withheld.');
    expect(partsOf(made)).toEqual([NOTE, withheld, { ...NOTE, thoughtSignature: 'x' }, other, withheld]);
  });
});

describe('a failure of upstream', () => {
  const failure = { error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } };

  it('goes on, drops what is held, and ends the stream', () => {
    const source = sse([payload([text('a')]), payload([WRITE]), failure, payload([text('b')])]);
    const { text: made } = drive(source, { ...hold, answers: 'after the end' });
    expect(accumulateSse(made)).toMatchObject({ candidates: [[text('a')]], error: failure.error });
  });

  it('goes on where it is no data, which clients look for', () => {
    const { text: made } = drive(`${sse([payload([text('a')])])}${JSON.stringify(failure)}\n\nx: y\n\n`, hold);
    expect(accumulateSse(made)).toMatchObject({ candidates: [[text('a')]], error: failure.error });
    const last = drive(`${sse([payload([WRITE])])}${JSON.stringify(failure)}`, { ...hold, answers: 'after the end' });
    expect(last.text).toBe(sse([failure]).replace('\r\n\r\n', '\n\n'));
    expect(drive(`${sse([payload([text('a')])])}{"a":1}`, hold).text).toBe(sse([payload([text('a')])]));
  });

  it('a call beside it is one all the same', () => {
    const both = { ...payload([WRITE]), ...failure };
    expect(partsOf(drive(sse([both]), deny).text)).toEqual([NOTE]);
    expect(drive(`${JSON.stringify(both)}\n\n`, deny).text).toBe('');
  });

  it('lines that are nothing do not go on', () => {
    expect(drive('{"a":1}\n\n{x\n\nfoo\n\n', hold).text).toBe('');
  });
});

describe('while a call is held', () => {
  it('what comes behind it waits, and the client is told with what it does not take for an event', () => {
    const driven = driveModelStream(
      [payload([text('a')]), payload([WRITE]), payload([text('b')]), finish()].map((one) => Buffer.from(sse([one]))),
      { create, ...hold, answers: 'after the end' },
    );
    expect(driven.steps.map(({ isHolding }) => isHolding)).toEqual([false, true, true, true]);
    expect(new Set(driven.steps.map(({ sent }) => sent)).size).toBe(1);
    expect(partsOf(driven.text)).toEqual([text('a'), WRITE, text('b')]);
    const { keepAlive } = create({ output: {} as never, nameVerdict: () => 'hold', maxHeld: 1 });
    expect(keepAlive).toBe('\n\n');
  });

  it('no more than may be held is', () => {
    const source = sse([payload([WRITE]), ...Array.from({ length: 20 }, () => payload([text('x'.repeat(99))]))]);
    const { fault, text: made } = drive(source, { ...hold, answers: 'after the end', maxHeld: 2000 });
    expect(fault).toBe('more than may be held while a call is decided');
    expect(accumulateSse(made)).toMatchObject({ candidates: [], error: expect.anything() });
  });
});

describe('an answer that is out of all proportion', () => {
  it('ends at an event of more calls than anybody makes', () => {
    const calls = (count: number) => sse([payload(Array.from({ length: count }, () => WRITE))]);
    expect(drive(calls(1025), hold)).toMatchObject({ asked: [], fault: 'more calls than anybody makes' });
    expect(drive(calls(1024), hold)).toMatchObject({ asked: { length: 1024 }, fault: undefined });
  });

  it('has a call that is too long where very many events come within it, however short they are', () => {
    const [first = {}] = pieces('get', { id: 'p', path: '$.a', value: 'x' });
    const source = (count: number) => sse([payload([first])]) + 'data: {}\n\n'.repeat(count);
    expect(drive(source(100), { ...hold, maxHeld: 10_000 })).toMatchObject({ asked: [{ problem: 'too_long' }] });
    expect(drive(source(10), { ...hold, maxHeld: 10_000 })).toMatchObject({ asked: [{ problem: 'incomplete' }] });
  });
});

describe('hazard 27: every byte split', () => {
  const source = sse([
    payload([text('é🏔 so')]),
    payload([READ, text('then'), WRITE]),
    payload(pieces('edit', { id: 'p', path: '$.a', value: 'hé' })),
    finish(),
  ]);

  it('of events gives the same answer', () => {
    for (const driving of [hold, deny, denying('read')]) {
      const whole = accumulateSse(drive(source, driving).text);
      for (const chunks of everySplit(source)) {
        expect(accumulateSse(driveModelStream(chunks, { create, ...driving }).text)).toEqual(whole);
      }
    }
  });

  it('of an array gives the same bytes', () => {
    const array = jsonArray([payload([text('é [{"}]')]), payload([READ, WRITE]), finish()]);
    for (const driving of [hold, deny, denying('read')]) {
      const whole = drive(array, { ...driving, framing: 'json_array' }).text;
      expect(accumulateArray(whole).finishReasons).toEqual(['STOP']);
      for (const chunks of everySplit(array)) {
        expect(driveModelStream(chunks, { create, ...driving, framing: 'json_array' }).text).toBe(whole);
      }
    }
  });
});
