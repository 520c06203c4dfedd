import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendWhole } from '../../../src/transport/http/respond.ts';
import { exchange, head } from '../../support/raw-http.ts';

let body = Buffer.alloc(0);
const server = createServer((_request, response) => {
  sendWhole(response, { status: 201, headers: ['content-length', String(body.length), 'x-a', 'b', 'connection', 'close'], body });
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

const every = Buffer.from(Array.from({ length: 256 }, (_value, byte) => byte));

it.each([
  ['nothing', Buffer.alloc(0)],
  ['every byte that there is', every],
  ['text', Buffer.from('é 🏔 \r\n\r\n')],
  ['as much as is copied', Buffer.concat(Array.from({ length: 64 }, () => every))],
  ['more than is copied', Buffer.concat([...Array.from({ length: 64 }, () => every), Buffer.of(255)])],
  ['much', Buffer.alloc(3_000_000, every)],
])('sends %s as it is', async (_what, sent) => {
  body = sent;
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const received = await exchange(origin, head('GET / HTTP/1.1', 'host: a'));
  expect(received).toMatch(/^HTTP\/1\.1 201 Created\r\ncontent-length: \d+\r\nx-a: b\r\n/);
  const at = received.indexOf('\r\n\r\n') + 4;
  expect(Buffer.from(received.slice(at), 'latin1').equals(sent)).toBe(true);
});
