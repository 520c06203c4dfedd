import { describe, expect, it } from 'vitest';
import { Reading } from '../../../src/core/match/reading.ts';
import type { Call } from '../../../src/core/call.ts';
import { findReach, type Reach } from '../../../src/core/self/find-reach.ts';
import { ownOf } from '../../support/own.ts';
import { POSIX } from '../../support/policy.ts';

const OWN = ownOf(['/home/user/.config/clawai']);

function reachOf(call: Partial<Call>): Reach {
  return findReach({ method: 'tools/call', server: 's', tool: 't', ...call }, new Reading(POSIX), OWN);
}

describe('findReach', () => {
  it('leaves to the disk only what a path may be', () => {
    const asked = (args: Call['args']): string[] => [...reachOf({ args }).toResolve.keys()];
    expect(asked({ city: 'Berlin', limit: 5, ok: true, none: null })).toEqual([]);
    expect(asked({ a: '/x/../y' })).toEqual(['/y', '/x/../y']);
    expect(asked({ path: 'notes.txt' })).toEqual(['/home/user/project/notes.txt']);
    expect(asked({ title: 'notes.txt' })).toEqual([]);
    expect(asked({ url: 'https://example.com/a?b=c' })).toEqual([]);
    expect(asked({ url: 'https://x/../../a' })).toContain('/home/user/project/a');
    expect(asked({ text: `${'a/'.repeat(5000)}b` })).toEqual([]);
    expect(asked({ text: `a/${'long '.repeat(100)}` })).toEqual([]);
  });

  it('remembers whether what lies below a path is taken away', () => {
    expect([...reachOf({ tool: 'delete_folder', args: { path: '/x' } }).toResolve]).toEqual([['/x', true]]);
    expect([...reachOf({ tool: 'read_folder', args: { path: '/x' } }).toResolve]).toEqual([['/x', false]]);
  });

  it('stops at what is ours, and where there is too much', () => {
    expect(reachOf({ args: { a: '/home/user/.config/clawai/x', b: '/y' } })).toMatchObject({ isOurs: true, texts: 1 });
    const many = Array.from({ length: 100_000 }, (_, i) => `/x/${i}`);
    expect(reachOf({ args: { many } }).texts).toBeLessThan(5000);
  });
});
