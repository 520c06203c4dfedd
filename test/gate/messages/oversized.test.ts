import { describe, expect, it } from 'vitest';
import { createTestGate, toolCall } from '../../support/gate.ts';

function cut(line: string): { length: number; head: Buffer; tail: Buffer } {
  const bytes = Buffer.from(line);
  return { length: bytes.length, head: bytes.subarray(0, 100), tail: bytes.subarray(-100) };
}

const LONG = 'x'.repeat(1000);

describe('hazard 18: oversized messages', () => {
  it('of the client: whoever waits gets an answer', async () => {
    const { gate, server } = createTestGate('');
    const request = cut(`{"method":"tools/call","params":{"a":"${LONG}"},"jsonrpc":"2.0","id":7}`);
    expect(gate.oversizedFromClient(request)).toMatchObject({ kind: 'reply', line: expect.stringContaining('"id":7') });
    await server('{"jsonrpc":"2.0","id":7,"method":"ping"}');
    const answer = cut(`{"result":{"a":"${LONG}"},"jsonrpc":"2.0","id":7}`);
    expect(gate.oversizedFromClient(answer)).toMatchObject({ kind: 'replace', line: expect.stringContaining('"id":7') });
    // Nobody asked for it any more; the client may have a request of its own under that id.
    expect(gate.oversizedFromClient(answer)).toEqual({ kind: 'drop' });
  });

  it('of the server: the client gets an error instead', async () => {
    const { gate, client, server } = createTestGate('[defaults]\naction = "allow"');
    await client(toolCall('t', {}, { id: 7 }));
    const answer = cut(`{"result":{"a":"${LONG}"},"jsonrpc":"2.0","id":7}`);
    expect(gate.oversizedFromServer(answer)).toMatchObject({ kind: 'replace', line: expect.stringContaining('-32603') });
    expect(gate.oversizedFromServer(answer)).toEqual({ kind: 'drop' });
    const request = cut(`{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"a":"${LONG}"}}`);
    expect(gate.oversizedFromServer(request)).toMatchObject({ kind: 'reply' });
    await client(toolCall('t', {}, { id: 8 }));
    const paramsFirst = cut(`{"params":{"a":"${LONG}"},"method":"sampling/createMessage","jsonrpc":"2.0","id":8}`);
    expect(gate.oversizedFromServer(paramsFirst)).toMatchObject({ kind: 'reply' });
    expect(await server('{"jsonrpc":"2.0","id":8,"result":{}}')).toBe('forward');
    expect(gate.oversizedFromServer(cut(LONG))).toEqual({ kind: 'drop' });
  });
});
