import { afterEach, describe, expect, it } from 'vitest';
import { useForwarding } from '../support/forwarding-listener.ts';
import { exchange, head, statusesIn } from '../support/raw-http.ts';

/** A value that ends its line is one more header, or one more response, for the other side. */
const forwarding = useForwarding();
const GOOD = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

afterEach(() => {
  forwarding.current.answer = GOOD;
});

function ask(...lines: readonly string[]): Promise<string> {
  const { listener, host } = forwarding.current;
  return exchange(listener.origin, head('GET /mcp HTTP/1.1', `host: ${host}`, 'connection: close', ...lines));
}

describe('from a client', () => {
  it.each(['x: a\rinjected: b', 'x: a\ninjected: b', 'x: a\u0000b', 'x\u0000y: a', 'x y: a', ': a', 'x: a\u0001b'])(
    '%j goes nowhere',
    async (line) => {
      const before = forwarding.current.received().length;
      expect(statusesIn(await ask(line))).toEqual([400]);
      expect(forwarding.current.received()).toHaveLength(before);
    },
  );

  it('what only looks like it goes on as it is', async () => {
    const before = forwarding.current.received().length;
    expect(statusesIn(await ask('x: a%0d%0ainjected: b', 'y: caf\u00e9 \u0085\u008a'))).toEqual([200]);
    const received = forwarding.current.received().slice(before);
    expect(received).toContain('\r\nx: a%0d%0ainjected: b\r\n');
    expect(received).toContain('\r\ny: caf\u00e9 \u0085\u008a\r\n');
    expect(received).not.toMatch(/^injected/m);
  });
});

describe('from a server', () => {
  it.each(['x: a\rinjected: b', 'x: a\ninjected: b', 'x: a\u0000b', 'x y: a', 'x : a', 'x: a\r\n injected: b'])(
    '%j is a clean 502',
    async (line) => {
      forwarding.current.answer = `HTTP/1.1 200 OK\r\n${line}\r\ncontent-length: 2\r\n\r\nok`;
      const answer = await ask();
      expect(statusesIn(answer)).toEqual([502]);
      expect(answer).not.toContain('injected');
    },
  );

  it('and the listener is still there', async () => {
    expect(statusesIn(await ask())).toEqual([200]);
  });
});
