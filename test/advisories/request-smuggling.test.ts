import { describe, expect, it } from 'vitest';
import { useForwarding } from '../support/forwarding-listener.ts';
import { exchange, head, statusesIn } from '../support/raw-http.ts';

/**
 * Where a proxy and the server behind it disagree about where a request ends, a second one hides in the body of the first, and nobody
 * decides about it. Whatever has two ends is refused, the connection closed, and nothing of it goes on.
 */
const forwarding = useForwarding();

const SMUGGLED = 'POST /smuggled HTTP/1.1\r\nhost: HOST\r\ncontent-length: 0\r\n\r\n';
const CHUNKED_THEN = `0\r\n\r\n${SMUGGLED}`;

/** `HOST` stands for the name of the listener. What follows the head is that of somebody who is not refused. */
const shapes: [name: string, lines: string[], body: string][] = [
  ['CL.TE', ['content-length: 6', 'transfer-encoding: chunked'], CHUNKED_THEN],
  ['TE.CL', ['transfer-encoding: chunked', 'content-length: 3'], `1\r\na\r\n${CHUNKED_THEN}`],
  ['two lengths', ['content-length: 0', `content-length: ${SMUGGLED.length}`], SMUGGLED],
  ['the same length twice', ['content-length: 0', 'content-length: 0'], SMUGGLED],
  ['a list of lengths', ['content-length: 0, 0'], SMUGGLED],
  ['a signed length', ['content-length: +0'], SMUGGLED],
  ['a negative length', ['content-length: -1'], SMUGGLED],
  ['a hexadecimal length', ['content-length: 0x0'], SMUGGLED],
  ['a length with a space in it', ['content-length: 0 0'], SMUGGLED],
  ['no length', ['content-length:'], SMUGGLED],
  ['two encodings', ['transfer-encoding: chunked', 'transfer-encoding: identity'], CHUNKED_THEN],
  ['chunked twice', ['transfer-encoding: chunked, chunked'], CHUNKED_THEN],
  ['chunked, in two lines', ['transfer-encoding: chunked', 'transfer-encoding: chunked'], CHUNKED_THEN],
  ['chunked and then another', ['transfer-encoding: chunked, gzip'], CHUNKED_THEN],
  ['another and then chunked', ['transfer-encoding: gzip, chunked'], CHUNKED_THEN],
  ['an unknown encoding', ['transfer-encoding: xchunked'], CHUNKED_THEN],
  ['a quoted encoding', ['transfer-encoding: "chunked"'], CHUNKED_THEN],
  ['an encoding after a vertical tab', ['transfer-encoding: \u000bchunked'], CHUNKED_THEN],
  ['a parameter of an encoding', ['transfer-encoding: chunked;x'], CHUNKED_THEN],
  ['a space before the colon', ['transfer-encoding : chunked'], CHUNKED_THEN],
  ['a tab before the colon', ['content-length\t: 0'], SMUGGLED],
  ['a folded line', ['x-y: z', ' transfer-encoding: chunked'], CHUNKED_THEN],
  ['a folded encoding', ['transfer-encoding:', ' chunked'], CHUNKED_THEN],
  ['a line without a colon', ['transfer-encoding'], CHUNKED_THEN],
  ['a bare CR', ['x-y: z\rtransfer-encoding: chunked'], CHUNKED_THEN],
  ['a bare LF', ['x-y: z\ntransfer-encoding: chunked'], CHUNKED_THEN],
  ['NUL in a name', ['transfer-encoding\u0000: chunked'], CHUNKED_THEN],
  ['NUL in a value', ['x-y: z\u0000'], SMUGGLED],
  ['a chunk with a signed size', ['transfer-encoding: chunked'], `+0\r\n\r\n${SMUGGLED}`],
  ['a chunk with a prefixed size', ['transfer-encoding: chunked'], `0x0\r\n\r\n${SMUGGLED}`],
  ['a chunk with a huge size', ['transfer-encoding: chunked'], `ffffffffffffffff1\r\n${SMUGGLED}`],
  ['a chunk that is longer than its size', ['transfer-encoding: chunked'], `1\r\nab\r\n${CHUNKED_THEN}`],
  ['a chunk that ends with LF', ['transfer-encoding: chunked'], `1\na\n0\n\n${SMUGGLED}`],
  ['an extension with a bare LF', ['transfer-encoding: chunked'], `1;a\nb\r\na\r\n${CHUNKED_THEN}`],
];

async function attempt(bytes: string): Promise<{ readonly statuses: number[]; readonly received: string }> {
  const { listener, host, received } = forwarding.current;
  const before = received().length;
  const statuses = statusesIn(await exchange(listener.origin, bytes.replaceAll('HOST', host)));
  return { statuses, received: received().slice(before) };
}

describe('what has two ends', () => {
  it.each(shapes)('%s', async (_name, lines, body) => {
    const { statuses, received } = await attempt(head('POST /first HTTP/1.1', 'host: HOST', ...lines) + body);
    expect(statuses).toHaveLength(1);
    expect([400, 501]).toContain(statuses[0]);
    expect(received).toBe('');
  });

  it.each([
    ['HTTP/1.0 with chunks', head('POST /first HTTP/1.0', 'host: HOST', 'transfer-encoding: chunked') + CHUNKED_THEN],
    ['a head with bare LF', `POST /first HTTP/1.1\nhost: HOST\ncontent-length: 0\n\n${SMUGGLED}`],
    ['another version', head('POST /first HTTP/1.2', 'host: HOST', 'content-length: 0') + SMUGGLED],
    ['a line before the first header', head('POST /first HTTP/1.1', ' content-length: 5', 'host: HOST') + SMUGGLED],
  ])('%s', async (_name, bytes) => {
    const { statuses, received } = await attempt(bytes);
    expect(statuses).toHaveLength(1);
    expect([400, 403]).toContain(statuses[0]);
    expect(received).toBe('');
  });
});

describe('after a refusal', () => {
  it('nothing on the connection is a request any more', async () => {
    for (const first of [
      head('GET // HTTP/1.1', 'host: HOST'),
      head('POST // HTTP/1.1', 'host: HOST', 'content-length: 2') + 'ab',
    ]) {
      const { statuses, received } = await attempt(first + SMUGGLED);
      expect(statuses).toEqual([400]);
      expect(received).toBe('');
    }
  });
});

describe('what has one', () => {
  it('goes on with a length, whatever it had', async () => {
    const bytes =
      head('POST /first HTTP/1.1', 'host: HOST', 'Transfer-Encoding: Chunked', 'connection: close') +
      '2;x=y\r\nab\r\n0\r\nX-Trailer: z\r\n\r\n';
    const { statuses, received } = await attempt(bytes);
    expect(statuses).toEqual([200]);
    expect(received).toMatch(/^POST \/first HTTP\/1\.1\r\n/);
    expect(received).toMatch(/\r\ncontent-length: 2\r\n(.+\r\n)*\r\nab$/);
    expect(received.toLowerCase()).not.toMatch(/transfer-encoding|trailer/);
  });

  it('and another after it, is two', async () => {
    const { statuses, received } = await attempt(
      head('POST /first HTTP/1.1', 'host: HOST', 'content-length: 2') +
        'ab' +
        head('GET /second HTTP/1.1', 'host: HOST', 'connection: close'),
    );
    expect(statuses).toEqual([200, 200]);
    expect(received).toContain('POST /first');
    expect(received).toContain('GET /second');
  });
});
