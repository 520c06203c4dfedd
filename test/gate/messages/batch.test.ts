import { describe, expect, it } from 'vitest';
import { createTestGate, type TestGate, toolCall } from '../../support/gate.ts';

const POLICY = '[[rule]]\naction = "deny"\ntool = "bad"\n[defaults]\naction = "allow"';

async function batchGate(revision = '2025-03-26'): Promise<TestGate> {
  const gate = createTestGate(POLICY);
  await gate.client('{"jsonrpc":"2.0","id":"i","method":"initialize","params":{}}');
  await gate.server(`{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"${revision}"}}`);
  return gate;
}

function answer(id: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result: {} });
}

describe('hazard 15: batches', () => {
  it.each(['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28'])('are refused with an answer in %s', async (revision) => {
    const gate = await batchGate(revision);
    expect(await gate.client(`[${toolCall('good')}]`)).toMatchObject({ id: null, error: { code: -32600 } });
    expect(await gate.server(`[${answer(1)}]`)).toBe('drop');
  });

  it('in 2025-03-26 each message is decided on its own, and all are answered by one line', async () => {
    const gate = await batchGate();
    const notification = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    const batch = `[${toolCall('good', { n: 1 }, { id: 1 })}, ${toolCall('bad', {}, { id: 2 })},${notification},${toolCall('good', {}, { id: 3 })}]`;
    expect(await gate.client(batch)).toMatchObject({
      onward: [{ id: 1 }, { method: 'notifications/initialized' }, { id: 3 }],
      back: [],
    });
    expect(await gate.server(answer(3))).toBe('drop');
    expect(await gate.server(answer(1))).toMatchObject({
      onward: [[{ id: 2, result: { isError: true } }, { id: 3 }, { id: 1 }]],
    });
  });

  it('is answered at once where all of it is denied', async () => {
    const gate = await batchGate();
    expect(await gate.client(`[${toolCall('bad', {}, { id: 1 })},${toolCall('bad', {}, { id: 2 })}]`)).toMatchObject({
      onward: [],
      back: [[{ id: 1 }, { id: 2 }]],
    });
  });

  it('of notifications has no answer', async () => {
    const gate = await batchGate();
    expect(await gate.client('[{"jsonrpc":"2.0","method":"notifications/initialized"}]')).toMatchObject({ back: [] });
  });

  it('waits for no request that was cancelled', async () => {
    const gate = await batchGate();
    await gate.client(`[${toolCall('good', {}, { id: 1 })},${toolCall('good', {}, { id: 2 })}]`);
    await gate.server(answer(1));
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}';
    expect(await gate.client(cancel)).toMatchObject({ onward: [{ method: 'notifications/cancelled' }], back: [[{ id: 1 }]] });
  });

  it('is answered when the server ends', async () => {
    const gate = await batchGate();
    await gate.client(`[${toolCall('good', {}, { id: 1 })},${toolCall('good', {}, { id: 2 })}]`);
    await gate.server(answer(1));
    expect(JSON.parse(gate.gate.requests.serverEnded())).toMatchObject([{ id: 1 }, { id: 2, error: {} }]);
  });

  it('hides nothing: malformed elements and handshakes in it are refused', async () => {
    const gate = await batchGate();
    const reply = await gate.client(
      '[1,{"jsonrpc":"2.0","id":5,"method":"initialize"},[],{"id":6,"method":"ping","Method":"tools/call"}]',
    );
    expect(reply).toMatchObject({ onward: [] });
    expect(JSON.stringify(reply)).toContain('"id":5');
    expect(JSON.stringify(reply)).toContain('"id":6');
  });

  it.each(['[]', '[,]', '[{}', '[{}]x'])('%s is refused', async (line) => {
    const gate = await batchGate();
    const reply = JSON.stringify(await gate.client(line));
    expect(reply).toContain('-32600');
    expect(reply).not.toBe('forward');
  });

  it('of a server: each message is scanned', async () => {
    const gate = await batchGate();
    await gate.client(toolCall('good', {}, { id: 1 }));
    expect(await gate.server(`[${answer(1)},${answer(2)},{"jsonrpc":"2.0","method":"notifications/progress"}]`)).toMatchObject({
      onward: [{ id: 1 }, { method: 'notifications/progress' }],
    });
  });
});
