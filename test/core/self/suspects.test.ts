import { describe, expect, it } from 'vitest';
import { Reading } from '../../../src/core/match/reading.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { findSuspects, type Suspects } from '../../../src/core/self/suspects.ts';
import { ownOf } from '../../support/own.ts';
import { POSIX } from '../../support/policy.ts';

const OWN = ownOf(['/home/user/.config/clawai']);

function suspectsOf(args: JsonObject, tool = 't'): Suspects {
  return findSuspects({ method: 'tools/call', server: 's', tool, args }, new Reading(POSIX), OWN);
}

describe('findSuspects', () => {
  it('takes what may be a path, with the name of its argument', () => {
    const { paths } = suspectsOf({ a: '/x', b: ['/y', 'plain'], c: { '/k': 1 }, file: 'z', d: 'clawai', e: 5 });
    expect(Object.fromEntries(paths)).toEqual({ '/x': 'a', '/y': 'b', '/k': '', z: 'file', clawai: 'd' });
  });

  it('looks into texts that are JSON, once', () => {
    const inner = JSON.stringify({ p: '/x', q: JSON.stringify({ r: '/y' }) });
    expect([...suspectsOf({ a: inner }).paths.keys()]).toEqual(expect.arrayContaining(['/x']));
    expect(suspectsOf({ a: inner }).paths.has('/y')).toBe(false);
  });

  it('takes what is run, by the name of argument or tool', () => {
    expect([...suspectsOf({ command: 'ls', x: 'y' }).commands.keys()]).toEqual(['ls']);
    expect([...suspectsOf({ x: 'ls' }, 'bash').commands.keys()]).toEqual(['ls']);
    expect(suspectsOf({ x: 'ls' }).commands.size).toBe(0);
  });

  it('takes a patch for no command, and the files that it names for paths', () => {
    const patch = '*** Begin Patch\n *** Update File:a.txt\n*** Move to: b.txt\n+clawai unwrap\n*** End Patch';
    const { commands, paths, runsChange } = suspectsOf({ command: patch }, 'apply_patch');
    expect([commands.size, paths.has('a.txt'), paths.has('b.txt'), runsChange]).toEqual([0, true, true, false]);
    expect(suspectsOf({ command: patch }, 'bash').commands.size).toBe(1);
  });

  it('takes the folders in which it is run', () => {
    expect([...suspectsOf({ command: 'ls', cwd: '/w', working_directory: 'v' }).folders]).toEqual(['/w', 'v']);
  });
});
