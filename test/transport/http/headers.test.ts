import { describe, expect, it } from 'vitest';
import { hasForbiddenCharacter, toDownstreamHeaders, toUpstreamHeaders } from '../../../src/transport/http/headers.ts';

const HOST = 'remote.example';
const NOTHING: ReadonlySet<string> = new Set();

function up(raw: string[], set: Record<string, string> = {}, drop: ReadonlySet<string> = NOTHING): string[] {
  return toUpstreamHeaders(raw, { host: HOST, set, drop });
}

const ADDED = ['host', HOST, 'accept-encoding', 'identity'];

describe('to a remote server', () => {
  const dropped: [name: string, value: string][] = [
    ['Connection', 'keep-alive'],
    ['Keep-Alive', 'timeout=5'],
    ['Proxy-Authorization', 'Basic x'],
    ['Proxy-Connection', 'keep-alive'],
    ['TE', 'trailers'],
    ['Trailer', 'X-End'],
    ['Transfer-Encoding', 'chunked'],
    ['Upgrade', 'h2c'],
    ['HTTP2-Settings', 'x'],
    ['Host', '127.0.0.1:1'],
    ['HOST', '127.0.0.1:1'],
    ['Origin', 'http://localhost:1'],
    ['Referer', 'http://localhost:1/mcp/name/secret'],
    ['Accept-Encoding', 'gzip'],
    ['Content-Length', '3'],
    ['Content-Encoding', 'gzip'],
    ['X-Clawai-Token', 'x'],
    ['x-clawai-anything', 'x'],
    ['Expect', '100-continue'],
  ];
  it.each(dropped)('%s does not go on', (name, value) => {
    expect(up([name, value, 'Accept', 'a'])).toEqual(['host', HOST, 'Accept', 'a', 'accept-encoding', 'identity']);
  });

  const kept: [name: string, value: string][] = [
    ['Authorization', 'Bearer x'],
    ['Mcp-Session-Id', 'x'],
    ['MCP-Protocol-Version', '2025-06-18'],
    ['Last-Event-ID', '7'],
    ['Content-Type', 'application/json'],
    ['Accept', 'text/event-stream'],
    ['User-Agent', 'x'],
    ['X-Forwarded-For', '10.0.0.1'],
    ['Cookie', 'a=b'],
    ['X-Odd', 'caf\u00e9'],
  ];
  it.each(kept)('%s does', (name, value) => {
    expect(up([name, value])).toEqual(['host', HOST, name, value, 'accept-encoding', 'identity']);
  });

  it('order, case and duplicates stay, and nothing else is added', () => {
    expect(up(['x-B', '1', 'X-a', '2', 'x-b', '3'])).toEqual([
      'host',
      HOST,
      'x-B',
      '1',
      'X-a',
      '2',
      'x-b',
      '3',
      ...ADDED.slice(2),
    ]);
    expect(up([])).toEqual(ADDED);
  });

  it('what Connection names is of this hop, whatever its case and however many lines', () => {
    expect(up(['Connection', 'close, X-One', 'x-one', '1', 'X-Two', '2', 'connection', ' x-TWO ,', 'X-Three', '3'])).toEqual([
      'host',
      HOST,
      'X-Three',
      '3',
      'accept-encoding',
      'identity',
    ]);
  });

  it('Connection takes no header away that the message is about', () => {
    const raw = ['Authorization', 'a', 'Mcp-Session-Id', 'b', 'Content-Type', 'c', 'Cookie', 'd', 'Mcp-Method', 'e'];
    const named = 'authorization, mcp-session-id, content-type, cookie, host, content-length, mcp-method';
    expect(up(['Connection', named, ...raw])).toEqual(['host', HOST, ...raw, 'accept-encoding', 'identity']);
  });

  it('configured headers replace all of that name', () => {
    expect(up(['authorization', 'a', 'x', '1', 'Authorization', 'b'], { Authorization: 'c', 'X-New': 'd' })).toEqual([
      'host',
      HOST,
      'x',
      '1',
      'accept-encoding',
      'identity',
      'Authorization',
      'c',
      'X-New',
      'd',
    ]);
  });

  it('also the host and the encoding', () => {
    expect(up([], { Host: 'inner', 'Accept-Encoding': 'br' })).toEqual(['Host', 'inner', 'Accept-Encoding', 'br']);
  });

  it('dropped names do not go on', () => {
    expect(up(['Cookie', 'a', 'X', 'b', 'cookie', 'c'], {}, new Set(['cookie']))).toEqual([
      'host',
      HOST,
      'X',
      'b',
      ...ADDED.slice(2),
    ]);
  });

  it('Connection cannot take away what is configured', () => {
    expect(up(['Connection', 'x-key', 'X-Key', 'mine'], { 'x-key': 'theirs' })).toEqual([...ADDED, 'x-key', 'theirs']);
  });
});

describe('to a client', () => {
  const raw = ['Set-Cookie', 'a=1', 'ETag', '"x"', 'Content-Length', '3', 'Set-Cookie', 'b=2', 'Content-Type', 'text/plain'];

  it('all but what is of this hop', () => {
    const hop = ['Connection', 'close, X-Hop', 'Keep-Alive', 'timeout=5', 'X-Hop', '1', 'Transfer-Encoding', 'chunked'];
    expect(toDownstreamHeaders([...hop, ...raw], { isRewritten: false })).toEqual(raw);
  });

  it('nothing that was true of a body that does not go on', () => {
    const lost = ['Content-Encoding', 'gzip', 'Digest', 'x', 'Content-Digest', 'y', 'Content-MD5', 'z', 'Repr-Digest', 'w'];
    expect(toDownstreamHeaders([...raw, ...lost], { isRewritten: true })).toEqual([
      'Set-Cookie',
      'a=1',
      'Set-Cookie',
      'b=2',
      'Content-Type',
      'text/plain',
    ]);
    expect(toDownstreamHeaders(lost, { isRewritten: false })).toEqual(lost);
  });

  it('nothing that leads past us', () => {
    expect(toDownstreamHeaders(['Alt-Svc', 'h3=":443"', 'X', '1'], { isRewritten: false })).toEqual(['X', '1']);
  });

  it('Connection takes no session or challenge away', () => {
    const own = ['Mcp-Session-Id', 'a', 'WWW-Authenticate', 'b', 'Location', 'c'];
    expect(
      toDownstreamHeaders(['Connection', 'mcp-session-id, www-authenticate, location', ...own], { isRewritten: false }),
    ).toEqual(own);
  });
});

describe('characters', () => {
  it.each(['a\rb', 'a\nb', 'a\u0000b', 'a\u007fb', 'a\u010ab', 'a\u2028b'])('%j may not be in a value', (value) => {
    expect(hasForbiddenCharacter(['x', value])).toBe(true);
  });
  it.each(['', 'a b', 'a:b', 'a\r', 'é'])('%j is no name', (name) => {
    expect(hasForbiddenCharacter([name, 'x'])).toBe(true);
  });
  it.each(['', 'a b\tc', 'caf\u00e9', '"~"'])('%j may be in a value', (value) => {
    expect(hasForbiddenCharacter(['x', value])).toBe(false);
  });
});
