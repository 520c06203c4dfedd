import { describe, expect, it } from 'vitest';
import { maySendTo, reachOf, widestReach } from '../../../src/transport/login/address-reach.ts';

describe('the reach of an address', () => {
  it.each([
    ['public', ['93.184.215.14', '8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '64:ff9b::808:808', '::ffff:8.8.8.8']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', 'fd12::1', '::ffff:10.0.0.1']],
    ['loopback', ['127.0.0.1', '127.255.255.255', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1']],
    [
      'never',
      [
        '169.254.169.254',
        '::ffff:169.254.169.254',
        '64:ff9b::a9fe:a9fe',
        'fd00:ec2::254',
        '100.100.100.200',
        'fe80::1',
        'fe80::1%eth0',
        '0.0.0.0',
        '::',
        '::7f00:1',
        '2002:7f00:1::',
        '2001:0:7f00:1::',
        '224.0.0.1',
        '255.255.255.255',
        'ff02::1',
        'example.com',
        '',
      ],
    ],
  ] as const)('%s', (reach, addresses) => {
    for (const address of addresses) expect([address, reachOf(address)]).toEqual([address, reach]);
  });

  it('of a host is that of its most public address, and none if one is never asked', () => {
    expect(widestReach(['127.0.0.1', '93.184.215.14'])).toBe('public');
    expect(widestReach(['127.0.0.1', '10.0.0.1'])).toBe('private');
    expect(widestReach(['127.0.0.1', '169.254.169.254'])).toBe('never');
    expect(widestReach([])).toBe('never');
  });

  it('lets a server send us to what no fewer machines reach', () => {
    const kinds = ['public', 'private', 'loopback', 'never'] as const;
    const allowed = kinds.flatMap((server) =>
      kinds.filter((target) => maySendTo(server, target)).map((target) => `${server} ${target}`),
    );
    expect(allowed).toEqual([
      'public public',
      'private public',
      'private private',
      'loopback public',
      'loopback private',
      'loopback loopback',
    ]);
  });
});
