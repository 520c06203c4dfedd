import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decide } from '../../src/core/decide/decide.ts';
import { compilePolicy } from '../../src/core/match/compile.ts';
import { loadPolicy } from '../../src/config/policy-file.ts';
import type { Call } from '../../src/core/call.ts';
import { ROOT } from '../support/run-cli.ts';
import { OPEN_FILES, SECRET_FILES } from './secret-files.ts';
import { HONEST_CALLS } from './honest-calls.ts';

const PATHS = { home: '/home/ann', cwd: '/srv/shop', platform: 'posix', remote: false } as const;

/** What a shipped policy makes of a call on a machine without links. */
async function decider(name: string): Promise<(call: Partial<Call>) => string> {
  const policy = compilePolicy(await loadPolicy(join(ROOT, 'policies', `${name}.toml`)));
  return (call) => {
    const { action, rule } = decide(
      { method: 'tools/call', server: 'files', ...call },
      { policy, paths: PATHS, realPaths: new Map() },
    );
    return `${action} ${rule?.id ?? ''}`.trim();
  };
}

describe.each(['default', 'strict', 'read-only'])('files with secrets, under %s', (name) => {
  it('are out of reach of servers, of the agent itself, and as resources', async () => {
    const decided = await decider(name);
    expect(SECRET_FILES.length).toBeGreaterThanOrEqual(140);
    const reached = SECRET_FILES.flatMap((path) => {
      const calls: Partial<Call>[] = [
        { tool: 'read_file', args: { path } },
        { tool: 'Read', server: 'native', origin: 'native', args: { file_path: path } },
        { method: 'resources/read', resource: path.startsWith('/') ? `file://${encodeURI(path)}` : `file:///${encodeURI(path)}` },
      ];
      return calls.filter((call) => !decided(call).startsWith('deny ')).map(({ tool = 'resource' }) => `${tool} ${path}`);
    });
    expect(reached).toEqual([]);
  });

  it('and files that are only called alike are not', async () => {
    const decided = await decider(name);
    expect(OPEN_FILES.filter((path) => !decided({ tool: 'read_file', args: { path } }).startsWith('allow'))).toEqual([]);
  });
});

describe('folders around secrets, under default', () => {
  it.each([
    '~',
    '/home/ann',
    '~/.config',
    '/home/ann/.docker',
    '~/.kube/',
    '~/.local/share',
    '~/.cargo',
    '~/.mozilla',
    '~/.claude',
    '/Users/bob/Library/Application Support',
  ])('%s may be listed, and neither moved, copied, packed, renamed nor deleted', async (path) => {
    const decided = await decider('default');
    const tools = [
      'move_file',
      'copy_directory',
      'rename',
      'zip_folder',
      'archive',
      'delete_directory',
      'compress',
      'backup_folder',
      'sync_folder',
    ];
    expect(
      tools
        .map((tool) => decided({ tool, args: { source: path, destination: '/tmp/m' } }))
        .filter((each) => !each.startsWith('deny')),
    ).toEqual([]);
    if (!path.includes('.mozilla')) expect(decided({ tool: 'list_directory', args: { path } })).toBe('allow');
  });
});

describe('everyday calls under default', () => {
  it('none is denied, and few ask', async () => {
    const decided = await decider('default');
    const results = HONEST_CALLS.map(({ server, tool, args }) => ({
      call: `${server} ${tool} ${JSON.stringify(args)}`,
      is: decided({ server, tool, args, ...(server === 'native' ? { origin: 'native' } : {}) }),
    }));
    expect(results.length).toBeGreaterThanOrEqual(150);
    expect(new Set(HONEST_CALLS.map(({ server }) => server)).size).toBeGreaterThanOrEqual(20);
    expect(results.filter(({ is }) => is.startsWith('deny'))).toEqual([]);
    expect(results.filter(({ is }) => is.startsWith('prompt')).map(({ call }) => call)).toEqual(
      HONEST_CALLS.filter(({ asks }) => asks === true).map(
        ({ server, tool, args }) => `${server} ${tool} ${JSON.stringify(args)}`,
      ),
    );
  });
});
