import { expect, it } from 'vitest';
import { useListener } from '../support/http-listener.ts';
import { type RawConnection, connectRaw, head } from '../support/raw-http.ts';
import { until } from '../support/until.ts';

/**
 * A page, or a broken client, can open connections faster than they time out. A thousand that say nothing, half a head or half a body
 * must cost nobody else anything.
 */
const listening = useListener();

const COUNT = 1000;

it('a thousand idle connections do not keep others out', async () => {
  const { listener, host } = listening.current;
  const beginnings = ['', 'GET / HTTP/1.1\r\nhost: ', head('POST / HTTP/1.1', `host: ${host}`, 'content-length: 9') + 'half'];
  const idle: RawConnection[] = [];
  for (let index = 0; index < COUNT; index++) {
    const connection = connectRaw(listener.origin);
    connection.socket.write(beginnings[index % beginnings.length] ?? '');
    idle.push(connection);
  }
  await until('all of them', () => listener.connections === COUNT);
  const before = performance.now();
  const response = await fetch(`${listener.origin}/mcp`, { method: 'POST', body: 'hello' });
  expect([response.status, await response.text()]).toEqual([200, 'ok']);
  expect(performance.now() - before).toBeLessThan(1000);
  for (const { socket } of idle) socket.destroy();
  await until('their end', () => listener.connections <= 1);
});
