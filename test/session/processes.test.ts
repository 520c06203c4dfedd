import { describe, expect, it } from 'vitest';
import { parseStat, readLinuxProcess, readLinuxScope } from '../../src/session/processes.ts';

/** As the kernel writes it: fields 3 to 24 behind the name. */
const FIELDS = 'S 4242 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 1000 200';

describe('parseStat', () => {
  it.each(['node', 'Web Content', 'weird) name (x', ') S 1 1', '', 'two\nlines', '(((('])('with the name %j', (name) => {
    expect(parseStat(`12 (${name}) ${FIELDS}\n`)).toEqual({ name, parent: 4242, started: 987_654 });
  });

  it.each(['', '12 node S 1', ')(', `12 (x) S`, `12 (x) S y ${FIELDS}`])('not with %j', (text) => {
    expect(parseStat(text)).toBeUndefined();
  });
});

describe.skipIf(process.platform !== 'linux')('readLinuxProcess', () => {
  it('sees a process as it is', () => {
    const self = readLinuxProcess(process.pid);
    expect(self).toMatchObject({ pid: process.pid, parent: process.ppid });
    expect(self?.words[0]).toMatch(/\S/);
    expect(self?.started).toBeGreaterThan(readLinuxProcess(process.ppid)?.started ?? Number.NaN);
  });

  it('does not see what is not there', () => {
    expect(readLinuxProcess(2 ** 30)).toBeUndefined();
  });

  it('knows the boot', () => {
    expect(readLinuxScope()).toMatch(/^[0-9a-f-]{36} pid:\[\d+\]$/);
  });
});
