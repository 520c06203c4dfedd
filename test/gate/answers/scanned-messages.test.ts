import { describe, expect, it } from 'vitest';
import { EVIL, TestDetector } from '../../support/detector.ts';
import { createTestGate, type Readable, type TestGate, toolCall } from '../../support/gate.ts';
import { createTestSink } from '../../support/sink.ts';

function gateWith(lines: string, isObserving = false) {
  const { sink, detections, calls } = createTestSink();
  const detector = new TestDetector();
  const gate = createTestGate(
    `[defaults]\naction = "allow"\n[detection]\n${lines}`,
    { sink, loadDetector: () => Promise.resolve(detector) },
    isObserving,
  );
  return { gate, detections, calls, detector };
}

/** What becomes of a line of the server's, asked again as long as it is busy. */
async function settled(gate: TestGate, message: object): Promise<Readable> {
  const line = JSON.stringify(message);
  for (;;) {
    const verdict = await gate.server(line);
    if (verdict !== 'busy') return verdict;
    await gate.gate.ready();
  }
}

const resultOf = (id: unknown, text: string): object => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

async function called(lines: string, text: string, isObserving = false) {
  const parts = gateWith(lines, isObserving);
  expect(await parts.gate.client(toolCall('t', {}))).toBe('forward');
  const verdict = await settled(parts.gate, resultOf(1, text));
  await parts.gate.gate.finish();
  return { ...parts, verdict };
}

describe('an answer', () => {
  it('alert: goes on, and is scanned afterwards', async () => {
    const { verdict, detections, calls } = await called('', EVIL);
    expect(verdict).toBe('forward');
    expect(detections).toMatchObject([
      { origin: 'result', call: calls[0]?.id, subject: { kind: 'tool', name: 't' }, action: 'alert' },
    ]);
  });

  it('redact: goes on without it', async () => {
    const { verdict, detections } = await called('on_result = "redact"', `One. ${EVIL} it. Two.`);
    expect(verdict).toEqual({ onward: [resultOf(1, 'One.[clawai removed: test.evil] Two.')], back: [] });
    expect(detections).toMatchObject([{ action: 'redact' }]);
  });

  it('deny: is a result that says why, with the record of its call', async () => {
    const { verdict, detections, calls } = await called('on_result = "deny"', EVIL);
    expect(verdict).toMatchObject({
      onward: [
        { id: 1, result: { isError: true, _meta: { 'dev.clawai/decision': { reason: 'detection', audit: calls[0]?.id } } } },
      ],
    });
    expect(JSON.stringify(verdict)).toContain('withheld the answer to the tool call \\"t\\": the server');
    expect(JSON.stringify(verdict)).not.toContain(EVIL);
    expect(detections).toMatchObject([{ action: 'deny' }]);
  });

  it.each([['redact'], ['deny']])('%s: an honest one goes on as it came', async (action) => {
    const { verdict, detections } = await called(`on_result = "${action}"`, 'Fine.');
    expect([verdict, detections]).toEqual(['forward', []]);
  });

  it('observed: goes on', async () => {
    const { verdict, detections } = await called('on_result = "deny"', EVIL, true);
    expect([verdict, detections.map(({ action }) => action)]).toEqual(['forward', ['alert']]);
  });

  it('that nobody waits for is dropped, and not scanned', async () => {
    const { gate, detector } = gateWith('on_result = "deny"');
    expect(await settled(gate, resultOf(7, EVIL))).toBe('drop');
    await gate.gate.finish();
    expect(detector.seen).toEqual([]);
  });

  it('a second one with the same bytes is scanned anew', async () => {
    const { gate, detector } = gateWith('on_result = "deny"');
    for (let round = 0; round < 2; round++) {
      await gate.client(toolCall('t', {}));
      expect(await settled(gate, resultOf(1, 'Fine.'))).toBe('forward');
    }
    await gate.gate.finish();
    expect(detector.seen.filter((seen) => seen.startsWith('content'))).toHaveLength(2);
  });

  it('answers of a batch wait together', async () => {
    const { gate } = gateWith('on_result = "deny"');
    gate.gate.assumeRevision('2025-03-26');
    const calls = [toolCall('a', {}, { id: 1 }), toolCall('b', {}, { id: 2 })];
    expect(await gate.client(`[${calls.join(',')}]`)).toMatchObject({ onward: calls.map((call) => JSON.parse(call) as unknown) });
    const answers = await settled(gate, [resultOf(1, 'Fine.'), resultOf(2, EVIL)]);
    expect(JSON.stringify(answers)).toContain('Fine.');
    expect(JSON.stringify(answers)).toContain('withheld');
    expect(JSON.stringify(answers)).not.toContain(EVIL);
    await gate.gate.finish();
  });

  it('one that also asks for something is judged as an answer too: clients that know no such questions read it', async () => {
    const { gate } = gateWith('on_result = "deny"');
    await gate.client(toolCall('t', {}));
    const both = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: EVIL }], inputRequests: {} } };
    const verdict = JSON.stringify(await settled(gate, both));
    expect(verdict).toContain('withheld');
    expect(verdict).not.toContain(EVIL);
    await gate.gate.finish();
  });

  it('twins in a batch have an outcome each', async () => {
    const { gate, detections } = gateWith('on_result = "deny"');
    gate.gate.assumeRevision('2025-03-26');
    await gate.client(toolCall('t', {}));
    const log = (data: string): object => ({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } });
    const batch = [log('Same.'), log('Same.'), log(EVIL), log(EVIL), resultOf(1, 'Fine.')];
    expect(await settled(gate, batch)).toEqual({ onward: [log('Same.'), log('Same.'), resultOf(1, 'Fine.')], back: [] });
    await gate.gate.finish();
    expect(detections.map(({ action }) => action)).toEqual(['deny', 'deny']);
  });

  it.each([
    ['resources/read', { uri: 'doc://a' }],
    ['prompts/get', { name: 'a' }],
  ])('%s: an error that says why', async (method, params) => {
    const { gate } = gateWith('on_result = "deny"');
    await gate.client(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    expect(await settled(gate, resultOf(1, EVIL))).toMatchObject({
      onward: [{ id: 1, error: { code: 40300, message: expect.stringContaining('test.evil') as string } }],
    });
    await gate.gate.finish();
  });

  it('an error to a method that nobody reviews', async () => {
    const { gate } = gateWith('on_result = "deny"');
    await gate.client(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    expect(await settled(gate, { jsonrpc: '2.0', id: 1, error: { code: -1, message: EVIL } })).toMatchObject({
      onward: [{ id: 1, error: { code: 40300 } }],
    });
    await gate.gate.finish();
  });
});

describe('what the server sends by itself', () => {
  const sampling = { jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage', params: { messages: [{ content: EVIL }] } };

  it.each([
    ['', 'forward'],
    ['on_sampling = "deny"', { id: 'q', error: { code: -1 } }],
    ['on_sampling = "redact"', { onward: [{ params: { messages: [{ content: '[clawai removed: test.evil]' }] } }] }],
    ['on_result = "deny"', 'forward'],
  ])('a request, %j', async (lines, expected) => {
    const { gate, detections } = gateWith(lines);
    const verdict = await settled(gate, sampling);
    if (typeof expected === 'string') expect(verdict).toBe(expected);
    else expect(verdict).toMatchObject(expected);
    await gate.gate.finish();
    expect(detections).toMatchObject([{ origin: 'sampling' }]);
  });

  it('a log line', async () => {
    const log = { jsonrpc: '2.0', method: 'notifications/message', params: { data: EVIL } };
    const { gate } = gateWith('on_result = "deny"');
    expect(await settled(gate, log)).toBe('drop');
    expect(await settled(gate, { ...log, params: { data: 'Fine.' } })).toBe('forward');
    await gate.gate.finish();
  });
});
