import { describe, expect, it } from 'vitest';
import { findClient } from '../../src/session/find-client.ts';
import type { ProcessInfo } from '../../src/session/processes.ts';

/** Ancestors, nearest first: pid 100, 99, …; each is as old as its pid says. */
function ancestors(...lines: readonly (string | Partial<ProcessInfo>)[]): Map<number, ProcessInfo> {
  return new Map(
    lines.map((line, i) => {
      const pid = 100 - i;
      const words = typeof line === 'string' ? line.split(' ') : ['agent'];
      const made = { pid, parent: pid - 1, started: pid, name: '', words, stdin: undefined };
      return [pid, typeof line === 'string' ? made : { ...made, ...line }];
    }),
  );
}

function clientOf(processes: ReadonlyMap<number, ProcessInfo>, stdin?: string): number | undefined {
  return findClient({ parent: 100, readProcess: (pid) => processes.get(pid), stdin })?.pid;
}

describe('findClient', () => {
  it.each<[string, (string | Partial<ProcessInfo>)[], number | undefined]>([
    ['a client', ['/usr/bin/agent', 'bash'], 100],
    ['a shell of a client', ['sh -c x', 'agent', 'bash'], 99],
    ['many launchers', ['sh', 'node /x/npx-cli.js -y y', '-bash', 'uv run x', 'agent', 'agent'], 96],
    ['a known client above an unknown one', ['my-agent', 'bash', 'claude'], 100],
    ['only launchers', ['sh', 'bash'], 99],
    ['a launcher below the system', ['sh', '/usr/lib/systemd/systemd --user', 'x'], 100],
    ['an orphan', ['/usr/lib/systemd/systemd --user', 'x'], undefined],
    ['nothing that may be seen', [], undefined],
    ['another process under the pid of the ended parent', ['sh', { started: 1000 }], 100],
  ])('%s', (_, lines, pid) => {
    expect(clientOf(ancestors(...lines))).toBe(pid);
  });

  it('passes over whatever has our own input', () => {
    const processes = ancestors({ stdin: 'pipe:[7]' }, { stdin: 'pipe:[7]' }, { stdin: 'pipe:[8]' }, 'agent');
    expect(clientOf(processes, 'pipe:[7]')).toBe(98);
    expect(clientOf(processes)).toBe(100);
  });

  it('does not follow for ever', () => {
    const looped = new Map([[100, { pid: 100, parent: 100, started: 1, name: 'sh', words: ['sh'], stdin: undefined }]]);
    expect(clientOf(looped)).toBe(100);
    const deep = ancestors(...Array.from({ length: 60 }, () => 'sh'));
    expect(clientOf(deep)).toBe(100 - 31);
  });
});
