import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReadBody, decodeStream, readBody } from '../../../src/transport/http/read-body.ts';
import { connectRaw, head } from '../../support/raw-http.ts';

const LIMIT = 1000;

let server: Server;
let origin: string;
let handle: (request: IncomingMessage, response: ServerResponse) => void;
beforeAll(async () => {
  server = createServer((incoming, response) => handle(incoming, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** What is read of these bytes, after a head with these lines. */
function readOf(lines: string[], body: Buffer | string, signal?: AbortSignal): Promise<ReadBody> {
  return new Promise((resolve) => {
    const connection = connectRaw(origin);
    handle = (incoming) => {
      void readBody(incoming, { limit: LIMIT, ...(signal === undefined ? {} : { signal }) }).then((read) => {
        connection.socket.destroy();
        resolve(read);
      });
    };
    connection.socket.write(head('POST / HTTP/1.1', 'host: x', ...lines));
    connection.socket.end(body);
  });
}

function sized(body: Buffer | string, ...lines: string[]): Promise<ReadBody> {
  return readOf([`content-length: ${Buffer.byteLength(body)}`, ...lines], body);
}

function ok(body: string): ReadBody {
  return { kind: 'ok', body: Buffer.from(body) };
}

const HELLO = 'hello, hello, hello';

describe('a body', () => {
  it('comes as it is', async () => {
    expect(await sized(HELLO)).toEqual(ok(HELLO));
    expect(await sized('')).toEqual(ok(''));
    expect(await readOf(['transfer-encoding: chunked'], '5\r\nhello\r\n2;x=y\r\n, \r\n0\r\n\r\n')).toEqual(ok('hello, '));
  });

  it('that came in one piece is not copied', async () => {
    const pieces: Buffer[] = [];
    const connection = connectRaw(origin);
    const read = new Promise<ReadBody>((resolve) => {
      handle = (incoming) => {
        incoming.on('data', (piece: Buffer) => pieces.push(piece));
        resolve(readBody(incoming, { limit: LIMIT }));
      };
    });
    connection.socket.write(head('POST / HTTP/1.1', 'host: x', 'content-length: 5') + 'hello');
    const body = await read;
    connection.socket.destroy();
    expect(body.kind === 'ok' && body.body === pieces[0]).toBe(true);
  });

  const encoded: [name: string, encoding: string, body: Buffer][] = [
    ['gzip', 'gzip', gzipSync(HELLO)],
    ['x-gzip', 'x-gzip', gzipSync(HELLO)],
    ['deflate', 'deflate', deflateSync(HELLO)],
    ['deflate without its frame', 'deflate', deflateRawSync(HELLO)],
    ['br', 'br', brotliCompressSync(HELLO)],
    ['zstd', 'zstd', zstdCompressSync(HELLO)],
    ['two in a row', 'gzip, br', brotliCompressSync(gzipSync(HELLO))],
    ['identity', 'identity', Buffer.from(HELLO)],
  ];
  it.each(encoded)('is decoded: %s', async (_name, encoding, body) => {
    expect(await sized(body, `content-encoding: ${encoding}`)).toEqual(ok(HELLO));
  });

  it('is decoded in the order of several lines', async () => {
    expect(await sized(brotliCompressSync(gzipSync(HELLO)), 'content-encoding: gzip', 'content-encoding: br')).toEqual(ok(HELLO));
  });

  it('of nothing is nothing in every encoding', async () => {
    expect(await sized('', 'content-encoding: gzip')).toEqual(ok(''));
  });
});

describe('too large', () => {
  const TOO_LARGE = { kind: 'too_large' };

  it('is one byte more than the limit', async () => {
    expect(await sized('x'.repeat(LIMIT))).toEqual(ok('x'.repeat(LIMIT)));
    expect(await sized('x'.repeat(LIMIT + 1))).toEqual(TOO_LARGE);
  });

  it('is known from what is announced', async () => {
    expect(await readOf([`content-length: ${LIMIT + 1}`], '')).toEqual(TOO_LARGE);
  });

  it('is known before the end of what is not announced', async () => {
    expect(await readOf(['transfer-encoding: chunked'], `7d0\r\n${'x'.repeat(2000)}\r\n`)).toEqual(TOO_LARGE);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('counts decoded bytes: %s', async (encoding, compress) => {
    expect(await sized(compress('x'.repeat(LIMIT)), `content-encoding: ${encoding}`)).toEqual(ok('x'.repeat(LIMIT)));
    expect(await sized(compress('x'.repeat(LIMIT + 1)), `content-encoding: ${encoding}`)).toEqual(TOO_LARGE);
  });
});

describe('what is no body', () => {
  it('was cut off', async () => {
    expect(await readOf(['content-length: 9'], 'abc')).toEqual({ kind: 'cut_off' });
    expect(await readOf(['transfer-encoding: chunked'], '5\r\nhello\r\n')).toEqual({ kind: 'cut_off' });
  });

  it('was not waited for', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    const connection = connectRaw(origin);
    const read = new Promise<ReadBody>((resolve) => {
      handle = (incoming) => resolve(readBody(incoming, { limit: LIMIT, signal: abort.signal }));
    });
    connection.socket.write(head('POST / HTTP/1.1', 'host: x', 'content-length: 9') + 'abc');
    expect(await read).toEqual({ kind: 'cut_off' });
    connection.socket.destroy();
    expect(await readOf(['content-length: 3'], 'abc', AbortSignal.abort())).toEqual({ kind: 'cut_off' });
  });

  it('was read before', async () => {
    const connection = connectRaw(origin);
    const read = new Promise<ReadBody>((resolve) => {
      handle = (incoming) => incoming.resume().once('close', () => resolve(readBody(incoming, { limit: LIMIT })));
    });
    connection.socket.write(head('POST / HTTP/1.1', 'host: x', 'content-length: 3') + 'abc');
    expect(await read).toEqual({ kind: 'cut_off' });
    connection.socket.destroy();
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])('is not %s', async (encoding) => {
    expect(await sized('this is none of them', `content-encoding: ${encoding}`)).toEqual({ kind: 'bad_encoding' });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('is half of %s', async (encoding, compress) => {
    const whole = compress(HELLO);
    expect(await sized(whole.subarray(0, whole.length - 3), `content-encoding: ${encoding}`)).toEqual({ kind: 'bad_encoding' });
  });

  it('has an encoding that nobody knows', async () => {
    expect(await sized(HELLO, 'content-encoding: rot13')).toEqual({ kind: 'unknown_encoding' });
    expect(await sized(HELLO, 'content-encoding: gzip, gzip, gzip')).toEqual({ kind: 'unknown_encoding' });
  });
});

describe('a response', () => {
  async function ask(answer: (response: ServerResponse) => void): Promise<IncomingMessage> {
    handle = (_incoming, response) => answer(response);
    const [response] = (await once(request(origin, { agent: false }).end(), 'response')) as [IncomingMessage];
    return response;
  }

  function decoded(response: IncomingMessage): Promise<string> {
    const stream = decodeStream(response);
    if (stream === undefined) throw new Error('the encoding is not known');
    return text(stream);
  }

  const encoded: [encoding: string, body: Buffer][] = [
    ['gzip', gzipSync(HELLO)],
    ['deflate', deflateSync(HELLO)],
    ['br', brotliCompressSync(HELLO)],
    ['zstd', zstdCompressSync(HELLO)],
    ['deflate, gzip', gzipSync(deflateSync(HELLO))],
  ];
  it.each(encoded)('is decoded: %s', async (encoding, body) => {
    const response = await ask((answer) => answer.setHeader('content-encoding', encoding).end(body));
    expect(await decoded(response)).toBe(HELLO);
  });

  it('without an encoding is its own stream', async () => {
    const response = await ask((answer) => answer.end(HELLO));
    expect(decodeStream(response)).toBe(response);
    response.resume();
  });

  it('in an unknown one has none', async () => {
    const response = await ask((answer) => answer.setHeader('content-encoding', 'rot13').end(HELLO));
    expect(decodeStream(response)).toBeUndefined();
    response.resume();
  });

  it('without a body has none in every encoding', async () => {
    const response = await ask((answer) => answer.setHeader('content-encoding', 'gzip').end());
    expect(await decoded(response)).toBe('');
  });

  it('gives events as they come', async () => {
    const gzip = createGzip();
    const response = await ask((answer) => {
      gzip.pipe(answer.setHeader('content-encoding', 'gzip'));
      gzip.write('data: 1\n\n');
      gzip.flush();
    });
    const stream = decodeStream(response);
    const [first] = await once(stream ?? response, 'data');
    expect(String(first)).toBe('data: 1\n\n');
    gzip.end('data: 2\n\n');
    expect(await text(stream ?? response)).toBe('data: 2\n\n');
  });

  it('that breaks off is an error', async () => {
    const body = gzipSync(HELLO);
    const cut = await ask((answer) => {
      answer.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length });
      answer.write(body.subarray(0, 12), () => answer.destroy());
    });
    await expect(decoded(cut)).rejects.toThrow('aborted');
    const short = await ask((answer) => answer.setHeader('content-encoding', 'gzip').end(body.subarray(0, body.length - 3)));
    await expect(decoded(short)).rejects.toThrow('unexpected end of file');
  });
});
