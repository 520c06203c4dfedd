import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import {
  brotliDecompress,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  gunzip,
  inflate,
  inflateRaw,
  zstdDecompress,
} from 'node:zlib';
import { UpstreamResponse } from './upstream-response.ts';

/** The HTTP status and message for each failure to read a request's body. */
export const BODY_PROBLEMS: Readonly<Record<Exclude<ReadBody['kind'], 'ok'>, readonly [status: number, why: string]>> = {
  too_large: [413, 'the message is longer than clawai accepts (limits.message in its config)'],
  cut_off: [400, 'the message ended before it was complete'],
  bad_encoding: [400, 'the body does not match its content-encoding'],
  unknown_encoding: [415, 'the content-encoding is not supported'],
};

/** A supported content encoding. */
type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** Most encodings in a row: nobody needs more, and each is another possible bomb. */
const MOST_CODINGS = 2;

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
]);

/** A request or response, with the members that reading its body needs. */
export interface Message extends Readable {
  readonly headers: IncomingHttpHeaders;
  readonly statusCode?: number | undefined;
}

export interface ReadBodyOptions {
  /** Most bytes of a body, before and after decoding. */
  readonly limit: number;
  /** Aborts the reading: the body then counts as cut off. */
  readonly signal?: AbortSignal;
}

/** A decoded body, or why there is none: it exceeds the limit, was cut off, is not in its encoding, or has an unknown one. */
export type ReadBody =
  | { readonly kind: 'ok'; readonly body: Buffer }
  | { readonly kind: 'too_large' | 'cut_off' | 'bad_encoding' | 'unknown_encoding' };

/**
 * Reads a request's body to its end and decodes it. On failure the rest stays unread and the connection open: the caller decides what to
 * answer. Never rejects.
 */
export function readBody(request: Message, { limit, signal }: ReadBodyOptions): Promise<ReadBody> {
  const codings = parseContentEncoding(headerOf(request, 'content-encoding'));
  if (codings === undefined) return Promise.resolve({ kind: 'unknown_encoding' });
  const collected = collect(request, limit, signal);
  return codings.length === 0 ? collected : decodeWhole(collected, codings, { limit, signal });
}

async function decodeWhole(
  collected: Promise<ReadBody>,
  codings: readonly Coding[],
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal | undefined },
): Promise<ReadBody> {
  const read = await collected;
  if (read.kind !== 'ok' || read.body.length === 0) return read;
  let { body } = read;
  for (const coding of codings) {
    const decoded = await decode(body, coding, limit);
    if (decoded.kind !== 'ok') return decoded;
    body = decoded.body;
  }
  return signal?.aborted === true ? { kind: 'cut_off' } : { kind: 'ok', body };
}

/** Statuses without a body (RFC 9110 15.3.5, 15.4.5). They may have a Content-Encoding, which then applies to nothing. */
const BODILESS = new Set([204, 304]);

/**
 * Decodes a response's body as a stream: decoded bytes come out as soon as their source comes in, so that events are not delayed. Without
 * an encoding or a body, it returns the response itself; do not pass the answer to HEAD. An error of the response is an error of the
 * stream.
 *
 * @returns undefined if the encoding is unknown; nothing has been read then
 */
export function decodeStream(response: Message): Readable | undefined {
  const codings = parseContentEncoding(headerOf(response, 'content-encoding'));
  if (codings === undefined) return undefined;
  if (headerOf(response, 'content-length') === '0' || BODILESS.has(response.statusCode ?? 0)) return response;
  let stream: Readable = response;
  for (const coding of codings) {
    // Errors reach the reader of the decoder.
    stream = pipeline(stream, createDecoder(coding), () => {});
  }
  return stream;
}

function headerOf(message: Message, name: 'content-encoding' | 'content-length'): string | undefined {
  return message instanceof UpstreamResponse ? message.header(name) : message.headers[name];
}

function collect(request: Message, limit: number, signal: AbortSignal | undefined): Promise<ReadBody> {
  return new Promise((resolve) => {
    if (Number(headerOf(request, 'content-length') ?? 0) > limit) {
      resolve({ kind: 'too_large' });
      return;
    }
    if (signal?.aborted === true || request.destroyed || request.readableEnded) {
      resolve({ kind: 'cut_off' });
      return;
    }
    let first: Buffer | undefined;
    let chunks: Buffer[] | undefined;
    let length = 0;
    const settle = (result: ReadBody): void => {
      signal?.removeEventListener('abort', cut);
      if (request instanceof UpstreamResponse) {
        if (result.kind !== 'ok') request.hold();
      } else {
        request.off('data', take).off('end', end).off('close', cut).off('error', cut);
        if (result.kind !== 'ok') request.pause();
      }
      resolve(result);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limit) settle({ kind: 'too_large' });
      else if (first === undefined) first = chunk;
      else if (chunks === undefined) chunks = [first, chunk];
      else chunks.push(chunk);
    };
    const end = (): void =>
      settle({ kind: 'ok', body: chunks === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(chunks, length) });
    const cut = (): void => settle({ kind: 'cut_off' });
    signal?.addEventListener('abort', cut);
    if (request instanceof UpstreamResponse) request.takeBody({ data: take, end, fail: cut });
    else request.on('data', take).on('end', end).on('close', cut).on('error', cut);
  });
}

/** Decodes on another thread, since a body may take tens of milliseconds; stops as soon as it exceeds `limit`. */
function decode(body: Buffer, coding: Coding, limit: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    DECODE[coding](body, { maxOutputLength: Math.max(limit, 1) }, (error, decoded) => {
      if (error === null) resolve(decoded.length > limit ? { kind: 'too_large' } : { kind: 'ok', body: decoded });
      else resolve({ kind: 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'bad_encoding' });
    });
  });
}

type Decode = (body: Buffer, options: { maxOutputLength: number }, done: (error: Error | null, decoded: Buffer) => void) => void;

/** The compression method in the low half of a zlib stream's first byte (RFC 1950); some senders omit the zlib frame. */
const ZLIB_METHOD = 8;

const DECODE: Readonly<Record<Coding, Decode>> = {
  gzip: gunzip,
  deflate: (body, options, done) => ((body[0] ?? 0) % 16 === ZLIB_METHOD ? inflate : inflateRaw)(body, options, done),
  br: brotliDecompress,
  zstd: zstdDecompress,
};

function createDecoder(coding: Coding): NodeJS.ReadWriteStream & Readable {
  switch (coding) {
    case 'gzip':
      return createGunzip({ flush: constants.Z_SYNC_FLUSH });
    case 'deflate':
      return createInflate({ flush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
    case 'zstd':
      return createZstdDecompress({ flush: constants.ZSTD_e_flush });
  }
}

/**
 * Parses a Content-Encoding header (RFC 9110 8.4).
 *
 * @param value all its lines, joined with commas
 * @returns the encodings in the order of decoding; undefined if one is unknown, or there are too many
 */
export function parseContentEncoding(value: string | undefined): readonly Coding[] | undefined {
  if (value === undefined) return [];
  const codings: Coding[] = [];
  for (const part of value.split(',')) {
    const name = part.trim().toLowerCase();
    if (name === '' || name === 'identity') continue;
    const coding = CODINGS.get(name);
    if (coding === undefined || codings.length === MOST_CODINGS) return undefined;
    codings.unshift(coding);
  }
  return codings;
}
