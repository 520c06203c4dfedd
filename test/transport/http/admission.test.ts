import { describe, expect, it } from 'vitest';
import { bracketed, ownNames } from '../../../src/transport/http/admission.ts';

const LOOPBACK = ['localhost:4711', '127.0.0.1:4711', '[::1]:4711'];

describe('names of a listener', () => {
  it('are those of loopback, with the port', () => {
    const { hosts, origins } = ownNames({ scheme: 'http', host: '127.0.0.1', port: 4711, hosts: [] });
    expect([...hosts]).toEqual(LOOPBACK);
    expect([...origins]).toEqual(LOOPBACK.map((name) => `http://${name}`));
  });

  it('the address that is listened on, unless that is all of them', () => {
    const names = (host: string): string[] =>
      [...ownNames({ scheme: 'http', host, port: 4711, hosts: [] }).hosts].slice(LOOPBACK.length);
    expect(names('192.168.0.7')).toEqual(['192.168.0.7:4711']);
    expect(names('FD00::7')).toEqual(['[fd00::7]:4711']);
    expect(names('0.0.0.0')).toEqual([]);
    expect(names('::')).toEqual([]);
  });

  it('further ones, with a port of their own where they have one', () => {
    const { hosts } = ownNames({
      scheme: 'http',
      host: '::1',
      port: 4711,
      hosts: ['Gate.Example', 'gate.example:8080', 'fd00::1', '[fd00::2]:9'],
    });
    expect([...hosts].slice(LOOPBACK.length)).toEqual([
      'gate.example:4711',
      'gate.example:8080',
      '[fd00::1]:4711',
      '[fd00::2]:9',
    ]);
  });

  it('further ones may lack the port under TLS', () => {
    const { hosts, origins } = ownNames({ scheme: 'https', host: '127.0.0.1', port: 4711, hosts: ['gate.example'] });
    expect([...hosts]).toEqual([...LOOPBACK, 'gate.example:4711', 'gate.example']);
    expect(origins).toContain('https://gate.example');
    expect(origins).not.toContain('http://gate.example');
  });

  it('all may lack the port that is the default of the scheme', () => {
    expect(ownNames({ scheme: 'http', host: '127.0.0.1', port: 80, hosts: [] }).hosts).toContain('localhost');
    expect(ownNames({ scheme: 'http', host: '127.0.0.1', port: 443, hosts: [] }).hosts).not.toContain('localhost');
    expect(ownNames({ scheme: 'https', host: '127.0.0.1', port: 443, hosts: [] }).hosts).toContain('localhost');
  });
});

it('only addresses of IPv6 get brackets', () => {
  expect(['localhost', 'a:1', '::1', '[::1]', '[::1]:2'].map(bracketed)).toEqual([
    'localhost',
    'a:1',
    '[::1]',
    '[::1]',
    '[::1]:2',
  ]);
});
