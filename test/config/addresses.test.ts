import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLoopback, parseListenAddress } from '../../src/config/addresses.ts';

describe('parseListenAddress', () => {
  it.each([
    ['127.0.0.1:8787', '127.0.0.1', 8787],
    ['127.1:0', '127.0.0.1', 0],
    ['[::1]:65535', '::1', 65_535],
    ['[0:0::1]:80', '::1', 80],
    ['[::ffff:127.0.0.1]:1', '::ffff:7f00:1', 1],
    ['Proxy.Example:443', 'proxy.example', 443],
    ['0:1', '0.0.0.0', 1],
  ])('%s', (text, host, port) => {
    expect(parseListenAddress(text)).toEqual({ host, port });
  });

  it.each([
    '',
    ':8787',
    '8787',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '127.0.0.1:-1',
    '127.0.0.1:8787/',
    '::1:8787',
    '[::1]',
    '[::g]:1',
    '[1]:1',
    '256.0.0.1:1',
    'user@host:1',
    'a b:1',
    '-a:1',
    ' 127.0.0.1:1',
    '127.0.0.1:1\n',
  ])('refuses %j', (text) => {
    expect(parseListenAddress(text)).toBeUndefined();
  });

  it('takes any text for what it is, and says of what it takes what it means', () => {
    const nearly = fc.array(fc.constantFrom('127', '.', ':', '[', ']', '::1', '0', 'a', '/', '@', '#', '%'), { maxLength: 8 });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          nearly.map((parts) => parts.join('')),
        ),
        (text) => {
          const address = parseListenAddress(text);
          if (address === undefined) return;
          const host = address.host.includes(':') ? `[${address.host}]` : address.host;
          expect(parseListenAddress(`${host}:${address.port}`)).toEqual(address);
        },
      ),
    );
  });
});

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.255.0.9', '::1', 'localhost'])('%s is', (host) => expect(isLoopback(host)).toBe(true));
  it.each(['0.0.0.0', '::', '128.0.0.1', '127.0.0.1.example', 'localhost.example', '::ffff:7f00:1', ''])('%j is not', (host) =>
    expect(isLoopback(host)).toBe(false),
  );
});
