import { once } from 'node:events';
import { expect, it } from 'vitest';
import { useSandbox } from '../support/attempt.ts';
import { useListener } from '../support/http-listener.ts';
import { callOf, post } from '../support/post.ts';
import { type RawConnection, connectRaw, exchange, head, statusesIn } from '../support/raw-http.ts';
import { ScriptedServer } from '../support/scripted-server.ts';
import { Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

/**
 * A page, or a broken client, can open connections faster than they time out. A thousand that say nothing, half a head or half a body
 * must cost nobody else anything. As many as there may be kept all others out until they had timed out.
 */
const listening = useListener();
const sandbox = useSandbox();

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
  const response = await fetch(`${listener.origin}/mcp`, { method: 'POST', body: 'hello' });
  expect([response.status, await response.text()]).toEqual([200, 'ok']);
  for (const { socket } of idle) socket.destroy();
  await until('their end', () => listener.connections <= 1);
});

/** As many as `clawai serve` has at once. */
const HOUSE = 4096;

it('a full house of connections that ask for nothing here keeps nobody out who does', { tags: 'long' }, async () => {
  const server = await ScriptedServer.start();
  const serving = await Serving.start(sandbox.current, { servers: { s: server.url } });
  const host = new URL(serving.origin).host;
  // Whoever was there before keeps the connection.
  const client = connectRaw(serving.origin);
  const ask = (): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const lines = [`host: ${host}`, 'content-type: application/json', `content-length: ${body.length}`];
    client.socket.write(head(`POST ${new URL(serving.url('s')).pathname} HTTP/1.1`, ...lines) + body);
  };
  ask();
  await until('an answer', () => statusesIn(client.received()).length === 1);
  const beginnings = ['', 'GET / HTTP/1.1\r\nhost: ', head('GET /mcp/s/guessed HTTP/1.1', `host: ${host}`)];
  const idle: RawConnection[] = [];
  for (let index = 0; index < HOUSE; index++) {
    const connection = connectRaw(serving.origin);
    connection.socket.write(beginnings[index % beginnings.length] ?? '');
    idle.push(connection);
    // The system's queue may be shorter than that.
    if (index % 1024 === 0) await once(connection.socket, 'connect');
  }
  // One more than there may be, with the client's: the first of them has made room.
  await until('the house to be full', () => idle.some(({ socket }) => socket.destroyed));
  const { status } = await post(serving.url('s'), callOf(2));
  expect(status).toBe(200);
  ask();
  await until('another answer', () => statusesIn(client.received()).length === 2);
  expect(statusesIn(client.received())).toEqual([200, 200]);
  for (const { socket } of [client, ...idle]) socket.destroy();
  await serving.stop();
  await server.stop();
  expect(serving.said().filter((line) => line.includes('more than 4096 connections'))).toHaveLength(1);
});

it.runIf(process.platform === 'linux')(
  'nor where the system allows few files, or those who know the URL begin bodies that never come',
  async () => {
    const server = await ScriptedServer.start();
    const serving = await Serving.start(sandbox.current, { servers: { s: server.url }, files: 200 });
    const { pathname, host } = new URL(serving.url('s'));
    const begun =
      head(`POST ${pathname} HTTP/1.1`, `host: ${host}`, 'content-type: application/json', 'content-length: 9') + 'half';
    const idle: RawConnection[] = [];
    for (let index = 0; index < 300; index++) {
      const connection = connectRaw(serving.origin);
      connection.socket.write(index < 150 ? begun : '');
      idle.push(connection);
      await once(connection.socket, 'connect');
      // Ten at once, each on a connection of its own.
      if (index % 50 !== 49) continue;
      const lines = [`host: ${host}`, 'content-type: application/json', 'connection: close'];
      const body = JSON.stringify(callOf(index));
      const asked = head(`POST ${pathname} HTTP/1.1`, ...lines, `content-length: ${body.length}`) + body;
      const answers = await Promise.all(Array.from({ length: 10 }, () => exchange(serving.origin, asked)));
      expect(answers.map(statusesIn)).toEqual(answers.map(() => [200]));
    }
    for (const { socket } of idle) socket.destroy();
    await serving.stop();
    await server.stop();
    expect(serving.said().filter((line) => line.includes('more than 68 connections'))).toHaveLength(1);
  },
);

it('a body that stops, or comes too slowly to ever end, is not waited for longer than the config says', async () => {
  const server = await ScriptedServer.start();
  const serving = await Serving.start(sandbox.current, {
    servers: { s: server.url },
    config: '[limits]\nbody_timeout = "250ms"\n',
  });
  const { pathname, host } = new URL(serving.url('s'));
  const begun = head(`POST ${pathname} HTTP/1.1`, `host: ${host}`, 'content-type: application/json', 'content-length: 1000');
  const [stopping, dripping] = [connectRaw(serving.origin), connectRaw(serving.origin)];
  stopping.socket.write(`${begun}half`);
  dripping.socket.write(begun);
  const feeding = setInterval(() => dripping.socket.write('x'), 20);
  await Promise.all([stopping.closed, dripping.closed]);
  clearInterval(feeding);
  expect([stopping, dripping].map(({ received }) => statusesIn(received()))).toEqual([[408], [408]]);
  expect(server.seen).toEqual([]);
  await serving.stop();
  await server.stop();
});
