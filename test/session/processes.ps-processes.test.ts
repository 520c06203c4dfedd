import { describe, expect, it } from 'vitest';
import { parsePsLine, type ProcessInfo, readByPs } from '../../src/session/processes.ts';
import { until } from '../support/until.ts';

describe('parsePsLine', () => {
  it.each([
    [
      '  501     1 Sun Nov 22 04:30:55 2026 /Applications/Agent.app/Contents/MacOS/Agent --x y',
      { pid: 501, parent: 1, words: ['/Applications/Agent.app/Contents/MacOS/Agent', '--x', 'y'] },
    ],
    ['99999 88888 Sun Nov  2 04:30:55 2026 -zsh', { pid: 99_999, parent: 88_888, words: ['-zsh'] }],
  ])('%s', (line, expected) => {
    expect(parsePsLine(line)).toMatchObject(expected);
  });

  it('has the second of the start', () => {
    expect(parsePsLine('1 0 Sun Nov 22 04:30:55 2026 x')?.started).toBe(Date.UTC(2026, 10, 22, 4, 30, 55));
  });

  it.each(['', 'PID PPID STARTED COMMAND', '1 0 x', '1 0 Sun Foo 99 99:99:99 2026 x'])('not %j', (line) => {
    expect(parsePsLine(line)).toBeUndefined();
  });
});

describe.skipIf(process.platform === 'win32')('readByPs', () => {
  it('sees the processes of the user', async () => {
    let self: ProcessInfo | undefined;
    // On a busy machine ps may take longer than is waited for it.
    await until('ps to be in time', () => (self = readByPs()(process.pid)) !== undefined);
    expect(self).toMatchObject({ pid: process.pid, parent: process.ppid });
    // The system counts ticks since boot and rounds.
    expect(Math.abs((self?.started ?? 0) - (Date.now() - process.uptime() * 1000))).toBeLessThan(5000);
  });
});
